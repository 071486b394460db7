// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "simulate/driven/whole_body.h"

// A mass m that only the forces f on its skin move, in a tick of h:
//
//   half     x_m = x + h/2 u
//   kick     u' = u + h f / m,   f of x_m and u
//   half     x' = x_m + h/2 u',   but no farther than the clearance c: there it is clamped, and
//            what is left of u' along x' goes.
//
// The force on a body that is clamped goes into what is behind it. A body that has no clearance
// does not move.

static atemi_vec3 ahead(atemi_vec3 position, double time, atemi_vec3 velocity)
{
    return atemi_vec3_add(position, atemi_vec3_scale(time, velocity));
}

static void clamp(double clearance, atemi_soft_body_state *s)
{
    const double distance = atemi_vec3_norm(s->position);
    if (distance < clearance) {
        return;
    }
    if (clearance == 0.0) {
        s->position = s->velocity = (atemi_vec3){0};
        return;
    }
    const atemi_vec3 out = atemi_vec3_scale(1.0 / distance, s->position);
    const double     speed = atemi_vec3_dot(s->velocity, out);
    s->position = atemi_vec3_scale(clearance, out);
    if (speed > 0.0) {
        s->velocity = ahead(s->velocity, -speed, out);
    }
}

void atemi_whole_body_move_bodies(atemi_whole_body_plant *p)
{
    for (int i = 0; i < p->options.body_count; ++i) {
        const atemi_soft_body_state *s = &p->bodies[i].state;
        p->bodies[i].middle = ahead(s->position, 0.5 * p->options.period, s->velocity);
    }
}

void atemi_whole_body_kick_bodies(atemi_whole_body_plant *p)
{
    const double h = p->options.period;
    for (int i = 0; i < p->options.body_count; ++i) {
        soft_body *b = &p->bodies[i];
        b->state.velocity = ahead(b->state.velocity, h / b->options.mass, b->state.force);
        b->state.position = ahead(b->middle, 0.5 * h, b->state.velocity);
        clamp(b->options.clearance, &b->state);
    }
}

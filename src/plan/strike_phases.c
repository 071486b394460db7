// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_phases.h"

#include "atemi/configuration.h"

#include <math.h>
#include <string.h>

// The motion is followed by the midpoint rule in four long steps, to where the hand has half its
// time, rests, the body has half of what is left, and rests.

enum { KNOTS = 4 };

static void constrain_room(strike_problem *p, const char *phase, int knot)
{
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        if (joint->v_count == 1 && isfinite(joint->limits.lower + joint->limits.upper)) {
            const double given = p->task.q[joint->first_q]; // may be nearer than the margin
            strike_constrain(
                p, p->knot_q[joint->first_q],
                (strike_bounds){fmin(joint->limits.lower + p->task.travel_margin, given),
                                fmax(joint->limits.upper - p->task.travel_margin, given), 0.1,
                                joint->type == ATEMI_JOINT_PRISMATIC ? "m" : "rad"},
                "range of %.50s %s, %d/%d", joint->name, phase, knot, KNOTS);
        }
    }
}

static void constrain_speeds(strike_problem *p, const char *phase, int knot)
{
    for (int j = 0; j < atemi_model_joint_count(p->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p->model, j);
        const double       limit = strike_speed_limit(p, joint);
        if (isfinite(limit)) {
            strike_constrain(p, p->knot_v[joint->first_v],
                             (strike_bounds){-limit, limit, 0.5, "rad/s"},
                             "speed of %.50s %s, %d/%d", joint->name, phase, knot, 2 * KNOTS);
        }
    }
}

static void follow(strike_problem *p, double hand, double body, double sign, const char *phase)
{
    const double knots[KNOTS] = {0.5 * hand, hand, 0.5 * (hand + body), body};
    double       time = 0.0;
    memcpy(p->knot_q, p->q, (size_t)atemi_model_q_count(p->model) * sizeof *p->q);
    memcpy(p->knot_v, p->v, (size_t)p->base.count * sizeof *p->v);
    for (int k = 0; k < KNOTS; ++k) {
        const double h = sign * knots[k] - time;
        atemi_configuration_integrate(p->model, p->knot_q, p->knot_v, 0.5 * h, p->middle_q);
        strike_rates_at(p, p->middle_q, time + 0.5 * h, 0.0, p->knot_v);
        constrain_speeds(p, phase, 2 * k + 1);
        atemi_configuration_integrate(p->model, p->knot_q, p->knot_v, h, p->knot_q);
        constrain_room(p, phase, k + 1);
        time += h;
        if (k + 1 < KNOTS) {
            strike_rates_at(p, p->knot_q, time, 0.0, p->knot_v);
            constrain_speeds(p, phase, 2 * k + 2);
        }
    }
}

void strike_constrain_motion(strike_problem *p)
{
    const strike_values *x = &p->values;
    follow(p, x->hand_rise, x->body_rise, -1.0, "gathering speed");
    follow(p, x->hand_fall, x->body_fall, 1.0, "slowing down");
}

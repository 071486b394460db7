// SPDX-License-Identifier: Apache-2.0

#include "control/whole_body_parts.h"

#include "control/contact_cone.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// The cone of a contact is that of control/contact_cone.c with
// k = friction / sqrt(2): the pyramid is inside the cone.
//
// A joint at q, with the limit q_most, shall not approach faster than the motion that stops there
// without oscillation, a <= r^2 (q_most - q) - 2 r v, and not exceed its velocity limit within the
// horizon, a <= (v_most - v) / T.

// A line does not resist a moment about itself.
static void free_tilt(atemi_whole_body_control *c, const whole_body_foot *foot, int i, double half)
{
    if (!(half > 0.0)) {
        c->least[foot->first + i] = c->most[foot->first + i] = 0.0;
    }
}

static void add_cone(atemi_whole_body_control *c, const whole_body_foot *foot)
{
    double       rows[CONTACT_CONE_ROWS][CONTACT_WRENCH];
    const double k = foot->contact.friction / sqrt(2.0);
    const int    count =
        atemi_contact_cone(k, 0.5 * foot->contact.size_x, 0.5 * foot->contact.size_y, rows);
    for (int i = 0; i < count; ++i) {
        double *row = row_of(c->A, c->width, c->cone_rows);
        memset(row, 0, (size_t)c->width * sizeof *row);
        memcpy(row + foot->first, rows[i], (size_t)foot->count * sizeof *row);
        c->lower[c->cone_rows] = -(double)INFINITY;
        c->upper[c->cone_rows++] = 0.0;
    }
}

int atemi_whole_body_cones_set(atemi_whole_body_control *c)
{
    c->cone_rows = 0;
    for (int f = 0; f < c->foot_count; ++f) {
        const whole_body_foot *foot = &c->feet[f];
        add_cone(c, foot);
        if (foot->count > 3) {
            free_tilt(c, foot, 3, foot->contact.size_y);
            free_tilt(c, foot, 4, foot->contact.size_x);
        }
        c->least[foot->first + CONTACT_PUSH] = foot->contact.least_force;
        c->most[foot->first + CONTACT_PUSH] = foot->contact.most_force;
    }
    return c->cone_rows;
}

void atemi_whole_body_efforts_set(atemi_whole_body_control *c, int first)
{
    memcpy(row_of(c->A, c->width, first), c->effort,
           (size_t)c->joints * (size_t)c->width * sizeof *c->A);
    for (int j = 0; j < c->joints; ++j) {
        c->lower[first + j] = -c->efforts[j] - c->effort_rest[j];
        c->upper[first + j] = c->efforts[j] - c->effort_rest[j];
    }
}

static void limit_joint(atemi_whole_body_control *c, const atemi_joint *joint)
{
    const int    j = joint->first_v - WHOLE_BODY_BASE;
    const double q = c->q[joint->first_q], v = c->v[joint->first_v], r = c->options.stop_rate;
    const double T = c->options.horizon, speed = joint->limits.velocity;
    double       low = r * r * (joint->limits.lower - q) - 2.0 * r * v;
    double       high = r * r * (joint->limits.upper - q) - 2.0 * r * v;
    if (joint->type == ATEMI_JOINT_CONTINUOUS) {
        low = -(double)INFINITY;
        high = (double)INFINITY;
    }
    if (speed > 0.0) {
        low = fmin(fmax(low, (-speed - v) / T), high); // the stop counts more
        high = fmax(fmin(high, (speed - v) / T), low);
    }
    c->least[j] = low;
    c->most[j] = high;
}

void atemi_whole_body_stops_set(atemi_whole_body_control *c, bool free)
{
    for (int j = 0; j < c->joints; ++j) {
        c->least[j] = -(double)INFINITY;
        c->most[j] = (double)INFINITY;
    }
    for (int i = 0; i < atemi_model_joint_count(c->model) && !free; ++i) {
        const atemi_joint *joint = atemi_model_joint(c->model, i);
        if (joint->v_count == 1 && joint->first_v >= WHOLE_BODY_BASE) {
            limit_joint(c, joint);
        }
    }
}

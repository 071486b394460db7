// SPDX-License-Identifier: Apache-2.0

#include "control/whole_body_parts.h"

#include "math/matrix.h"

#include <math.h>
#include <string.h>

// The wrench (f, t) in the middle of a rectangle of the half sides X, Y is that of four corners
// that push within |f_x|, |f_y| <= k f_z each, if and only if [Caron15, eq. 17-21]
//
//   |f_x| <= k f_z,   |f_y| <= k f_z,   |t_x| <= Y f_z,   |t_y| <= X f_z
//   |Y f_x - k t_x| + |X f_y - k t_y| - k (X + Y) f_z <=  t_z
//   |Y f_x + k t_x| + |X f_y + k t_y| - k (X + Y) f_z <= -t_z
//
// k = friction / sqrt(2): the pyramid is inside the cone.
//
// A joint at q, with the limit q_most, shall not approach faster than the motion that stops there
// without oscillation, a <= r^2 (q_most - q) - 2 r v, and not exceed its velocity limit within the
// horizon, a <= (v_most - v) / T.

enum { PUSH = 2 };

static double *cone_row(atemi_whole_body_control *c, const whole_body_foot *foot)
{
    double *row = row_of(c->A, c->width, c->cone_rows);
    memset(row, 0, (size_t)c->width * sizeof *row);
    c->lower[c->cone_rows] = -(double)INFINITY;
    c->upper[c->cone_rows++] = 0.0;
    return row + foot->first;
}

// |w_i| <= ratio f_z
static void add_ratio(atemi_whole_body_control *c, const whole_body_foot *foot, int i, double ratio)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        double *row = cone_row(c, foot);
        row[i] = sign;
        row[PUSH] = -ratio;
    }
}

// A line does not resist a moment about itself.
static void add_tilt(atemi_whole_body_control *c, const whole_body_foot *foot, int i, double half)
{
    if (half > 0.0) {
        add_ratio(c, foot, i, half);
    } else {
        c->least[foot->first + i] = c->most[foot->first + i] = 0.0;
    }
}

// What a rectangle resists of a moment about its normal.
static void add_twist(atemi_whole_body_control *c, const whole_body_foot *foot, double k)
{
    const double X = 0.5 * foot->contact.size_x, Y = 0.5 * foot->contact.size_y;
    for (int signs = 0; signs < 8; ++signs) {
        const double first = signs & 1 ? 1.0 : -1.0, second = signs & 2 ? 1.0 : -1.0;
        const double turn = signs & 4 ? 1.0 : -1.0;
        if ((first < 0.0 && !(Y > 0.0)) || (second < 0.0 && !(X > 0.0))) {
            continue; // of a line, the same row again
        }
        double *row = cone_row(c, foot);
        row[0] = first * Y;
        row[1] = second * X;
        row[PUSH] = -k * (X + Y);
        row[3] = first * turn * k;
        row[4] = second * turn * k;
        row[5] = turn;
    }
}

int atemi_whole_body_cones_set(atemi_whole_body_control *c)
{
    c->cone_rows = 0;
    for (int f = 0; f < c->foot_count; ++f) {
        const whole_body_foot *foot = &c->feet[f];
        const double           k = foot->contact.friction / sqrt(2.0);
        add_ratio(c, foot, 0, k);
        add_ratio(c, foot, 1, k);
        if (foot->count > 3) {
            add_tilt(c, foot, 3, 0.5 * foot->contact.size_y);
            add_tilt(c, foot, 4, 0.5 * foot->contact.size_x);
            add_twist(c, foot, k);
        }
        c->least[foot->first + PUSH] = foot->contact.least_force;
        c->most[foot->first + PUSH] = foot->contact.most_force;
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

// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_self_slopes.h"

#include "math/matrix.h"
#include "plan/motion/strike_self.h"

#include <string.h>

// With the nearest places p and q on two links, which count as fixed to them (strike_capsules.c),
// and the direction n in which their distance grows,
//
//   dd = n . (dq - dp) = n^T (J_q - J_p) dq,   J_p = (v + w x (p - o)) of a link at o
//
// One row n^T (J_q - J_p) is made of both Jacobians, and then multiplied with the derivatives of
// the posture.

static const double far_away = 0.5; // m: distances beyond it do not limit a step

// row += sign n^T J of a place on a link
static void add_place(const strike_setup *s, const atemi_kinematics *kinematics, int link,
                      atemi_vec3 place, atemi_vec3 n, double sign, strike_derivatives *d)
{
    const int        count = s->v_count;
    const atemi_vec3 arm =
        atemi_vec3_sub(place, atemi_link_pose_in(s->model, kinematics, link).position);
    const atemi_vec3 moment = atemi_vec3_cross(arm, n);
    const double     weights[] = {n.x, n.y, n.z, moment.x, moment.y, moment.z};
    atemi_link_jacobian_in(s->model, kinematics, link, d->rows);
    for (int r = 0; r < 6; ++r) {
        row_subtract(count, -sign * weights[r], row_in(d->rows, count, r), d->seen_v);
    }
}

static void slope_gap(const strike_setup *s, const strike_self_pair *pair, const strike_gap *gap,
                      const atemi_kinematics *kinematics, strike_derivatives *d, double *to)
{
    const int stride = d->directions.stride;
    memset(to, 0, (size_t)stride * sizeof *to);
    if (gap->distance > far_away) {
        return;
    }
    memset(d->seen_v, 0, (size_t)s->v_count * sizeof *d->seen_v);
    add_place(s, kinematics, pair->second, gap->second, gap->away, 1.0, d);
    add_place(s, kinematics, pair->first, gap->first, gap->away, -1.0, d);
    matrix_add_multiply(1, s->v_count, d->seen_v, s->v_count, d->at_q, stride, to);
}

// Of all pairs at an instant.
static void slope_instant(const strike_setup *s, int instant, int instants,
                          const atemi_kinematics *kinematics, strike_derivatives *d, double *parts)
{
    const int stride = d->directions.stride;
    for (int i = 0; i < s->task.pair_count; ++i) {
        const strike_self_pair pair = strike_self_pair_of(s, i);
        for (int k = 0; k < pair.capsules; ++k) {
            const strike_gap gap = strike_self_gap(s, &pair, k, kinematics);
            slope_gap(s, &pair, &gap, kinematics, d,
                      row_of(parts, stride, instant * pair.capsules + k));
        }
        parts = row_of(parts, stride, instants * pair.capsules);
    }
}

void strike_self_slopes(const strike_setup *s, const strike_evaluation *at, strike_workspace *work,
                        strike_derivatives *d, strike_slopes *slopes)
{
    for (int phase = 0; phase < 2 && s->task.pair_count > 0; ++phase) {
        const strike_trajectory *path = &at->trajectories[phase];
        const int                instants = strike_self_instants(path);
        double                  *parts = row_of(slopes->parts, slopes->stride, slopes->next_part);
        for (int i = 0; i < instants; ++i) {
            const double time = strike_self_time(path, i);
            strike_trajectory_at(s->model, path, time, &work->trajectory, work->q, work->v, NULL);
            strike_trajectory_vary_at(s, &d->directions, path, &d->trajectories[phase], time,
                                      &work->trajectory, &d->work, d->at_q, d->at_v, d->at_a);
            atemi_kinematics_update(s->model, work->q, NULL, NULL, &work->kinematics);
            slope_instant(s, i, instants, &work->kinematics, d, parts);
        }
        for (int i = 0; i < s->task.pair_count; ++i) {
            slopes->next += strike_self_pair_of(s, i).capsules > 0;
        }
        slopes->next_part += strike_self_count(s, path->grid);
    }
}

// SPDX-License-Identifier: Apache-2.0

#include "contact/distribution.h"

#include "atemi/math.h"

#include <math.h>

// With the sum F and, about the middle of the points, the moment M; d_i from there to point i:
//
//   f_i = F / n + w x d_i,     sum over i of  d_i x (w x d_i) = M
//
// Points in line leave w free about it.

static const double in_line = 1e-12; // of the other directions: points off it by 1e-6 of its length

atemi_vec3 atemi_distribution_middle(const atemi_vec3 *places, int count)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        sum = atemi_vec3_add(sum, places[i]);
    }
    return atemi_vec3_scale(1.0 / count, sum);
}

// S w = sum over i of  d_i x (w x d_i)
static void find_spread(const atemi_vec3 *places, int count, atemi_vec3 middle, double S[9])
{
    for (int i = 0; i < 9; ++i) {
        S[i] = 0.0;
    }
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(places[i], middle);
        const double     at[3] = {d.x, d.y, d.z}, square = atemi_vec3_dot(d, d);
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                S[3 * r + c] += (r == c) * square - at[r] * at[c];
            }
        }
    }
}

static atemi_vec3 least_turn(double S[9], atemi_vec3 M)
{
    double    b[3] = {M.x, M.y, M.z}, w[3], tau[3], work[12];
    int       pivot[3];
    const int rank = atemi_qr_factor(3, 3, S, 3, in_line, tau, pivot, work);
    atemi_qr_solve_least_norm(3, 3, S, 3, rank, tau, pivot, b, w, work);
    return (atemi_vec3){w[0], w[1], w[2]};
}

static void hand_out(atemi_vec3 force, atemi_vec3 turn, atemi_vec3 middle, const atemi_vec3 *places,
                     int count, atemi_vec3 *forces)
{
    const atemi_vec3 part = atemi_vec3_scale(1.0 / count, force);
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 d = atemi_vec3_sub(places[i], middle);
        forces[i] = atemi_vec3_add(part, atemi_vec3_cross(turn, d));
    }
}

void atemi_distribute(atemi_force wrench, atemi_vec3 origin, const atemi_vec3 *places, int count,
                      atemi_vec3 *forces)
{
    const atemi_vec3  middle = atemi_distribution_middle(places, count);
    const atemi_force here = atemi_force_at(wrench, atemi_vec3_sub(middle, origin));
    double            S[9];
    find_spread(places, count, middle, S);
    hand_out(here.linear, least_turn(S, here.angular), middle, places, count, forces);
}

// Whether points lie in line as far as rounding shows it, which no single pivot does: of S along
// the axes nothing is left beside the zero.
static bool is_in_line(const double S[9])
{
    const double trace = S[0] + S[4] + S[8];
    const double determinant = S[0] * (S[4] * S[8] - S[5] * S[7]) -
                               S[1] * (S[3] * S[8] - S[5] * S[6]) +
                               S[2] * (S[3] * S[7] - S[4] * S[6]);
    return !(determinant > in_line * trace * trace * trace);
}

bool atemi_distribute_whole(atemi_force wrench, atemi_vec3 origin, const atemi_vec3 *places,
                            int count, atemi_vec3 *forces)
{
    const atemi_vec3  middle = atemi_distribution_middle(places, count);
    const atemi_force here = atemi_force_at(wrench, atemi_vec3_sub(middle, origin));
    const atemi_vec3  M = here.angular;
    double            S[9], w[3] = {M.x, M.y, M.z};
    int               pivot[3];
    find_spread(places, count, middle, S);
    if (count < 3 || is_in_line(S) || !atemi_lu_factor(3, S, 3, pivot)) {
        return false;
    }
    atemi_lu_solve(3, S, 3, pivot, w);
    hand_out(here.linear, (atemi_vec3){w[0], w[1], w[2]}, middle, places, count, forces);
    return true;
}

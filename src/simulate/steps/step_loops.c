// SPDX-License-Identifier: Apache-2.0

#include "simulate/steps/step_loops.h"

#include "simulate/events/projection.h"
#include "simulate/simulation.h"

#include <math.h>
#include <string.h>

// With u = J v at the start and u' at the end, J that of q_m, a loop asks
//
//   u + u' = 0
//
// so that its impulse does no work, p.(u + u') / 2 = 0, and q' - q = h/2 (v + v') keeps it closed
// but for a third-order part of the step. (u' = 0 would take energy of first order, as u is not
// zero where links turn.) What is left of positions and velocities is then projected at q', v': the
// first gives no velocity; of the second, h^2 of the speeds, goes h^4 of the energy in each step.
//
// Rows have no bounds. Those that move nothing (across a plane in which all joints turn) are left
// without impulse: it would be undetermined.

// Of the largest mobility: less is rounding.
static const double idle = 1e-20;

static int first_row(const atemi_time_step *t)
{
    return 3 * t->point_count + t->row_count - t->loop_rows;
}

void atemi_step_loops_find(atemi_simulation *s)
{
    const atemi_closed_loops *loops = &s->set.loops;
    atemi_time_step          *t = &s->time_step;
    atemi_contact_row        *rows = t->space.rows;
    atemi_loop_rows_find(s->model, &s->step.evaluation.dynamics.bias.kinematics, true, loops->loops,
                         loops->count, rows);
    for (int i = 0; i < t->loop_rows; ++i) {
        t->loop_before[i] = rows[i].velocity;
    }
}

int atemi_step_loops_gather(atemi_simulation *s, atemi_contact_row *rows)
{
    const atemi_interval      free = {-(double)INFINITY, (double)INFINITY};
    const atemi_closed_loops *loops = &s->set.loops;
    atemi_time_step          *t = &s->time_step;
    for (int i = 0; i < t->loop_rows; ++i) {
        t->bounds[t->row_count] = free;
        t->rows[t->row_count++] = (atemi_step_row){.kind = ATEMI_STEP_ROW_LOOP, .rate = ATEMI_NONE};
    }
    return atemi_loop_rows_find(s->model, &s->step.evaluation.dynamics.bias.kinematics, true,
                                loops->loops, loops->count, rows);
}

static double mobility(const atemi_time_step *t, int row)
{
    return t->pile ? t->heap.own[(ptrdiff_t)9 * (row - 2 * t->point_count)]
                   : t->space.system[(ptrdiff_t)row * (t->space.row_count + 1)];
}

// By a comparison: gcc 12 for aarch64 fails on fmax here (in vect_transform_reduction).
static double largest_mobility(const atemi_time_step *t)
{
    double largest = 0.0;
    for (int i = 0, r = first_row(t); i < t->loop_rows; ++i, ++r) {
        largest = mobility(t, r) > largest ? mobility(t, r) : largest;
    }
    return largest;
}

void atemi_step_loops_bound(atemi_simulation *s)
{
    atemi_time_step *t = &s->time_step;
    const int        first = first_row(t), bounds = t->row_count - t->loop_rows;
    const double     largest = largest_mobility(t);
    for (int i = 0; i < t->loop_rows; ++i) {
        if (mobility(t, first + i) <= idle * largest) {
            t->bounds[bounds + i] = (atemi_interval){0.0, 0.0};
        }
    }
}

void atemi_step_loops_start(atemi_time_step *t)
{
    for (int i = 0, r = first_row(t); i < t->loop_rows; ++i, ++r) {
        t->before[r] = t->loop_before[i];
        t->start[r] = t->space.rows[r].velocity + t->loop_before[i];
    }
}

void atemi_step_loops_follow(atemi_simulation *s, double h)
{
    atemi_time_step    *t = &s->time_step;
    atemi_closed_loops *loops = &s->set.loops;
    const int           first = first_row(t);
    for (int i = 0; i < t->loop_rows; ++i) {
        t->loop_forces[i] = t->impulses[first + i] / h;
    }
    atemi_loop_rows_collect(t->space.rows + first, t->loop_forces, loops->loops, loops->count,
                            loops->forces);
}

void atemi_step_loops_book(const atemi_simulation *s, atemi_flows *work)
{
    const atemi_time_step *t = &s->time_step;
    for (int i = 0, r = first_row(t); i < t->loop_rows; ++i, ++r) {
        const atemi_vec3 push =
            atemi_vec3_scale(t->impulses[r], atemi_contact_row_outer_push(&t->space.rows[r]));
        work->of[ATEMI_FLOW_FORCE] += push.x;
        work->of[ATEMI_FLOW_FORCE + 1] += push.y;
        work->of[ATEMI_FLOW_FORCE + 2] += push.z;
    }
}

void atemi_step_loops_close(atemi_simulation *s)
{
    if (s->set.loops.count > 0) {
        atemi_project_loops(&s->step.evaluation, &s->set, &s->state, &s->ledger);
    }
}

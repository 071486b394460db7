// SPDX-License-Identifier: Apache-2.0

#include "contact/pile_system.h"

#include <string.h>

// With  A = W^T D^-1 W  (constraint_space.c) and  w = D^-1 W p,  a block's part of A p is  W^T w,
// of its own few entries: twelve between two free bodies, however many others they touch.

static int depth_of(const atemi_model *model)
{
    int most = 0;
    for (int i = 0; i < model->v_count; ++i) {
        int depth = 0;
        for (int k = i; k != ATEMI_NONE; k = model->factor_parents[k]) {
            ++depth;
        }
        most = depth > most ? depth : most;
    }
    return most;
}

atemi_pile_system atemi_pile_system_take(atemi_arena *arena, const atemi_model *model,
                                         int most_points, int most_intervals)
{
    const int         blocks = most_points + most_intervals, each = 2 * depth_of(model);
    const size_t      entries = (size_t)blocks * (size_t)each;
    atemi_pile_system s = {.most_entries = each};
    s.first = atemi_arena_array(arena, int, blocks + 1);
    s.entries = atemi_arena_array(arena, int, entries);
    s.moved = atemi_arena_array(arena, double, 3 * entries);
    s.pushed = atemi_arena_array(arena, double, 3 * entries);
    s.own = atemi_arena_array(arena, double, 9 * blocks);
    s.w = atemi_arena_array(arena, double, model->v_count);
    return s;
}

static void fill_own(atemi_pile_system *s, int block)
{
    const int rows = atemi_pile_rows(s, block);
    double   *own = s->own + (ptrdiff_t)9 * block;
    memset(own, 0, 9 * sizeof *own);
    for (int k = s->first[block]; k < s->first[block + 1]; ++k) {
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < rows; ++j) {
                own[i * rows + j] += s->moved[3 * k + i] * s->pushed[3 * k + j];
            }
        }
    }
}

void atemi_pile_system_fill(const atemi_model *model, const atemi_mass_factor *factor,
                            const atemi_constraint_space *space, int points, int intervals,
                            atemi_pile_system *system)
{
    atemi_pile_system *s = system;
    s->points = points;
    s->intervals = intervals;
    s->first[0] = 0;
    for (int block = 0, g = 0; block < atemi_pile_blocks(s); ++block) {
        const int row = atemi_pile_row(s, block), at = s->first[block];
        while (row >= space->groups[g].first + space->groups[g].count) {
            ++g;
        }
        s->first[block + 1] =
            at + atemi_row_group_entries(model, factor, &space->groups[g],
                                         row - space->groups[g].first, atemi_pile_rows(s, block),
                                         s->entries + at, s->moved + 3 * (ptrdiff_t)at,
                                         s->pushed + 3 * (ptrdiff_t)at);
        fill_own(s, block);
    }
}

void atemi_pile_system_push(atemi_pile_system *system, int block, const double *change)
{
    const int rows = atemi_pile_rows(system, block);
    for (int k = system->first[block]; k < system->first[block + 1]; ++k) {
        const double *pushed = system->pushed + (ptrdiff_t)3 * k;
        double        sum = pushed[0] * change[0];
        for (int i = 1; i < rows; ++i) {
            sum += pushed[i] * change[i];
        }
        system->w[system->entries[k]] += sum;
    }
}

void atemi_pile_system_press(atemi_pile_system *system, int v_count, const double *p)
{
    memset(system->w, 0, (size_t)v_count * sizeof *system->w);
    for (int block = 0; block < atemi_pile_blocks(system); ++block) {
        atemi_pile_system_push(system, block, p + atemi_pile_row(system, block));
    }
}

void atemi_pile_system_add(const atemi_pile_system *system, int block, double *u)
{
    const int rows = atemi_pile_rows(system, block);
    for (int k = system->first[block]; k < system->first[block + 1]; ++k) {
        const double *moved = system->moved + (ptrdiff_t)3 * k;
        const double  w = system->w[system->entries[k]];
        for (int i = 0; i < rows; ++i) {
            u[i] += moved[i] * w;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

#include "simulate/closed_loops.h"

#include "simulate/simulation.h"

#include <string.h>

static bool is_link(const atemi_model *model, int link)
{
    return link == ATEMI_NONE || (link >= 0 && link < atemi_model_link_count(model));
}

atemi_status atemi_closed_loops_check(const atemi_model              *model,
                                      const atemi_simulation_options *options, atemi_error *error)
{
    if (options->loop_count < 0 || (options->loop_count && !options->loops)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "%d closed loops, but no list of them",
                          options->loop_count);
    }
    for (int i = 0; i < options->loop_count; ++i) {
        const atemi_loop *loop = &options->loops[i];
        if (!is_link(model, loop->first) || !is_link(model, loop->second) ||
            loop->first == loop->second) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "loop '%s' joins link %d to link %d; give two links, or one and the "
                              "world (%d)",
                              loop->name ? loop->name : "", loop->first, loop->second, ATEMI_NONE);
        }
    }
    return ATEMI_OK;
}

atemi_closed_loops atemi_closed_loops_sized(const atemi_model              *model,
                                            const atemi_simulation_options *options)
{
    const int own = atemi_model_loop_count(model);
    return (atemi_closed_loops){.count = own + options->loop_count,
                                .row_count =
                                    atemi_loop_rows_count(atemi_model_loops(model), own) +
                                    atemi_loop_rows_count(options->loops, options->loop_count)};
}

void atemi_closed_loops_take(atemi_arena *arena, atemi_closed_loops *loops)
{
    loops->loops = atemi_arena_array(arena, atemi_loop, loops->count);
    loops->forces = atemi_arena_array(arena, atemi_force, loops->count);
    loops->impulses = atemi_arena_array(arena, atemi_force, loops->count);
    loops->gaps = atemi_arena_array(arena, double, loops->row_count);
}

void atemi_closed_loops_fill(atemi_closed_loops *loops, const atemi_model *model,
                             const atemi_simulation_options *options)
{
    const int own = atemi_model_loop_count(model);
    for (int i = 0; i < loops->count; ++i) {
        loops->loops[i] = i < own ? *atemi_model_loop(model, i) : options->loops[i - own];
    }
}

atemi_vec3 atemi_closed_loops_outer(const atemi_closed_loops *loops)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < loops->count; ++i) {
        const double sign =
            (loops->loops[i].second == ATEMI_NONE) - (double)(loops->loops[i].first == ATEMI_NONE);
        sum = atemi_vec3_add(sum, atemi_vec3_scale(sign, loops->forces[i].linear));
    }
    return sum;
}

// ---- The interface --------------------------------------------------------------------------

int atemi_simulation_loop_count(const atemi_simulation *simulation)
{
    return simulation->set.loops.count;
}

atemi_loop_report atemi_simulation_loop(const atemi_simulation *simulation, int index)
{
    const atemi_closed_loops *loops = &simulation->set.loops;
    ATEMI_REQUIRE_OR(index >= 0 && index < loops->count, (atemi_loop_report){0});
    return (atemi_loop_report){
        .loop = &loops->loops[index],
        .force = loops->forces[index],
        .opening = atemi_loop_opening(simulation->model,
                                      &simulation->step.evaluation.dynamics.bias.kinematics,
                                      &loops->loops[index])};
}

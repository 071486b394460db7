// SPDX-License-Identifier: Apache-2.0

#include "control/breadcrumb_trail.h"

#include "control/joint_trajectories.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

void atemi_trail_take(atemi_arena *arena, const atemi_coordination *c, breadcrumbs *trail)
{
    const size_t n = (size_t)c->count;
    trail->joints = atemi_arena_array(arena, int, n);
    trail->positions = atemi_arena_array(arena, double, (size_t)c->options.max_breadcrumbs *n);
}

bool atemi_trail_is_of(const breadcrumbs *trail, const int *joints, int joint_count)
{
    return trail->goal && trail->joint_count == joint_count &&
           memcmp(trail->joints, joints, (size_t)joint_count * sizeof *joints) == 0;
}

void atemi_trail_begin(atemi_coordination *c, const int *joints, int joint_count, int goal,
                       atemi_command_source source)
{
    breadcrumbs *t = &c->crumbs;
    memcpy(t->joints, joints, (size_t)joint_count * sizeof *joints);
    t->joint_count = joint_count;
    t->first = t->count = t->taken = 0;
    t->goal = goal;
    for (int k = 0; k < joint_count; ++k) {
        moved_joint *j = &c->joints[joints[k]];
        j->driver = DRIVER_BREADCRUMBS;
        j->retreats = false;
        j->goal = goal;
        j->source = source;
    }
}

void atemi_trail_add(atemi_coordination *c, const double *positions, int count)
{
    breadcrumbs *t = &c->crumbs;
    for (int i = 0; i < count; ++i) {
        const int at = (t->first + t->count++) % c->options.max_breadcrumbs;
        memcpy(row_of(t->positions, c->count, at), row_in(positions, t->joint_count, i),
               (size_t)t->joint_count * sizeof *positions);
    }
}

// A trail that ends slower than a step of braking ends at rest.
static bool ends_at_rest(const atemi_coordination *c)
{
    for (int k = 0; k < c->crumbs.joint_count; ++k) {
        const moved_joint *j = &c->joints[c->crumbs.joints[k]];
        if (fabs(j->mean_velocity) > j->settings.acceleration * c->options.period) {
            return false;
        }
    }
    return true;
}

static void end_trail(atemi_coordination *c)
{
    const bool rest = ends_at_rest(c);
    c->faults |= rest ? 0 : ATEMI_COORDINATION_STARVED;
    atemi_goal_stop(c, c->crumbs.goal, rest ? ATEMI_OUTCOME_REACHED : ATEMI_OUTCOME_FAULT,
                    ATEMI_NONE);
}

static void take_crumb(atemi_coordination *c)
{
    breadcrumbs  *t = &c->crumbs;
    const double *crumb = row_of(t->positions, c->count, t->first);
    for (int k = 0; k < t->joint_count; ++k) {
        c->positions[t->joints[k]] = crumb[k];
    }
    if (atemi_trajectories_step_to(c, DRIVER_BREADCRUMBS, c->positions) < 1.0) {
        c->faults |= ATEMI_COORDINATION_SLOWED;
        return;
    }
    t->first = (t->first + 1) % c->options.max_breadcrumbs;
    --t->count;
    ++t->taken;
}

void atemi_trail_advance(atemi_coordination *c)
{
    if (c->crumbs.goal && c->crumbs.count > 0) {
        take_crumb(c);
    } else if (c->crumbs.goal) {
        end_trail(c);
    }
}

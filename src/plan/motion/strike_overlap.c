// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "plan/motion/strike_capsules.h"

#include <math.h>
#include <string.h>

static const double period = 0.002; // s between looks
static const double still = 1e-9;   // rad, m: what a joint moves that does not move

typedef struct search {
    const atemi_model     *model;
    atemi_arena            arena;
    atemi_kinematics       kinematics;
    double                *neutral; ///< [q_count]
    bool                  *moving;  ///< [v_count]
    strike_capsules        capsules;
    strike_capsule        *placed; ///< [capsules.count] in the world
    double                 time;   ///< of the posture that is looked at, s
    atemi_strike_overlaps *found;
} search;

// ---- What is found

// In the place of the same two links, or behind the others, or in that of the least.
static void keep(atemi_strike_overlaps *found, const atemi_strike_overlap *seen)
{
    int i = 0;
    while (i < found->count &&
           (found->list[i].first != seen->first || found->list[i].second != seen->second)) {
        ++i;
    }
    if (i == found->count && i < ATEMI_STRIKE_MAX_OVERLAPS) {
        found->list[found->count++].depth = 0.0;
    }
    i = i < found->count ? i : found->count - 1;
    if (found->list[i].depth >= seen->depth) {
        return;
    }
    for (; i > 0 && found->list[i - 1].depth < seen->depth; --i) {
        found->list[i] = found->list[i - 1];
    }
    found->list[i] = *seen;
}

static void look_at_pair(search *s, const strike_capsule *a, const strike_capsule *b)
{
    const bool                 in_order = a->link < b->link;
    const double               distance = strike_capsule_distance(a, b);
    const atemi_strike_overlap seen = {.first = in_order ? a->link : b->link,
                                       .second = in_order ? b->link : a->link,
                                       .depth = -distance,
                                       .time = s->time};
    if (distance < -s->found->nearest.depth) {
        s->found->nearest = seen;
    }
    if (distance < 0.0) {
        keep(s->found, &seen);
    }
}

static void look(search *s, const double *q)
{
    atemi_kinematics_update(s->model, q, NULL, NULL, &s->kinematics);
    for (int i = 0; i < s->capsules.count; ++i) {
        s->placed[i] = strike_capsule_placed(&s->capsules.list[i], s->model, &s->kinematics);
        for (int k = 0; k < i; ++k) {
            if (strike_capsules_counts(&s->capsules, s->model, s->placed[i].link,
                                       s->placed[k].link)) {
                look_at_pair(s, &s->placed[i], &s->placed[k]);
            }
        }
    }
}

// ---- All of them

static void take(search *s, atemi_arena *arena, int count)
{
    const int links = atemi_model_link_count(s->model);
    s->kinematics = atemi_kinematics_take(arena, s->model);
    s->neutral = atemi_arena_array(arena, double, atemi_model_q_count(s->model));
    s->moving = atemi_arena_array(arena, bool, atemi_model_v_count(s->model));
    s->capsules.list = atemi_arena_array(arena, strike_capsule, count);
    s->placed = atemi_arena_array(arena, strike_capsule, count);
    s->capsules.made = atemi_arena_array(arena, double, links *links);
}

// Joints of one coordinate that keep theirs do not move.
static void find_moving(search *s, const atemi_strike_motion *motion)
{
    for (int i = 0; i < motion->v_count; ++i) {
        s->moving[i] = true;
    }
    for (int j = 0; j < atemi_model_joint_count(s->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(s->model, j);
        if (joint->v_count == 1 && joint->q_count == 1) {
            const double *q = motion->q + joint->first_q;
            bool          moves = false;
            for (int i = 1; i < motion->count; ++i) {
                moves = moves || fabs(q[(ptrdiff_t)i * motion->q_count] - q[0]) > still;
            }
            s->moving[joint->first_v] = moves;
        }
    }
}

atemi_status atemi_strike_overlaps_find(const atemi_model *model, const atemi_strike_motion *motion,
                                        atemi_strike_overlaps *overlaps, atemi_error *error)
{
    search    s = {.model = model, .found = overlaps};
    const int stride = (int)fmax(period / motion->step, 1.0), count = strike_capsules_count(model);
    atemi_arena arena = atemi_arena_measuring();
    *overlaps = (atemi_strike_overlaps){.nearest = {ATEMI_NONE, ATEMI_NONE, -INFINITY, 0.0}};
    take(&s, &arena, count);
    const atemi_status status = atemi_arena_create(&s.arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&s, &s.arena, count);
    find_moving(&s, motion);
    strike_capsules_fill(&s.capsules, model, s.moving, s.neutral, &s.kinematics);
    for (int i = 0; i < motion->count; i += stride) {
        s.time = atemi_strike_motion_time(motion, i);
        look(&s, motion->q + (size_t)i * (size_t)motion->q_count);
    }
    atemi_arena_destroy(&s.arena);
    return ATEMI_OK;
}

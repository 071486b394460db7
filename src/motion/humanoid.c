// SPDX-License-Identifier: Apache-2.0

#include "atemi/humanoid.h"

#include "atemi/base.h"
#include "atemi/kinematics.h"
#include "motion/bodies.h"
#include "motion/humanoid_finding.h"

#include <math.h>

// ---- Queries

bool atemi_limb_has_joint(const atemi_model *model, const atemi_limb *limb, int joint)
{
    const int body = atemi_model_joint(model, joint)->child_link;
    return atemi_link_is_body(model, body) && body != limb->trunk &&
           atemi_body_is_beyond(model, body, limb->trunk) &&
           atemi_body_is_beyond(model, atemi_body_of(model, limb->end), body);
}

bool atemi_limb_is_carried_by(const atemi_model *model, const atemi_limb *limb, int joint)
{
    const int body = atemi_model_joint(model, joint)->child_link;
    return atemi_link_is_body(model, body) && atemi_body_is_beyond(model, limb->trunk, body);
}

bool atemi_humanoid_is_finger(const atemi_model *model, const atemi_humanoid *humanoid, int joint)
{
    const int body = atemi_model_joint(model, joint)->child_link;
    bool      found = false;
    for (int i = 0; i < humanoid->arm_count && atemi_link_is_body(model, body); ++i) {
        const int hand = atemi_body_of(model, humanoid->arms[i].end);
        found = found || (body != hand && atemi_body_is_beyond(model, body, hand));
    }
    return found;
}

const char *atemi_outline_source_text(atemi_outline_source source)
{
    static const char *const texts[] = {
        "option", "site", "shapes", "mesh", "joints", "inertia", "length of the limb"};
    const bool known = source >= ATEMI_OUTLINE_GIVEN && source <= ATEMI_OUTLINE_LENGTH;
    ATEMI_REQUIRE_OR(known, "");
    return texts[source];
}

// ---- All of it

static void find_lowest(humanoid_finding *f)
{
    f->lowest = INFINITY;
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        bool by_shapes;
        if (atemi_humanoid_is_end(f, i)) {
            f->lowest = fmin(f->lowest, atemi_humanoid_bottom(f, i, &by_shapes));
        }
    }
    f->height = isfinite(f->lowest) ? fabs(atemi_humanoid_place(f, 0).z - f->lowest) : 0.0;
}

// Two arms on a pedestal: no limb reaches below the root.
static bool is_on_its_root(const humanoid_finding *f)
{
    return f->lowest > atemi_humanoid_place(f, 0).z;
}

atemi_humanoid_options atemi_humanoid_options_default(void)
{
    return (atemi_humanoid_options){.feet = {ATEMI_NONE, ATEMI_NONE}, .hand = ATEMI_NONE};
}

atemi_humanoid_scratch *atemi_humanoid_scratch_take(atemi_arena *arena, const atemi_model *model)
{
    atemi_humanoid_scratch *scratch = atemi_arena_array(arena, atemi_humanoid_scratch, 1);
    atemi_humanoid_scratch  s = {
         .kinematics = atemi_inverse_kinematics_scratch_take(arena, model, ATEMI_SIDES),
         .moving = atemi_arena_array(arena, bool, atemi_model_v_count(model)),
         .trial = atemi_arena_array(arena, double, atemi_model_q_count(model)),
         .best = atemi_arena_array(arena, double, atemi_model_q_count(model))};
    if (scratch) {
        s.data = atemi_inverse_kinematics_data(s.kinematics);
        *scratch = s;
    }
    return scratch;
}

atemi_data *atemi_humanoid_data(const atemi_humanoid_scratch *scratch)
{
    ATEMI_REQUIRE_OR(scratch, NULL);
    return scratch->data;
}

atemi_status atemi_humanoid_find(const atemi_model *model, const double *q,
                                 const atemi_humanoid_options *options,
                                 atemi_humanoid_scratch *scratch, atemi_humanoid *humanoid,
                                 atemi_error *error)
{
    const atemi_humanoid_options defaults = atemi_humanoid_options_default();
    ATEMI_REQUIRE_OR(model && q && scratch && humanoid, ATEMI_ERROR_CONTRACT);
    *humanoid = (atemi_humanoid){.facing = atemi_humanoid_upright};
    humanoid_finding f = {.model = model, .options = options ? options : &defaults, .h = humanoid};
    f.outline = (outline){.model = model,
                          .data = scratch->data,
                          .points = f.options->points,
                          .point_count = f.options->point_count,
                          .up = atemi_humanoid_upright.z};
    atemi_update_kinematics(scratch->data, q, NULL, NULL);
    find_lowest(&f);
    const bool has_feet =
        f.options->feet[0] != ATEMI_NONE || (!atemi_humanoid_is_one_arm(&f) && !is_on_its_root(&f));
    const bool         stands = atemi_model_base(model) == ATEMI_BASE_FLOATING && has_feet;
    const atemi_status status = stands ? atemi_humanoid_find_legs(&f, error) : ATEMI_OK;
    return status ? status : atemi_humanoid_find_arms(&f, error);
}

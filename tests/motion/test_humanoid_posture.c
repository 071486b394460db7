// SPDX-License-Identifier: Apache-2.0

#include "altered_robot.h"
#include "atemi/humanoid.h"
#include "atemi/kinematics.h"
#include "atemi/model.h"
#include "check.h"
#include "data.h"

#include <math.h>

typedef struct posture_of {
    atemi_model            *model;
    atemi_data             *data; ///< the oracle's
    atemi_arena             arena;
    atemi_humanoid_scratch *scratch;
    atemi_humanoid          h;
    double                 *q;
} posture_of;

static void begin(posture_of *p, atemi_model *model)
{
    *p = (posture_of){.model = model, .data = data_create(model), .arena = atemi_arena_measuring()};
    atemi_humanoid_scratch_take(&p->arena, model);
    CHECK_STATUS(atemi_arena_create(&p->arena, p->arena.used, NULL), ATEMI_OK);
    p->scratch = atemi_humanoid_scratch_take(&p->arena, model);
    p->q = (double *)calloc((size_t)atemi_model_q_count(model), sizeof *p->q);
    atemi_configuration_neutral(model, p->q);
    CHECK_STATUS(atemi_humanoid_find(model, p->q, NULL, p->scratch, &p->h, NULL), ATEMI_OK);
}

static void end(posture_of *p)
{
    atemi_arena_destroy(&p->arena);
    atemi_data_destroy(p->data);
    atemi_model_destroy(p->model);
    free(p->q);
}

// Both soles flat at the same height, below the centre of mass as it was before, knees bent as
// asked: hip and ankle are where the law of cosines has them.
static void check_stance(posture_of *p, const char *hip, const char *ankle)
{
    const double knee = 0.8;
    atemi_stance stance;
    atemi_update_kinematics(p->data, p->q, NULL, NULL);
    const atemi_vec3 com = atemi_center_of_mass(p->data);
    CHECK_STATUS(atemi_humanoid_stand(p->model, &p->h, knee, p->scratch, p->q, &stance, NULL),
                 ATEMI_OK);
    atemi_update_kinematics(p->data, p->q, NULL, NULL);
    for (int i = 0; i < ATEMI_SIDES; ++i) {
        const atemi_transform link = atemi_link_pose(p->data, p->h.legs[i].end);
        const atemi_transform sole = atemi_transform_compose(&link, &p->h.soles[i].pose);
        CHECK_NEAR(sole.rotation.z.z, 1.0, 1e-12);
        CHECK_NEAR(sole.rotation.x.x, 1.0, 1e-12);
        CHECK_NEAR(sole.position.z, stance.soles[0].z, 1e-9);
        CHECK_NEAR(sole.position.x, com.x, 1e-9);
    }
    const atemi_vec3 a = atemi_link_pose(p->data, atemi_model_find_link(p->model, hip)).position;
    const atemi_vec3 b = atemi_link_pose(p->data, atemi_model_find_link(p->model, ankle)).position;
    CHECK_NEAR(hypot(a.x - b.x, a.z - b.z), 0.6 * cos(0.5 * knee), 1e-9);
}

TEST(humanoid_posture, stands_with_bent_knees_over_its_soles)
{
    posture_of p;
    begin(&p, altered_load(altered_begin("hrp2_like")));
    check_stance(&p, "right_thigh", "right_ankle_pitch_link");
    end(&p);
}

TEST(humanoid_posture, stands_on_legs_of_five_joints)
{
    posture_of p;
    char      *text = altered_begin("hrp2_like");
    altered_fix(text, "\"right_ankle_roll\"");
    altered_fix(text, "\"left_ankle_roll\"");
    begin(&p, altered_load(text));
    CHECK_EQUAL_INT(p.h.legs[0].joint_count, 5);
    check_stance(&p, "right_thigh", "right_ankle_pitch_link");
    end(&p);
}

TEST(humanoid_posture, reaches_forwards_within_the_limits)
{
    const double margin = 0.1;
    posture_of   p;
    begin(&p, altered_load(altered_begin("hrp2_like")));
    const atemi_reach reach = {.place = {0.6, -0.1, -0.4}, .aims = true, .margin = margin};
    const double      angle =
        atemi_humanoid_reach(p.model, &p.h, ATEMI_SIDE_RIGHT, &reach, p.scratch, p.q);
    atemi_update_kinematics(p.data, p.q, NULL, NULL);
    const atemi_transform hand = atemi_link_pose(p.data, p.h.arms[0].end);
    const atemi_vec3      axis = atemi_mat3_apply(&hand.rotation, p.h.fists[0].axis);
    CHECK_NEAR(angle, 0.0, 0.02); // hrp2_like has six joints for five rows
    CHECK_NEAR(axis.x, cos(angle), 1e-12);
    for (int j = 0; j < atemi_model_joint_count(p.model); ++j) {
        const atemi_joint *joint = atemi_model_joint(p.model, j);
        if (joint->q_count == 1 && atemi_limb_has_joint(p.model, &p.h.arms[0], j)) {
            CHECK(p.q[joint->first_q] >= joint->limits.lower + margin - 1e-12);
            CHECK(p.q[joint->first_q] <= joint->limits.upper - margin + 1e-12);
        } else if (joint->q_count == 1) {
            CHECK_NEAR(p.q[joint->first_q], 0.0, 0.0); // nothing else has moved
        }
    }
    end(&p);
}

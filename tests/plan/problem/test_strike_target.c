// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"
#include "strike_rig.h"

// Where the fist is at first touch, by other functions.
static atemi_vec3 fist(strike_rig *rig, const double *q, const char *name)
{
    const atemi_model *model = rig->task->model;
    const atemi_site  *site = atemi_model_site(model, atemi_model_find_site(model, name));
    atemi_update_kinematics(rig->rest, q, NULL, NULL);
    const atemi_transform pose = atemi_link_pose(rig->rest, site->link);
    return atemi_transform_apply(&pose, site->pose.position);
}

TEST(strike_target, is_where_the_hand_touches_it_or_farther)
{
    strike_rig          rig;
    atemi_strike_target target;
    rig_open(&rig);
    const double    *q = rig.task->q;
    const atemi_vec3 at = fist(&rig, q, "right_fist");
    CHECK_STATUS(atemi_strike_target_find(rig.task, q, 0.02, &target, NULL), ATEMI_OK);
    CHECK_NEAR(target.place.x, at.x + 0.02, 1e-12); // the blow goes along x
    CHECK_NEAR(target.place.z, at.z, 1e-12);
    CHECK_NEAR(target.width, rig.task->target_width, 0.0);
    rig_close(&rig);
}

TEST(strike_target, of_two_hands_lies_between_them_and_is_wider)
{
    strike_rig          rig;
    atemi_strike_target target;
    rig_open(&rig);
    rig_add_hand(&rig);
    const double    *q = rig.task->q;
    const atemi_vec3 right = fist(&rig, q, "right_fist"), left = fist(&rig, q, "left_fist");
    CHECK_STATUS(atemi_strike_target_find(rig.task, q, 0.0, &target, NULL), ATEMI_OK);
    CHECK_NEAR(target.face.y, 0.5 * (right.y + left.y), 1e-12);
    CHECK_NEAR(target.place.y, right.y, 1e-12);
    CHECK_NEAR(target.width, atemi_vec3_norm(atemi_vec3_sub(left, right)) + 0.2, 1e-12);
    rig_close(&rig);
}

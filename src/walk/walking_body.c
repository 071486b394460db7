// SPDX-License-Identifier: Apache-2.0

#include "walk/walking_body.h"

#include <string.h>

static const char *const point_names[ATEMI_WALKING_POINTS] = {"left_heel", "left_toe", "right_heel",
                                                              "right_toe"};
static const char *const shoulder_names[ATEMI_FEET] = {"left_shoulder", "right_shoulder"};

static atemi_status find_points(atemi_walking_body *body, atemi_error *error)
{
    for (int i = 0; i < ATEMI_WALKING_POINTS; ++i) {
        const int index = atemi_model_find_site(body->model, point_names[i]);
        if (index == ATEMI_NONE) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "%s has no site %s: to walk, give its feet the sites left_heel, "
                              "left_toe, right_heel and right_toe",
                              atemi_model_name(body->model), point_names[i]);
        }
        const atemi_site   *site = atemi_model_site(body->model, index);
        atemi_walking_foot *foot = &body->feet[i / ATEMI_FOOT_POINTS];
        foot->link = site->link;
        foot->points[i % ATEMI_FOOT_POINTS] = site->pose.position;
    }
    return ATEMI_OK;
}

static bool turns_about_y(const atemi_joint *joint)
{
    return joint->v_count == 1 && joint->type != ATEMI_JOINT_PRISMATIC && joint->axis.y == 1.0;
}

static atemi_status find_leg(const atemi_model *model, atemi_walking_foot *foot, atemi_error *error)
{
    int link = foot->link;
    for (int k = ATEMI_LEG_ANKLE; k >= ATEMI_LEG_HIP; --k) {
        const int joint = atemi_model_link(model, link)->parent_joint;
        if (joint == ATEMI_NONE || !turns_about_y(atemi_model_joint(model, joint))) {
            break;
        }
        foot->leg[k] = joint;
        link = atemi_model_joint(model, joint)->parent_link;
    }
    if (link == foot->link || atemi_model_link(model, link)->parent_joint != ATEMI_NONE) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "between the root of %s and its link %s there are not exactly three "
                          "joints about y: hip, knee and ankle",
                          atemi_model_name(model), atemi_model_link(model, foot->link)->name);
    }
    return ATEMI_OK;
}

static void measure(atemi_walking_body *body)
{
    const atemi_walking_foot *foot = &body->feet[ATEMI_LEFT];
    const atemi_joint        *knee = atemi_model_joint(body->model, foot->leg[ATEMI_LEG_KNEE]);
    const atemi_joint        *ankle = atemi_model_joint(body->model, foot->leg[ATEMI_LEG_ANKLE]);
    body->thigh = atemi_vec3_norm(knee->origin.position);
    body->shin = atemi_vec3_norm(ankle->origin.position);
    body->sole = -foot->points[ATEMI_HEEL].z;
}

atemi_status atemi_walking_body_find(const atemi_model *model, atemi_walking_body *body,
                                     atemi_error *error)
{
    *body = (atemi_walking_body){.model = model, .head = atemi_model_find_link(model, "head")};
    if (atemi_model_base(model) != ATEMI_BASE_SAGITTAL || body->head == ATEMI_NONE) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "%s has a %s base and %s link 'head'; who walks has a head, and a "
                          "sagittal base",
                          atemi_model_name(model), atemi_base_text(atemi_model_base(model)),
                          body->head == ATEMI_NONE ? "no" : "a");
    }
    atemi_status status = find_points(body, error);
    for (int f = 0; f < ATEMI_FEET && !status; ++f) {
        body->feet[f].shoulder = atemi_model_find_joint(model, shoulder_names[f]);
        status = find_leg(model, &body->feet[f], error);
    }
    if (!status) {
        measure(body);
    }
    return status;
}

int atemi_walking_body_rate(const atemi_walking_body *body, int foot, int leg_joint)
{
    return atemi_model_joint(body->model, body->feet[foot].leg[leg_joint])->first_v;
}

void atemi_walking_drives(const atemi_model *model, double *damping, double *efforts)
{
    memset(damping, 0, (size_t)atemi_model_v_count(model) * sizeof *damping);
    memset(efforts, 0, (size_t)atemi_model_v_count(model) * sizeof *efforts);
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        for (int i = joint->first_v; i < joint->first_v + joint->v_count; ++i) {
            damping[i] = joint->damping;
            efforts[i] = joint->limits.effort;
        }
    }
}

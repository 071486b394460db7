// SPDX-License-Identifier: Apache-2.0

#include "scene_make.h"

#include "atemi/atemi.h"

#include <stdio.h>
#include <string.h>

static const char *const soles[SCENE_FEET] = {"right_sole", "left_sole"};

/// Names begin with these. One leg bends by as much as the other stretches: thigh and shank turn by
/// equal angles, and the sole stays level.
static const struct {
    const char *joint;
    double      swing;
} legs[] = {
    {"right_hip_pitch", -0.06}, {"right_knee", 0.12}, {"right_ankle_pitch", -0.06},
    {"left_hip_pitch", 0.06},   {"left_knee", -0.12}, {"left_ankle_pitch", 0.06},
};

static const bench_scene kinds[SCENE_COUNT] = {
    {.name = "standing", .duration = 10.0, .stiffness = 3000.0, .damping = 15.0},
    {.name = "stepping",
     .duration = 5.0,
     .stiffness = 3000.0,
     .damping = 15.0,
     .upright = 2000.0,
     .steady = 200.0},
    {.name = "falling", .duration = 2.0, .damping = 2.0, .radius = 0.04},
};

static int make_joints(const atemi_model *model, const double *posture, bench_scene *scene)
{
    for (int i = 0; i < atemi_model_joint_count(model); i++) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->v_count == 0)
            continue;
        if (joint->v_count > 1 || scene->joint_count == SCENE_MAX_JOINTS)
            return -1;
        scene->joints[scene->joint_count++] = (scene_joint){
            .name = joint->name, .armature = joint->armature, .target = posture[joint->first_q]};
    }
    return 0;
}

static void make_swings(bench_scene *scene)
{
    for (int i = 0; i < scene->joint_count; i++)
        for (size_t leg = 0; leg < sizeof legs / sizeof *legs; leg++)
            if (!strncmp(scene->joints[i].name, legs[leg].joint, strlen(legs[leg].joint)))
                scene->joints[i].swing = legs[leg].swing;
}

static int make_feet(const atemi_model *model, bench_scene *scene)
{
    const atemi_transform here = atemi_transform_identity();
    for (int i = 0; i < SCENE_FEET; i++) {
        atemi_vec3 corners[SCENE_CORNERS];
        const int  index = atemi_model_find_site(model, soles[i]);
        if (index == ATEMI_NONE)
            return -1;
        const atemi_site *site = atemi_model_site(model, index);
        if (atemi_site_corners(site, &here, corners) != SCENE_CORNERS)
            return -1;
        scene->feet[i].link = atemi_model_link(model, site->link)->name;
        for (int c = 0; c < SCENE_CORNERS; c++)
            memcpy(scene->feet[i].corners[c], &corners[c], sizeof scene->feet[i].corners[c]);
    }
    return 0;
}

/// A ball in every link that a joint moves and that weighs something, but for the feet.
static void make_balls(const atemi_model *model, bench_scene *scene)
{
    for (int i = 0; i < atemi_model_link_count(model) && scene->radius > 0.0; i++) {
        const atemi_link *link = atemi_model_link(model, i);
        const bool        foot =
            !strcmp(link->name, scene->feet[0].link) || !strcmp(link->name, scene->feet[1].link);
        const bool moves = link->parent_joint == ATEMI_NONE ||
                           atemi_model_joint(model, link->parent_joint)->v_count > 0;
        if (foot || !moves || link->inertia.mass < 0.5 || scene->ball_count == SCENE_MAX_BALLS)
            continue;
        scene_ball *ball = &scene->balls[scene->ball_count++];
        ball->link = link->name;
        memcpy(ball->center, &link->inertia.com, sizeof ball->center);
    }
}

/// The base as high as puts the first sole's first corner on the floor.
static int put_down(const atemi_model *model, bench_scene *scene)
{
    atemi_data *data;
    if (atemi_data_create(model, NULL, &data, NULL))
        return -1;
    const atemi_site *site = atemi_model_site(model, atemi_model_find_site(model, soles[0]));
    atemi_vec3        corners[SCENE_CORNERS];
    atemi_update_kinematics(data, scene->start, NULL, NULL);
    const atemi_transform pose = atemi_link_pose(data, site->link);
    atemi_site_corners(site, &pose, corners);
    scene->start[2] -= corners[0].z;
    atemi_data_destroy(data);
    return 0;
}

int bench_scene_make(const atemi_model *model, const char *path, int index, bench_scene *scene,
                     char *error)
{
    const int posture = atemi_model_find_posture(model, "half_sitting");
    *scene = kinds[index];
    scene->path = path;
    scene->period = 1.0;
    scene->friction = 0.8;
    scene->mass = atemi_model_mass(model);
    if (posture == ATEMI_NONE || make_joints(model, atemi_model_posture(model, posture), scene) ||
        make_feet(model, scene)) {
        snprintf(error, SCENE_ERROR_SIZE,
                 "%s: needs the posture half_sitting, rectangular sites %s and %s, and at most %d "
                 "joints, of one coordinate each",
                 path, soles[0], soles[1], SCENE_MAX_JOINTS);
        return -1;
    }
    memcpy(scene->start, atemi_model_posture(model, posture),
           (size_t)atemi_model_q_count(model) * sizeof *scene->start);
    if (scene->upright > 0.0)
        make_swings(scene);
    make_balls(model, scene);
    return put_down(model, scene);
}

void bench_scene_scale(bench_scene *scene, double gains)
{
    scene->stiffness *= gains;
    scene->damping *= gains;
    scene->upright *= gains;
    scene->steady *= gains;
}

// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_grips.h"

#include "atemi/quaternion.h"

#include <math.h>

// Jaws are the pulls behind those of the hands. They are damped so that a mass of 20 kg does not
// swing between them.

static const double jaw_mass = 20.0, jaw_inertia = 1.0;

static const char *link_name(const control_loop *loop, int link)
{
    return atemi_model_link(loop->scenario->robot.model, link)->name;
}

static int pull_of(const control_grips *grips, const control_grip *grip)
{
    return CONTROL_MOST_HANDS + (int)(grip - grips->grips);
}

static void look(const control_loop *loop, control_grip *grip)
{
    const atemi_transform at = atemi_whole_body_plant_pose(loop->plant, grip->link, NULL);
    const atemi_transform rail = loop->scenario->rails.rails[grip->rail].pose;
    const atemi_mat3      back = atemi_mat3_transposed(&at.rotation);
    const atemi_mat3      turn = atemi_mat3_multiply(&rail.rotation, &back);
    grip->left = atemi_vec3_norm(atemi_vec3_sub(rail.position, at.position));
    grip->left_turn = atemi_vec3_norm(atemi_quaternion_log(atemi_quaternion_from_matrix(&turn)));
}

static void pull(const control_grips *grips, control_loop *loop, const control_grip *grip)
{
    const control_jaws *jaws = &loop->scenario->rails.jaws;
    const atemi_pull    jaw = {.link = grip->link,
                               .frame = atemi_transform_identity(),
                               .target = loop->scenario->rails.rails[grip->rail].pose,
                               .stiffness = jaws->stiffness,
                               .damping = 2.0 * sqrt(jaws->stiffness * jaw_mass),
                               .turn_stiffness = jaws->turn_stiffness,
                               .turn_damping = 2.0 * sqrt(jaws->turn_stiffness * jaw_inertia),
                               .force_limit = jaws->force,
                               .moment_limit = jaws->moment};
    atemi_whole_body_plant_set_pull(loop->plant, pull_of(grips, grip), &jaw);
}

void atemi_control_grip(control_grips *grips, control_loop *loop, int link, int rail)
{
    control_grip *grip = &grips->grips[grips->count++];
    *grip = (control_grip){
        .link = link, .rail = rail, .begun = atemi_whole_body_plant_time(loop->plant)};
    look(loop, grip);
    grip->off = grip->left;
    pull(grips, loop, grip);
}

void atemi_control_release(control_loop *loop, control_log *log, int link)
{
    atemi_whole_body_plant_release(loop->plant, link);
    atemi_control_note(log, atemi_whole_body_plant_time(loop->plant), "release",
                       link_name(loop, link), "%s is open", link_name(loop, link));
}

static void end(control_grips *grips, control_loop *loop, control_log *log, control_grip *grip)
{
    const char *name = link_name(loop, grip->link);
    const char *rail = loop->scenario->rails.names[grip->rail];
    grip->ended = atemi_whole_body_plant_time(loop->plant);
    atemi_whole_body_plant_set_pull(loop->plant, pull_of(grips, grip), NULL);
    if (grip->state == GRIP_CLOSED) {
        atemi_control_note(log, grip->ended, "grip", name, "%s is closed on %s, %.2g mm off", name,
                           rail, 1e3 * grip->left);
    } else {
        atemi_control_note(log, grip->ended, "grip failed", name,
                           "%s did not close on %s: %.3g mm and %.3g rad are left", name, rail,
                           1e3 * grip->left, grip->left_turn);
    }
}

static void close(control_grips *grips, control_loop *loop, control_log *log, control_grip *grip)
{
    const control_jaws *jaws = &loop->scenario->rails.jaws;
    const atemi_force   f = atemi_whole_body_plant_pull_force(loop->plant, pull_of(grips, grip));
    grip->force = fmax(grip->force, atemi_vec3_norm(f.linear));
    look(loop, grip);
    if (grip->left <= jaws->distance && grip->left_turn <= jaws->turn) {
        grip->state =
            atemi_whole_body_plant_hold(loop->plant, grip->link, NULL) ? GRIP_FAILED : GRIP_CLOSED;
    } else if (atemi_whole_body_plant_time(loop->plant) - grip->begun > jaws->within) {
        grip->state = GRIP_FAILED;
    }
    if (grip->state != GRIP_CLOSING) {
        end(grips, loop, log, grip);
    }
}

void atemi_control_grips_step(control_grips *grips, control_loop *loop, control_log *log)
{
    for (int i = 0; i < grips->count; ++i) {
        if (grips->grips[i].state == GRIP_CLOSING) {
            close(grips, loop, log, &grips->grips[i]);
        }
    }
}

bool atemi_control_grips_close(const control_grips *grips)
{
    for (int i = 0; i < grips->count; ++i) {
        if (grips->grips[i].state == GRIP_CLOSING) {
            return true;
        }
    }
    return false;
}

const control_grip *atemi_control_grips_failed(const control_grips *grips)
{
    for (int i = 0; i < grips->count; ++i) {
        if (grips->grips[i].state == GRIP_FAILED) {
            return &grips->grips[i];
        }
    }
    return NULL;
}

// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "math/rotation.h"
#include "simulate/driven/control_loop_parts.h"

#include <math.h>

// Jaws are the pulls behind those of the hands. They are damped so that a mass of 20 kg does not
// swing between them.

static const double jaw_mass = 20.0, jaw_inertia = 1.0;

atemi_jaws atemi_jaws_default(void)
{
    return (atemi_jaws){150.0, 15.0, 5e3, 300.0, 3.0, 1e-3, 5e-3};
}

static int pull_of(const atemi_control_loop *loop, const atemi_grip *grip)
{
    return loop->options.hand_count + (int)(grip - loop->grips);
}

static void look(const atemi_control_loop *loop, atemi_grip *grip)
{
    const atemi_transform at = atemi_whole_body_plant_pose(loop->plant, grip->link, NULL);
    const atemi_transform rail = loop->rails[grip->rail];
    grip->left = atemi_vec3_norm(atemi_vec3_sub(rail.position, at.position));
    grip->left_rotation = atemi_vec3_norm(rotation_between(&at.rotation, &rail.rotation));
}

static void pull(atemi_control_loop *loop, const atemi_grip *grip)
{
    const atemi_jaws *jaws = &loop->options.jaws;
    const atemi_pull  jaw = {.link = grip->link,
                             .frame = atemi_transform_identity(),
                             .target = loop->rails[grip->rail],
                             .stiffness = jaws->stiffness,
                             .damping = 2.0 * sqrt(jaws->stiffness * jaw_mass),
                             .rotation_stiffness = jaws->rotation_stiffness,
                             .rotation_damping = 2.0 * sqrt(jaws->rotation_stiffness * jaw_inertia),
                             .force_limit = jaws->force_limit,
                             .moment_limit = jaws->moment_limit};
    atemi_whole_body_plant_set_pull(loop->plant, pull_of(loop, grip), &jaw);
}

void atemi_control_loop_grip(atemi_control_loop *loop, int link, int rail)
{
    ATEMI_REQUIRE(loop && loop->grip_count < loop->options.max_grips && link >= 0 &&
                  link < atemi_model_link_count(loop->model) && rail >= 0 &&
                  rail < loop->options.rail_count);
    atemi_grip *grip = &loop->grips[loop->grip_count++];
    *grip =
        (atemi_grip){.link = link, .rail = rail, .begun = atemi_whole_body_plant_time(loop->plant)};
    look(loop, grip);
    grip->off = grip->left;
    pull(loop, grip);
}

void atemi_control_loop_release(atemi_control_loop *loop, int link)
{
    ATEMI_REQUIRE(loop);
    atemi_whole_body_plant_release(loop->plant, link);
}

static void close_jaws(atemi_control_loop *loop, atemi_grip *grip)
{
    const atemi_jaws *jaws = &loop->options.jaws;
    const double      time = atemi_whole_body_plant_time(loop->plant);
    const int         index = pull_of(loop, grip);
    const atemi_force f = atemi_whole_body_plant_pull_force(loop->plant, index);
    grip->force = fmax(grip->force, atemi_vec3_norm(f.linear));
    look(loop, grip);
    if (grip->left <= jaws->distance && grip->left_rotation <= jaws->rotation) {
        grip->state = atemi_whole_body_plant_hold(loop->plant, grip->link, NULL)
                          ? ATEMI_GRIP_FAILED
                          : ATEMI_GRIP_CLOSED;
    } else if (time - grip->begun > jaws->time_limit) {
        grip->state = ATEMI_GRIP_FAILED;
    }
    if (grip->state != ATEMI_GRIP_CLOSING) {
        grip->ended = time;
        atemi_whole_body_plant_set_pull(loop->plant, index, NULL);
    }
}

void atemi_control_loop_update_grips(atemi_control_loop *loop)
{
    ATEMI_REQUIRE(loop);
    for (int i = 0; i < loop->grip_count; ++i) {
        if (loop->grips[i].state == ATEMI_GRIP_CLOSING) {
            close_jaws(loop, &loop->grips[i]);
        }
    }
}

int atemi_control_loop_grip_count(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, 0);
    return loop->grip_count;
}

const atemi_grip *atemi_control_loop_grips(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, NULL);
    return loop->grips;
}

bool atemi_control_loop_is_busy(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, false);
    bool closes = false;
    for (int i = 0; i < loop->grip_count; ++i) {
        closes = closes || loop->grips[i].state == ATEMI_GRIP_CLOSING;
    }
    return closes || loop->offload != loop->offload_goal;
}

// ---- Hooks of a task sequence ---------------------------------------------------------------

static void hook_grip(void *context, int link, int rail)
{
    atemi_control_loop_grip((atemi_control_loop *)context, link, rail);
}

static void hook_release(void *context, int link)
{
    atemi_control_loop_release((atemi_control_loop *)context, link);
}

static void hook_offload(void *context, double fraction, double duration)
{
    atemi_control_loop_offload((atemi_control_loop *)context, fraction, duration);
}

static atemi_status hook_update(void *context, atemi_error *error)
{
    atemi_control_loop *loop = (atemi_control_loop *)context;
    atemi_control_loop_update_grips(loop);
    for (int i = 0; i < loop->grip_count; ++i) {
        const atemi_grip *grip = &loop->grips[i];
        if (grip->state == ATEMI_GRIP_FAILED) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "%.100s did not close on rail %d: %.3g mm and %.3g rad are left",
                              atemi_model_link(loop->model, grip->link)->name, grip->rail,
                              1e3 * grip->left, grip->left_rotation);
        }
    }
    return ATEMI_OK;
}

static bool hook_is_busy(void *context)
{
    return atemi_control_loop_is_busy((const atemi_control_loop *)context);
}

static bool hook_is_held(void *context, int link)
{
    return atemi_control_loop_is_held((const atemi_control_loop *)context, link);
}

atemi_sequence_hooks atemi_control_loop_hooks(atemi_control_loop *loop)
{
    return (atemi_sequence_hooks){.context = loop,
                                  .grip = hook_grip,
                                  .release = hook_release,
                                  .offload = hook_offload,
                                  .update = hook_update,
                                  .is_busy = hook_is_busy,
                                  .is_held = hook_is_held};
}

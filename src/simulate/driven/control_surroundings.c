// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "simulate/driven/control_loop_parts.h"

#include <math.h>

// A hand goes along its line by the fraction  s^2 (3 - 2 s),  s from 0 to 1 in the first two thirds
// of its time, and then stays.

static const double moving_fraction = 2.0 / 3.0;

static atemi_vec3 hand_position(const atemi_guiding_hand *hand, atemi_vec3 start, double time,
                                atemi_vec3 *velocity)
{
    const double span = moving_fraction * (hand->until - hand->from);
    const double s = fmin(fmax((time - hand->from) / span, 0.0), 1.0);
    *velocity = atemi_vec3_scale(6.0 * s * (1.0 - s) / span, hand->by);
    return atemi_vec3_add(start, atemi_vec3_scale(s * s * (3.0 - 2.0 * s), hand->by));
}

// A hand holds on to the place on the link that it found at first.
static void lead(atemi_control_loop *loop, int i, double time)
{
    const atemi_guiding_hand *hand = &loop->hands[i];
    const atemi_transform     frame = {atemi_mat3_identity(), hand->point};
    const bool                leads = time >= hand->from && time < hand->until;
    if (leads && !loop->leads[i]) {
        loop->starts[i] = atemi_whole_body_plant_pose(loop->plant, hand->link, &frame).position;
    }
    loop->leads[i] = leads;
    atemi_pull pull = {.link = hand->link,
                       .frame = frame,
                       .target = atemi_transform_identity(),
                       .stiffness = hand->stiffness,
                       .damping = hand->damping,
                       .force_limit = hand->force_limit};
    pull.target.position = hand_position(hand, loop->starts[i], time, &pull.velocity);
    atemi_whole_body_plant_set_pull(loop->plant, i, leads ? &pull : NULL);
}

// By a fault, or some time after a safe stop.
static void close_brakes(atemi_control_loop *loop, double time)
{
    for (int i = 0; i < loop->count; ++i) {
        const bool is_faulty = atemi_joint_faults_brake(atemi_control_loop_faults(loop, i), time);
        const bool holds = time >= loop->stop_times[i] + loop->options.brake_time;
        atemi_whole_body_plant_set_brake(loop->plant, i, is_faulty || holds);
    }
}

void atemi_control_loop_surround(atemi_control_loop *loop)
{
    const double time = atemi_whole_body_plant_time(loop->plant);
    for (int i = 0; i < loop->options.hand_count; ++i) {
        lead(loop, i, time);
    }
    for (int i = 0; i < loop->options.timed_surface_count; ++i) {
        const atemi_timed_surface *s = &loop->timed_surfaces[i];
        atemi_whole_body_plant_set_surface(loop->plant, s->surface,
                                           time >= s->from && time < s->until);
    }
    close_brakes(loop, time);
    loop->offload = atemi_blend(loop->offload, loop->offload_goal,
                                loop->offload_rate * loop->options.plant.period);
    atemi_whole_body_plant_set_offload(loop->plant, loop->offload);
}

void atemi_control_loop_offload(atemi_control_loop *loop, double fraction, double duration)
{
    ATEMI_REQUIRE(loop && fraction >= 0.0 && fraction <= 1.0);
    loop->offload_goal = fraction;
    loop->offload_rate = 1.0 / fmax(duration, loop->options.plant.period);
}

double atemi_control_loop_offload_now(const atemi_control_loop *loop)
{
    ATEMI_REQUIRE_OR(loop, 0.0);
    return loop->offload;
}

atemi_vec3 atemi_control_loop_hand_start(const atemi_control_loop *loop, int hand)
{
    const atemi_vec3 origin = {0};
    ATEMI_REQUIRE_OR(loop && hand >= 0 && hand < loop->options.hand_count, origin);
    return loop->starts[hand];
}

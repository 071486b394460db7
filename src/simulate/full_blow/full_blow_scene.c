// SPDX-License-Identifier: Apache-2.0

#include "atemi/model_builder.h"
#include "impact/blow_parts.h"
#include "impact/servo_rotors.h"
#include "impact/striking_point.h"
#include "simulate/driven/driven_model.h"
#include "simulate/full_blow/full_blow_parts.h"

#include <math.h>
#include <string.h>

// The scene is the robot and a box whose face, normal to the direction, is the surface that the
// hands touch: at first touch, the foremost of them. Link i of the robot is link 1 + i of the
// scene. Each hand has its fraction of the surface's force:
//
//   f_i = law(d_i, d_i') / hands

static const double density = 300.0; // kg/m^3: how large the box looks
static const double wall_size = 0.5; // m
static const double touching = 1e-6; // m: feet nearer to their surface hold the robot
static const char   target_name[] = "struck_target";

// ---- The law of one hand --------------------------------------------------------------------

static double fraction_force(const void *context, double depth, double rate)
{
    const atemi_law_fraction *law = context;
    return law->fraction * law->whole.force(law->whole.context, depth, rate);
}

static double fraction_energy(const void *context, double depth)
{
    const atemi_law_fraction *law = context;
    return law->fraction * law->whole.energy(law->whole.context, depth);
}

static void fraction_slopes(const void *context, double depth, double rate, double *by_depth,
                            double *by_rate)
{
    const atemi_law_fraction *law = context;
    law->whole.slopes(law->whole.context, depth, rate, by_depth, by_rate);
    *by_depth *= law->fraction;
    *by_rate *= law->fraction;
}

static void find_law(atemi_blow_run *run)
{
    run->fraction =
        (atemi_law_fraction){atemi_blow_law_of(&run->setting->surface), 1.0 / run->hand_count};
    run->law = (atemi_compliance){.force = fraction_force,
                                  .energy = run->fraction.whole.energy ? fraction_energy : NULL,
                                  .slopes = run->fraction.whole.slopes ? fraction_slopes : NULL,
                                  .context = &run->fraction};
}

// ---- Points and torques ---------------------------------------------------------------------

static void add_hand(atemi_blow_run *run, int hand)
{
    const atemi_full_blow_setting *setting = run->setting;
    const atemi_striking_hand      at = atemi_striking_point_hand(&setting->point, hand);
    const int                      point = setting->foot_count + hand;
    run->hands[hand] = (atemi_blow_hand){.point = point, .released = NAN};
    run->points[point] = (atemi_simulation_point){.link = 1 + at.link,
                                                  .point = at.point,
                                                  .surface = setting->surface_count,
                                                  .compliance = &run->law};
}

static void find_points(atemi_blow_run *run)
{
    const atemi_full_blow_setting *setting = run->setting;
    for (int i = 0; i < setting->surface_count; ++i) {
        run->surfaces[i] = setting->surfaces[i];
        run->surfaces[i].link += 1;
    }
    for (int i = 0; i < setting->foot_count; ++i) {
        run->points[i] = setting->feet[i];
        run->points[i].link += 1;
    }
    for (int k = 0; k < run->hand_count; ++k) {
        add_hand(run, k);
    }
}

// What the motion needs without a blow, from the feet that touch.
static void find_held(atemi_blow_run *run)
{
    const atemi_full_blow_setting *setting = run->setting;
    int                            count = 0;
    for (int i = 0; i < setting->foot_count; ++i) {
        const atemi_simulation_point *foot = &setting->feet[i];
        const atemi_transform pose = atemi_link_pose_in(run->robot, &run->kinematics, foot->link);
        const atemi_vec3      at = atemi_transform_apply(&pose, foot->point);
        const double          gap = atemi_surface_look(&setting->surfaces[foot->surface], at).gap;
        if (gap - foot->radius < touching) {
            run->standing[count++] = (atemi_contact_point){foot->link, foot->point};
        }
    }
    atemi_full_blow_look_up(run, setting->start);
    atemi_stance_dynamics_in(run->robot, setting->q, setting->v, run->reference_a, NULL,
                             run->standing, count, &run->stance, run->held, run->foot_forces);
}

// ---- The target -----------------------------------------------------------------------------

// The shortest rotation from x to the direction.
static atemi_mat3 frame_along(atemi_vec3 n)
{
    const atemi_vec3 z = {0.0, 0.0, 1.0}, y = {0.0, 1.0, 0.0};
    const atemi_vec3 side = atemi_vec3_cross(fabs(n.z) < 0.9 ? z : y, n);
    atemi_mat3       frame = {.x = n};
    frame.y = atemi_vec3_scale(1.0 / atemi_vec3_norm(side), side);
    frame.z = atemi_vec3_cross(frame.x, frame.y);
    return frame;
}

static atemi_vec3 place_of(const atemi_blow_run *run, int hand)
{
    return atemi_striking_point_place_in(run->robot, &run->kinematics, &run->setting->point, hand);
}

static void find_front(atemi_blow_run *run)
{
    run->front = -INFINITY;
    for (int k = 0; k < run->hand_count; ++k) {
        run->front =
            fmax(run->front, atemi_vec3_dot(place_of(run, k), run->setting->point.direction));
    }
}

// Amid the hands, as far as the foremost.
static atemi_vec3 face_of(const atemi_blow_run *run)
{
    const atemi_vec3 n = run->setting->point.direction;
    atemi_vec3       amid = {0.0, 0.0, 0.0};
    for (int k = 0; k < run->hand_count; ++k) {
        amid = atemi_vec3_add(amid, atemi_vec3_scale(1.0 / run->hand_count, place_of(run, k)));
    }
    return atemi_vec3_add(amid, atemi_vec3_scale(run->front - atemi_vec3_dot(amid, n), n));
}

// Wide enough for all hands.
static atemi_vec3 size_of(const atemi_blow_run *run, const atemi_mat3 *frame, double side)
{
    const atemi_vec3 apart = atemi_vec3_sub(place_of(run, run->hand_count - 1), place_of(run, 0));
    return (atemi_vec3){side, side + fabs(atemi_vec3_dot(apart, frame->y)),
                        side + fabs(atemi_vec3_dot(apart, frame->z))};
}

static atemi_scene_body target_of(const atemi_blow_run *run, double side)
{
    const atemi_vec3 n = run->setting->point.direction;
    const atemi_mat3 frame = frame_along(n);
    const double     mass = run->setting->target.mass;
    const bool       is_wall = isinf(mass);
    const atemi_vec3 touch = run->setting->start < 0.0 ? run->setting->place : face_of(run);
    atemi_scene_body box =
        atemi_scene_body_box(target_name, is_wall ? 1.0 : mass, size_of(run, &frame, side));
    box.type = is_wall ? ATEMI_JOINT_FIXED : ATEMI_JOINT_PRISMATIC;
    box.pose.rotation = frame;
    box.pose.position = atemi_vec3_add(touch, atemi_vec3_scale(0.5 * side, n));
    box.color[0] = 0.75;
    box.color[1] = 0.55;
    box.color[2] = 0.3;
    box.color[3] = 1.0;
    return box;
}

// ---- The robot ------------------------------------------------------------------------------

// What a joint has of its own, and by those that follow it.
static void add_own_rotors(const atemi_model *robot, double *rotors)
{
    for (int j = 0; j < atemi_model_joint_count(robot); ++j) {
        const atemi_joint *joint = atemi_model_joint(robot, j);
        const bool         follows = joint->v_count == 0 && joint->mimic.joint != ATEMI_NONE;
        const double       scale = follows ? joint->mimic.multiplier : 1.0;
        const atemi_joint *leader = follows ? atemi_model_joint(robot, joint->mimic.joint) : joint;
        if (leader->v_count == 1) {
            rotors[leader->first_v] += scale * scale * joint->armature;
        }
    }
}

// The scene with a robot whose light joints have rotors, where there are any.
static atemi_status create_scene(atemi_blow_run *run, const atemi_scene_body *box,
                                 atemi_error *error)
{
    double      *rotors = run->servo; // not needed yet
    atemi_model *driven = NULL;
    atemi_mass_factor_update(run->robot, run->q, &run->factor);
    if (atemi_mass_factor_check(run->robot, &run->factor, error)) {
        return ATEMI_ERROR_SINGULAR;
    }
    if (!atemi_servo_rotors(run->robot, &run->setting->servo, run->options.shortest_lag,
                            &run->factor, run->servo, run->rotors)) {
        return atemi_scene_create(run->robot, box, 1, &run->scene, error);
    }
    memcpy(rotors, run->rotors, (size_t)atemi_model_v_count(run->robot) * sizeof *rotors);
    add_own_rotors(run->robot, rotors);
    atemi_status status = atemi_driven_model_create(run->robot, rotors, &driven, error);
    status = status ? status : atemi_scene_create(driven, box, 1, &run->scene, error);
    atemi_model_destroy(driven);
    return status;
}

atemi_status atemi_full_blow_make_scene(atemi_blow_run *run, atemi_error *error)
{
    const double mass = run->setting->target.mass;
    const double side = isinf(mass) ? wall_size : cbrt(mass / density);
    find_front(run);
    const atemi_scene_body box = target_of(run, side);
    find_points(run);
    find_law(run);
    find_held(run);
    run->target_link = 1 + atemi_model_link_count(run->robot);
    run->target_coordinate = isinf(mass) ? ATEMI_NONE : atemi_model_v_count(run->robot);
    run->surfaces[run->setting->surface_count] =
        (atemi_surface){.kind = ATEMI_SURFACE_PLANE,
                        .position = {-0.5 * side, 0.0, 0.0},
                        .axis = {-1.0, 0.0, 0.0},
                        .carried = true,
                        .link = run->target_link};
    return create_scene(run, &box, error);
}

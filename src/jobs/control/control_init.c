// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_init.h"

#include "atemi/base.h"
#include "atemi/coordination.h"
#include "atemi/humanoid.h"
#include "atemi/inverse_kinematics.h"
#include "control/load_distribution.h"

#include <math.h>
#include <string.h>

// A robot with legs stands on both feet, which are held, its knees bent; any other is held by its
// root, as is one whose legs do not bear it so. Its hands reach forwards and up from in front of
// the chest, and back. How far is what inverse kinematics finds within the ranges of the joints.
static const double     knee = 0.6;     // rad
static const double     strength = 0.8; // of the effort limits, that the weight may take
static const double     on_one = 0.5;   // the same on one foot: what leans on it adds to its load
static const double     margin = 0.1;   // to the limits of joints, rad
static const double     first_step = 0.15; // of the arm's length, forwards and up
static const double     last_step = 0.02;
static const atemi_vec3 before_chest = {0.5, 0.05,
                                        -0.25}; // of the arm's length, from its first joint

// Forwards, left, up; the first that is in reach counts.
static const atemi_vec3 directions[] = {
    {1.0, 0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {-1.0, 0.0, 0.0}};

enum { MAX_GOALS = 2 * ATEMI_SIDES + 2 }; // each hand and foot, the centre of mass, the base
enum { FREE_ROTATION_BELOW = 6 };         // joints of an arm

typedef struct writing {
    const atemi_model                *model;
    atemi_humanoid                    humanoid;
    atemi_humanoid_scratch           *scratch;
    atemi_inverse_kinematics_scratch *inverse;
    double                           *q, *trial; ///< [q_count]
    atemi_stance                      stance;
    atemi_base_frame_scratch          frame;
    atemi_load_distribution           loads;
    double                           *torques; ///< [v_count]
    bool                             *held;    ///< [links]
    int                               feet;    ///< that are held, or stand
    bool                              stands;  ///< they do
    bool                             *legs;    ///< [v_count] what moves them, and the base
    atemi_vec3                        by;      ///< m, in the world
} writing;

// ---- What holds it --------------------------------------------------------------------------

static bool is_above(const atemi_model *model, int joint, int link)
{
    for (int up = atemi_model_link(model, link)->parent_joint; up != ATEMI_NONE;
         up = atemi_model_link(model, atemi_model_joint(model, up)->parent_link)->parent_joint) {
        if (up == joint) {
            return true;
        }
    }
    return false;
}

// With fewer than twelve joints between the feet, what holds both of them contradicts itself.
static int tied_feet(const writing *w)
{
    const atemi_limb *legs = w->humanoid.legs;
    int               between = 0;
    for (int j = 0; j < atemi_model_joint_count(w->model) && w->humanoid.leg_count; ++j) {
        const bool moves = atemi_model_joint(w->model, j)->v_count > 0;
        between +=
            moves && is_above(w->model, j, legs[0].end) != is_above(w->model, j, legs[1].end);
    }
    return w->humanoid.leg_count == 0 ? 0 : between >= 12 ? 2 : 1;
}

// Whether the joints bear the robot in a posture on so many feet, or by its root, with something
// left for motions.
static bool is_borne(writing *w, int feet, const double *q)
{
    const int        first = atemi_base_v_count(atemi_model_base(w->model));
    const int        n = atemi_model_v_count(w->model) - first;
    const double     share = feet == 1 ? on_one : strength;
    atemi_base_frame standing = {.link = feet ? w->humanoid.legs[0].end : 0};
    bool             bears = true;
    memset(w->held, 0, (size_t)atemi_model_link_count(w->model) * sizeof *w->held);
    w->held[0] = feet == 0;
    for (int side = 0; side < feet; ++side) {
        w->held[w->humanoid.legs[side].end] = true;
    }
    memmove(w->trial, q, (size_t)atemi_model_q_count(w->model) * sizeof *q);
    atemi_kinematics_update(w->model, w->trial, NULL, NULL, &w->frame.kinematics);
    standing.pose = atemi_link_pose_in(w->model, &w->frame.kinematics, standing.link);
    atemi_base_frame_gravity_torques(w->model, &standing, atemi_model_gravity(w->model), &w->frame,
                                     w->trial, w->torques);
    atemi_load_distribution_start(w->model, &w->loads);
    atemi_load_distribution_place(w->model, &standing, &w->frame, w->held, &w->loads);
    atemi_load_distribution_apply(&w->loads, w->torques + first);
    for (int i = 0; i < n; ++i) {
        bears = bears &&
                fabs(w->torques[first + i]) <= share * atemi_joint_rating_of(w->model, i).effort;
    }
    return bears;
}

static atemi_status find_feet(writing *w, atemi_error *error)
{
    w->feet = tied_feet(w);
    w->feet = w->feet && is_borne(w, w->feet, w->q) ? w->feet : 0;
    return !w->stands || w->feet == ATEMI_SIDES
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the robot cannot stand with bent knees: it needs two legs of six "
                            "joints each, which bear its weight with %g %% of their effort "
                            "limits; leave out --stand, and its feet are held",
                            100.0 * strength);
}

// ---- Balance --------------------------------------------------------------------------------

static atemi_posture_goal goal_at(writing *w, int link, atemi_vec3 point, atemi_vec3 by)
{
    atemi_posture_goal    goal = atemi_posture_goal_default();
    const atemi_transform pose = atemi_link_pose(atemi_inverse_kinematics_data(w->inverse), link);
    goal.link = link;
    goal.frame.position = point;
    goal.target = atemi_transform_compose(&pose, &goal.frame);
    goal.target.position = atemi_vec3_add(goal.target.position, by);
    return goal;
}

static void find_legs(const writing *w)
{
    const int base = atemi_base_v_count(atemi_model_base(w->model));
    for (int i = 0; i < base; ++i) {
        w->legs[i] = true;
    }
    for (int j = 0; j < atemi_model_joint_count(w->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(w->model, j);
        for (int side = 0; side < w->humanoid.leg_count && joint->v_count == 1; ++side) {
            w->legs[joint->first_v] = w->legs[joint->first_v] ||
                                      atemi_limb_has_joint(w->model, &w->humanoid.legs[side], j);
        }
    }
}

// The centre of mass above the middle of the soles, which are where they are.
static atemi_posture_goal center_goal(const writing *w)
{
    const atemi_data  *data = atemi_inverse_kinematics_data(w->inverse);
    atemi_posture_goal goal = {.kind = ATEMI_GOAL_CENTER_OF_MASS,
                               .frame = atemi_transform_identity(),
                               .target = atemi_transform_identity(),
                               .weight = {1.0, 1.0}};
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        const atemi_transform foot = atemi_link_pose(data, w->humanoid.legs[side].end);
        const atemi_vec3      middle =
            atemi_transform_apply(&foot, w->humanoid.soles[side].pose.position);
        goal.target.position =
            atemi_vec3_add(goal.target.position, atemi_vec3_scale(0.5, middle)); // of two
    }
    return goal;
}

// The legs move the robot, which stays upright, above the middle of its soles.
static atemi_status center(writing *w, atemi_error *error)
{
    const atemi_vec3                 none = {0};
    atemi_posture_goal               goals[MAX_GOALS];
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    atemi_posture_report             report = {0};
    int                              count = 0;
    if (w->humanoid.leg_count < ATEMI_SIDES) {
        return ATEMI_OK; // find_feet() says so
    }
    find_legs(w);
    options.moving = w->legs;
    atemi_update_kinematics(atemi_inverse_kinematics_data(w->inverse), w->q, NULL, NULL);
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        goals[count++] = goal_at(w, w->humanoid.legs[side].end, none, none);
    }
    goals[count++] = center_goal(w);
    goals[count] = goal_at(w, 0, none, none);
    memset(goals[count++].weight, 0, 3 * sizeof *goals->weight);
    return atemi_inverse_kinematics(w->model, goals, count, &options, w->inverse, w->q, &report,
                                    error);
}

// ---- The posture ----------------------------------------------------------------------------

static void keep_limits(writing *w)
{
    for (int j = 0; j < atemi_model_joint_count(w->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(w->model, j);
        if (joint->q_count == 1) {
            double *q = &w->q[joint->first_q];
            *q = fmin(fmax(*q, joint->limits.lower), joint->limits.upper);
        }
    }
}

static int hand_count(const writing *w)
{
    return w->humanoid.arm_count;
}

static atemi_status find_posture(writing *w, const atemi_humanoid_options *options,
                                 atemi_error *error)
{
    const atemi_reach reach = {.place = before_chest, .margin = margin};
    atemi_configuration_neutral(w->model, w->q);
    atemi_status status =
        atemi_humanoid_find(w->model, w->q, options, w->scratch, &w->humanoid, error);
    if (!status && w->humanoid.arm_count == 0) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the robot has no arm of three joints or more: nothing can reach; name "
                          "its hand with --hand");
    }
    if (!status && w->humanoid.leg_count) {
        status =
            atemi_humanoid_stand(w->model, &w->humanoid, knee, w->scratch, w->q, &w->stance, error);
    }
    if (status) {
        return status;
    }
    keep_limits(w);
    for (int side = 0; side < hand_count(w); ++side) {
        atemi_humanoid_reach(w->model, &w->humanoid, side, &reach, w->scratch, w->q);
    }
    keep_limits(w);
    status = w->stands ? center(w, error) : ATEMI_OK;
    return status ? status : find_feet(w, error);
}

// ---- The reach ------------------------------------------------------------------------------

static bool rotates_freely(const writing *w, int side)
{
    return w->humanoid.arms[side].joint_count < FREE_ROTATION_BELOW;
}

// What reaches: with few joints the place of the forearm's middle, which all of them move.
static atemi_vec3 reaching_point(const writing *w, int side)
{
    const atemi_vec3 origin = {0};
    return rotates_freely(w, side)
               ? atemi_model_link(w->model, w->humanoid.arms[side].end)->inertia.com
               : origin;
}

static atemi_posture_goal hand_goal(writing *w, int side, atemi_vec3 by)
{
    atemi_posture_goal goal = goal_at(w, w->humanoid.arms[side].end, reaching_point(w, side), by);
    for (int i = 3; i < 6 && rotates_freely(w, side); ++i) {
        goal.weight[i] = 0.0;
    }
    return goal;
}

static bool is_in_reach(writing *w, atemi_vec3 by, bool borne)
{
    const atemi_vec3     none = {0};
    int                  count = 0;
    atemi_posture_goal   goals[MAX_GOALS];
    atemi_posture_report report = {0};
    atemi_update_kinematics(atemi_inverse_kinematics_data(w->inverse), w->q, NULL, NULL);
    for (int side = 0; side < hand_count(w); ++side) {
        goals[count++] = hand_goal(w, side, by);
    }
    for (int side = 0; side < w->feet; ++side) {
        goals[count++] = goal_at(w, w->humanoid.legs[side].end, none, none);
    }
    if (w->stands) {
        goals[count++] = center_goal(w);
    }
    if (!w->feet && atemi_model_base(w->model) != ATEMI_BASE_FIXED) {
        goals[count++] = goal_at(w, 0, none, none);
    }
    memcpy(w->trial, w->q, (size_t)atemi_model_q_count(w->model) * sizeof *w->q);
    const atemi_status status =
        atemi_inverse_kinematics(w->model, goals, count, NULL, w->inverse, w->trial, &report, NULL);
    return !status && report.outcome == ATEMI_POSTURE_REACHED &&
           (!borne || is_borne(w, w->feet, w->trial));
}

// The furthest one whose weight is borne, or the furthest one.
static bool find_reach_of(writing *w, bool borne)
{
    const atemi_mat3 *facing = &w->humanoid.facing;
    const double      length = w->humanoid.arms[0].length;
    for (int halvings = 0; ldexp(first_step, -halvings) >= last_step; ++halvings) {
        const double step = ldexp(first_step, -halvings);
        const double distance = fmax(floor(100.0 * step * length + 0.5) / 100.0, 0.01);
        for (size_t i = 0; i < sizeof directions / sizeof *directions; ++i) {
            w->by = atemi_vec3_scale(distance, atemi_mat3_apply(facing, directions[i]));
            if (is_in_reach(w, w->by, borne)) {
                return true;
            }
        }
    }
    return false;
}

static atemi_status find_reach(writing *w, atemi_error *error)
{
    return find_reach_of(w, true) || find_reach_of(w, false)
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT,
                            "no reach of the hands was found from in front of the chest; "
                            "name another hand with --hand, or write the scenario by hand");
}

// ---- The scenario ---------------------------------------------------------------------------

static void put(atemi_text *yaml, double value, double decimals)
{
    const double kept = floor(value * decimals + 0.5) / decimals;
    atemi_text_append_number(yaml, kept == 0.0 ? 0.0 : kept);
}

static void put_vec3(atemi_text *yaml, atemi_vec3 v)
{
    const double list[] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        atemi_text_put_string(yaml, i ? ", " : "[");
        put(yaml, list[i], 1e6);
    }
    atemi_text_put_string(yaml, "]");
}

static void put_link(const writing *w, int link, atemi_text *yaml)
{
    atemi_text_put_json_string(yaml, atemi_model_link(w->model, link)->name);
}

static void write_start(const writing *w, atemi_text *yaml)
{
    const char *const keys[] = {"joints", "slides"};
    atemi_text_put_string(yaml, "start:\n");
    if (w->humanoid.leg_count) {
        atemi_text_append(yaml, "  position: [0, 0, ");
        put(yaml, w->q[2] - w->stance.soles[0].z, 1e4);
        atemi_text_put_string(yaml, "]  # soles on the floor\n");
    }
    for (int kind = 0; kind < 2; ++kind) {
        bool any = false;
        for (int j = 0; j < atemi_model_joint_count(w->model); ++j) {
            const atemi_joint *joint = atemi_model_joint(w->model, j);
            const bool         slides = joint->type == ATEMI_JOINT_PRISMATIC;
            if (joint->q_count != 1 || slides != (kind == 1) || w->q[joint->first_q] == 0.0) {
                continue;
            }
            atemi_text_append(yaml, "%s%s", any ? "" : "  ", any ? "" : keys[kind]);
            atemi_text_put_string(yaml, any ? "    " : ":\n    ");
            atemi_text_put_json_string(yaml, joint->name);
            atemi_text_put_string(yaml, ": ");
            // Rounded towards the middle of the range, so that it stays within.
            const double q = w->q[joint->first_q], x = floor(1e4 * q + 0.5) / 1e4;
            const double inside = x > joint->limits.upper   ? x - 1e-4
                                  : x < joint->limits.lower ? x + 1e-4
                                                            : x;
            put(yaml, inside, 1e4);
            atemi_text_put_string(yaml, "\n");
            any = true;
        }
    }
}

static void write_standing(const writing *w, atemi_text *yaml)
{
    const atemi_sole *sole = &w->humanoid.soles[0];
    atemi_text_append(yaml,
                      "# Both feet stand: they only push, within friction and their soles, found "
                      "from %s.\nholds:\n",
                      atemi_outline_source_text(sole->source));
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        atemi_text_put_string(yaml, "  - {link: ");
        put_link(w, w->humanoid.legs[side].end, yaml);
        if (sole->source == ATEMI_OUTLINE_GIVEN) {
            atemi_text_append(yaml, ", sole: [%.4g, %.4g]", sole->size_x, sole->size_y);
        }
        atemi_text_put_string(yaml, ", stands: true, friction: 0.6}\n");
    }
}

static void write_holds(const writing *w, atemi_text *yaml)
{
    const int feet = w->feet;
    if (w->stands) {
        write_standing(w, yaml);
    } else if (feet) {
        atemi_text_append(yaml, "# %s held, as if bolted down%s.\nholds: [",
                          feet > 1 ? "Both feet are" : "One foot is",
                          feet > 1 ? "; the first is the base" : "");
        for (int side = 0; side < feet; ++side) {
            atemi_text_put_string(yaml, side ? ", " : "");
            put_link(w, w->humanoid.legs[side].end, yaml);
        }
        atemi_text_put_string(yaml, "]\n");
    } else if (atemi_model_base(w->model) != ATEMI_BASE_FIXED) {
        atemi_text_put_string(yaml, "# Bolted to the world by its root.\nholds: [");
        put_link(w, 0, yaml);
        atemi_text_put_string(yaml, "]\n");
    }
}

static void write_nodes(const writing *w, double sign, atemi_text *yaml)
{
    for (int side = 0; side < hand_count(w); ++side) {
        atemi_text_put_string(yaml, "      - {link: ");
        put_link(w, w->humanoid.arms[side].end, yaml);
        if (rotates_freely(w, side)) {
            atemi_text_put_string(yaml, ", point: ");
            put_vec3(yaml, reaching_point(w, side));
        }
        atemi_text_put_string(yaml, ", by: ");
        put_vec3(yaml, atemi_vec3_scale(sign, w->by));
        // Too few joints to keep its orientation as well.
        atemi_text_put_string(
            yaml, rotates_freely(w, side) ? ", ignore: [turn_x, turn_y, turn_z]}\n" : "}\n");
    }
}

// As comments: nobody knows where people stand.
static void write_people(const writing *w, atemi_text *yaml)
{
    atemi_text_put_string(
        yaml, "# Someone in the path, and the force that they bear; and what may go wrong:\n"
              "# surfaces: {person: {kind: plane, position: [0.5, 0, 0], normal: [-1, 0, 0]}}\n"
              "# contacts: [{link: ");
    put_link(w, w->humanoid.arms[0].end, yaml);
    atemi_text_put_string(
        yaml, ", surface: person}]\n"
              "# people: [{surface: person, region: chest, damping: 100, force_limit: 150 N}]\n"
              "# believed: {masses: 1.1}\n"
              "# faults: [{of: all, from: 2 s, bus_delay: 50 ms}]\n");
}

static void write(const writing *w, const atemi_job_wish *wish, atemi_text *yaml)
{
    const bool is_fixed = atemi_model_base(w->model) == ATEMI_BASE_FIXED;
    char       name[ATEMI_JOB_ROBOT_NAME];
    atemi_text_append(
        yaml,
        "# %s reaches with its hand%s under compliant control: written by 'atemi init "
        "control'.\n# 'atemi control FILE' runs it on a simulated robot with motors, "
        "gears and springs.\n# 'atemi control FILE --explain' has all keys, and what was estimated "
        "of "
        "the drives, as 'atemi info'\n# does for every robot.\njob: control\nrobot: ",
        atemi_job_robot_name(wish, name), hand_count(w) > 1 ? "s" : "");
    atemi_text_put_json_string(yaml, wish->robot);
    atemi_text_append(yaml, "\nbase: %s\n", is_fixed ? "fixed" : "floating");
    write_start(w, yaml);
    write_holds(w, yaml);
    atemi_text_put_string(
        yaml,
        "joints:\n"
        "  # Stiffness and damping follow from these two and the inertia that a joint moves. The\n"
        "  # feedback of a joint presses with torque_limit at most, and stops where it would need\n"
        "  # more: lower it where people are near.\n"
        "  - {of: all, natural_frequency: 20 rad/s, damping_ratio: 1.2, velocity: 1 rad/s}\n"
        "  # - {of: all, torque_limit: 20 N m}\n");
    write_people(w, yaml);
    atemi_text_put_string(yaml, "tasks:\n"
                                "  - do: nodes\n    at: 1 s\n    duration: 2 s\n    nodes:\n");
    write_nodes(w, 1.0, yaml);
    atemi_text_put_string(yaml, "  - do: nodes  # and back\n    when: reached\n    wait: 0.5 s\n"
                                "    duration: 2 s\n    nodes:\n");
    write_nodes(w, -1.0, yaml);
    atemi_text_put_string(yaml, "duration: 10 s\n");
}

// ---- All of it ------------------------------------------------------------------------------

static void take(atemi_arena *arena, writing *w)
{
    w->scratch = atemi_humanoid_scratch_take(arena, w->model);
    w->inverse = atemi_inverse_kinematics_scratch_take(arena, w->model, MAX_GOALS + 1);
    w->q = atemi_arena_array(arena, double, atemi_model_q_count(w->model));
    w->trial = atemi_arena_array(arena, double, atemi_model_q_count(w->model));
    w->frame = atemi_base_frame_scratch_take(arena, w->model);
    w->loads = atemi_load_distribution_take(arena, w->model, ATEMI_SIDES);
    w->torques = atemi_arena_array(arena, double, atemi_model_v_count(w->model));
    w->held = atemi_arena_array(arena, bool, atemi_model_link_count(w->model));
    w->legs = atemi_arena_array(arena, bool, atemi_model_v_count(w->model));
}

static atemi_status find_hand(const atemi_job_wish *wish, atemi_humanoid_options *options,
                              atemi_error *error)
{
    *options = atemi_humanoid_options_default();
    if (wish->hand) {
        options->hand = atemi_model_find_link(wish->model, wish->hand);
    }
    options->sole_x = wish->sole[0];
    options->sole_y = wish->sole[1];
    return wish->hand && options->hand == ATEMI_NONE
               ? atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the robot has no link '%.64s'; see 'atemi info'", wish->hand)
               : ATEMI_OK;
}

atemi_status atemi_control_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error)
{
    writing                w = {.model = wish->model, .stands = wish->stands};
    atemi_humanoid_options options;
    atemi_arena            arena = atemi_arena_measuring();
    atemi_status           status = atemi_job_wish_check(
        wish, "control",
        ATEMI_WISH_HAND | ATEMI_WISH_STANDS | (wish->stands ? ATEMI_WISH_SOLE : 0u), error);
    status = status ? status : find_hand(wish, &options, error);
    if (status) {
        return status;
    }
    take(&arena, &w);
    status = atemi_arena_create(&arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&arena, &w);
    status = find_posture(&w, &options, error);
    status = status ? status : find_reach(&w, error);
    if (!status) {
        write(&w, wish, yaml);
    }
    atemi_arena_destroy(&arena);
    return status;
}

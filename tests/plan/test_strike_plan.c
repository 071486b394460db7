// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_plan.h"

#include "allocations.h"
#include "atemi/robots.h"
#include "strike_rig.h"

#include <math.h>

// [STRIKE] Tables I and II, column "init.", with the momenta of the column "result".
static void paper_start(const strike_rig *rig, double x[VARIABLES])
{
    const atemi_strike_task *task = rig->task;
    const double             motion[VARIABLES - AT_SPEED] = {2.0, 2.68, 3.0, 3.0, 0.09, -0.06};
    for (int i = 0; i < 3; ++i) {
        x[AT_FOOT + i] = task->foot_position[i].start;
        x[AT_FOOT + 3 + i] = task->foot_turn[i].start;
    }
    x[AT_STANCE] = task->stance[0][0].start;
    x[AT_STANCE + 1] = task->stance[0][1].start;
    for (int i = 0; i < task->joint_count; ++i) {
        x[AT_JOINTS + i] = task->joint_ranges[i].start;
    }
    memcpy(x + AT_SPEED, motion, sizeof motion);
}

// The same, less deep: the ankles of hrp2_like end 3 mm before the paper's squat.
static void near_start(const strike_rig *rig, double x[VARIABLES])
{
    paper_start(rig, x);
    x[2] -= 0.02;
}

static atemi_strike_plan *evaluate_start(strike_rig *rig, double x[VARIABLES])
{
    rig_open(rig);
    near_start(rig, x);
    atemi_strike_plan *plan = rig_evaluate(rig, x);
    atemi_update_kinematics(rig->rest, atemi_strike_plan_q(plan), atemi_strike_plan_v(plan), NULL);
    return plan;
}

static double constraint(const atemi_strike_plan *plan, const char *name)
{
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        if (strcmp(c->name, name) == 0) {
            return c->value;
        }
    }
    check_fail(CHECK_PLACE("constraint"), "there is no constraint '%s'", name);
}

// ---- Posture and rates

TEST(strike_plan, has_the_feet_where_they_are_decided)
{
    strike_rig            rig;
    double                x[VARIABLES];
    atemi_strike_plan    *plan = evaluate_start(&rig, x);
    atemi_transform       expected = atemi_transform_identity();
    const atemi_transform first = rig_foot(&rig, 0), second = rig_foot(&rig, 1);
    CHECK_NEAR(largest_pose_difference(&first, &expected), 0.0, 1e-9);
    expected.position = (atemi_vec3){x[AT_STANCE], x[AT_STANCE + 1], 0.0};
    CHECK_NEAR(largest_pose_difference(&second, &expected), 0.0, 1e-9);
    rig_end(&rig, plan);
}

TEST(strike_plan, tells_by_how_much_a_foot_is_out_of_reach)
{
    strike_rig rig;
    double     x[VARIABLES];
    rig_open(&rig);
    paper_start(&rig, x);
    atemi_strike_plan *plan = rig_evaluate(&rig, x);
    atemi_update_kinematics(rig.rest, atemi_strike_plan_q(plan), NULL, NULL);
    CHECK_NEAR(constraint(plan, "place of right_sole"), atemi_vec3_norm(rig_foot(&rig, 0).position),
               1e-9);
    CHECK(constraint(plan, "place of right_sole") > 1e-3);
    CHECK(!atemi_strike_plan_feasible(plan));
    rig_end(&rig, plan);
}

// A foot that is turned as well.
TEST(strike_plan, has_the_base_where_the_first_foot_is_seen_from)
{
    strike_rig rig;
    double     x[VARIABLES];
    rig_open(&rig);
    rig_posture(1.0, x);
    atemi_strike_plan *plan = rig_evaluate(&rig, x);
    atemi_update_kinematics(rig.rest, atemi_strike_plan_q(plan), NULL, NULL);
    const atemi_transform base = atemi_link_pose(rig.rest, 0);
    const atemi_transform foot = rig_foot(&rig, 0);
    const atemi_mat3      back = atemi_mat3_transposed(&base.rotation);
    const atemi_vec3 seen = atemi_mat3_apply(&back, atemi_vec3_sub(foot.position, base.position));
    const atemi_mat3 turn = atemi_mat3_multiply(&back, &foot.rotation);
    const atemi_vec3 ahead = atemi_mat3_apply(&turn, (atemi_vec3){1.0, 0.0, 0.0});
    CHECK_NEAR(seen.x, x[0], 1e-9);
    CHECK_NEAR(seen.y, x[1], 1e-9);
    CHECK_NEAR(seen.z, x[2], 1e-9);
    CHECK_NEAR(ahead.x, cos(x[4]), 1e-9);
    CHECK_NEAR(ahead.z, -sin(x[4]), 1e-9);
    rig_end(&rig, plan);
}

TEST(strike_plan, has_the_joints_that_are_decided_and_those_that_are_given)
{
    strike_rig               rig;
    double                   x[VARIABLES];
    atemi_strike_plan       *plan = evaluate_start(&rig, x);
    const atemi_strike_task *task = rig.task;
    const double            *q = atemi_strike_plan_q(plan);
    for (int i = 0; i < task->joint_count; ++i) {
        const atemi_joint *joint = atemi_model_joint(task->model, task->joints[i]);
        CHECK_NEAR(q[joint->first_q], x[AT_JOINTS + i], 0.0);
        CHECK_EQUAL_STRING(atemi_strike_plan_variable(plan, AT_JOINTS + i)->name, joint->name);
    }
    const int elbow = atemi_model_find_joint(task->model, "left_elbow");
    const int first = atemi_model_joint(task->model, elbow)->first_q;
    CHECK_NEAR(q[first], task->q[first], 0.0);
    rig_end(&rig, plan);
}

TEST(strike_plan, has_the_velocities_and_momenta_that_are_decided)
{
    strike_rig         rig;
    double             x[VARIABLES];
    atemi_strike_plan *plan = evaluate_start(&rig, x);
    const atemi_force  momentum = rig_momentum(&rig);
    const double       mass = atemi_model_mass(rig.task->model);
    const double      *motion = x + AT_SPEED;
    const atemi_motion hand = {.linear = {motion[0], 0.0, 0.0}}, still = {0};
    CHECK_NEAR(largest_motion_difference(rig_hand(&rig, 0), hand), 0.0, 1e-9);
    CHECK_NEAR(momentum.linear.z, motion[1], 1e-9);
    CHECK_NEAR(momentum.angular.x, motion[2], 1e-9);
    CHECK_NEAR(momentum.angular.y, motion[3], 1e-9);
    CHECK_NEAR(momentum.linear.x / mass, motion[4], 1e-11);
    CHECK_NEAR(momentum.linear.y / mass, motion[5], 1e-11);
    for (int i = 0; i < 2; ++i) {
        const int link = atemi_model_site(rig.task->model, rig.task->feet[i])->link;
        CHECK_NEAR(largest_motion_difference(atemi_link_velocity(rig.rest, link), still), 0.0,
                   1e-9);
    }
    rig_end(&rig, plan);
}

TEST(strike_plan, tells_momenta_and_times_of_first_touch)
{
    strike_rig                 rig;
    double                     x[VARIABLES];
    atemi_strike_plan         *plan = evaluate_start(&rig, x);
    const atemi_force          momentum = rig_momentum(&rig);
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    CHECK_NEAR(f.speed, 2.0, 0.0);
    CHECK_NEAR(f.momentum[0], momentum.linear.x, 1e-9);
    CHECK_NEAR(f.momentum[2], 2.68, 1e-9);
    CHECK_NEAR(f.angular[2], momentum.angular.z, 1e-9);
    CHECK_NEAR(f.com[1], -0.06, 1e-9);
    CHECK_NEAR(f.hand_rise, 0.7 / 4.0, 0.0);
    CHECK_NEAR(f.body_fall, 0.7, 0.0);
    CHECK_NEAR(constraint(plan, "P_x"), f.momentum[0], 0.0);
    CHECK_NEAR(constraint(plan, "L_z"), f.angular[2], 0.0);
    rig_end(&rig, plan);
}

// ---- The blow

// The compression damper is at its hardest at first touch.
TEST(strike_plan, of_the_paper_maximizes_damping_times_speed)
{
    strike_rig                 rig;
    double                     x[VARIABLES];
    atemi_strike_plan         *plan = evaluate_start(&rig, x);
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    CHECK_NEAR(f.peak_force, 300.0 * 2.0, 1e-9);
    CHECK_NEAR(f.objective, f.peak_force, 0.0);
    CHECK(f.impulse > 5.0 && f.contact_time > 0.02);
    rig_end(&rig, plan);
}

TEST(strike_plan, weighs_peak_force_and_impulse)
{
    strike_rig rig;
    double     x[VARIABLES];
    rig_open(&rig);
    rig_posture(1.0, x);
    rig.task->peak_weight = 0.5;
    rig.task->impulse_weight = 20.0;
    atemi_strike_plan         *plan = rig_evaluate(&rig, x);
    const atemi_strike_figures f = atemi_strike_plan_figures(plan);
    CHECK_NEAR(f.objective, 0.5 * f.peak_force + 20.0 * f.impulse, 1e-9);
    rig_end(&rig, plan);
}

// ---- Balance

static double margin_of(const strike_rig *rig, atemi_vec3 point)
{
    atemi_vec3 corners[8];
    for (int i = 0; i < 2; ++i) {
        const atemi_site     *site = atemi_model_site(rig->task->model, rig->task->feet[i]);
        const atemi_transform link = atemi_link_pose(rig->rest, site->link);
        CHECK_EQUAL_INT(atemi_site_corners(site, &link, corners + (size_t)4 * (size_t)i), 4);
    }
    const atemi_support support = atemi_support_polygon(NULL, corners, 8, corners);
    return atemi_support_distance(&support, point).distance;
}

// At rest and at first touch nothing accelerates.
TEST(strike_plan, has_the_zmp_below_the_centre_of_mass_at_the_ends_of_its_phases)
{
    strike_rig         rig;
    double             x[VARIABLES];
    const double       way = 0.5 * 0.7; // of a cubic: half the time at full speed
    atemi_strike_plan *plan = evaluate_start(&rig, x);
    const atemi_vec3   com = atemi_center_of_mass(rig.rest);
    const atemi_vec3   moved = {way * x[AT_SPEED + 4], way * x[AT_SPEED + 5], 0.0};
    CHECK_NEAR(constraint(plan, "ZMP while gathering speed (8/8)"), margin_of(&rig, com), 1e-12);
    CHECK_NEAR(constraint(plan, "ZMP while slowing down (8/8)"), margin_of(&rig, com), 1e-12);
    CHECK_NEAR(constraint(plan, "ZMP while gathering speed (0/8)"),
               margin_of(&rig, atemi_vec3_sub(com, moved)), 1e-12);
    CHECK_NEAR(constraint(plan, "ZMP while slowing down (0/8)"),
               margin_of(&rig, atemi_vec3_add(com, moved)), 1e-12);
    rig_end(&rig, plan);
}

// Half way, by momentum about the centre of mass instead of the origin.
static double middle_margin(const strike_rig *rig, const double *motion, double sign)
{
    const double      T = 0.7, slope = sign * 1.5 / T, way = -sign * 13.0 / 32.0 * T;
    const atemi_vec3  moved = {way * motion[4], way * motion[5], 0.0};
    const double      mass = atemi_model_mass(rig->task->model);
    const atemi_vec3  com = atemi_vec3_add(atemi_center_of_mass(rig->rest), moved);
    const atemi_vec3  force = {slope * mass * motion[4], slope * mass * motion[5],
                               slope * motion[1]};
    const atemi_vec3  moment = {slope * motion[2], slope * motion[3], 0.0};
    const atemi_force rate = {force, atemi_vec3_sub(moment, atemi_vec3_cross(com, force))};
    atemi_vec3        zmp;
    CHECK(atemi_zmp_from_momentum(NULL, mass, atemi_model_gravity(rig->task->model), com, rate,
                                  &zmp));
    return margin_of(rig, zmp);
}

TEST(strike_plan, has_the_zmp_of_its_momenta_half_way)
{
    strike_rig         rig;
    double             x[VARIABLES];
    atemi_strike_plan *plan = evaluate_start(&rig, x);
    CHECK_NEAR(constraint(plan, "ZMP while gathering speed (4/8)"),
               middle_margin(&rig, x + AT_SPEED, 1.0), 1e-12);
    CHECK_NEAR(constraint(plan, "ZMP while slowing down (4/8)"),
               middle_margin(&rig, x + AT_SPEED, -1.0), 1e-12);
    rig_end(&rig, plan);
}

TEST(strike_plan, tells_the_least_margins)
{
    strike_rig         rig;
    double             x[VARIABLES], blow = INFINITY, motion = INFINITY;
    atemi_strike_plan *plan = evaluate_start(&rig, x);
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        blow = strncmp(c->name, "ZMP in", 6) == 0 ? fmin(blow, c->value) : blow;
        motion = strncmp(c->name, "ZMP while", 9) == 0 ? fmin(motion, c->value) : motion;
    }
    CHECK_NEAR(atemi_strike_plan_figures(plan).impact_margin, blow, 0.0);
    CHECK_NEAR(atemi_strike_plan_figures(plan).motion_margin, motion, 0.0);
    rig_end(&rig, plan);
}

// ---- The search

TEST(strike_plan, goes_to_the_bound_of_its_speed_and_tells_what_it_is_worth)
{
    strike_rig rig;
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    atemi_strike_plan *plan = rig_search(&rig, NULL);
    CHECK(atemi_strike_plan_feasible(plan));
    CHECK(atemi_strike_plan_violation(plan) <= 1e-6);
    CHECK_EQUAL_INT(atemi_strike_plan_variable_count(plan), 1);
    CHECK_EQUAL_STRING(atemi_strike_plan_variable(plan, 0)->name, "speed of the hand");
    CHECK_NEAR(atemi_strike_plan_variable(plan, 0)->value, 0.5, 1e-9);
    CHECK_NEAR(atemi_strike_plan_variable(plan, 0)->multiplier, 300.0, 1e-3);
    rig_end(&rig, plan);
}

// What ends it then is a constraint, by which it stands.
TEST(strike_plan, goes_as_far_as_its_constraints_allow)
{
    strike_rig rig;
    bool       stands = false;
    rig_open(&rig);
    rig_fix_posture(&rig, INFINITY);
    atemi_strike_plan *plan = rig_search(&rig, NULL);
    CHECK(atemi_strike_plan_feasible(plan));
    CHECK(atemi_strike_plan_variable(plan, 0)->value > 0.5);
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        stands = stands || (c->active && c->multiplier > 0.0);
        CHECK(c->multiplier >= 0.0);
    }
    CHECK(stands);
    rig_end(&rig, plan);
}

// The hand cannot be at 3 m; nothing that is decided would bring it there.
TEST(strike_plan, of_a_target_out_of_reach_is_not_feasible)
{
    strike_rig           rig;
    atemi_strike_options options = atemi_strike_options_default();
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    rig.task->hits[0].place[2] = 3.0;
    options.iterations = 5;
    atemi_strike_plan *plan = rig_search(&rig, &options);
    CHECK(!atemi_strike_plan_feasible(plan));
    CHECK(atemi_strike_plan_violation(plan) > 100.0);
    CHECK_EQUAL_INT(atemi_strike_plan_figures(plan).tries, 10); // then it is given up
    CHECK_EQUAL_INT(atemi_strike_plan_figures(plan).feasible_tries, 0);
    rig_end(&rig, plan);
}

typedef struct listener {
    int calls, patience;
} listener;

static bool on_progress(void *context, double done, double objective, double violation)
{
    listener *l = (listener *)context;
    CHECK(done >= 0.0 && done <= 1.0 && isfinite(objective) && violation >= 0.0);
    return ++l->calls < l->patience;
}

static atemi_strike_options until(listener *l)
{
    atemi_strike_options options = atemi_strike_options_default();
    options.progress = on_progress;
    options.context = l;
    return options;
}

TEST(strike_plan, stops_when_progress_says_so_and_keeps_the_best)
{
    strike_rig           rig;
    listener             l = {.patience = 2};
    atemi_strike_options options = until(&l);
    options.starts = 3;
    rig_open(&rig);
    atemi_strike_plan *plan = rig_search(&rig, &options);
    CHECK_EQUAL_INT(l.calls, 2);
    CHECK_EQUAL_INT(atemi_strike_plan_figures(plan).tries, 1);
    CHECK(isfinite(atemi_strike_plan_violation(plan)));
    rig_end(&rig, plan);
}

TEST(strike_plan, is_the_same_every_time)
{
    strike_rig           rig;
    listener             l[2] = {{.patience = 4}, {.patience = 4}};
    atemi_strike_options options[2] = {until(&l[0]), until(&l[1])};
    rig_open(&rig);
    atemi_strike_plan *first = rig_search(&rig, &options[0]),
                      *second = rig_search(&rig, &options[1]);
    const size_t q = (size_t)atemi_model_q_count(rig.task->model) * sizeof(double);
    const size_t v = (size_t)atemi_model_v_count(rig.task->model) * sizeof(double);
    CHECK(memcmp(atemi_strike_plan_q(first), atemi_strike_plan_q(second), q) == 0);
    CHECK(memcmp(atemi_strike_plan_v(first), atemi_strike_plan_v(second), v) == 0);
    atemi_strike_plan_destroy(first);
    rig_end(&rig, second);
}

static double tick(void)
{
    static double now = 0.0;
    return now += 1.0;
}

TEST(strike_plan, measures_where_time_goes)
{
    strike_rig           rig;
    atemi_strike_options options = atemi_strike_options_default();
    rig_open(&rig);
    rig_fix_posture(&rig, 0.5);
    options.clock = tick;
    atemi_strike_plan       *plan = rig_search(&rig, &options);
    const atemi_strike_times t = atemi_strike_plan_figures(plan).times;
    CHECK(t.posture > 0.0 && t.rates > 0.0 && t.motion > 0.0 && t.blow > 0.0 && t.zmp > 0.0);
    CHECK_NEAR(t.posture + t.rates + t.motion + t.blow + t.zmp + t.solver, t.total, 1e-9);
    rig_end(&rig, plan);
}

// ---- Refusals

static void check_refusal(check_place place, const strike_rig *rig, const char *cause)
{
    atemi_strike_plan *plan;
    atemi_error        error = {0};
    const atemi_status status = atemi_strike_plan_make(rig->task, NULL, &plan, &error);
    check_contains(place, error.message, cause);
    check_status(place, status, ATEMI_ERROR_INPUT);
    check_true(place, !plan);
}

// Each begins with the task of the scenario.
#define REFUSES(change, cause)                                                                     \
    do {                                                                                           \
        strike_rig rig;                                                                            \
        rig_open(&rig);                                                                            \
        change;                                                                                    \
        check_refusal(CHECK_PLACE("REFUSES(" #change ")"), &rig, cause);                           \
        rig_close(&rig);                                                                           \
    } while (0)

TEST(strike_plan, refuses_a_range_that_is_empty)
{
    REFUSES(rig.task->speed.lower = 3.0; rig.task->speed.upper = 2.0, "the range of speed");
    REFUSES(rig.task->foot_turn[1].start = NAN, "the range of foot_turn y");
    REFUSES(rig.task->com_x.upper = NAN, "the range of com x");
    REFUSES(rig.task->stance[0][1].lower = 1.0, "the range of stance y");
    REFUSES(rig.scenario.joint_ranges[5].upper = -9.0, "the range of right_elbow");
    REFUSES(rig.task->roll.start = INFINITY, "with the start inf, is empty");
}

TEST(strike_plan, refuses_to_stand_on_nothing)
{
    REFUSES(rig.task->foot_count = 0, "0 feet stand: it must be 1 to 4");
    REFUSES(rig.task->foot_count = 5, "5 feet stand: it must be 1 to 4");
    REFUSES(rig.scenario.feet[1] = atemi_model_find_site(rig.task->model, "right_fist"),
            "the site 'right_fist' has no area");
}

TEST(strike_plan, refuses_feet_that_cannot_be)
{
    REFUSES(rig.scenario.feet[1] = rig.scenario.feet[0],
            "the feet 'right_sole' and 'right_sole' are of the same link");
    REFUSES(rig.task->point.link = atemi_model_site(rig.task->model, rig.task->feet[0])->link,
            "the robot stands on 'right_sole' and strikes with the same link");
}

static void add_hand_of(strike_rig *rig, int link)
{
    rig_add_hand(rig);
    rig->task->point.others[0].link = link;
}

TEST(strike_plan, refuses_hands_that_cannot_be)
{
    REFUSES(rig.task->point.link = -1, "link -1 strikes, but there is no such link");
    REFUSES(rig.task->point.more = 2, "3 hands strike: give 1 to 2");
    REFUSES(add_hand_of(&rig, rig.task->point.link), "both hands are of the link 'right_hand'");
    REFUSES(add_hand_of(&rig, atemi_model_site(rig.task->model, rig.task->feet[1])->link),
            "the robot stands on 'left_sole' and strikes with the same link");
    REFUSES(rig.task->lead = -1e-3, "the lead is -0.001: it must not be negative");
}

static void decide(strike_rig *rig, int index, const char *joint)
{
    rig->scenario.joints[index] = atemi_model_find_joint(rig->task->model, joint);
}

TEST(strike_plan, refuses_joints_that_cannot_be_decided)
{
    REFUSES(decide(&rig, 3, "chest_yaw"), "the joint 'chest_yaw' is decided twice");
    REFUSES(decide(&rig, 3, "left_knee"),
            "the joint 'left_knee' is decided, but it belongs to the leg of 'left_sole'");
}

TEST(strike_plan, refuses_numbers_that_leave_nothing)
{
    REFUSES(rig.task->target.mass = 0.0, "the mass of the target is 0: it must be positive");
    REFUSES(rig.task->torque_part = 0.0, "the torque_part is 0: it must be positive");
    REFUSES(rig.task->travel_friction = -1.0, "the travel_friction is -1");
    REFUSES(rig.task->friction = NAN, "the friction is nan");
    REFUSES(rig.task->doubt.distance = -0.01, "the distance in doubt is -0.01: it must not be");
    REFUSES(rig.task->doubt.mass = 1.0, "and 1 of its mass");
    REFUSES(rig.task->friction = 0.7; rig.task->doubt.friction = 0.8, "the friction of 0.7 by 0.8");
}

TEST(strike_plan, refuses_an_objective_without_weight)
{
    REFUSES(rig.task->peak_weight = 0.0, "the objective has no weight");
    REFUSES(rig.task->peak_weight = -1.0, "the objective has no weight");
    REFUSES(rig.task->impulse_weight = NAN, "the objective has no weight");
}

TEST(strike_plan, refuses_phases_without_time)
{
    REFUSES(rig.task->hand_rise.lower = 0.0, "must be positive");
    REFUSES(rig.task->body_fall.lower = -1.0, "must be positive");
    REFUSES(rig_fix(&rig.task->hand_rise, 0.8), "body_rise ends at 0.7 s, before hand_rise");
    REFUSES(rig_fix(&rig.task->body_fall, 0.1), "the body must not take less time than the hand");
}

TEST(strike_plan, refuses_a_robot_that_is_fixed_to_the_world)
{
    strike_rig         rig;
    atemi_model       *statue;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_FIXED;
    rig_open(&rig);
    CHECK_STATUS(atemi_robots_load("hrp2_like", &options, &statue, NULL), ATEMI_OK);
    rig.task->model = statue;
    check_refusal(CHECK_PLACE("fixed"), &rig, "the base of the robot is fixed");
    atemi_model_destroy(statue);
    rig_close(&rig);
}

TEST(strike_plan, refuses_more_joints_than_can_be_decided)
{
    strike_rig         rig;
    atemi_strike_plan *plan;
    rig_open(&rig);
    rig.task->joint_count = ATEMI_STRIKE_MOST_VARIABLES;
    CHECK_STATUS(atemi_strike_plan_make(rig.task, NULL, &plan, NULL), ATEMI_ERROR_LIMIT);
    CHECK(!plan);
    rig_close(&rig);
}

TEST(strike_plan, has_no_variable_and_no_constraint_beyond_its_own)
{
    strike_rig         rig;
    double             x[VARIABLES];
    atemi_strike_plan *plan = evaluate_start(&rig, x);
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_strike_plan_variable(plan, VARIABLES)));
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_strike_plan_constraint(plan, -1)));
    rig_end(&rig, plan);
}

TEST(strike_plan, survives_that_memory_runs_out)
{
    strike_rig rig;
    double     x[VARIABLES];
    bool       failed = true;
    rig_open(&rig);
    rig_posture(1.0, x);
    for (int n = 1; failed; ++n) {
        atemi_strike_plan *plan = NULL;
        atemi_error        error = {0};
        failing_allocator_install(n);
        const atemi_status status = atemi_strike_plan_evaluate(rig.task, x, &plan, &error);
        failed = failing_allocator_failed();
        CHECK_EQUAL_INT(status == ATEMI_ERROR_MEMORY, failed);
        CHECK(!failed || (!plan && strlen(error.message) > 0));
        atemi_strike_plan_destroy(plan);
        failing_allocator_remove();
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    rig_close(&rig);
}

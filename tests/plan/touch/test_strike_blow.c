// SPDX-License-Identifier: Apache-2.0

#include "plan/touch/strike_blow.h"

#include "atemi/contact.h"
#include "atemi/strike_plan.h"
#include "plan/doubt/strike_case.h"
#include "plan/touch/strike_feet.h"
#include "strike_trial.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 64 };

static double blow_constraint(const strike_trial *t, const char *what, int sample, const char *note)
{
    const double time = t->problem.setup.touch.times[sample];
    char         name[ATEMI_STRIKE_NAME];
    snprintf(name, sizeof name, "%s at %.3g ms%s", what, 1e3 * time, note);
    return trial_constraint(t, name);
}

// ---- The planned blow, by functions that the planner does not use

typedef struct oracle {
    strike_trial *trial;
    atemi_data   *ground; ///< of the soles, where they are looked at
    double        rest[MOST];
    const double *q;
    int           sample;
    double        tolerance;
    const char   *note;
} oracle;

static void check_zmp(const oracle *o, const atemi_blow_sample *sample)
{
    const atemi_strike_task *task = o->trial->rig.task;
    const double             none[MOST] = {0.0};
    atemi_vec3               zmp;
    CHECK(atemi_blow_zmp(o->trial->rig.rest, o->q, none, sample->accelerations, &task->point,
                         sample->force, NULL, &zmp));
    CHECK_NEAR(blow_constraint(o->trial, "ZMP in the blow", o->sample, o->note),
               atemi_support_distance(&o->trial->result.at.support.polygon, zmp).distance,
               o->tolerance);
}

// What the blow does to the hands, each of which bears the same part of its force.
static void load_hands(const oracle *o, double force, atemi_force *loads)
{
    const atemi_strike_task *task = o->trial->rig.task;
    const int                hands = atemi_striking_point_hands(&task->point);
    const atemi_vec3         push = {-force / hands, 0.0, 0.0};
    for (int k = 0; k < hands; ++k) {
        const atemi_striking_hand at = atemi_striking_point_hand(&task->point, k);
        const atemi_transform     pose = atemi_link_pose(o->trial->rig.rest, at.link);
        loads[at.link] =
            (atemi_force){push, atemi_vec3_cross(atemi_mat3_apply(&pose.rotation, at.point), push)};
    }
}

// The grippers are closed, at the stops where their range begins: locked.
static void find_locked(const oracle *o, bool locked[MOST])
{
    static const char *const names[] = {"right_gripper", "left_gripper"};
    const atemi_model       *model = o->trial->rig.task->model;
    memset(locked, 0, MOST * sizeof *locked);
    for (int i = 0; i < 2; ++i) {
        locked[atemi_model_joint(model, atemi_model_find_joint(model, names[i]))->first_v] = true;
    }
}

// What the blow adds: the wrenches by the torques in all joints, less those at rest. Locked joints
// bear what there is.
static void find_wrenches(oracle *o, const double *torques, const double *a, double force,
                          atemi_force *wrenches)
{
    const atemi_strike_task *task = o->trial->rig.task;
    const int                links[] = {atemi_model_site(task->model, task->feet[0])->link,
                                        atemi_model_site(task->model, task->feet[1])->link};
    atemi_force              loads[MOST] = {0};
    double                   tau[MOST], borne[MOST];
    bool                     locked[MOST];
    load_hands(o, force, loads);
    find_locked(o, locked);
    atemi_inverse_dynamics(o->ground, o->q, NULL, a, loads, borne);
    for (int i = 0; i < o->trial->problem.setup.v_count; ++i) {
        tau[i] = i < 6 ? 0.0 : o->rest[i] + (torques ? torques[i] : 0.0);
        tau[i] = locked[i] ? borne[i] : tau[i];
    }
    CHECK(atemi_ground_wrenches(o->ground, o->q, NULL, a, tau, loads, links, 2, wrenches) < 1e-6);
}

static void check_soles(oracle *o, const atemi_blow_sample *sample)
{
    atemi_force with[2], without[2];
    find_wrenches(o, sample->torques, sample->accelerations, sample->force, with);
    find_wrenches(o, NULL, NULL, 0.0, without);
    for (int i = 0; i < 2; ++i) {
        const atemi_force found = o->trial->result.at.outcome.wrenches[o->sample][i];
        const atemi_vec3  force = atemi_vec3_sub(with[i].linear, without[i].linear);
        const atemi_vec3  moment = atemi_vec3_sub(with[i].angular, without[i].angular);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(found.linear, force)), 0.0, 1e-6);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(found.angular, moment)), 0.0, 1e-6);
    }
}

static void on_sample(void *context, const atemi_blow_sample *sample)
{
    oracle *o = (oracle *)context;
    check_zmp(o, sample);
    if (o->ground) {
        check_soles(o, sample);
    }
    ++o->sample;
}

// The blow in a posture, with rates and a drift of the hand.
static void check_blow(oracle *o, const double *q, const double *v, double drift)
{
    strike_workspace        *w = &o->trial->work;
    const double            *times = o->trial->problem.setup.touch.times;
    const atemi_strike_task *task = o->trial->rig.task;
    const int                links[] = {atemi_model_site(task->model, task->feet[0])->link,
                                        atemi_model_site(task->model, task->feet[1])->link};
    atemi_ground             ground = atemi_ground_default();
    atemi_blow_setting setting = {v, 0.0, NULL, drift, task->servo, task->surface, task->target};
    atemi_blow_options options = atemi_blow_options_default();
    setting.servo.held = o->ground ? o->rest : NULL;
    const atemi_blow_watch watch = {times, STRIKE_BLOW_SAMPLES, on_sample, o};
    atemi_blow_result      result;
    bool                   locked[MOST];
    find_locked(o, locked);
    ground.links = links;
    ground.count = 2;
    ground.locked = locked;
    options.past_release = true;
    options.duration = times[STRIKE_BLOW_SAMPLES - 1];
    o->q = q;
    CHECK_STATUS(atemi_virtual_base_update(task->model, q, &ground, &task->point, &w->base, NULL),
                 ATEMI_OK);
    CHECK_STATUS(atemi_blow(&w->base, &setting, &options, &watch, &w->blow, &result, NULL),
                 ATEMI_OK);
    CHECK_EQUAL_INT(o->sample, STRIKE_BLOW_SAMPLES);
}

static void find_rest(oracle *o)
{
    strike_trial       *t = o->trial;
    atemi_contact_point points[STRIKE_MAX_CORNERS];
    atemi_vec3          forces[STRIKE_MAX_CORNERS];
    const int           count = strike_setup_corners(&t->problem.setup, points);
    atemi_stance_dynamics(o->ground, t->result.at.q, NULL, NULL, NULL, points, count, o->rest,
                          forces);
}

// The mean of what the hand's speed V loses within T is V (u^2 - u^3 / 2), u = T / T_h.
static void check_planned_blow(strike_trial *t)
{
    oracle o = {.trial = t, .tolerance = 1e-9, .note = ""};
    t->rig.task->friction = INFINITY; // the robot rests but for the blow
    trial_evaluate(t);
    o.ground = data_create(t->rig.task->model);
    find_rest(&o);
    const double T = t->problem.setup.touch.duration, u = T / 0.175;
    check_blow(&o, t->result.at.q, t->result.at.v, -2.0 * 1.2 * (u * u - 0.5 * u * u * u) / T);
    atemi_data_destroy(o.ground);
}

TEST(strike_blow, moves_zmp_and_soles_as_all_joints_say)
{
    strike_trial t;
    trial_open(&t);
    check_planned_blow(&t);
    trial_close(&t);
}

TEST(strike_blow, of_two_hands_moves_zmp_and_soles_as_all_joints_say)
{
    strike_trial t;
    trial_open(&t);
    rig_add_hand(&t.rig);
    check_planned_blow(&t);
    trial_close(&t);
}

// Where soles matter: the wrenches of the finished motion at first touch and those of the blow.
TEST(strike_blow, comes_on_top_of_the_motion)
{
    strike_trial        t;
    atemi_strike_motion motion;
    double              q[MOST], v[MOST], a[MOST];
    atemi_force         carried[2];
    trial_open(&t);
    trial_evaluate(&t);
    const strike_setup      *setup = &t.problem.setup;
    const strike_evaluation *at = &t.result.at;
    atemi_strike_plan       *plan = rig_evaluate(&t.rig, t.x);
    CHECK_STATUS(atemi_strike_motion_make(plan, 1e-3, &motion, NULL), ATEMI_OK);
    atemi_strike_motion_at(&motion, setup->model, 0.0, q, v, a, NULL);
    strike_feet_of_motion(setup, q, v, a, &t.work.feet, carried);
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        atemi_force wrenches[2];
        atemi_vec3  zmp;
        for (int k = 0; k < 2; ++k) {
            wrenches[k] = atemi_force_add(carried[k], at->outcome.wrenches[i][k]);
        }
        CHECK(strike_feet_zmp(setup, &at->kinematics, wrenches, &zmp));
        CHECK_NEAR(blow_constraint(&t, "ZMP in the blow", i, ""),
                   atemi_support_distance(&at->support.polygon, zmp).distance, 1e-4);
        double grip[2];
        strike_foot_grip(setup, 1, wrenches[1], (1.0 - setup->task.reserve) * setup->task.friction,
                         grip);
        CHECK_NEAR(blow_constraint(&t, "friction of left_sole", i, ""), fmin(grip[0], grip[1]),
                   1.0);
    }
    atemi_strike_motion_destroy(&motion);
    atemi_strike_plan_destroy(plan);
    trial_close(&t);
}

// ---- In doubt

static void add_case(atemi_strike_task *task, atemi_strike_deviation deviation)
{
    task->cases[task->case_count++] = deviation;
}

TEST(strike_blow, of_a_target_in_doubt_is_that_of_lighter_and_heavier_ones)
{
    strike_trial t, other;
    trial_open(&t);
    trial_open(&other);
    add_case(t.rig.task, (atemi_strike_deviation){.mass = -0.2});
    add_case(t.rig.task, (atemi_strike_deviation){.mass = 0.2});
    trial_evaluate(&t);
    for (int sign = -1; sign <= 1; sign += 2) {
        const char *note = sign < 0 ? ", target 20 % lighter" : ", target 20 % heavier";
        other.rig.task->target.mass = t.rig.task->target.mass * (1.0 + 0.2 * sign);
        trial_create(&other, &strike_fine_grid);
        const strike_touch own = other.problem.setup.touch;
        other.problem.setup.touch = t.problem.setup.touch;
        trial_look(&other);
        other.problem.setup.touch = own; // its constraints have these names
        for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
            CHECK_NEAR(blow_constraint(&t, "ZMP in the blow", i, note),
                       blow_constraint(&other, "ZMP in the blow", i, ""), 1e-12);
            CHECK_NEAR(blow_constraint(&t, "edge of left_sole", i, note),
                       blow_constraint(&other, "edge of left_sole", i, ""), 1e-9);
        }
        trial_destroy(&other);
    }
    rig_close(&other.rig);
    trial_close(&t);
}

TEST(strike_blow, on_a_floor_in_doubt_has_less_friction)
{
    strike_trial t, other;
    trial_open(&t);
    trial_open(&other);
    t.rig.task->doubt.friction = 0.2;
    other.rig.task->friction *= 0.8;
    other.rig.task->travel_friction *= 0.8;
    trial_evaluate(&t);
    trial_evaluate(&other);
    CHECK_EQUAL_INT(t.problem.constraints.count, other.problem.constraints.count);
    CHECK_NEAR(largest_difference(t.result.constraints, other.result.constraints,
                                  t.problem.constraints.count),
               0.0, 1e-9);
    trial_close(&other);
    trial_close(&t);
}

// When the hand of the finished motion has gone `way` farther, or less far where it is negative,
// than at first touch.
static int instant_of(strike_trial *t, const atemi_strike_motion *motion, double way)
{
    const int sign = way < 0.0 ? -1 : 1;
    int       i = motion->touch;
    double    gone = 0.0;
    while (fabs(gone) < fabs(way)) {
        i += sign;
        atemi_update_kinematics(t->rig.rest, motion->q + (size_t)i * (size_t)motion->q_count,
                                motion->v + (size_t)i * (size_t)motion->v_count, NULL);
        gone += sign * motion->step * rig_hand(&t->rig, 0).linear.x;
    }
    return i;
}

// The mean of the change of the hand's speed over T, from the motion's cubic.
static double drift_at(double time, double T)
{
    const int steps = 1000;
    double    sum = 0.0, begin = 0.0;
    for (int i = 0; i <= steps; ++i) {
        const double u = 1.0 - fmin(fabs(time + T * i / steps) / 0.175, 1.0);
        const double speed = 1.2 * u * u * (3.0 - 2.0 * u);
        begin = i == 0 ? speed : begin;
        sum += (i == 0 || i == steps ? 0.5 : 1.0) * (speed - begin) / steps;
    }
    return 2.0 * sum / T;
}

// A step of the motion is 1.2 mm of the way; 2 mm of the ZMP come of it, of 40 mm between the
// cases.
TEST(strike_blow, of_a_target_at_a_distance_in_doubt_comes_earlier_or_later)
{
    strike_trial        t;
    atemi_strike_motion motion;
    trial_open(&t);
    t.rig.task->friction = INFINITY;
    add_case(t.rig.task, (atemi_strike_deviation){.distance = -0.02});
    add_case(t.rig.task, (atemi_strike_deviation){.distance = 0.02});
    trial_evaluate(&t);
    atemi_strike_plan *plan = rig_evaluate(&t.rig, t.x);
    CHECK_STATUS(atemi_strike_motion_make(plan, 1e-3, &motion, NULL), ATEMI_OK);
    for (int sign = -1; sign <= 1; sign += 2) {
        const int    i = instant_of(&t, &motion, 0.02 * sign);
        const double time = atemi_strike_motion_time(&motion, i);
        oracle       o = {.trial = &t,
                          .tolerance = 2e-3,
                          .note = sign < 0 ? ", target 2 cm nearer" : ", target 2 cm farther"};
        check_blow(&o, motion.q + (size_t)i * (size_t)motion.q_count,
                   motion.v + (size_t)i * (size_t)motion.v_count,
                   drift_at(time, t.problem.setup.touch.duration));
    }
    atemi_strike_motion_destroy(&motion);
    atemi_strike_plan_destroy(plan);
    trial_close(&t);
}

// Where the planned touch comes earlier by as much as the target is farther, all is as planned but
// for the gains: those of servos whose gains are given so.
TEST(strike_blow, of_servos_in_doubt_is_that_of_stiffer_ones)
{
    strike_trial t, other;
    double       stiffness[MOST], damping[MOST];
    trial_open(&t);
    trial_open(&other);
    t.rig.task->friction = other.rig.task->friction = INFINITY; // rotors are those of the gains
    add_case(t.rig.task, (atemi_strike_deviation){.gains = 0.2});
    trial_evaluate(&t);
    for (int i = 0; i < t.problem.setup.v_count; ++i) {
        stiffness[i] = 1.2 * t.rig.task->servo.stiffness[i];
        damping[i] = 1.2 * t.rig.task->servo.damping[i];
    }
    other.rig.task->servo.stiffness = stiffness;
    other.rig.task->servo.damping = damping;
    trial_evaluate(&other);
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        CHECK_NEAR(blow_constraint(&t, "ZMP in the blow", i, ", gains 20 % higher"),
                   blow_constraint(&other, "ZMP in the blow", i, ""), 1e-5);
    }
    trial_close(&other);
    trial_close(&t);
}

// A touch that comes later by the time that the hand needs for a farther target is that of a
// farther target.
TEST(strike_blow, that_comes_later_is_that_of_a_farther_target)
{
    strike_trial  t;
    strike_values x;
    trial_open(&t);
    trial_create(&t, &strike_fine_grid);
    x = strike_variables_at(&t.problem.variables, t.x);
    const strike_case far = strike_case_find(&x, &(atemi_strike_deviation){.distance = 0.015});
    trial_destroy(&t);
    add_case(t.rig.task, (atemi_strike_deviation){.distance = 0.015});
    add_case(t.rig.task, (atemi_strike_deviation){.timing = far.time});
    trial_evaluate(&t);
    char late[64];
    snprintf(late, sizeof late, ", touched %.3g ms later", 1e3 * far.time);
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        CHECK_NEAR(blow_constraint(&t, "ZMP in the blow", i, ", target 1.5 cm farther"),
                   blow_constraint(&t, "ZMP in the blow", i, late), 1e-12);
    }
    trial_close(&t);
}

// What is planned for more doubt is less hard, at one posture.
TEST(strike_blow, is_planned_less_hard_for_doubt)
{
    double speeds[2];
    for (int i = 0; i < 2; ++i) {
        strike_rig         rig;
        atemi_strike_plan *plan;
        rig_open(&rig);
        rig_fix_posture(&rig, INFINITY);
        rig.task->friction = 0.3;
        rig.task->travel_margin = -INFINITY;
        rig.task->doubt = i == 0 ? (atemi_strike_deviation){0}
                                 : (atemi_strike_deviation){0.2, 0.15, 0.01, 0.0, 0.0};
        CHECK_STATUS(atemi_strike_plan_make(rig.task, NULL, &plan, NULL), ATEMI_OK);
        CHECK(atemi_strike_plan_feasible(plan));
        speeds[i] = atemi_strike_plan_figures(plan).speed;
        CHECK_EQUAL_INT(atemi_strike_plan_case_count(plan) > 0, i > 0);
        atemi_strike_plan_destroy(plan);
        rig_close(&rig);
    }
    CHECK(speeds[1] < 0.9 * speeds[0]);
}

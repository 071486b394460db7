// SPDX-License-Identifier: Apache-2.0

#include "plan/strike_blow.h"

#include "atemi/contact.h"
#include "atemi/strike_motion.h"
#include "plan/strike_feet.h"
#include "strike_trial.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 64 };

static double blow_constraint(const strike_problem *p, const char *what, int sample,
                              const char *note)
{
    char name[ATEMI_STRIKE_NAME];
    snprintf(name, sizeof name, "%s at %.3g ms%s", what, 1e3 * p->blow_times[sample], note);
    return trial_constraint(p, name);
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
    strike_problem          *p = &o->trial->problem;
    const atemi_strike_task *task = o->trial->rig.task;
    const double             none[MOST] = {0.0};
    atemi_vec3               zmp;
    CHECK(atemi_blow_zmp(o->trial->rig.rest, o->q, none, sample->accelerations, &task->point,
                         sample->force, NULL, &zmp));
    CHECK_NEAR(blow_constraint(p, "ZMP in the blow", o->sample, o->note),
               atemi_support_distance(&p->support, zmp).distance, o->tolerance);
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

// What the blow adds: the wrenches by the torques in all joints, less those at rest.
static void find_wrenches(oracle *o, const double *torques, const double *a, double force,
                          atemi_force *wrenches)
{
    const strike_problem    *p = &o->trial->problem;
    const atemi_strike_task *task = o->trial->rig.task;
    const int                links[] = {atemi_model_site(task->model, task->feet[0])->link,
                                        atemi_model_site(task->model, task->feet[1])->link};
    atemi_force              loads[MOST] = {0};
    double                   tau[MOST];
    load_hands(o, force, loads);
    for (int i = 0; i < p->base.count; ++i) {
        tau[i] = i < 6 ? 0.0 : o->rest[i] + (torques ? torques[i] : 0.0);
    }
    CHECK(atemi_ground_wrenches(o->ground, o->q, NULL, a, tau, loads, links, 2, wrenches) < 1e-6);
}

static void check_soles(oracle *o, const atemi_blow_sample *sample)
{
    atemi_force with[2], without[2];
    find_wrenches(o, sample->torques, sample->accelerations, sample->force, with);
    find_wrenches(o, NULL, NULL, 0.0, without);
    for (int i = 0; i < 2; ++i) {
        const atemi_force found = o->trial->problem.outcome.wrenches[o->sample][i];
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
    const strike_problem    *p = &o->trial->problem;
    const atemi_strike_task *task = o->trial->rig.task;
    const int                links[] = {atemi_model_site(task->model, task->feet[0])->link,
                                        atemi_model_site(task->model, task->feet[1])->link};
    atemi_ground             ground = atemi_ground_default();
    atemi_blow_setting setting = {v, 0.0, NULL, drift, task->servo, task->surface, task->target};
    atemi_blow_options options = atemi_blow_options_default();
    const atemi_blow_watch watch = {p->blow_times, STRIKE_BLOW_SAMPLES, on_sample, o};
    atemi_blow_result      result;
    ground.links = links;
    ground.count = 2;
    options.past_release = true;
    options.duration = p->blow_times[STRIKE_BLOW_SAMPLES - 1];
    o->q = q;
    CHECK_STATUS(atemi_virtual_base_update(task->model, q, &ground, &task->point,
                                           &o->trial->problem.base, NULL),
                 ATEMI_OK);
    CHECK_STATUS(
        atemi_blow(&p->base, &setting, &options, &watch, &o->trial->problem.scratch, &result, NULL),
        ATEMI_OK);
    CHECK_EQUAL_INT(o->sample, STRIKE_BLOW_SAMPLES);
}

static void find_rest(oracle *o)
{
    strike_problem     *p = &o->trial->problem;
    atemi_contact_point points[STRIKE_MOST_CORNERS];
    atemi_vec3          forces[STRIKE_MOST_CORNERS];
    const int           count = strike_stance_points(p, points);
    atemi_stance_dynamics(o->ground, p->q, NULL, NULL, NULL, points, count, o->rest, forces);
}

// The mean of what the hand's speed V loses within T is V (u^2 - u^3 / 2), u = T / T_h.
static void check_planned_blow(strike_trial *t)
{
    oracle o = {.trial = t, .tolerance = 1e-9, .note = ""};
    t->rig.task->friction = INFINITY; // the robot rests but for the blow
    trial_evaluate(t);
    o.ground = data_create(t->rig.task->model);
    find_rest(&o);
    const double T = t->problem.touch_time, u = T / 0.175;
    check_blow(&o, t->problem.q, t->problem.v, -2.0 * 1.2 * (u * u - 0.5 * u * u * u) / T);
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
    strike_problem    *p = &t.problem;
    atemi_strike_plan *plan = rig_evaluate(&t.rig, t.x);
    CHECK_STATUS(atemi_strike_motion_make(plan, 1e-3, &motion, NULL), ATEMI_OK);
    atemi_strike_motion_at(&motion, p->model, 0.0, q, v, a, NULL);
    strike_feet_of_motion(p, q, v, a, carried);
    for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
        atemi_force wrenches[2];
        atemi_vec3  zmp;
        for (int k = 0; k < 2; ++k) {
            wrenches[k] = atemi_force_add(carried[k], p->outcome.wrenches[i][k]);
        }
        CHECK(strike_feet_zmp(p, wrenches, &zmp));
        CHECK_NEAR(blow_constraint(p, "ZMP in the blow", i, ""),
                   atemi_support_distance(&p->support, zmp).distance, 1e-4);
        double grip[2];
        strike_foot_grip(p, 1, wrenches[1], (1.0 - p->task.reserve) * p->task.friction, grip);
        CHECK_NEAR(blow_constraint(p, "friction of left_sole", i, ""), fmin(grip[0], grip[1]), 1.0);
    }
    atemi_strike_motion_destroy(&motion);
    atemi_strike_plan_destroy(plan);
    trial_close(&t);
}

// ---- In doubt

TEST(strike_blow, of_a_target_in_doubt_is_that_of_lighter_and_heavier_ones)
{
    strike_trial t, other;
    trial_open(&t);
    trial_open(&other);
    t.rig.task->doubt.mass = 0.2;
    trial_evaluate(&t);
    for (int sign = -1; sign <= 1; sign += 2) {
        const char *note = sign < 0 ? ", target 20 % lighter" : ", target 20 % heavier";
        other.rig.task->target.mass = t.rig.task->target.mass * (1.0 + 0.2 * sign);
        CHECK_STATUS(strike_problem_create(other.rig.task, &strike_fine_grid, &other.problem, NULL),
                     ATEMI_OK);
        double named[STRIKE_BLOW_SAMPLES];
        memcpy(named, other.problem.blow_times, sizeof named);
        memcpy(other.problem.blow_times, t.problem.blow_times, sizeof t.problem.blow_times);
        other.problem.touch_time = t.problem.touch_time;
        strike_problem_evaluate(&other.problem, other.x);
        memcpy(other.problem.blow_times, named, sizeof named); // its constraints have these names
        for (int i = 0; i < STRIKE_BLOW_SAMPLES; ++i) {
            CHECK_NEAR(blow_constraint(&t.problem, "ZMP in the blow", i, note),
                       blow_constraint(&other.problem, "ZMP in the blow", i, ""), 1e-12);
            CHECK_NEAR(blow_constraint(&t.problem, "edge of left_sole", i, note),
                       blow_constraint(&other.problem, "edge of left_sole", i, ""), 1e-9);
        }
        strike_problem_destroy(&other.problem);
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
    other.rig.task->friction -= 0.2;
    trial_evaluate(&t);
    trial_evaluate(&other);
    CHECK_EQUAL_INT(t.problem.constraint_count, other.problem.constraint_count);
    CHECK_NEAR(largest_difference(t.problem.found, other.problem.found, t.problem.constraint_count),
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
    t.rig.task->doubt.distance = 0.02;
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
                   drift_at(time, t.problem.touch_time));
    }
    atemi_strike_motion_destroy(&motion);
    atemi_strike_plan_destroy(plan);
    trial_close(&t);
}

TEST(strike_blow, in_doubt_of_both_is_looked_at_in_four_more_cases)
{
    static const char *const notes[] = {
        ", target 2 cm nearer and 10 % lighter", ", target 2 cm nearer and 10 % heavier",
        ", target 2 cm farther and 10 % lighter", ", target 2 cm farther and 10 % heavier"};
    strike_trial t;
    trial_open(&t);
    t.rig.task->doubt = (atemi_strike_doubt){0.02, 0.1, 0.0};
    trial_evaluate(&t);
    for (int i = 0; i < 4; ++i) {
        const double margin = blow_constraint(&t.problem, "ZMP in the blow", 6, notes[i]);
        CHECK(isfinite(margin) && margin > -0.5);
        CHECK(blow_constraint(&t.problem, "friction of right_sole", 6, notes[i]) > -1e3);
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
        rig.task->doubt = i == 0 ? (atemi_strike_doubt){0} : (atemi_strike_doubt){0.01, 0.2, 0.05};
        CHECK_STATUS(atemi_strike_plan_make(rig.task, NULL, &plan, NULL), ATEMI_OK);
        CHECK(atemi_strike_plan_feasible(plan));
        speeds[i] = atemi_strike_plan_figures(plan).speed;
        atemi_strike_plan_destroy(plan);
        rig_close(&rig);
    }
    CHECK(speeds[1] < 0.9 * speeds[0]);
}

// ---- Light joints

// What the feet bear in all is what the robot's momentum gains, and the blow; in axes of the base.
static void check_sum(void *context, const atemi_blow_sample *sample)
{
    strike_problem *p = (strike_problem *)context;
    const int       n = p->base.count;
    atemi_force     wrenches[ATEMI_STRIKE_MOST_FEET];
    double          size = 0.0;
    for (int r = 0; r < 3; ++r) {
        double sum = sample->force * p->base.jacobian[r];
        for (int i = 0; i < n; ++i) {
            sum += p->feet.M[(ptrdiff_t)r * n + i] * sample->accelerations[i];
        }
        size = hypot(size, sum);
    }
    strike_feet_in_blow(p, sample, wrenches);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_add(wrenches[0].linear, wrenches[1].linear)), size, 1e-7);
}

// The gains are so high that many joints of hrp2_like are light.
TEST(strike_blow, of_light_joints_is_borne_by_the_feet)
{
    const double           times[] = {0.0, 1e-4, 1e-3};
    strike_trial           t;
    const atemi_blow_watch watch = {times, 3, check_sum, &t.problem};
    atemi_blow_setting     setting = atemi_blow_setting_default();
    atemi_blow_result      result;
    trial_open(&t);
    for (int i = 0; i < atemi_model_v_count(t.rig.task->model); ++i) {
        t.rig.scenario.servo.stiffness[i] *= 20.0;
        t.rig.scenario.servo.damping[i] *= 20.0;
    }
    trial_evaluate(&t);
    CHECK(largest_size(t.problem.rotors, t.problem.base.count) > 0.1);
    setting.rates = t.problem.v;
    setting.servo = t.rig.task->servo;
    CHECK_STATUS(
        atemi_blow(&t.problem.base, &setting, NULL, &watch, &t.problem.scratch, &result, NULL),
        ATEMI_OK);
    trial_close(&t);
}

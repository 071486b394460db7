// SPDX-License-Identifier: Apache-2.0

// Plug-ins of the coordination: trajectory generators, quintics among them, and answers to a joint
// that does not follow.

#include "atemi/coordination.h"

#include "coordination_rig.h"
#include "random.h"

#include <math.h>

enum { KNEE = 3, ANKLE = 5 };

static const double period = 0.02;

static void begin_with(atemi_trajectory_generator generator, atemi_deviation_hook hook,
                       coordination_rig *rig)
{
    atemi_coordination_options options = atemi_coordination_options_default();
    options.generator = generator;
    options.deviation = hook;
    rig_begin_with(rig, options);
    rig_steps(rig, 150);
}

static void move(coordination_rig *rig, const atemi_joint_target *targets, int count,
                 double duration)
{
    CHECK_STATUS(atemi_coordination_move_joints(rig->coordination, ATEMI_SOURCE_USER, targets,
                                                count, duration, NULL),
                 ATEMI_OK);
}

// ---- A generator of one's own: cubics from rest to rest -------------------------------------

typedef struct cubic {
    int    planned, asked;
    double factor; ///< of what it says it needs
} cubic;

static double cubic_duration(void *context, const atemi_trapezoid_task *task)
{
    cubic       *c = (cubic *)context;
    const double d = fabs(task->end.position - task->start.position);
    ++c->planned;
    return c->factor * fmax(1.5 * d / task->velocity, sqrt(6.0 * d / task->acceleration));
}

static atemi_axis_state cubic_at(void *context, const atemi_trapezoid_task *task, double duration,
                                 double time)
{
    const double x = time / duration, d = task->end.position - task->start.position;
    ++((cubic *)context)->asked;
    return (atemi_axis_state){task->start.position + d * x * x * (3.0 - 2.0 * x),
                              6.0 * d * x * (1.0 - x) / duration,
                              6.0 * d * (1.0 - 2.0 * x) / (duration * duration)};
}

// 0.5 rad at 1 rad/s and 2 rad/s^2 take sqrt(6 0.5 / 2) = 1.22 s, and the other joint as long.
// Every command on the way is that of the closed form.
TEST(trajectory_generator, makes_the_commands_of_all_joints_of_a_motion)
{
    cubic                            own = {.factor = 1.0};
    coordination_rig                 rig;
    const atemi_trajectory_generator generator = {&own, cubic_duration, cubic_at};
    begin_with(generator, (atemi_deviation_hook){0}, &rig);
    const double             from[] = {rig.commands[KNEE].position, rig.commands[ANKLE].position};
    const atemi_joint_target targets[] = {{.joint = KNEE, .position = from[0] + 0.5},
                                          {.joint = ANKLE, .position = from[1] + 0.1}};
    move(&rig, targets, 2, 0.0);
    CHECK_EQUAL_INT(own.planned, 2);
    const double T = sqrt(1.5);
    for (int k = 1; k * period < T; ++k) {
        rig_step(&rig);
        const double x = k * period / T, y = x * x * (3.0 - 2.0 * x);
        CHECK_NEAR(rig.commands[KNEE].position, from[0] + 0.5 * y, 1e-12);
        CHECK_NEAR(rig.commands[ANKLE].position, from[1] + 0.1 * y, 1e-12);
        CHECK_NEAR(rig.commands[KNEE].velocity, 3.0 * x * (1.0 - x) / T, 1e-12);
    }
    CHECK(rig_moves(&rig));
    rig_step(&rig);
    CHECK(!rig_moves(&rig) && rig_last_goal(&rig)->outcome == ATEMI_OUTCOME_REACHED);
    CHECK_NEAR(rig.commands[KNEE].position, from[0] + 0.5, 0.0);
    CHECK(own.asked > 0);
    rig_end(&rig);
}

// One that is twice as fast as the joint's bound is not obeyed: the joint stops, softly.
TEST(trajectory_generator, cannot_go_beyond_the_bounds_of_a_joint)
{
    cubic                            own = {.factor = 0.3};
    coordination_rig                 rig;
    const atemi_trajectory_generator generator = {&own, cubic_duration, cubic_at};
    begin_with(generator, (atemi_deviation_hook){0}, &rig);
    const atemi_joint_target target = {.joint = KNEE,
                                       .position = rig.commands[KNEE].position + 0.8};
    move(&rig, &target, 1, 0.0);
    double before = rig.commands[KNEE].position;
    for (int k = 0; k < 150; ++k) {
        rig_step(&rig);
        CHECK(fabs(rig.commands[KNEE].position - before) <= 1.25 * period * 1.0);
        before = rig.commands[KNEE].position;
    }
    CHECK(rig_last_goal(&rig)->outcome == ATEMI_OUTCOME_FAULT);
    CHECK_EQUAL_INT(rig_last_goal(&rig)->joint, KNEE);
    CHECK(!rig_moves(&rig));
    rig_end(&rig);
}

TEST(trajectory_generator, that_answers_with_no_number_is_refused)
{
    cubic                            own = {.factor = (double)NAN};
    coordination_rig                 rig;
    const atemi_trajectory_generator generator = {&own, cubic_duration, cubic_at};
    begin_with(generator, (atemi_deviation_hook){0}, &rig);
    const double             there = rig.commands[KNEE].position;
    const atemi_joint_target target = {.joint = KNEE, .position = there + 0.5};
    move(&rig, &target, 1, 0.0);
    rig_steps(&rig, 10);
    CHECK(rig_last_goal(&rig)->outcome == ATEMI_OUTCOME_FAULT);
    CHECK_NEAR(rig.commands[KNEE].position, there, 0.0);
    rig_end(&rig);
    atemi_coordination_options half = atemi_coordination_options_default();
    atemi_coordination        *none = NULL;
    atemi_model               *model = NULL;
    atemi_error                error;
    half.generator.at = cubic_at;
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &model, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_coordination_create(model, &half, &none, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "one of its two functions");
    atemi_model_destroy(model);
}

// ---- Quintics -------------------------------------------------------------------------------

// From rest to rest: 15/8 d / V, or sqrt(10 / sqrt(3) d / A). Bounds are kept to 0.2 %.
TEST(quintic_generator, takes_the_least_duration_from_rest_to_rest)
{
    const atemi_trajectory_generator g = atemi_quintic_generator();
    for (double d = 0.01; d < 10.0; d *= 1.7) {
        const atemi_trapezoid_task task = {{0}, {.position = d}, 1.0, 2.0};
        const double               exact = fmax(1.875 * d, sqrt(10.0 / sqrt(3.0) * d / 2.0));
        CHECK_NEAR(g.duration(g.context, &task), exact, 3e-3 * exact);
    }
    const atemi_trapezoid_task nothing = {{.position = 1.0}, {.position = 1.0}, 1.0, 2.0};
    CHECK_NEAR(g.duration(g.context, &nothing), 0.0, 0.0);
}

// The least excess of the bounds that any duration has, by looking at many.
static double least_excess(const atemi_trapezoid_task *task)
{
    double least = INFINITY;
    for (double T = 0.01; T < 50.0; T *= 1.02) {
        double largest = 0.0;
        for (int k = 0; k <= 200; ++k) {
            const atemi_axis_state s = atemi_quintic_at(&task->start, &task->end, T, T * k / 200);
            largest = fmax(largest, fmax(fabs(s.velocity) / task->velocity,
                                         fabs(s.acceleration) / task->acceleration));
        }
        least = fmin(least, largest);
    }
    return least;
}

// [R2] III-A: nonzero initial and final conditions of position, velocity and acceleration. The
// way keeps the bounds to half a per cent wherever any duration does, and else exceeds them least.
TEST(quintic_generator, meets_both_ends_and_keeps_the_bounds_on_the_way)
{
    const atemi_trajectory_generator g = atemi_quintic_generator();
    random_stream                    stream = random_seeded(7);
    for (int n = 0; n < 100; ++n) {
        const atemi_axis_state     a = {random_uniform(&stream, -2.0, 2.0),
                                        random_uniform(&stream, -0.5, 0.5),
                                        random_uniform(&stream, -0.5, 0.5)};
        const atemi_axis_state     b = {random_uniform(&stream, -2.0, 2.0),
                                        random_uniform(&stream, -0.5, 0.5),
                                        random_uniform(&stream, -0.5, 0.5)};
        const atemi_trapezoid_task task = {a, b, 1.0, 2.0};
        const double               T = g.duration(g.context, &task);
        const double               bound = 1.005 * fmax(1.0, least_excess(&task));
        CHECK(T > 0.0 && T < 100.0);
        const atemi_axis_state from = g.at(g.context, &task, T, 0.0),
                               to = g.at(g.context, &task, T, T);
        CHECK_NEAR(from.acceleration, a.acceleration, 1e-9);
        CHECK_NEAR(to.position, b.position, 1e-9);
        CHECK_NEAR(to.velocity, b.velocity, 1e-9);
        CHECK_NEAR(to.acceleration, b.acceleration, 1e-9);
        const double h = 1e-6 * T;
        for (int k = 1; k < 1000; ++k) {
            const double           t = 1e-3 * k * T;
            const atemi_axis_state s = g.at(g.context, &task, T, t),
                                   next = g.at(g.context, &task, T, t + h),
                                   last = g.at(g.context, &task, T, t - h);
            CHECK(fabs(s.velocity) <= bound && fabs(s.acceleration) <= 2.0 * bound);
            CHECK_NEAR(s.velocity, (next.position - last.position) / (2.0 * h), 1e-6);
            CHECK_NEAR(s.acceleration, (next.velocity - last.velocity) / (2.0 * h), 1e-6);
        }
    }
}

// A motion that is interrupted goes over into the next without a jump of the acceleration, which a
// trapezoid has: 2 rad/s^2. The jerk of these quintics is below 60 rad/s^3.
TEST(quintic_generator, commands_accelerations_without_jumps)
{
    coordination_rig rig;
    begin_with(atemi_quintic_generator(), (atemi_deviation_hook){0}, &rig);
    const double       there = rig.commands[KNEE].position;
    atemi_joint_target target = {.joint = KNEE, .position = there + 0.6};
    double             before = 0.0;
    move(&rig, &target, 1, 0.0);
    for (int k = 0; k < 200; ++k) {
        if (k == 30) {
            target.position = there + 0.2;
            move(&rig, &target, 1, 0.0);
        }
        rig_step(&rig);
        CHECK_NEAR(rig.commands[KNEE].acceleration, before, 60.0 * period);
        before = rig.commands[KNEE].acceleration;
    }
    CHECK_NEAR(rig.commands[KNEE].position, there + 0.2, 1e-12);
    CHECK(rig_last_goal(&rig)->outcome == ATEMI_OUTCOME_REACHED);
    rig_end(&rig);
}

// ---- Joints that do not follow --------------------------------------------------------------

typedef struct answer {
    atemi_deviation_response response;
    int                      asked;
    atemi_deviation          last;
} answer;

static atemi_deviation_response respond(void *context, const atemi_deviation *deviation)
{
    answer *a = (answer *)context;
    ++a->asked;
    a->last = *deviation;
    return a->response;
}

// The knee is held where it is while it is commanded 1 rad away.
static void hold_the_knee(answer *a, coordination_rig *rig, double *held)
{
    begin_with((atemi_trajectory_generator){0}, (atemi_deviation_hook){a, respond}, rig);
    *held = rig->stuck[KNEE] = rig->positions[KNEE];
    const atemi_joint_target target = {.joint = KNEE, .position = *held + 1.0};
    move(rig, &target, 1, 2.0);
    rig_steps(rig, 200);
}

TEST(deviation_hook, may_do_as_usual)
{
    answer           a = {.response = ATEMI_DEVIATION_RETREAT};
    coordination_rig rig;
    double           held;
    hold_the_knee(&a, &rig, &held);
    CHECK(rig_last_goal(&rig)->outcome == ATEMI_OUTCOME_OBSTRUCTED);
    CHECK_NEAR(rig.commands[KNEE].position, held, 1e-9);
    CHECK(a.asked > 0 && a.last.joint == KNEE);
    const double K = rig.commands[KNEE].stiffness;
    CHECK(fabs(a.last.error) * K > 0.9 * a.last.torque_limit);
    CHECK_NEAR(a.last.torque_limit, rig.commands[KNEE].feedback_limit, 1e-9);
    rig_end(&rig);
}

// It stops on the way, and goes on pressing with its limit.
TEST(deviation_hook, may_stop_and_press)
{
    answer           a = {.response = ATEMI_DEVIATION_STOP};
    coordination_rig rig;
    double           held;
    hold_the_knee(&a, &rig, &held);
    CHECK(rig_last_goal(&rig)->outcome == ATEMI_OUTCOME_OBSTRUCTED);
    CHECK(!rig_moves(&rig));
    const double error = rig.commands[KNEE].position - held;
    CHECK(error * rig.commands[KNEE].stiffness >= rig.commands[KNEE].feedback_limit);
    CHECK(error < 0.5);
    rig_end(&rig);
}

// The command goes all the way, which the feedback's limit makes harmless; the fault is reported.
TEST(deviation_hook, may_go_on)
{
    answer           a = {.response = ATEMI_DEVIATION_GO_ON};
    coordination_rig rig;
    double           held;
    hold_the_knee(&a, &rig, &held);
    CHECK(rig_last_goal(&rig)->outcome == ATEMI_OUTCOME_REACHED);
    CHECK_NEAR(rig.commands[KNEE].position, held + 1.0, 1e-9);
    CHECK(rig_faults(&rig) & ATEMI_COORDINATION_OBSTRUCTED);
    rig_end(&rig);
}

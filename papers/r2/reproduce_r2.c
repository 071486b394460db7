// SPDX-License-Identifier: Apache-2.0

#include "papers/r2/reproduce_r2_parts.h"
#include "papers/r2/reproduce_r2_runs.h"
#include "papers/r2/reproduce_r2_steps.h"

#include <math.h>
#include <stdio.h>

// [R2]: J. Badger, A. Hulse, R. Taylor, A. Curtis, D. Gooding, A. Thackston, 2013. Robonaut 2
// climbs, draws and yields to people. The paper prints claims rather than tables: each is a row,
// and what it leaves open is said in a note.

// Of the work, in seconds of simulated time.
static const double all_seconds = 292.0;

static const char OVER[] = "'reach over 1 m': the goal is given so far away";
static const char LESS[] = "'with less than 1 cm error'; strong 100 N m, weak 20 N m";
static const char LIMITED[] = "limits clip the feedback, and only that; at any step";
static const char NO_LOSS[] =
    "'no noticeable degradation of performance' at 50 Hz: the bound, ours, is a tenth of 1 cm";
static const char CLOSES[] = "'softened to allow the gripper to close completely': rails are 5 mm "
                             "and 20 mrad off where they are believed to be";
static const char SMOOTH[] =
    "'smoothly': no number is printed; the bound, ours, is a tenth of the strong limit";
static const char NOISY[] = "what sensors add, times the damping of 4000 N m s/rad; the motor does "
                            "not follow it. The bound, ours, is a tenth of what a joint bears";
static const char YIELDS[] = "'allowing the non-base leg to always yield to the base leg'";
static const char PRECISE[] =
    "'precision that is comparable to stiffer industrial manipulators'; the bound, ours, is 1 cm";
static const char GENTLE[] =
    "no number is printed; 65 N is the least that ISO/TS 15066 allows for any part of a body";
static const char BLENDED[] =
    "no number is printed; the bound is ours; the weight of 295 kg comes and goes within 2 s";
static const char LED[] = "no number is printed; the bounds are ours; led by 0.52 m";

// ---- Runs -----------------------------------------------------------------------------------

static const atemi_r2_scenario reach = {.name = "reach"};
static const atemi_r2_scenario fast_reach = {
    "reach",
    {{"\nduration: 12 s",
      "\ncoordination: {period: 2 ms, stiffness_step: 20, damping_step: 2, torque_step: 0.2, "
      "gravity_step: 0.002, base_step: 0.002}\nduration: 12 s"}}};

static const atemi_r2_scenario climb = {.name = "climb"};
static const atemi_r2_scenario stiff_climb = {
    "climb",
    {{"natural_frequency: 0.5, damping_ratio: 1.5", "natural_frequency: 20, damping_ratio: 1.2"}}};
static const atemi_r2_scenario quiet_climb = {
    "climb", {{"\nduration: 32 s", "\nsensors: {noise: false}\nduration: 32 s"}}};

static const atemi_r2_scenario drawing = {.name = "draw"};
static const atemi_r2_scenario blocked_drawing = {
    "draw",
    {{"surfaces:\n",
      "surfaces:\n  person: {kind: sphere, position: [0.82, -0.13, -0.8], radius: 8 cm}\n"},
     {"contacts:\n",
      "contacts:\n  - {link: right_gripper, name: person, surface: person, radius: 5 cm, friction: "
      "0.3, compliance: {law: kelvin_voigt, stiffness: 5 kN/m, damping: 100}}\n"},
     {"\nduration: 35 s",
      "\npeople: [{surface: person, from: 8 s, until: 11 s}]\nduration: 11 s"}}};

static const atemi_r2_scenario yielding = {.name = "yield"};
static const atemi_r2_scenario gravity = {.name = "gravity"};
static const atemi_r2_scenario push = {.name = "push"};

static atemi_status run(atemi_r2_study *study, const atemi_r2_scenario *scenario, double seconds,
                        atemi_recording **recording, atemi_error *error)
{
    return atemi_r2_run(study, scenario, seconds / all_seconds, recording, error);
}

static void add_count(const atemi_r2_study *study, int printed, double ours, const char *note,
                      const char *quantity)
{
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, printed, 0.0, "-", note, 0},
                           ours, "%s", quantity);
}

// What should be small.
static void add_small(const atemi_r2_study *study, double bound, const char *unit, const char *note,
                      double ours, const char *quantity)
{
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, bound, 0.0, unit, note,
                                           ATEMI_REPRODUCED_AT_MOST},
                           ours, "%s", quantity);
}

// ---- The reach ------------------------------------------------------------------------------

// What a leg's joint has in a group of columns.
static const double *column(const atemi_recording *recording, const char *group, const char *leg,
                            int joint)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s_leg_joint%d", group, leg, joint);
    return atemi_recording_values(recording, atemi_recording_find_channel(recording, name));
}

static double feedback_beyond_limit(const atemi_recording *recording)
{
    double most = 0.0;
    for (int j = 0; j < 14; ++j) {
        const char   *leg = j < 7 ? "left" : "right";
        const double *feedback = column(recording, "feedback", leg, j % 7);
        const double *limit = column(recording, "limit", leg, j % 7);
        for (int i = 1; i < atemi_recording_row_count(recording); ++i) {
            most = fmax(most, fabs(feedback[i]) - limit[i]);
        }
    }
    return most;
}

static atemi_status draw_reach(const atemi_r2_study *study, const atemi_recording *recording,
                               atemi_error *error)
{
    enum { COUNT = 7 };
    static const char *const channels[COUNT] = {
        "t",
        "feedback.left_leg_joint1",
        "feedback.left_leg_joint3",
        "feedback.left_leg_joint5",
        "feedback.right_leg_joint1",
        "feedback.right_leg_joint3",
        "feedback.right_leg_joint5",
    };
    static const atemi_recorded_column columns[COUNT] = {
        {"t", "s"},           {"base hip", "N m"},   {"base knee", "N m"},  {"base ankle", "N m"},
        {"other hip", "N m"}, {"other knee", "N m"}, {"other ankle", "N m"}};
    const atemi_reproduced_curves curves = {
        "r2-reach", "[R2] Feedback torques of the reach, limits 100 and 20 N m", COUNT, channels,
        columns};
    return atemi_reproduction_add_curves(study->reproduction, recording, &curves, error);
}

static atemi_status compare_reach(const atemi_r2_study *study, const atemi_recording *slow,
                                  const atemi_recording *fast, atemi_error *error)
{
    const double tracking = atemi_r2_largest(slow, "motions", "tracking", 0, 1);
    const double fast_tracking = atemi_r2_largest(fast, "motions", "tracking", 0, 1);
    atemi_reproduction_add(
        study->reproduction,
        (atemi_printed){ATEMI_REPRODUCED_INPUT, 1.0, 0.0, "m", OVER, ATEMI_REPRODUCED_AT_LEAST},
        atemi_recording_result_value(slow, "way"), "reach: way of the gripper");
    add_small(study, 10.0, "mm", LESS, 1e3 * atemi_recording_result_value(slow, "error"),
              "reach: error at the end");
    add_small(study, 10.0, "mm", LESS, 1e3 * tracking, "reach: largest error on the way");
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 1e-9, 0.0, "N m", LIMITED,
                                           ATEMI_REPRODUCED_AT_MOST},
                           feedback_beyond_limit(slow), "reach: feedback torque beyond its limit");
    add_small(study, 1.0, "mm", NO_LOSS,
              1e3 * (atemi_recording_result_value(slow, "error") -
                     atemi_recording_result_value(fast, "error")),
              "reach: error at the end, 50 Hz less 500 Hz");
    add_small(study, 1.0, "mm", NO_LOSS, 1e3 * (tracking - fast_tracking),
              "reach: largest error on the way, 50 Hz less 500 Hz");
    return draw_reach(study, slow, error);
}

static atemi_status add_reach(atemi_r2_study *study, atemi_error *error)
{
    atemi_recording *slow, *fast = NULL;
    atemi_status     status = run(study, &reach, 12.0, &slow, error);
    status = status ? status : run(study, &fast_reach, 16.0, &fast, error);
    status = status || !fast ? status : compare_reach(study, slow, fast, error);
    atemi_recording_destroy(slow);
    atemi_recording_destroy(fast);
    return status;
}

// ---- The climb ------------------------------------------------------------------------------

static atemi_status draw_climb(const atemi_r2_study *study, const atemi_recording *recording,
                               atemi_error *error)
{
    enum { COUNT = 5 };
    static const char *const           channels[COUNT] = {"t", "demand.left_leg_joint3",
                                                          "demand.right_leg_joint3", "limit.left_leg_joint3",
                                                          "limit.right_leg_joint3"};
    static const atemi_recorded_column columns[COUNT] = {{"t", "s"},
                                                         {"left knee", "N m"},
                                                         {"right knee", "N m"},
                                                         {"limit left", "N m"},
                                                         {"limit right", "N m"}};
    const atemi_reproduced_curves      curves = {
        "r2-climb", "[R2] Commanded torques of the knees, and limits of their feedback", COUNT,
        channels, columns};
    return atemi_reproduction_add_curves(study->reproduction, recording, &curves, error);
}

static void add_limits(const atemi_r2_study *study, const atemi_recording *recording)
{
    const int last = atemi_recording_row_count(recording) - 1;
    atemi_reproduction_add(
        study->reproduction, (atemi_printed){ATEMI_REPRODUCED_INPUT, 100.0, 0.0, "N m", YIELDS, 0},
        column(recording, "limit", "left", 3)[last], "climb: torque limit of the new base leg");
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_INPUT, 20.0, 0.0, "N m", YIELDS, 0},
                           column(recording, "limit", "right", 3)[last],
                           "climb: torque limit of the leg that was released");
}

static atemi_status compare_climb(const atemi_r2_study *study, const atemi_recording *noisy,
                                  const atemi_recording *quiet, const atemi_recording *stiff,
                                  atemi_error *error)
{
    add_count(study, 2, atemi_recording_result_value(noisy, "grips_closed"), CLOSES,
              "climb: grippers that closed, softened to 0.5 rad/s, 1.5");
    add_count(study, 0, atemi_recording_result_value(stiff, "grips_closed"), CLOSES,
              "climb: grippers that closed, left stiff");
    add_small(study, 10.0, "N m", SMOOTH, atemi_recording_result_value(quiet, "largest_base_step"),
              "base switch: largest step of a commanded torque, sensors without noise");
    add_small(study, 33.0, "N m", NOISY, atemi_recording_result_value(noisy, "largest_base_step"),
              "base switch: largest step of a commanded torque, sensors with noise");
    add_limits(study, noisy);
    return draw_climb(study, noisy, error);
}

static atemi_status add_climb(atemi_r2_study *study, atemi_error *error)
{
    atemi_recording *noisy, *quiet = NULL, *stiff = NULL;
    atemi_status     status = run(study, &climb, 32.0, &noisy, error);
    status = status ? status : run(study, &stiff_climb, 16.0, &stiff, error);
    status = status ? status : run(study, &quiet_climb, 32.0, &quiet, error);
    status = status || !quiet ? status : compare_climb(study, noisy, quiet, stiff, error);
    atemi_recording_destroy(noisy);
    atemi_recording_destroy(quiet);
    atemi_recording_destroy(stiff);
    return status;
}

// ---- The drawing ----------------------------------------------------------------------------

static atemi_status draw_rectangle(const atemi_r2_study *study, const atemi_recording *recording,
                                   atemi_error *error)
{
    enum { COUNT = 3 };
    static const char *const           channels[COUNT] = {"t", "contact.pen.0.position_y",
                                                          "contact.pen.0.position_z"};
    static const atemi_recorded_column columns[COUNT] = {{"t", "s"}, {"y", "m"}, {"z", "m"}};
    const atemi_reproduced_curves      curves = {
        "r2-draw", "[R2] The pen: to the board, and twice around the rectangle", COUNT, channels,
        columns};
    return atemi_reproduction_add_curves(study->reproduction, recording, &curves, error);
}

static atemi_status compare_drawing(const atemi_r2_study *study, const atemi_recording *unblocked,
                                    const atemi_recording *blocked, atemi_error *error)
{
    enum { FIRST_LINE = 2, LINES = 8 };
    add_count(study, 1, atemi_recording_result_value(unblocked, "completed"), PRECISE,
              "draw: drawn, 20 N m of feedback");
    add_small(study, 10.0, "mm", PRECISE,
              1e3 * atemi_r2_largest(unblocked, "motions", "off_line", FIRST_LINE, LINES),
              "draw: largest distance from the lines");
    add_small(study, 65.0, "N", GENTLE,
              atemi_recording_result_value(blocked, "largest_contact_force"),
              "draw, a person in the way: largest force");
    add_count(study, 1, atemi_recording_result_value(blocked, "goals_obstructed"), GENTLE,
              "draw, a person in the way: motions that stop");
    return draw_rectangle(study, unblocked, error);
}

static atemi_status add_drawing(atemi_r2_study *study, atemi_error *error)
{
    atemi_recording *unblocked, *blocked = NULL;
    atemi_status     status = run(study, &drawing, 35.0, &unblocked, error);
    status = status ? status : run(study, &blocked_drawing, 11.0, &blocked, error);
    status = status || !blocked ? status : compare_drawing(study, unblocked, blocked, error);
    atemi_recording_destroy(unblocked);
    atemi_recording_destroy(blocked);
    return status;
}

// ---- People ---------------------------------------------------------------------------------

static atemi_status draw_yielding(const atemi_r2_study *study, const atemi_recording *recording,
                                  atemi_error *error)
{
    enum { COUNT = 4 };
    static const char *const           channels[COUNT] = {"t", "contact.right_hand.0.force_x",
                                                          "contact.right_hand.0.force_y",
                                                          "contact.right_hand.0.force_z"};
    static const atemi_recorded_column columns[COUNT] = {
        {"t", "s"}, {"f_x", "N"}, {"f_y", "N"}, {"f_z", "N"}};
    const atemi_reproduced_curves curves = {
        "r2-yield", "[R2] Fig. 5: force of the person on the hand", COUNT, channels, columns};
    return atemi_reproduction_add_curves(study->reproduction, recording, &curves, error);
}

static atemi_status add_yielding(atemi_r2_study *study, atemi_error *error)
{
    static const char CONTINUES[] = "'stopping the trajectory', 'continue upon sensing a small "
                                    "impulse', 'until it completes successfully'";
    atemi_recording  *recording;
    atemi_status      status = run(study, &yielding, 14.0, &recording, error);
    if (recording) {
        add_count(study, 1, atemi_recording_result_value(recording, "goals_obstructed"), CONTINUES,
                  "yield: motions that the person stops");
        add_count(study, 1, atemi_recording_result_value(recording, "taps"), CONTINUES,
                  "yield: impulses felt");
        add_count(study, 1, atemi_recording_result_value(recording, "goals_reached"), CONTINUES,
                  "yield: goals reached after the impulse");
        add_small(study, 65.0, "N", GENTLE,
                  atemi_recording_result_value(recording, "largest_contact_force"),
                  "yield: largest force on the person");
        status = draw_yielding(study, recording, error);
    }
    atemi_recording_destroy(recording);
    return status;
}

static atemi_status add_gravity(atemi_r2_study *study, atemi_error *error)
{
    atemi_recording   *recording;
    const atemi_status status = run(study, &gravity, 15.0, &recording, error);
    if (recording) {
        add_small(study, 10.0, "mrad", BLENDED,
                  1e3 * atemi_recording_result_value(recording, "largest_deviation"),
                  "gravity: largest deviation of a joint");
    }
    atemi_recording_destroy(recording);
    return status;
}

static atemi_status add_push(atemi_r2_study *study, atemi_error *error)
{
    atemi_recording   *recording;
    const atemi_status status = run(study, &push, 14.0, &recording, error);
    if (recording) {
        add_small(study, 65.0, "N", LED,
                  atemi_recording_result_value(recording, "largest_hand_force"),
                  "push: force that moves the robot out of the way");
        add_small(study, 50.0, "mm", LED, 1e3 * atemi_r2_largest(recording, "hands", "off", 0, 1),
                  "push: off where it was put");
    }
    atemi_recording_destroy(recording);
    return status;
}

// ---- The paper ------------------------------------------------------------------------------

static atemi_status add_steps(atemi_r2_study *study, atemi_error *error)
{
    return atemi_reproduce_r2_steps(study, 95.0 / all_seconds, error);
}

typedef atemi_status stage(atemi_r2_study *study, atemi_error *error);

static stage *const stages[] = {add_steps,    add_reach,   add_climb, add_drawing,
                                add_yielding, add_gravity, add_push};

atemi_status atemi_reproduce_r2(atemi_reproduction *reproduction, atemi_error *error)
{
    atemi_r2_study study = {.reproduction = reproduction};
    atemi_status   status = atemi_reproduce_r2_parts(reproduction, error);
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && !status; ++i) {
        if (!reproduction->stopped) {
            status = stages[i](&study, error);
        }
    }
    return status;
}

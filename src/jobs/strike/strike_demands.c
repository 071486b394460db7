// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_failure.h"
#include "jobs/strike/strike_scenario_parts.h"

#include <math.h>

static void read_number(atemi_scenario_reader *reader, const char *key, const char *unit,
                        const char *help, double *value)
{
    *value = atemi_scenario_number(reader, key,
                                   (atemi_number_key){.unit = unit,
                                                      .fallback = *value,
                                                      .lower = 0.0,
                                                      .upper = INFINITY,
                                                      .infinite = true,
                                                      .help = help});
}

// ---- Where hands hit

static void read_axes(atemi_scenario_reader *reader, double tolerance, atemi_strike_hit *hit)
{
    static const char *const axes[3] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
        hit->place[i] = atemi_scenario_number(reader, axes[i],
                                              (atemi_number_key){.unit = "m",
                                                                 .fallback = INFINITY,
                                                                 .lower = -INFINITY,
                                                                 .upper = INFINITY,
                                                                 .infinite = true,
                                                                 .help = "inf: anywhere"});
        hit->tolerance[i] = isfinite(hit->place[i]) ? tolerance : (double)INFINITY;
    }
}

// Without a second hand the key is not asked for, so that an explanation does not have it.
static void read_other_hit(atemi_scenario_reader *reader, const atemi_scenario_hand *hand,
                           double tolerance, atemi_strike_hit *hit)
{
    const bool is_given = atemi_scenario_look(reader, "with") != ATEMI_SCENARIO_ABSENT;
    const bool is_there = hand->point.more > 0;
    if ((is_given || is_there) &&
        atemi_scenario_enter(reader, "with", ATEMI_DEFAULTED, "where the second hand hits")) {
        const atemi_scenario_mark mark = atemi_scenario_last(reader);
        read_axes(reader, tolerance, hit);
        atemi_scenario_leave(reader);
        if (!is_there) {
            atemi_scenario_fail(reader, mark,
                                "there is no second hand; leave it out, or give hand.with");
        }
    }
}

// ---- Objective, constraints and doubt

static void read_objective(atemi_scenario_reader *reader, atemi_strike_task *task)
{
    if (!atemi_scenario_enter(reader, "objective", ATEMI_DEFAULTED, "weights, to be maximized")) {
        return;
    }
    read_number(reader, "peak_force", NULL, "1/N", &task->peak_weight);
    read_number(reader, "impulse", NULL, "1/(N s)", &task->impulse_weight);
    if (!(task->peak_weight + task->impulse_weight > 0.0)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the objective has no weight; give one to peak_force or impulse");
    }
    atemi_scenario_leave(reader);
}

static void read_constraints(atemi_scenario_reader *reader, atemi_strike_task *task)
{
    if (!atemi_scenario_enter(reader, "constraints", ATEMI_DEFAULTED, "[STRIKE] eq. 14 and more")) {
        return;
    }
    read_number(reader, "aim", NULL, "least cosine of hand and direction", &task->aim);
    read_number(reader, "lead", "m", "of one of two hands before the other", &task->lead);
    read_number(reader, "side_speed", "m/s", "of the hand across", &task->side_speed);
    atemi_scenario_alias(reader, "angular_velocity", "turn_rate");
    read_number(reader, "angular_velocity", "rad/s", "of the hand; inf: it rotates as it likes",
                &task->angular_speed);
    read_number(reader, "foot_error", "m", "of feet out of reach", &task->foot_error);
    read_number(reader, "impact_margin", "m", "of the ZMP in the blow", &task->impact_margin);
    read_number(reader, "motion_margin", "m", "before and after it", &task->motion_margin);
    read_number(reader, "joint_margin", "rad", "of the legs' ranges", &task->joint_margin);
    read_number(reader, "travel_margin", "rad", "of all ranges before and after the blow",
                &task->travel_margin);
    read_number(reader, "leg_speed", NULL, "fraction of the legs' speed limits", &task->leg_speed);
    read_number(reader, "other_speed", NULL, "fraction of the others'; inf disables it",
                &task->other_speed);
    read_number(reader, "free_speed", NULL,
                "rad/s or m/s: the speed limit of joints for which the robot's file has none",
                &task->free_speed);
    read_number(reader, "momentum_side", "N s", "|P_x|, |P_y|", &task->momentum_side);
    read_number(reader, "spin", "N m s", "|L_z|", &task->spin);
    read_number(reader, "torque_part", NULL, "fraction of the effort limits; inf disables it",
                &task->effort_fraction);
    read_number(reader, "friction", NULL, "of the floor in the blow; inf disables it",
                &task->friction);
    task->travel_friction = task->friction;
    read_number(reader, "travel_friction", NULL,
                "before and after it; if missing, as in the blow; inf disables it",
                &task->travel_friction);
    task->reserve = atemi_scenario_number(
        reader, "friction_reserve",
        (atemi_number_key){.fallback = task->reserve,
                           .lower = 0.0,
                           .upper = 0.99,
                           .reason = "all of it in reserve leaves nothing to stand on",
                           .help = "fraction of both that the plan leaves unused"});
    read_number(reader, "edge_margin", "m", "under each foot in the blow", &task->edge_margin);
    task->clearance = atemi_scenario_number(
        reader, "clearance",
        (atemi_number_key){.unit = "m",
                           .fallback = task->clearance,
                           .lower = -INFINITY,
                           .upper = INFINITY,
                           .infinite = true,
                           .help = "of all limbs but the hand to the target; -inf disables it"});
    task->self_clearance = atemi_scenario_number(
        reader, "self_clearance",
        (atemi_number_key){.unit = "m",
                           .fallback = task->self_clearance,
                           .lower = -INFINITY,
                           .upper = INFINITY,
                           .infinite = true,
                           .help = "of two links of the robot; -inf disables it"});
    atemi_scenario_leave(reader);
}

// A fraction that leaves something.
static void read_part(atemi_scenario_reader *reader, const char *key, const char *help,
                      double *value)
{
    *value = atemi_scenario_number(reader, key,
                                   (atemi_number_key){.fallback = *value,
                                                      .lower = 0.0,
                                                      .upper = 0.99,
                                                      .reason = "nothing would be left",
                                                      .help = help});
}

static void read_doubt(atemi_scenario_reader *reader, atemi_strike_deviation *doubt)
{
    atemi_scenario_alias(reader, "doubt", "uncertainty");
    if (!atemi_scenario_enter(reader, "doubt", ATEMI_DEFAULTED,
                              "how far off things may be, to either side; the blow keeps all its "
                              "limits within it")) {
        return;
    }
    read_part(reader, "mass", "of the target, a fraction such as 20 %", &doubt->mass);
    read_part(reader, "friction", "of the floor, and of a target that is held, a fraction",
              &doubt->friction);
    read_number(reader, "distance", "m", "of the target, nearer or farther", &doubt->distance);
    read_number(reader, "timing", "s", "of first touch, earlier or later in the motion",
                &doubt->timing);
    read_part(reader, "gains", "of the servos, stiffness and damping alike, a fraction",
              &doubt->gains);
    atemi_scenario_leave(reader);
}

void atemi_strike_read_hits(atemi_scenario_reader *reader, atemi_strike_scenario *scenario)
{
    double tolerance = 0.01;
    if (!atemi_scenario_enter(reader, "hit", ATEMI_DEFAULTED,
                              "where, in the world of the first foot")) {
        return;
    }
    read_number(reader, "tolerance", "m", "more or less", &tolerance);
    read_axes(reader, tolerance, &scenario->task.hits[0]);
    read_other_hit(reader, &scenario->hand, tolerance, &scenario->task.hits[1]);
    atemi_scenario_leave(reader);
}

void atemi_strike_read_demands(atemi_scenario_reader *reader, atemi_strike_task *task)
{
    read_objective(reader, task);
    read_constraints(reader, task);
    read_doubt(reader, &task->doubt);
}

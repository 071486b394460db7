// SPDX-License-Identifier: Apache-2.0

#include "jobs/blow_events.h"
#include "jobs/job.h"
#include "jobs/strike/strike_run.h"

#include <math.h>

static bool is_verified(const atemi_strike_run *run)
{
    return run->attempts.best.verification.count > 0;
}

bool atemi_strike_run_stands(const atemi_strike_run *run)
{
    return !is_verified(run) || atemi_strike_stands(&run->attempts.best.verification);
}

static double relative(double estimate, double truth)
{
    return (truth - estimate) / truth;
}

// The worst of a demand of the motion; NaN where nothing is asked for.
static double asked_for(const atemi_strike_run *run, atemi_strike_demand demand)
{
    const atemi_strike_peak *peak = &run->attempts.best.motion.peaks[demand];
    return peak->index == ATEMI_NONE ? (double)NAN : peak->value;
}

static double nearest_of(const atemi_strike_run *run)
{
    const atemi_strike_overlap *nearest = &run->attempts.best.overlaps.nearest;
    return nearest->first == ATEMI_NONE ? (double)NAN : -nearest->depth;
}

atemi_status atemi_strike_add_plan(atemi_strike_run *run, atemi_error *error)
{
    const atemi_strike_figures f = atemi_strike_plan_figures(run->attempts.best.plan);
    const bool                 feasible = atemi_strike_attempt_feasible(&run->attempts.best);
    const bool                 optimal = atemi_strike_plan_optimal(run->attempts.best.plan);
    const atemi_vec3           along = run->scenario.task.point.direction;
    const atemi_recorded_value results[] = {
        {"completed", feasible && optimal && atemi_strike_run_stands(run) && !run->attempts.stopped,
         NULL},
        {"feasible", feasible, NULL},
        {"violation", atemi_strike_plan_violation(run->attempts.best.plan), NULL},
        {"objective", f.objective, NULL},
        {"speed", f.speed, "m/s"},
        {"peak_force", f.peak_force, "N"},
        {"impulse", f.impulse, "N s"},
        {"contact_time", f.contact_time, "s"},
        {"blow_time", run->attempts.best.motion.blow_time, "s"},
        {"impact_margin", f.impact_margin, "m"},
        {"motion_margin", f.motion_margin, "m"},
        {"momentum_x", f.momentum[0], "N s"},
        {"momentum_y", f.momentum[1], "N s"},
        {"momentum_z", f.momentum[2], "N s"},
        {"angular_x", f.angular[0], "N m s"},
        {"angular_y", f.angular[1], "N m s"},
        {"angular_z", f.angular[2], "N m s"},
        {"direction_x", along.x, NULL},
        {"direction_y", along.y, NULL},
        {"direction_z", along.z, NULL},
        {"tries", f.searches, NULL},
        {"feasible_tries", f.feasible_searches, NULL},
        {"evaluations", f.evaluations, NULL},
        {"gradients", f.gradients, NULL},
        {"rounds", run->attempts.count, NULL},
        {"agreeing_tries", f.agreeing, NULL},
        {"optimality", f.optimality, NULL},
        {"largest_torque_part", asked_for(run, ATEMI_DEMAND_EFFORT), NULL},
        {"largest_speed_part", asked_for(run, ATEMI_DEMAND_SPEED), NULL},
        {"least_room", asked_for(run, ATEMI_DEMAND_POSITION), NULL},
        {"least_friction_left", asked_for(run, ATEMI_DEMAND_FRICTION), "N"},
        {"least_target_distance", asked_for(run, ATEMI_DEMAND_TARGET), "m"},
        {"foot_drift", run->attempts.best.motion.foot_drift, "m"},
        {"least_motion_margin", asked_for(run, ATEMI_DEMAND_BALANCE), "m"},
        {"least_link_distance", nearest_of(run), "m"},
        {"deepest_overlap", run->attempts.best.overlaps.list[0].depth, "m"}};
    return atemi_job_add_results(run->recording, results, sizeof results / sizeof results[0],
                                 error);
}

// What full dynamics came to, as known as it is.
static atemi_status add_seen(atemi_strike_run *run, double peak_force, double impulse,
                             atemi_error *error)
{
    const atemi_strike_verification *v = &run->attempts.best.verification;
    const atemi_full_blow_result    *r = &v->result;
    const atemi_recorded_value       results[] = {
        {"fall_time", v->fall_time, "s"},
        {"largest_tilt", v->tilt, "rad"},
        {"verified_peak_force", r->peak_force, "N"},
        {"verified_impulse", r->impulse, "N s"},
        {"verified_contact_time", r->contact_time, "s"},
        {"verified_target_speed", r->target_speed, "m/s"},
        {"verified_margin", r->margin, "m"},
        {"verified_margin_before", v->margins[ATEMI_PHASE_BEFORE], "m"},
        {"verified_margin_in_the_blow", v->margins[ATEMI_PHASE_BLOW], "m"},
        {"verified_margin_after", v->margins[ATEMI_PHASE_AFTER], "m"},
        {"verified_lift_offs", r->lift_offs, NULL},
        {"verified_slips", r->slips, NULL},
        {"peak_force_error", relative(peak_force, r->peak_force), NULL},
        {"impulse_error", relative(impulse, r->impulse), NULL},
        {"verified_first_hand_impulse", r->hand_impulses[0], "N s"},
        {"verified_second_hand_impulse", r->hand_impulses[1], "N s"}};
    enum { COUNT = sizeof results / sizeof results[0] };
    const int            of_hands = 2; // the last ones, where there are two
    const bool           has_two = atemi_striking_point_hands(&run->scenario.hand.point) > 1;
    atemi_recorded_value known[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        known[i] = results[i];
        known[i].value = is_verified(run) && v->went_on ? results[i].value : (double)NAN;
    }
    return atemi_job_add_results(run->recording, known,
                                 (size_t)(has_two ? COUNT : COUNT - of_hands), error);
}

// Touch and release: by full dynamics where that was followed, else as planned.
static atemi_status add_blow(atemi_recording *recording, atemi_error *error)
{
    const double seen = atemi_recording_result_value(recording, "verified_contact_time");
    const bool   is_seen = !isnan(seen);
    const char  *peak = is_seen ? "verified_peak_force" : "peak_force";
    return atemi_job_add_blow_events(
        recording, atemi_recording_result_value(recording, "speed"),
        atemi_recording_result_value(recording, peak),
        is_seen ? seen : atemi_recording_result_value(recording, "contact_time"), error);
}

atemi_status atemi_strike_add_verification(atemi_strike_run *run, double peak_force, double impulse,
                                           atemi_error *error)
{
    const atemi_recorded_value results[] = {{"stands", atemi_strike_run_stands(run), NULL},
                                            {"verify_friction", run->scenario.friction, NULL},
                                            {"verify_mass", run->scenario.task.target.mass, "kg"},
                                            {"verify_distance", run->distance, "m"},
                                            {"target_width", run->attempts.best.target.width, "m"}};
    atemi_status               status =
        atemi_job_add_results(run->recording, results, sizeof results / sizeof results[0], error);
    if (!status) {
        status = add_seen(run, peak_force, impulse, error);
    }
    return status ? status : add_blow(run->recording, error);
}

// SPDX-License-Identifier: Apache-2.0

#include "simulate/full_blow/full_blow_parts.h"

#include <math.h>

// Whether feet lift or slip. Where a joint reaches its stop, the collision may let a sole slide for
// some microseconds, by nanometres, and a leg without ankle roll rocks on its sole by as little.
// Rigid soles lift and slide then, but real ones do not: under the weight of a humanoid, 1e4 N/m^2
// or more, 1 cm of rubber (5e6 N/m^2) is 0.02 mm thinner, and it shears by as much before friction
// of 0.5 is used up. So a corner lifts if it is higher above the floor than half of that, and slips
// if it is farther from where it stood. Corners are looked at at the end of each step.

static const double elastic = 1e-5; // m

static atemi_full_blow_unrest *phase_of(const atemi_blow_run *run)
{
    atemi_full_blow_result *result = run->result;
    return atemi_full_blow_touches(run) ? &result->during
           : isnan(result->touch_time)  ? &result->before
                                        : &result->after;
}

static void stand(const atemi_blow_run *run, int point)
{
    run->places[point] = atemi_simulation_position(run->simulation, point);
}

// A slip counts when it has gone so far, once, and its end is where the foot stands from then on.
static void count_slip(const atemi_blow_run *run, int point)
{
    const atemi_vec3 slid =
        atemi_vec3_sub(atemi_simulation_position(run->simulation, point), run->places[point]);
    if (atemi_vec3_norm(slid) > elastic) {
        ++run->slides[point]->slips;
        ++run->result->slips;
        stand(run, point);
    }
    run->slides[point] = NULL;
}

void atemi_full_blow_begin_feet(const atemi_blow_run *run)
{
    for (int k = 0; k < run->setting->foot_count; ++k) {
        const bool slips = atemi_simulation_mode(run->simulation, k) == ATEMI_CONTACT_SLIP;
        run->slides[k] = slips ? phase_of(run) : NULL;
        run->lifts[k] = NULL;
        stand(run, k);
    }
}

void atemi_full_blow_count_foot(const atemi_blow_run *run, const atemi_event *event)
{
    const int point = event->point;
    if (point < 0) {
        return;
    }
    if (run->slides[point] && event->kind != ATEMI_EVENT_SLIP) {
        count_slip(run, point);
    }
    if (event->kind == ATEMI_EVENT_SLIP) {
        run->slides[point] = phase_of(run);
    } else if (event->kind == ATEMI_EVENT_LIFT_OFF) {
        run->lifts[point] = phase_of(run);
    } else if (event->kind == ATEMI_EVENT_TOUCHDOWN) {
        run->lifts[point] = NULL;
        stand(run, point);
    }
}

void atemi_full_blow_watch_feet(const atemi_blow_run *run)
{
    for (int k = 0; k < run->setting->foot_count; ++k) {
        if (run->lifts[k] && atemi_simulation_gap(run->simulation, k) > elastic) {
            ++run->lifts[k]->lift_offs;
            ++run->result->lift_offs;
            run->lifts[k] = NULL;
        }
    }
}

void atemi_full_blow_end_feet(const atemi_blow_run *run)
{
    for (int k = 0; k < run->setting->foot_count; ++k) {
        if (run->slides[k]) {
            count_slip(run, k);
        }
    }
}

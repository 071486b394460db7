// SPDX-License-Identifier: Apache-2.0

#include "simulate/meeting.h"

#include "dynamics/newton_euler.h"
#include "simulate/ledger.h"
#include "simulate/modes.h"
#include "simulate/patches.h"
#include "simulate/sightings.h"

#include <math.h>
#include <string.h>

// A point that is back after less time has not bounced: pressed with 100 g it would come back every
// 10 us from less than 0.02 um, without end if it is elastic. Where steps are shorter than 0.6 ms
// somebody may want to see that: then it is a 64th of a step.
static double shortest_flight(const atemi_simulation *s)
{
    return fmin(1e-5, s->options.step / 64.0);
}

static bool is_rigid(const atemi_simulation *s, int point)
{
    return !s->points[point].compliance;
}

static bool is_in_touch(const atemi_simulation *s, int point, double touching)
{
    return is_rigid(s, point) && (atemi_world_holds(s, point) || s->points[point].tied ||
                                  s->sightings[point].view.gap < touching);
}

static double largest(int n, const double *x)
{
    double found = 0.0;
    for (int i = 0; i < n; ++i) {
        found = fmax(found, fabs(x[i]));
    }
    return found;
}

// The worst error of  M (v' - v) = sum of J_i^T p_i,  relative to M v and M v': inverse dynamics
// without gravity, with the impulses as forces.
static double balance(atemi_simulation *s, const double *before)
{
    const atemi_vec3 weightless = {0.0, 0.0, 0.0};
    const int        n = atemi_model_v_count(s->model);
    double          *difference = s->stage_v, *result = s->rates[0];
    memset(s->loads, 0, (size_t)atemi_model_link_count(s->model) * sizeof *s->loads);
    for (int i = 0; i < s->point_count; ++i) {
        atemi_force *load = &s->loads[s->points[i].link];
        load->linear = atemi_vec3_add(load->linear, s->impulses[i]);
        load->angular =
            atemi_vec3_add(load->angular, atemi_vec3_cross(s->sightings[i].arm, s->impulses[i]));
    }
    for (int i = 0; i < n; ++i) {
        difference[i] = s->v[i] - before[i];
    }
    atemi_newton_euler(s->model, s->q, NULL, before, weightless, NULL, &s->inverse, result);
    double momentum = largest(n, result);
    atemi_newton_euler(s->model, s->q, NULL, s->v, weightless, NULL, &s->inverse, result);
    momentum = fmax(momentum, largest(n, result));
    atemi_newton_euler(s->model, s->q, NULL, difference, weightless, s->loads, &s->inverse, result);
    return momentum > 0.0 ? largest(n, result) / momentum : 0.0;
}

static bool bounces(const atemi_simulation *s, int point)
{
    return atemi_world_approach(s, point) > s->options.slowest_bounce &&
           s->time - s->bounced[point] > shortest_flight(s);
}

// Returns the energy that it took.
static double bump(atemi_simulation *s, double touching)
{
    atemi_collision_report report;
    for (int i = 0; i < s->point_count; ++i) {
        const atemi_simulation_point *point = &s->points[i];
        s->contacts[i] = (atemi_contact){.link = point->link,
                                         .point = s->sightings[i].touch,
                                         .normal = s->sightings[i].view.normal,
                                         .mode = is_in_touch(s, i, touching) ? ATEMI_CONTACT_STICK
                                                                             : ATEMI_CONTACT_OPEN,
                                         .friction = point->kinetic_friction};
        s->restitution[i] = bounces(s, i) ? point->restitution : 0.0;
    }
    memcpy(s->start_v, s->v, (size_t)atemi_model_v_count(s->model) * sizeof *s->v);
    atemi_collision_in(s->model, s->q, s->v, s->contacts, s->point_count, s->restitution, &s->bump,
                       s->v, s->impulses, &report);
    ++s->statistics.bumps;
    s->statistics.bump_energy -= report.energy;
    s->statistics.bump_balance = fmax(s->statistics.bump_balance, balance(s, s->start_v));
    atemi_ledger_keep_bump(s, report.energy);
    return -report.energy;
}

static void tell_bump(atemi_simulation *s, double touching, double energy)
{
    for (int i = 0; i < s->point_count; ++i) {
        const double speed = atemi_world_approach(s, i);
        if (s->modes[i] == ATEMI_CONTACT_OPEN && is_in_touch(s, i, touching) &&
            speed > atemi_creeping) {
            atemi_mode_tell(s, (atemi_event){.kind = ATEMI_EVENT_TOUCHDOWN,
                                             .point = i,
                                             .speed = speed,
                                             .impulse = s->impulses[i],
                                             .impulses = s->impulses,
                                             .energy = energy});
            if (s->points[i].restitution > 0.0 && !bounces(s, i)) {
                atemi_mode_tell(
                    s, (atemi_event){.kind = ATEMI_EVENT_REST, .point = i, .speed = speed});
            }
            s->bounced[i] = s->time;
        }
    }
}

// What rests on its surface after a bump is held, and slips if it slides. A point that leaves too
// slowly to bounce is held as well (and let go again if its force would pull): or two ends of an
// edge could take turns for ever.
static void take_modes(atemi_simulation *s, double touching)
{
    for (int i = 0; i < s->point_count; ++i) {
        const bool rests =
            is_in_touch(s, i, touching) &&
            (s->points[i].tied || atemi_world_approach(s, i) > -s->options.slowest_bounce);
        if (!is_rigid(s, i)) {
            continue;
        }
        if (rests) {
            atemi_mode_stick(s, i);
            s->modes[i] = atemi_world_slide_speed(s, i) > atemi_creeping ? ATEMI_CONTACT_SLIP
                                                                         : ATEMI_CONTACT_STICK;
            atemi_mode_follow(s, i);
        } else if (is_in_touch(s, i, touching)) {
            atemi_mode_open(s, i);
        }
    }
}

bool atemi_meeting_is_due(const atemi_simulation *s, double touching)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (is_in_touch(s, i, touching) && !s->points[i].tied &&
            atemi_world_approach(s, i) > atemi_creeping) {
            return true;
        }
    }
    return false;
}

void atemi_meet(atemi_simulation *s, double touching)
{
    if (atemi_meeting_is_due(s, touching)) {
        tell_bump(s, touching, bump(s, touching));
        atemi_world_observe(s, s->q, s->v);
    }
    take_modes(s, touching);
}

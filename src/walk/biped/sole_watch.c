// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/sole_watch.h"

#include "atemi/base.h"

#include <math.h>

// A foot slips if a corner that slides has moved at more than a speed since the last look. A slower
// one creeps, which is no slip; with half of the speed a slip goes on.

static const double least = 1e-3;   // m, that count
static const double creep = 1e-3;   // m/s
static const double fresh = 0.05;   // s after landing
static const double unloaded = 0.1; // of the weight

// By the set of corners that touch: bits 0 to 3 are front left, back left, back right, front right.
static const atemi_sole_state touches[1 << ATEMI_SOLE_CORNERS] = {
    ATEMI_SOLE_AIR,        ATEMI_SOLE_CORNER_STICK, ATEMI_SOLE_CORNER_STICK,
    ATEMI_SOLE_EDGE_STICK, ATEMI_SOLE_CORNER_STICK, ATEMI_SOLE_STICK,
    ATEMI_SOLE_HEEL_STICK, ATEMI_SOLE_STICK,        ATEMI_SOLE_CORNER_STICK,
    ATEMI_SOLE_TOE_STICK,  ATEMI_SOLE_STICK,        ATEMI_SOLE_STICK,
    ATEMI_SOLE_EDGE_STICK, ATEMI_SOLE_STICK,        ATEMI_SOLE_STICK,
    ATEMI_SOLE_STICK};

const char *atemi_sole_state_text(atemi_sole_state state)
{
    static const char *const texts[] = {"air",       "sole stick",   "sole slip",  "heel stick",
                                        "heel slip", "toe stick",    "toe slip",   "edge stick",
                                        "edge slip", "corner stick", "corner slip"};
    ATEMI_REQUIRE_OR(state < ATEMI_SOLE_STATES, "");
    return texts[state];
}

const char *atemi_slip_cause_text(atemi_slip_cause cause)
{
    static const char *const texts[] = {"patch", "force", "landing", "leaving", "load"};
    ATEMI_REQUIRE_OR(cause <= ATEMI_SLIP_LOAD, "");
    return texts[cause];
}

atemi_sole_state atemi_sole_state_of(const atemi_contact_mode *modes)
{
    ATEMI_REQUIRE_OR(modes, ATEMI_SOLE_AIR);
    unsigned touching = 0;
    bool     slips = false;
    for (unsigned i = 0; i < ATEMI_SOLE_CORNERS; ++i) {
        touching |= modes[i] == ATEMI_CONTACT_OPEN ? 0U : 1U << i;
        slips = slips || modes[i] == ATEMI_CONTACT_SLIP;
    }
    return (atemi_sole_state)((int)touches[touching] + (slips ? 1 : 0));
}

static bool slips(atemi_sole_state state)
{
    return state != ATEMI_SOLE_AIR && state % 2 == 0;
}

static atemi_vec3 middle_of(const atemi_vec3 *corners)
{
    atemi_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < ATEMI_SOLE_CORNERS; ++i) {
        sum = atemi_vec3_add(sum, corners[i]);
    }
    return atemi_vec3_scale(1.0 / (double)ATEMI_SOLE_CORNERS, sum);
}

static atemi_sole_state state_now(const atemi_point_state *corners)
{
    atemi_contact_mode modes[ATEMI_SOLE_CORNERS];
    for (int i = 0; i < ATEMI_SOLE_CORNERS; ++i) {
        modes[i] = corners[i].mode;
    }
    return atemi_sole_state_of(modes);
}

static atemi_slip_cause cause_of(const sole_watch *watch, double time,
                                 const sole_surroundings *around)
{
    if (around->is_on_ice) {
        return ATEMI_SLIP_PATCH;
    }
    if (around->is_pushed) {
        return ATEMI_SLIP_FORCE;
    }
    if (time - watch->landed < fresh) {
        return ATEMI_SLIP_LANDING;
    }
    return around->load < unloaded ? ATEMI_SLIP_LEAVING : ATEMI_SLIP_LOAD;
}

// How fast the fastest sliding corner was since the last look.
static double speed_of(const sole_watch *watch, double time, const atemi_point_state *corners)
{
    double way = 0.0;
    for (int i = 0; i < ATEMI_SOLE_CORNERS; ++i) {
        const atemi_vec3 moved = atemi_vec3_sub(corners[i].position, watch->corners[i]);
        way = corners[i].mode == ATEMI_CONTACT_SLIP ? fmax(way, atemi_vec3_norm(moved)) : way;
    }
    return time > watch->time ? way / (time - watch->time) : 0.0;
}

static void keep(sole_watch *watch, double time, const atemi_point_state *corners)
{
    watch->time = time;
    for (int i = 0; i < ATEMI_SOLE_CORNERS; ++i) {
        watch->corners[i] = corners[i].position;
    }
}

static void follow(sole_watch *watch, double time, atemi_vec3 from, atemi_vec3 middle)
{
    atemi_sole_slip *slip = &watch->slip;
    slip->distance += atemi_vec3_norm(atemi_vec3_sub(middle, from));
    slip->duration = time - slip->start;
    slip->direction = atan2(middle.y - slip->place.y, middle.x - slip->place.x);
}

void sole_watch_start(sole_watch *watch, double time, const atemi_point_state *corners)
{
    *watch = (sole_watch){.state = state_now(corners), .landed = -INFINITY};
    keep(watch, time, corners);
}

bool sole_watch_look(sole_watch *watch, int foot, double time, const atemi_point_state *corners,
                     const sole_surroundings *around)
{
    const atemi_sole_state was = watch->state;
    const atemi_vec3       from = middle_of(watch->corners);
    const double           floor = slips(was) ? 0.5 * creep : creep;
    atemi_sole_state       is = state_now(corners);
    if (slips(is) && speed_of(watch, time, corners) < floor) {
        is = (atemi_sole_state)((int)is - 1);
    }
    watch->landed = was == ATEMI_SOLE_AIR && is != ATEMI_SOLE_AIR ? time : watch->landed;
    if (!slips(was) && slips(is)) {
        watch->slip = (atemi_sole_slip){.foot = foot,
                                        .cause = cause_of(watch, time, around),
                                        .start = watch->time,
                                        .place = from};
    }
    keep(watch, time, corners);
    if (slips(is) || (slips(was) && is != ATEMI_SOLE_AIR)) {
        follow(watch, time, from, middle_of(watch->corners));
    }
    watch->state = is;
    return slips(was) && !slips(is) && watch->slip.distance >= least;
}

// SPDX-License-Identifier: Apache-2.0

#include "atemi/walk.h"

#include "atemi/base.h"

typedef enum touch { AIR, HEEL, TOE, SOLE, TOUCHES } touch;

static const touch touches[ATEMI_FOOT_STATES] = {AIR, HEEL, HEEL, TOE, TOE, SOLE, SOLE};
static const bool  slides[ATEMI_FOOT_STATES] = {false, false, true, false, true, false, true};

// By how a foot touches before and after.
static const atemi_gait_guard touch_guards[TOUCHES][TOUCHES] = {
    [AIR] = {ATEMI_GUARD_NONE, ATEMI_GUARD_HEEL_GAP, ATEMI_GUARD_TOE_GAP, ATEMI_GUARD_SOLE_GAP},
    [HEEL] = {ATEMI_GUARD_FORCE, ATEMI_GUARD_NONE, ATEMI_GUARD_TOE_ROCK, ATEMI_GUARD_TOE_GAP},
    [TOE] = {ATEMI_GUARD_FORCE, ATEMI_GUARD_HEEL_ROCK, ATEMI_GUARD_NONE, ATEMI_GUARD_HEEL_GAP},
    [SOLE] = {ATEMI_GUARD_FORCE, ATEMI_GUARD_TOE_PRESSURE, ATEMI_GUARD_HEEL_PRESSURE,
              ATEMI_GUARD_NONE},
};

static const atemi_gait_guard slide_guards[2][2] = {
    {ATEMI_GUARD_NONE, ATEMI_GUARD_FRICTION},
    {ATEMI_GUARD_SPEED, ATEMI_GUARD_NONE},
};

const char *atemi_foot_state_text(atemi_foot_state state)
{
    static const char *const texts[] = {"air",      "heel stick", "heel slip", "toe stick",
                                        "toe slip", "sole stick", "sole slip"};
    ATEMI_REQUIRE_OR(state < ATEMI_FOOT_STATES, "");
    return texts[state];
}

const char *atemi_gait_guard_text(atemi_gait_guard guard)
{
    static const char *const texts[] = {
        "",
        "heel reaches the floor",
        "toe reaches the floor",
        "heel and toe reach the floor",
        "normal force of the heel vanishes",
        "normal force of the toe vanishes",
        "normal force of the foot vanishes",
        "collision of the heel lifts the toe",
        "collision of the toe lifts the heel",
        "|f_t| reaches K f_n",
        "sliding speed vanishes",
    };
    ATEMI_REQUIRE_OR(guard <= ATEMI_GUARD_SPEED, "");
    return texts[guard];
}

atemi_foot_state atemi_foot_state_of(atemi_contact_mode heel, atemi_contact_mode toe)
{
    const bool heel_down = heel != ATEMI_CONTACT_OPEN, toe_down = toe != ATEMI_CONTACT_OPEN;
    const int  slip = heel == ATEMI_CONTACT_SLIP || toe == ATEMI_CONTACT_SLIP;
    if (heel_down && toe_down) {
        return (atemi_foot_state)(ATEMI_FOOT_SOLE_STICK + slip);
    }
    if (heel_down) {
        return (atemi_foot_state)(ATEMI_FOOT_HEEL_STICK + slip);
    }
    return toe_down ? (atemi_foot_state)(ATEMI_FOOT_TOE_STICK + slip) : ATEMI_FOOT_AIR;
}

atemi_gait_arrow atemi_gait_arrow_between(atemi_foot_state from, atemi_foot_state to)
{
    const atemi_gait_arrow none = {ATEMI_FOOT_AIR, ATEMI_FOOT_AIR, ATEMI_GUARD_NONE,
                                   ATEMI_GUARD_NONE};
    ATEMI_REQUIRE_OR(from < ATEMI_FOOT_STATES && to < ATEMI_FOOT_STATES, none);
    return (atemi_gait_arrow){
        .from = from,
        .to = to,
        .touch = touch_guards[touches[from]][touches[to]],
        .slide = touches[to] == AIR ? ATEMI_GUARD_NONE : slide_guards[slides[from]][slides[to]],
    };
}

// ---- Watching -------------------------------------------------------------------------------

static atemi_foot_state state_now(const atemi_simulation *simulation, int foot)
{
    return atemi_foot_state_of(atemi_simulation_mode(simulation, 2 * foot),
                               atemi_simulation_mode(simulation, 2 * foot + 1));
}

static void visit(atemi_gait_watch *watch)
{
    ++watch->visits[watch->states[watch->support]][watch->states[1 - watch->support]];
}

atemi_gait_watch atemi_gait_watch_start(const atemi_simulation *simulation)
{
    atemi_gait_watch watch = {.time = atemi_simulation_time(simulation)};
    for (int f = 0; f < ATEMI_GAIT_FEET; ++f) {
        watch.states[f] = state_now(simulation, f);
    }
    watch.support = watch.states[0] == ATEMI_FOOT_AIR;
    visit(&watch);
    return watch;
}

static bool step_foot(atemi_gait_watch *watch, const atemi_simulation *simulation, int f)
{
    const atemi_foot_state was = watch->states[f], is = state_now(simulation, f);
    watch->states[f] = is;
    watch->arrows[was][is] += was != is;
    return was != is;
}

// When the supporting foot is off the floor and the other one is not, that one supports.
static void exchange(atemi_gait_watch *watch)
{
    const bool left = watch->states[watch->support] == ATEMI_FOOT_AIR;
    if (left && watch->states[1 - watch->support] != ATEMI_FOOT_AIR) {
        watch->support = 1 - watch->support;
        ++watch->exchanges;
    }
}

bool atemi_gait_watch_look(atemi_gait_watch *watch, const atemi_simulation *simulation)
{
    const double time = atemi_simulation_time(simulation);
    watch->times[watch->states[watch->support]][watch->states[1 - watch->support]] +=
        time - watch->time;
    watch->time = time;
    bool changed = false;
    for (int f = 0; f < ATEMI_GAIT_FEET; ++f) {
        changed = step_foot(watch, simulation, f) || changed;
    }
    if (changed) {
        exchange(watch);
        visit(watch);
    }
    return changed;
}

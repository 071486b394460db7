// SPDX-License-Identifier: Apache-2.0

#include "atemi/walk.h"

#include "papers/walk/free_fall.h"
#include "random.h"
#include "walk_rig.h"

#include <math.h>
#include <string.h>

// The states of a foot follow from the modes of its points; the guards of the table from a pair of
// states alone. The simulation knows nothing of either, but tells what has happened to a point.
// Whatever the feet do, each of their changes is an arrow whose guards these events bear witness
// to.

enum { MAX_POINTS = 64, MAX_Q = 24, MAX_EVENTS = 64 };

/// What is seen of both feet between two looks.
typedef struct witness {
    atemi_event      events[MAX_EVENTS];
    int              count;
    atemi_foot_state feet[ATEMI_FEET];
    bool             looks;             ///< has begun
    int              first_beside_feet; ///< the first other point that has landed
    long             seen[ATEMI_FOOT_STATES][ATEMI_FOOT_STATES];
} witness;

static void hear(void *context, const atemi_event *event)
{
    witness *w = (witness *)context;
    CHECK(w->count < MAX_EVENTS);
    w->events[w->count++] = *event;
    if (event->kind == ATEMI_EVENT_TOUCHDOWN && event->point >= ATEMI_WALKING_POINTS &&
        w->first_beside_feet == ATEMI_NONE) {
        w->first_beside_feet = event->point;
    }
}

static bool has_heard(const witness *w, atemi_event_kind kind, int point)
{
    bool found = false;
    for (int i = 0; i < w->count; ++i) {
        found = found || (w->events[i].kind == kind && w->events[i].point == point);
    }
    return found;
}

static bool lands(const witness *w, int foot, int point)
{
    return has_heard(w, ATEMI_EVENT_TOUCHDOWN, ATEMI_FOOT_POINTS * foot + point);
}

static bool leaves(const witness *w, int foot, int point)
{
    return has_heard(w, ATEMI_EVENT_LIFT_OFF, ATEMI_FOOT_POINTS * foot + point);
}

// Of any of its points: a foot slips and sticks as one.
static bool has_heard_of_foot(const witness *w, atemi_event_kind kind, int foot)
{
    return has_heard(w, kind, ATEMI_FOOT_POINTS * foot + ATEMI_HEEL) ||
           has_heard(w, kind, ATEMI_FOOT_POINTS * foot + ATEMI_TOE);
}

static bool is_witnessed(const witness *w, int foot, atemi_gait_guard guard)
{
    switch (guard) {
    case ATEMI_GUARD_NONE:
        return true;
    case ATEMI_GUARD_HEEL_GAP:
        return lands(w, foot, ATEMI_HEEL);
    case ATEMI_GUARD_TOE_GAP:
        return lands(w, foot, ATEMI_TOE);
    case ATEMI_GUARD_SOLE_GAP:
        return lands(w, foot, ATEMI_HEEL) && lands(w, foot, ATEMI_TOE);
    case ATEMI_GUARD_HEEL_PRESSURE:
        return leaves(w, foot, ATEMI_HEEL);
    case ATEMI_GUARD_TOE_PRESSURE:
        return leaves(w, foot, ATEMI_TOE);
    case ATEMI_GUARD_FORCE:
        return has_heard_of_foot(w, ATEMI_EVENT_LIFT_OFF, foot);
    case ATEMI_GUARD_HEEL_ROCK:
        return lands(w, foot, ATEMI_HEEL) && leaves(w, foot, ATEMI_TOE);
    case ATEMI_GUARD_TOE_ROCK:
        return lands(w, foot, ATEMI_TOE) && leaves(w, foot, ATEMI_HEEL);
    case ATEMI_GUARD_FRICTION:
        return has_heard_of_foot(w, ATEMI_EVENT_SLIP, foot);
    case ATEMI_GUARD_SPEED:
        return has_heard_of_foot(w, ATEMI_EVENT_STICK, foot);
    }
    return false;
}

// From the air a foot lands slipping at once: that it slips is not told beside its touchdown.
static void check_arrow(const witness *w, int foot, const atemi_gait_arrow *arrow)
{
    const bool is_right = is_witnessed(w, foot, arrow->touch) &&
                          (arrow->from == ATEMI_FOOT_AIR || is_witnessed(w, foot, arrow->slide));
    if (!is_right) {
        check_fail(CHECK_PLACE("check_arrow"), "foot %d: %s -> %s: no event for '%s' and '%s'",
                   foot, atemi_foot_state_text(arrow->from), atemi_foot_state_text(arrow->to),
                   atemi_gait_guard_text(arrow->touch), atemi_gait_guard_text(arrow->slide));
    }
}

static void look(witness *w, const atemi_simulation *simulation)
{
    for (int foot = 0; foot < ATEMI_FEET; ++foot) {
        const int              heel = ATEMI_FOOT_POINTS * foot + ATEMI_HEEL;
        const int              toe = ATEMI_FOOT_POINTS * foot + ATEMI_TOE;
        const atemi_foot_state was = w->feet[foot];
        const atemi_foot_state is = atemi_foot_state_of(atemi_simulation_mode(simulation, heel),
                                                        atemi_simulation_mode(simulation, toe));
        const atemi_gait_arrow arrow = atemi_gait_arrow_between(was, is);
        if (w->looks && was != is) {
            check_arrow(w, foot, &arrow);
            ++w->seen[was][is];
        }
        w->feet[foot] = is;
    }
    w->looks = true;
    w->count = 0;
}

// ---- Falling and kneeling

typedef struct ground {
    double friction, speed;
    bool   joint_friction; ///< with it the robot sinks to its knees
} ground;

// Left foot first, as the gait has it; the robot's file begins with the right one.
static int put_points(const atemi_model *robot, double friction, atemi_simulation_point *points)
{
    const int              count = atemi_free_fall_points(robot, MAX_POINTS, points);
    atemi_simulation_point right[ATEMI_FOOT_POINTS];
    memcpy(right, points, sizeof right);
    memcpy(points, points + ATEMI_FOOT_POINTS, sizeof right);
    memcpy(points + ATEMI_FOOT_POINTS, right, sizeof right);
    for (int i = 0; i < count; ++i) {
        points[i].static_friction = points[i].kinetic_friction = friction;
    }
    return count;
}

static atemi_simulation *make_fall(const atemi_model *robot, const ground *about, witness *w)
{
    const atemi_surface          floor = atemi_surface_floor();
    const atemi_simulation_hooks hooks = {.event = hear, .context = w};
    atemi_simulation_options     options = atemi_simulation_options_default();
    atemi_simulation_point       points[MAX_POINTS];
    const int                    count = put_points(robot, about->friction, points);
    atemi_simulation            *simulation;
    options.joint_friction = about->joint_friction;
    CHECK_STATUS(atemi_simulation_create(robot, &floor, 1, points, count, &options, &hooks,
                                         &simulation, NULL),
                 ATEMI_OK);
    return simulation;
}

static void start_fall(const atemi_model *robot, const ground *about, uint64_t seed,
                       atemi_simulation *simulation)
{
    random_stream stream = random_seeded(seed);
    double        q[MAX_Q], v[MAX_Q];
    const int     standing = atemi_model_find_posture(robot, "standing");
    memcpy(q, atemi_model_posture(robot, standing), (size_t)atemi_model_q_count(robot) * sizeof *q);
    q[1] = 0.87;
    for (int i = 0; i < atemi_model_v_count(robot); ++i) {
        v[i] = random_uniform(&stream, -about->speed, about->speed);
    }
    CHECK_STATUS(atemi_simulation_start(simulation, 0.0, q, v, NULL), ATEMI_OK);
}

static void check_watch(const atemi_gait_watch *watch, const witness *w, double time)
{
    double sum = 0.0;
    for (int i = 0; i < ATEMI_FOOT_STATES * ATEMI_FOOT_STATES; ++i) {
        const int from = i / ATEMI_FOOT_STATES, to = i % ATEMI_FOOT_STATES;
        sum += watch->times[from][to];
        CHECK_EQUAL_INT(watch->arrows[from][to], w->seen[from][to]);
    }
    CHECK_NEAR(sum, time, 1e-9);
}

static void watch_fall(const atemi_model *robot, const ground *about, uint64_t seed, double time,
                       witness *w)
{
    atemi_simulation *simulation = make_fall(robot, about, w);
    start_fall(robot, about, seed, simulation);
    atemi_gait_watch watch = atemi_gait_watch_start(simulation);
    look(w, simulation);
    for (int k = 1; k <= lround(1e3 * time); ++k) {
        CHECK_STATUS(atemi_simulation_run(simulation, 1e-3 * k, NULL), ATEMI_OK);
        look(w, simulation);
        atemi_gait_watch_look(&watch, simulation);
    }
    check_watch(&watch, w, time);
    atemi_simulation_destroy(simulation);
}

static int arrows_seen(const witness *w)
{
    int arrows = 0;
    for (int i = 0; i < ATEMI_FOOT_STATES * ATEMI_FOOT_STATES; ++i) {
        arrows += w->seen[i / ATEMI_FOOT_STATES][i % ATEMI_FOOT_STATES] > 0;
    }
    return arrows;
}

TEST(gait_transitions, of_falls_are_arrows_of_the_table)
{
    static const ground grounds[] = {{0.2, 0.3, false}, {0.4, 0.3, false}, {0.8, 0.3, false}};
    atemi_model        *robot = walker();
    for (int i = 0; i < 3; ++i) {
        witness w = {0};
        watch_fall(robot, &grounds[i], (uint64_t)(i + 1), 0.5, &w);
        CHECK(arrows_seen(&w) >= 4);
    }
    atemi_model_destroy(robot);
}

// The joints' own friction lets it down slowly: it is on its knees before anything else lands.
TEST(gait_transitions, of_kneeling_are_arrows_of_the_table)
{
    const ground           rough = {0.7, 0.1, true};
    atemi_model           *robot = walker();
    atemi_simulation_point points[MAX_POINTS];
    witness                w = {.first_beside_feet = ATEMI_NONE};
    put_points(robot, rough.friction, points);
    watch_fall(robot, &rough, 1, 0.8, &w);
    CHECK(arrows_seen(&w) >= 4);
    CHECK(w.first_beside_feet != ATEMI_NONE);
    CHECK_CONTAINS(atemi_model_link(robot, points[w.first_beside_feet].link)->name, "shin");
    atemi_model_destroy(robot);
}

// ---- Walking

static bool look_at_walk(void *context, const atemi_walk *walk)
{
    look((witness *)context, atemi_walk_simulation(walk));
    return true;
}

static void watch_walk(double friction, long steps, witness *w)
{
    atemi_walk_task        task = atemi_walk_task_default();
    const atemi_walk_hooks hooks = {.tick = look_at_walk, .event = hear, .context = w};
    task.friction = friction;
    task.steps = steps;
    const atemi_walk_summary summary = walk_with(&task, &hooks);
    CHECK_EQUAL_INT(summary.end, ATEMI_WALK_DONE);
}

TEST(gait_transitions, of_a_walk_are_arrows_of_the_table)
{
    witness w = {0};
    watch_walk(0.7, 6, &w);
    CHECK(w.seen[ATEMI_FOOT_SOLE_STICK][ATEMI_FOOT_TOE_STICK] > 0);
    CHECK(arrows_seen(&w) >= 4);
}

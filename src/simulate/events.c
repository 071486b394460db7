// SPDX-License-Identifier: Apache-2.0

#include "simulate/events.h"

#include "atemi/support.h"

#include <math.h>
#include <string.h>

// The conditions of the modes, with f the forces of a patch's closed points, F their sum, and n, t
// along and across the normal:
//
//   open       gap > 0
//   one point  f_n >= 0;   two points  both f_n >= 0
//   more       the centre of pressure lies within their polygon
//   sticks     |F_t| <= static friction F_n
//   slips      it slides on in the direction it had
//
// What follows: a point that reaches its surface bumps; one whose force would pull is let go; a
// patch whose centre of pressure reaches an edge keeps the ends of that edge; a patch that cannot
// stick slips against its friction; one that stops slipping sticks if it can.

static const double touching = 1e-9;  // m: within this a point is in touch
static const double released = 1e-11; // m: a point that has just been let go may be this far inside
static const double creeping = 1e-9;  // m/s: slower has no direction
static const double standing = 1e-7;  // m/s: slower has stopped when it turns back

enum { MOST_SETTLINGS = 50 };

static double weight_of(const atemi_simulation *s)
{
    return atemi_model_mass(s->model) * (1.0 + atemi_vec3_norm(atemi_model_gravity(s->model)));
}

static atemi_vec3 across(atemi_vec3 a, atemi_vec3 n)
{
    return atemi_vec3_sub(a, atemi_vec3_scale(atemi_vec3_dot(a, n), n));
}

static bool is_closed(const atemi_simulation *s, int point, int patch)
{
    return s->patches[point] == patch && s->modes[point] != ATEMI_CONTACT_OPEN;
}

static double normal_force(const atemi_simulation *s, int point)
{
    return atemi_vec3_dot(s->forces[point], s->sightings[point].view.normal);
}

static double approach(const atemi_simulation *s, int point)
{
    return -atemi_vec3_dot(s->sightings[point].velocity, s->sightings[point].view.normal);
}

// ---- Lift-off -------------------------------------------------------------------------------

static int weakest_point(const atemi_simulation *s, int patch)
{
    int weakest = ATEMI_NONE;
    for (int i = 0; i < s->point_count; ++i) {
        if (is_closed(s, i, patch) &&
            (weakest == ATEMI_NONE || normal_force(s, i) < normal_force(s, weakest))) {
            weakest = i;
        }
    }
    return weakest;
}

// The polygon of a patch's closed points, and how far inside its centre of pressure is.
typedef struct pressure {
    atemi_support        support;
    atemi_support_margin margin;
    bool                 presses;
} pressure;

static pressure pressure_of(const atemi_simulation *s, int patch, const atemi_patch *sum)
{
    const atemi_support_plane plane = {s->sightings[sum->first].position, sum->normal};
    atemi_vec3               *points = s->corners, *vertices = s->corners + s->point_count;
    atemi_vec3                center = {0.0, 0.0, 0.0};
    double                    total = 0.0;
    int                       count = 0;
    for (int i = 0; i < s->point_count; ++i) {
        if (is_closed(s, i, patch)) {
            const double f = normal_force(s, i);
            points[count++] = s->sightings[i].position;
            center = atemi_vec3_add(center, atemi_vec3_scale(f, s->sightings[i].position));
            total += f;
        }
    }
    pressure p = {.support = atemi_support_polygon(&plane, points, count, vertices),
                  .presses = total > 1e-12 * weight_of(s)};
    if (p.presses) {
        p.margin = atemi_support_distance(&p.support, atemi_vec3_scale(1.0 / total, center));
    }
    return p;
}

static bool lifts(const atemi_simulation *s, int patch, const atemi_patch *sum)
{
    if (sum->closed < 3) {
        return normal_force(s, weakest_point(s, patch)) < -1e-12 * weight_of(s);
    }
    const pressure p = pressure_of(s, patch, sum);
    return !p.presses || p.margin.distance < -1e-13;
}

static void report(const atemi_simulation *s, atemi_event_kind kind, int point)
{
    const atemi_event event = {.kind = kind, .time = s->time, .point = point};
    if (s->hooks.event) {
        s->hooks.event(s->hooks.context, &event);
    }
}

static void let_go(atemi_simulation *s, int point)
{
    s->modes[point] = ATEMI_CONTACT_OPEN;
    report(s, ATEMI_EVENT_LIFT_OFF, point);
}

static bool is_end_of_edge(const pressure *p, atemi_vec3 position)
{
    const int        edge = p->margin.edge, next = (edge + 1) % p->support.count;
    const atemi_vec3 a = atemi_vec3_sub(position, p->support.vertices[edge]);
    const atemi_vec3 b = atemi_vec3_sub(position, p->support.vertices[next]);
    return fmin(atemi_vec3_dot(a, a), atemi_vec3_dot(b, b)) < touching * touching;
}

static void lift(atemi_simulation *s, int patch, const atemi_patch *sum)
{
    if (sum->closed < 3) {
        let_go(s, weakest_point(s, patch));
        return;
    }
    const pressure p = pressure_of(s, patch, sum);
    for (int i = 0; i < s->point_count; ++i) {
        if (is_closed(s, i, patch) &&
            (!p.presses || !is_end_of_edge(&p, s->sightings[i].position))) {
            let_go(s, i);
        }
    }
}

// ---- Sticking and slipping ------------------------------------------------------------------

static bool breaks_away(const atemi_simulation *s, const atemi_patch *sum)
{
    const double normal = atemi_vec3_dot(sum->force, sum->normal);
    const double rubbing = atemi_vec3_norm(across(sum->force, sum->normal));
    return rubbing >
           s->points[sum->first].static_friction * normal * (1.0 + 1e-12) + 1e-12 * weight_of(s);
}

static void begin_to_slip(atemi_simulation *s, int patch, const atemi_patch *sum)
{
    const atemi_vec3 rubbing = across(sum->force, sum->normal);
    const double     size = atemi_vec3_norm(rubbing);
    for (int i = 0; i < s->point_count; ++i) {
        if (is_closed(s, i, patch)) {
            s->modes[i] = ATEMI_CONTACT_SLIP;
            s->directions[i] = atemi_vec3_scale(size > 0.0 ? -1.0 / size : 0.0, rubbing);
        }
    }
    report(s, ATEMI_EVENT_SLIP, sum->first);
}

// The point of the surface under a point that is as good as on it.
static atemi_vec3 foot_of(const atemi_sighting *sighting)
{
    return atemi_vec3_sub(sighting->position,
                          atemi_vec3_scale(sighting->view.gap, sighting->view.normal));
}

static double slide_speed(const atemi_simulation *s, int patch)
{
    double most = 0.0;
    for (int i = 0; i < s->point_count; ++i) {
        if (is_closed(s, i, patch)) {
            const atemi_vec3 slide = across(s->sightings[i].velocity, s->sightings[i].view.normal);
            most = fmax(most, atemi_vec3_norm(slide));
        }
    }
    return most;
}

static void begin_to_stick(atemi_simulation *s, int patch)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (is_closed(s, i, patch)) {
            s->modes[i] = ATEMI_CONTACT_STICK;
            s->anchors[i] = foot_of(&s->sightings[i]);
        }
    }
}

// Whether the points of a slipping patch move against the directions they had, taken together.
static bool turns_back(const atemi_simulation *s, int patch)
{
    double along = 0.0, had = 0.0;
    for (int i = 0; i < s->point_count; ++i) {
        if (is_closed(s, i, patch)) {
            along += atemi_vec3_dot(s->sightings[i].velocity, s->directions[i]);
            had += atemi_vec3_dot(s->directions[i], s->directions[i]);
        }
    }
    return had > 0.0 && along < 0.0;
}

void atemi_events_follow(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (s->modes[i] == ATEMI_CONTACT_SLIP) {
            const atemi_vec3 slide = across(s->sightings[i].velocity, s->sightings[i].view.normal);
            const double     speed = atemi_vec3_norm(slide);
            if (speed > creeping) {
                s->directions[i] = atemi_vec3_scale(1.0 / speed, slide);
            }
        }
    }
}

// ---- Finding --------------------------------------------------------------------------------

// A point that was let go a moment ago is still at its surface; it counts only when it comes back.
static bool touches_down(const atemi_simulation *s, int point)
{
    const double gap = s->sightings[point].view.gap;
    const bool   comes_back = gap < -released && approach(s, point) > creeping;
    return s->modes[point] == ATEMI_CONTACT_OPEN && (comes_back || gap < -0.5 * touching);
}

static atemi_broken find_in_patch(const atemi_simulation *s, int patch)
{
    const atemi_patch sum = atemi_world_patch(s, patch);
    atemi_broken      found = {.patch = patch, .point = sum.first};
    if (sum.closed && lifts(s, patch, &sum)) {
        found.broken = true;
        found.kind = ATEMI_EVENT_LIFT_OFF;
    } else if (sum.closed && sum.mode == ATEMI_CONTACT_STICK && breaks_away(s, &sum)) {
        found.broken = true;
        found.kind = ATEMI_EVENT_SLIP;
    } else if (sum.closed && sum.mode == ATEMI_CONTACT_SLIP && turns_back(s, patch)) {
        found.broken = true;
        found.kind = ATEMI_EVENT_STICK;
    }
    return found;
}

atemi_broken atemi_events_find(const atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (touches_down(s, i)) {
            return (atemi_broken){true, ATEMI_EVENT_TOUCHDOWN, i, s->patches[i]};
        }
    }
    atemi_broken found = {0};
    for (int p = 0; p < s->patch_count && !found.broken; ++p) {
        found = find_in_patch(s, p);
    }
    return found;
}

// ---- Handling -------------------------------------------------------------------------------

static void change(atemi_simulation *s, const atemi_broken *what)
{
    const atemi_patch sum = atemi_world_patch(s, what->patch);
    if (what->kind == ATEMI_EVENT_LIFT_OFF) {
        lift(s, what->patch, &sum);
    } else if (what->kind == ATEMI_EVENT_SLIP) {
        begin_to_slip(s, what->patch, &sum);
    } else if (slide_speed(s, what->patch) < standing) {
        begin_to_stick(s, what->patch);
        report(s, ATEMI_EVENT_STICK, sum.first);
    } else {
        atemi_events_follow(s); // it goes round a corner
    }
}

// Changes modes until nothing is broken.
static atemi_status settle(atemi_simulation *s)
{
    for (int i = 0; i < MOST_SETTLINGS; ++i) {
        atemi_broken found = {0};
        if (atemi_world_evaluate(s, s->time, s->q, s->v, s->a)) {
            return ATEMI_ERROR_SINGULAR;
        }
        for (int p = 0; p < s->patch_count && !found.broken; ++p) {
            found = find_in_patch(s, p);
            found.broken = found.broken && found.kind != ATEMI_EVENT_STICK;
        }
        if (!found.broken) {
            return ATEMI_OK;
        }
        change(s, &found);
    }
    return ATEMI_ERROR_SINGULAR;
}

static bool is_in_touch(const atemi_simulation *s, int point)
{
    return s->modes[point] != ATEMI_CONTACT_OPEN || s->sightings[point].view.gap < touching;
}

static void bump(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        const atemi_simulation_point *point = &s->points[i];
        s->contacts[i] =
            (atemi_contact){.link = point->link,
                            .point = point->point,
                            .normal = s->sightings[i].view.normal,
                            .mode = is_in_touch(s, i) ? ATEMI_CONTACT_STICK : ATEMI_CONTACT_OPEN,
                            .friction = point->kinetic_friction};
        s->restitution[i] = approach(s, i) > s->options.slowest_bounce ? point->restitution : 0.0;
    }
    atemi_bump(s->model, s->q, s->v, s->contacts, s->point_count, s->restitution, &s->bump, s->v,
               s->impulses, NULL);
}

static bool patch_slides(const atemi_simulation *s, int patch)
{
    for (int i = 0; i < s->point_count; ++i) {
        if (is_closed(s, i, patch) &&
            atemi_vec3_norm(across(s->sightings[i].velocity, s->sightings[i].view.normal)) >
                creeping) {
            return true;
        }
    }
    return false;
}

// What rests on its surface after a bump is closed; its patch slips if it slides. A point that
// leaves too slowly to bounce is held (and let go again if its force would pull): or two ends of an
// edge could take turns for ever.
static void take_modes(atemi_simulation *s)
{
    for (int i = 0; i < s->point_count; ++i) {
        const bool rests = is_in_touch(s, i) && approach(s, i) > -s->options.slowest_bounce;
        if (s->modes[i] != ATEMI_CONTACT_OPEN && !rests) {
            report(s, ATEMI_EVENT_LIFT_OFF, i);
        }
        s->modes[i] = rests ? ATEMI_CONTACT_STICK : ATEMI_CONTACT_OPEN;
        s->anchors[i] = foot_of(&s->sightings[i]);
    }
    for (int p = 0; p < s->patch_count; ++p) {
        const bool slides = patch_slides(s, p);
        for (int i = 0; i < s->point_count && slides; ++i) {
            if (is_closed(s, i, p)) {
                s->modes[i] = ATEMI_CONTACT_SLIP;
            }
        }
    }
    atemi_events_follow(s);
}

atemi_status atemi_events_touch(atemi_simulation *s)
{
    atemi_world_observe(s, s->q, s->v);
    for (int i = 0; i < s->point_count; ++i) {
        if (is_in_touch(s, i) && approach(s, i) > creeping) {
            bump(s);
            atemi_world_observe(s, s->q, s->v);
            break;
        }
    }
    take_modes(s);
    atemi_world_project(s);
    return settle(s);
}

atemi_status atemi_events_handle(atemi_simulation *s)
{
    const atemi_broken found = atemi_events_find(s);
    if (!found.broken) { // a step that could not be made; see whether other modes can
        return settle(s);
    }
    if (found.kind == ATEMI_EVENT_TOUCHDOWN) {
        report(s, ATEMI_EVENT_TOUCHDOWN, found.point);
        return atemi_events_touch(s);
    }
    change(s, &found);
    atemi_world_project(s);
    return settle(s);
}

// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_parts.h"

#include <math.h>

// Across, a quintic from where the foot is to the foothold, planned anew every tick, that ends a
// little before the landing: then the foot comes straight down. Up and down likewise: a quintic to
// the clearance until half of the swing, then one to the height at which the floor is expected and
// the landing speed. Each begins with the velocity and the acceleration of the one before, so that
// a step whose time changes does not jerk the foot. A foot that meets no floor falls on, by a part
// of gravity, up to a speed, and follows its foothold, which moves the more the later it lands.
//
// Where the route is known, the clearance is above the highest ground that the foot passes. It goes
// across once it has risen over an edge, and comes down once it is past one.

static const double settled = 0.08;     // fraction of the swing before landing
static const double rising = 0.2;       // of the swing, before a foot goes across over an edge
static const double falling = 0.2;      // of the swing, in which it comes down behind one
static const double search_fall = 0.5;  // of gravity, of a foot that has met no floor
static const double search_speed = 0.2; // sqrt(leg g), of that at most
static const double catching_up = 0.1;  // sqrt(leg / g), to the foothold of such a foot

biped_window biped_swing_window(double rise, double fall)
{
    const double up = fmin(fmax(rise, 0.0), 1.0), down = fmin(fmax(fall, 0.0), 1.0);
    return (biped_window){rising * up, 1.0 - settled - falling * down};
}

static void begin(atemi_biped *b, const atemi_transform *sole, const atemi_motion *motion)
{
    b->swing[0] = (biped_axis){sole->position.x, motion->linear.x, 0.0};
    b->swing[1] = (biped_axis){sole->position.y, motion->linear.y, 0.0};
    b->swing[2] = (biped_axis){sole->position.z, fmax(motion->linear.z, 0.0), 0.0};
    b->swing[3] = (biped_axis){atan2(sole->rotation.x.y, sole->rotation.x.x), 0.0, 0.0};
    b->lifted = sole->position.z;
    b->lift = (floor_point){sole->position.x, sole->position.y};
    b->swing_begins = false;
}

static void go(biped_axis *axis, double to, double speed, double left, double tick)
{
    const biped_axis end = {to, speed, 0.0};
    *axis = left > 2.0 * tick
                ? biped_quintic(axis, &end, left, tick)
                : (biped_axis){axis->position + tick * axis->velocity, axis->velocity, 0.0};
}

static void go_across(atemi_biped *b, int axis, double to, double left)
{
    go(&b->swing[axis], to, 0.0, left, b->options.tick);
    if (left <= 2.0 * b->options.tick) {
        b->swing[axis] = (biped_axis){b->swing[axis].position, 0.0, 0.0};
    }
}

static void search(atemi_biped *b)
{
    const double tick = b->options.tick, fall = search_fall * b->gravity;
    const double most = -search_speed * b->leg / b->time_unit;
    biped_axis  *z = &b->swing[2];
    z->position += tick * z->velocity;
    z->acceleration = z->velocity > most ? -fall : 0.0;
    z->velocity = fmax(z->velocity - tick * fall, fmin(most, z->velocity));
}

static void go_up(atemi_biped *b, double time, double swing)
{
    const double speed = b->options.landing_speed * b->leg / b->time_unit;
    const double floor = biped_slope_height(&b->slope, b->gait.foothold.x, b->gait.foothold.y);
    const double passed = b->gait.route.count > 0 ? b->gait.route.level + b->gait.route.top : floor;
    const double high = fmax(fmax(b->lifted, floor), passed) + b->options.clearance * b->leg;
    if (time >= swing) {
        search(b);
    } else if (time < 0.5 * swing) {
        go(&b->swing[2], high, 0.0, 0.5 * swing - time, b->options.tick);
    } else {
        go(&b->swing[2], floor, -speed, swing - time, b->options.tick);
    }
}

// The nearest of the angles that are the same heading.
static double nearest_turn(double angle, double to)
{
    return angle + remainder(to - angle, 2.0 * 3.14159265358979323846);
}

// The plane of the foothold. Heights of the route are those of the sole that stands.
static void know_floor(atemi_biped *b)
{
    const biped_foothold *f = &b->gait.route.ahead[0];
    b->slope = (biped_slope){f->slope.x, f->slope.y, f->place, b->gait.route.level + f->height};
}

// When the foot may go across, of the swing.
static biped_window window_of(const atemi_biped *b)
{
    const biped_route *r = &b->gait.route;
    const double       high = b->options.clearance * b->leg;
    return r->count > 0 ? biped_swing_window((r->level + r->top - b->lifted) / high,
                                             (r->top - r->ahead[0].height) / high)
                        : biped_swing_window(0.0, 0.0);
}

static void go_to_foothold(atemi_biped *b, double time, double swing)
{
    const biped_gait  *g = &b->gait;
    const biped_window window = window_of(b);
    const bool         waits = time < window.from * swing;
    const double       heading =
        g->route.count > 0 ? g->route.ahead[0].heading : g->course + (g->walks ? g->turning : 0.0);
    const double end = waits ? window.from : window.to;
    const double left = time > swing ? catching_up * b->time_unit : swing * end - time;
    go_across(b, 0, waits ? b->lift.x : g->foothold.x, left);
    go_across(b, 1, waits ? b->lift.y : g->foothold.y, left);
    go_across(b, 3, waits ? b->swing[3].position : nearest_turn(b->swing[3].position, heading),
              left);
}

void biped_swing_update(atemi_biped *b, const biped_view *view)
{
    biped_gait *g = &b->gait;
    const int   foot = 1 - g->support;
    if (g->phase != ATEMI_BIPED_SWINGS) {
        b->swing_begins = true;
        biped_slope_stand(&b->slope, &view->soles[g->support]);
        g->route.level = b->slope.height - g->route.stands[g->support].height;
        biped_rise_update(b, view);
        return;
    }
    if (b->swing_begins) {
        if (g->route.count == 0) {
            biped_slope_feel(&b->slope, &view->soles[g->support], biped_foot_rolls(b, g->support));
        }
        begin(b, &view->soles[foot], &view->motions[foot]);
    }
    if (g->route.count > 0) {
        know_floor(b);
    }
    const double swing = g->duration - g->double_support, time = g->clock - g->double_support;
    biped_rise_update(b, view);
    go_to_foothold(b, time, swing);
    go_up(b, time, swing);
}

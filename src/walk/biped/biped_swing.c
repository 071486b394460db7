// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_parts.h"

#include <math.h>

// Across, a quintic from where the foot is to the foothold, planned anew every tick, that ends a
// little before the landing: then the foot comes straight down. Up, with s the fraction of the
// swing, a quintic to the floor's height and the landing speed, and 16 clearance s^2 (1 - s)^2. A
// foot that meets no floor goes on down with the landing speed.

static const double settled = 0.08; // fraction of the swing before landing

static void begin(atemi_biped *b, const atemi_transform *sole, const atemi_motion *motion)
{
    b->swing[0] = (biped_axis){sole->position.x, motion->linear.x, 0.0};
    b->swing[1] = (biped_axis){sole->position.y, motion->linear.y, 0.0};
    b->swing[3] = (biped_axis){atan2(sole->rotation.x.y, sole->rotation.x.x), 0.0, 0.0};
    b->lifted = sole->position.z;
    b->swing_begins = false;
}

static void go_across(atemi_biped *b, int axis, double to, double left)
{
    const biped_axis end = {to, 0.0, 0.0};
    const double     tick = b->options.tick;
    b->swing[axis] = left > 2.0 * tick ? biped_quintic(&b->swing[axis], &end, left, tick)
                                       : (biped_axis){b->swing[axis].position, 0.0, 0.0};
}

static void go_up(atemi_biped *b, double time, double swing)
{
    const double     speed = b->options.landing_speed * b->leg / b->time_unit;
    const biped_axis start = {b->lifted, 0.0, 0.0}, end = {b->floor, -speed, 0.0};
    if (time >= swing) {
        b->swing[2] = (biped_axis){b->floor - speed * (time - swing), -speed, 0.0};
        return;
    }
    const double s = time / swing, r = 1.0 - s, high = 16.0 * b->options.clearance * b->leg;
    b->swing[2] = biped_quintic(&start, &end, swing, time);
    b->swing[2].position += high * s * s * r * r;
    b->swing[2].velocity += high * 2.0 * s * r * (r - s) / swing;
    b->swing[2].acceleration += high * 2.0 * (s * s - 4.0 * s * r + r * r) / (swing * swing);
}

// The nearest of the angles that are the same heading.
static double nearest_turn(double angle, double to)
{
    return angle + remainder(to - angle, 2.0 * 3.14159265358979323846);
}

void biped_swing_update(atemi_biped *b, const biped_view *view)
{
    const biped_gait *g = &b->gait;
    const int         foot = 1 - g->support;
    if (g->phase != ATEMI_BIPED_SWINGS) {
        b->swing_begins = true;
        b->floor = view->soles[g->support].position.z;
        return;
    }
    if (b->swing_begins) {
        begin(b, &view->soles[foot], &view->motions[foot]);
    }
    const double swing = g->duration - g->double_support, time = g->clock - g->double_support;
    const double left = swing * (1.0 - settled) - time;
    go_across(b, 0, g->foothold.x, left);
    go_across(b, 1, g->foothold.y, left);
    go_across(b, 3, nearest_turn(b->swing[3].position, g->heading + (g->walks ? g->turning : 0.0)),
              left);
    go_up(b, time, swing);
}

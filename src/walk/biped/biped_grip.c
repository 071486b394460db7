// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_parts.h"

#include <math.h>

// Slips, and the friction felt. The velocity u across of a sole that carries load, and has done so
// for a while, is low-passed with the rate r; what the filter takes off is noise, of the variance
// n^2 a sample, of which n^2 r dt / 2 is left in u. A sole slides as soon as |u| exceeds both a
// speed and five times that noise, and until it is below a part of both.
//
// What a sole that begins to slide was asked for, |f_t| / f_n, is more than the floor gives. So the
// friction felt falls to a part of that, falls on while it slides, and grows again by a rate
// afterwards, up to what the options count on. The confidence fades by the same rate.
//
// Forces within friction k accelerate the centre of mass by k g at most, as a pressure k z from
// below it would. Balance needs about half of the distance of the feet, k = 0.2: one short slip
// never takes that away, a sole that slides on and on does.

static const double filter_rate = 8.0;     // sqrt(g / leg), of velocity and ratio
static const double noise_rate = 0.5;      // likewise, of the noise
static const double slide_speed = 0.02;    // sqrt(leg g), of a sole that slides at least
static const double slide_end = 0.4;       // of that, below which it has stopped
static const double noise_factor = 5.0;    // of the noise left
static const double grip_loaded = 0.1;     // of the weight, of a sole that is looked at
static const double settling = 0.4;        // sqrt(leg / g), that a sole that lands may roll
static const double felt_part = 0.8;       // of what was asked for when it began to slide
static const double at_once = 0.2;         // that is felt at least as it begins to slide
static const double fall_rate = 0.5;       // sqrt(g / leg), of the friction felt while it slides
static const double growth_rate = 0.08;    // likewise, afterwards
static const double least_friction = 0.05; // that is ever felt
static const double sure_friction = 0.2;   // from which steps are not shortened
static const double shortest = 0.3;        // of a step, by that

static void filter(biped_sole_grip *s, const biped_view *view, int side, const biped_grip *grip)
{
    const double     r = fmin(grip->tick * filter_rate / grip->unit, 1.0);
    const double     slow = fmin(grip->tick * noise_rate / grip->unit, 1.0);
    const atemi_vec3 v = view->motions[side].linear;
    const double     x = v.x - s->x, y = v.y - s->y;
    s->x += r * x;
    s->y += r * y;
    s->noise += slow * (0.5 * (x * x + y * y) - s->noise);
}

static void feel(biped_grip *grip, const biped_sole_grip *s, bool began, double most)
{
    if (began) {
        grip->friction = fmin(grip->friction, fmax(felt_part * s->ratio, at_once));
    }
    grip->friction *= exp(-fall_rate * grip->tick / grip->unit);
    grip->friction = fmin(fmax(grip->friction, least_friction), most);
    grip->confidence = 1.0;
}

void biped_grip_start(biped_grip *grip, const atemi_biped_options *options, double unit, double leg)
{
    *grip = (biped_grip){.tick = options->tick,
                         .unit = unit,
                         .speed = slide_speed * leg / unit,
                         .friction = options->friction};
}

void biped_grip_update(biped_grip *grip, const biped_view *view, const atemi_force *wrenches,
                       double weight, double most)
{
    const double growth = growth_rate * grip->tick / grip->unit;
    const double left = 0.5 * filter_rate * grip->tick / grip->unit;
    grip->friction = fmin(grip->friction * exp(growth), most);
    grip->confidence *= exp(-growth);
    for (int side = 0; side < ATEMI_SIDES; ++side) {
        biped_sole_grip *s = &grip->soles[side];
        const atemi_vec3 f = wrenches[side].linear;
        if (!(view->forces[side] > grip_loaded * weight && f.z > 0.0)) {
            *s = (biped_sole_grip){.noise = s->noise};
            continue;
        }
        s->stood += grip->tick;
        if (s->stood < settling * grip->unit) {
            continue;
        }
        const double rate = fmin(filter_rate * grip->tick / grip->unit, 1.0);
        s->ratio += rate * (hypot(f.x, f.y) / fmax(f.z, grip_loaded * weight) - s->ratio);
        filter(s, view, side, grip);
        const double least = fmax(grip->speed, noise_factor * sqrt(s->noise * left));
        const bool   slid = s->slides;
        s->slides = hypot(s->x, s->y) > (slid ? slide_end : 1.0) * least;
        if (s->slides) {
            feel(grip, s, !slid, most);
        }
    }
}

double biped_grip_stride(const biped_grip *grip)
{
    return fmin(fmax(grip->friction / sure_friction, shortest), 1.0);
}

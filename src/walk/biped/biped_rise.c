// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_parts.h"

#include <math.h>

// The height of the centre of mass, where the route is known: a quintic in the swing, level while
// both feet are on the floor. When a foot lands, both legs reach the floor, so the height counts
// from the lower sole. With H the distance of hip and ankle at rest, R the longest one and L the
// step, all in legs, the leg that stands there reaches it if the height above that sole is that at
// rest less
//
//   max(H - sqrt(R^2 - (a L)^2), 0)
//
// where a L is how far hip and ankle are apart at worst: as the foot behind lifts after a step up,
// as the foot ahead lands after a step down. The foot that lands carries the robot next: the height
// is not so low that its knee would bend to less than C, as far as its effort carries the weight.

static const double longest_leg = 0.985; // R
static const double behind = 0.9;        // a, of a foot that lifts
static const double before = 0.5;        // a, of a foot that lands

static double height_at_landing(const atemi_biped *b)
{
    const biped_gait     *g = &b->gait;
    const biped_foothold *f = &g->route.ahead[0];
    const double          from = g->route.stands[g->support].height, to = f->height;
    const double          clear = b->options.clearance * b->leg;
    const double          down = clear > 0.0 ? fmin(fmax((from - to) / clear, 0.0), 1.0) : 0.0;
    const double          L = hypot(f->place.x - g->sole.x, f->place.y - g->sole.y) / b->leg;
    const double          apart = (behind + down * (before - behind)) * L;
    const double          reach = sqrt(fmax(longest_leg * longest_leg - apart * apart, 0.25));
    const double          reached = fmin(from, to) + fmin(reach - b->stretch, 0.0) * b->leg;
    const double          carried = to + (b->crouch - b->stretch) * b->leg;
    return g->route.level + b->height + fmax(reached, carried);
}

void biped_rise_update(atemi_biped *b, const biped_view *view)
{
    const biped_gait *g = &b->gait;
    const double      tick = b->options.tick, left = g->duration - g->clock;
    if (g->phase != ATEMI_BIPED_SWINGS || g->route.count == 0) {
        b->rise.velocity = b->rise.acceleration = 0.0;
        b->rises = b->rises && (g->route.count > 0 || g->phase == ATEMI_BIPED_STANDS);
        return;
    }
    b->rise = b->rises ? b->rise : (biped_axis){view->center.z, 0.0, 0.0};
    b->rises = true;
    const biped_axis end = {height_at_landing(b), 0.0, 0.0};
    b->rise = left > 2.0 * tick ? biped_quintic(&b->rise, &end, left, tick)
                                : (biped_axis){end.position, 0.0, 0.0};
}

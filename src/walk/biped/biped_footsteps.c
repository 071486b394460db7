// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_parts.h"

#include <math.h>
#include <string.h>

// Footsteps that are given: each is looked at from the sole before it.

static const double most_turn = 0.7; // rad, of a sole from the other one

static const char *side_text(int side)
{
    return side == ATEMI_SIDE_LEFT ? "left" : "right";
}

/// A footstep as seen from the one before it.
typedef struct seen_step {
    double ahead, out, up, turn; ///< out: away from the other foot
} seen_step;

static seen_step see(const atemi_biped_footstep *from, const atemi_biped_footstep *step)
{
    const double c = cos(from->heading), s = sin(from->heading);
    const double x = step->place.x - from->place.x, y = step->place.y - from->place.y;
    const double side = step->side == ATEMI_SIDE_LEFT ? 1.0 : -1.0;
    return (seen_step){c * x + s * y, side * (c * y - s * x), step->place.z - from->place.z,
                       remainder(step->heading - from->heading, 2.0 * 3.14159265358979323846)};
}

static atemi_status check_reach(const atemi_biped *b, const atemi_biped_footstep *from,
                                const atemi_biped_footstep *step, int i, atemi_error *error)
{
    const biped_gait *g = &b->gait;
    const seen_step   seen = see(from, step);
    const double      near = g->narrowest * g->width, wide = g->width + 0.7 * g->longest;
    const double      highest = b->options.highest * b->leg;
    if (fabs(seen.ahead) > g->longest) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "footstep %d is %.3g m %s the sole before it, and a step is %.3g m at "
                          "most (longest, %.3g legs); put another between",
                          i, fabs(seen.ahead), seen.ahead > 0.0 ? "ahead of" : "behind", g->longest,
                          b->options.longest);
    }
    if (!(seen.out >= near && seen.out <= wide)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "footstep %d is %.3g m to the %s of the sole before it, and that must be "
                          "%.3g m (narrowest, %.3g of %.3g m at rest) to %.3g m",
                          i, seen.out, side_text(step->side), near, b->options.narrowest, g->width,
                          wide);
    }
    if (fabs(seen.up) > highest) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "footstep %d is %.3g m %s the sole before it, and a step is %.3g m at "
                          "most (highest, %.3g legs)",
                          i, fabs(seen.up), seen.up > 0.0 ? "above" : "below", highest,
                          b->options.highest);
    }
    if (fabs(seen.turn) > most_turn) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "footstep %d is turned by %.3g rad from the sole before it, and %.3g rad "
                          "are the most",
                          i, fabs(seen.turn), most_turn);
    }
    return ATEMI_OK;
}

static atemi_status check_step(const atemi_biped *b, const atemi_biped_footstep *from,
                               const atemi_biped_footstep *step, int i, atemi_error *error)
{
    if (step->side == from->side) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "footstep %d is of the %s foot, which stands: the %s foot is next", i,
                          side_text(step->side), side_text(1 - step->side));
    }
    if (!(isfinite(step->heading) && isfinite(step->place.x) && isfinite(step->place.y) &&
          isfinite(step->place.z))) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "footstep %d is not at a finite place", i);
    }
    if (step->time != 0.0 && !(step->time > b->gait.double_support)) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "footstep %d takes %.3g s, of which %.3g s are on both feet; give it more", i,
            step->time, b->gait.double_support);
    }
    return check_reach(b, from, step, i, error);
}

// The sole beside which the first one lands.
static atemi_biped_footstep stands(const atemi_biped *b, int side)
{
    const biped_foothold *f = &b->gait.route.stands[side];
    const double          c = cos(f->heading), s = sin(f->heading), ahead = b->ahead[side];
    return (atemi_biped_footstep){
        side, {f->place.x - c * ahead, f->place.y - s * ahead, f->height}, f->heading, 0.0};
}

atemi_status atemi_biped_footsteps(atemi_biped *biped, const atemi_biped_footstep *steps, int count,
                                   int *wrong, atemi_error *error)
{
    ATEMI_REQUIRE_OR(biped && count >= 0 && (steps || count == 0), ATEMI_ERROR_CONTRACT);
    const atemi_biped   *b = biped;
    biped_route         *r = &biped->gait.route;
    atemi_status         status = ATEMI_OK;
    atemi_biped_footstep from = stands(b, count > 0 ? 1 - steps[0].side : 0);
    if (b->gait.phase != ATEMI_BIPED_STANDS || b->gait.leaves) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "footsteps are given to a robot that walks; let it come to rest first");
    }
    if (count > b->options.footsteps) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "%d footsteps are given, and there is room for %d; create the controller "
                          "with more of the option footsteps",
                          count, b->options.footsteps);
    }
    for (int i = 0; i < count && !status; ++i) {
        status = check_step(b, &from, &steps[i], i, error);
        from = steps[i];
        if (status && wrong) {
            *wrong = i;
        }
    }
    if (!status) {
        memmove(r->given, steps, (size_t)count * sizeof *steps);
        r->given_count = count;
        r->next = 0;
        biped->gait.walks = false;
    }
    return status;
}

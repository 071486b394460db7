// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow_derivatives.h"

#include "atemi/base.h"
#include "impact/blow_variation.h"
#include "math/matrix.h"

#include <string.h>

// Rates that are not given have the least energy, v = (u / a) c with a = 1 / m_a:
//
//   dv = (u / a) dc + c (du - u da / a) / a

struct atemi_blow_derivatives_scratch {
    atemi_blow_variation variation;
};

atemi_blow_derivatives_scratch *
atemi_blow_derivatives_take(atemi_arena *arena, const atemi_model *model, int directions)
{
    ATEMI_REQUIRE_OR(arena && model && directions >= 0, NULL);
    atemi_blow_derivatives_scratch *place =
        atemi_arena_array(arena, atemi_blow_derivatives_scratch, 1);
    const atemi_blow_variation variation = atemi_blow_variation_take(arena, model, directions);
    if (place) {
        place->variation = variation;
    }
    return place;
}

// A row of padded directions, or of none.
static void fill_row(const double *from, int count, int stride, double *to)
{
    memset(to, 0, (size_t)stride * sizeof *to);
    if (from && count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

// The same of all rates.
static void fill_rows(const atemi_blow_directions *directions, const double *from, int count,
                      int stride, double *to)
{
    for (int i = 0; i < count; ++i) {
        const double *row = from ? row_in(from, directions->stride, i) : NULL;
        fill_row(row, directions->count, stride, row_of(to, stride, i));
    }
}

static void fill_least(const atemi_virtual_base *base, double speed,
                       const atemi_blow_directions *directions, atemi_blow_variation *v)
{
    const double                          give = base->give;
    const atemi_virtual_base_derivatives *d = v->base;
    fill_row(directions->speed, directions->count, v->stride, v->approach);
    for (int i = 0; i < v->count; ++i) {
        double       *to = row_of(v->start, v->stride, i);
        const double *response = row_in(d->response, v->stride, i);
        for (int c = 0; c < v->stride; ++c) {
            to[c] = (speed * response[c] +
                     base->response[i] * (v->approach[c] - speed * d->give[c] / give)) /
                    give;
        }
    }
}

static void fill_slopes(const atemi_blow_variation *v, atemi_blow_slopes *slopes)
{
    *slopes = (atemi_blow_slopes){.stride = v->stride,
                                  .peak_force = v->peak,
                                  .impulse = v->now.impulse,
                                  .hand_speed = v->now.hand,
                                  .target_speed = v->now.target,
                                  .target_travel = v->now.travel};
}

atemi_status
atemi_blow_derivatives(const atemi_virtual_base *base, atemi_virtual_base_derivatives *posture,
                       const atemi_blow_setting *setting, const atemi_blow_directions *directions,
                       const atemi_blow_options *options, const atemi_blow_watch *watch,
                       atemi_blow_scratch *blow, atemi_blow_derivatives_scratch *scratch,
                       atemi_blow_result *result, atemi_blow_slopes *slopes, atemi_error *error)
{
    ATEMI_REQUIRE_OR(base && posture && setting && directions && blow, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(scratch && result && slopes, ATEMI_ERROR_CONTRACT);
    atemi_blow_variation *v = &scratch->variation;
    ATEMI_REQUIRE_OR(posture->stride == v->stride && directions->count <= v->directions,
                     ATEMI_ERROR_CONTRACT);
    if (setting->surface.law == ATEMI_BLOW_OTHER_LAW && !setting->surface.other.slopes) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the law of the contact does not tell its slopes (atemi_compliance): "
                          "there are no derivatives without them");
    }
    v->base = posture;
    if (setting->rates) {
        fill_rows(directions, directions->rates, v->count, v->stride, v->start);
    } else {
        fill_least(base, setting->speed, directions, v);
    }
    fill_rows(directions, directions->held, v->count, v->stride, v->held);
    const bool drifts = !options || options->method != ATEMI_BLOW_VIRTUAL_MASS;
    fill_row(drifts ? directions->drift : NULL, directions->count, v->stride, v->drift);
    atemi_blow_variation_clear(v);
    fill_slopes(v, slopes);
    const atemi_status status =
        atemi_blow_along(base, setting, options, watch, v, blow, result, error);
    fill_slopes(v, slopes);
    if (status == ATEMI_OK && !v->holds) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "the blow has no derivatives: a servo is stiffer than counts, or a mode "
                          "ends where it would only be touched");
    }
    return status;
}

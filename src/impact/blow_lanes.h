// SPDX-License-Identifier: Apache-2.0

/// @file
/// The same complex number at the four poles of the propagator, side by side.

#pragma once

typedef double atemi_blow_four __attribute__((vector_size(32)));

typedef struct atemi_blow_lane {
    _Alignas(64) atemi_blow_four re;
    atemi_blow_four im;
} atemi_blow_lane;

/// A real number.
static inline atemi_blow_lane lane_of(double real)
{
    const atemi_blow_four none = {0};
    return (atemi_blow_lane){none + real, none};
}

static inline atemi_blow_lane lane_add(atemi_blow_lane a, atemi_blow_lane b)
{
    return (atemi_blow_lane){a.re + b.re, a.im + b.im};
}

/// s a, and s + a for a real number s.
static inline atemi_blow_lane lane_scale(double s, atemi_blow_lane a)
{
    return (atemi_blow_lane){s * a.re, s * a.im};
}
static inline atemi_blow_lane lane_shift(double s, atemi_blow_lane a)
{
    return (atemi_blow_lane){s + a.re, a.im};
}

static inline atemi_blow_lane lane_multiply(atemi_blow_lane a, atemi_blow_lane b)
{
    return (atemi_blow_lane){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// a + b c, and a - b c.
static inline atemi_blow_lane lane_add_product(atemi_blow_lane a, atemi_blow_lane b,
                                               atemi_blow_lane c)
{
    return (atemi_blow_lane){a.re + b.re * c.re - b.im * c.im, a.im + b.re * c.im + b.im * c.re};
}
static inline atemi_blow_lane lane_subtract_product(atemi_blow_lane a, atemi_blow_lane b,
                                                    atemi_blow_lane c)
{
    return (atemi_blow_lane){a.re - b.re * c.re + b.im * c.im, a.im - b.re * c.im - b.im * c.re};
}

static inline atemi_blow_lane lane_invert(atemi_blow_lane a)
{
    const atemi_blow_four size = 1.0 / (a.re * a.re + a.im * a.im);
    return (atemi_blow_lane){a.re * size, -a.im * size};
}

/// The real part of the sum of all a b.
static inline double lane_real_sum(atemi_blow_lane a, atemi_blow_lane b)
{
    const atemi_blow_four product = a.re * b.re - a.im * b.im;
    return (product[0] + product[1]) + (product[2] + product[3]);
}

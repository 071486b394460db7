// SPDX-License-Identifier: Apache-2.0

#include "impact/hermite.h"

// x -> v0 + s0 x + (3 (v1 - v0) - 2 s0 - s1) x^2 + (s0 + s1 - 2 (v1 - v0)) x^3, bisected: what is
// found is improved by others.

enum { HALVINGS = 26 };

static double slope_at(const atemi_hermite *h, double x)
{
    const double rise = h->value[1] - h->value[0], s0 = h->slope[0], s1 = h->slope[1];
    return s0 + x * (2.0 * (3.0 * rise - 2.0 * s0 - s1) + x * 3.0 * (s0 + s1 - 2.0 * rise));
}

double atemi_hermite_at(const atemi_hermite *h, double x)
{
    const double rise = h->value[1] - h->value[0], s0 = h->slope[0], s1 = h->slope[1];
    return h->value[0] + x * (s0 + x * (3.0 * rise - 2.0 * s0 - s1 + x * (s0 + s1 - 2.0 * rise)));
}

double atemi_hermite_turn(const atemi_hermite *h)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < HALVINGS; ++i) {
        const double middle = 0.5 * (low + high);
        if (slope_at(h, middle) * h->slope[0] > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

double atemi_hermite_root(const atemi_hermite *h)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < HALVINGS; ++i) {
        const double middle = 0.5 * (low + high);
        if (atemi_hermite_at(h, middle) >= 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

// SPDX-License-Identifier: Apache-2.0

/// @file
/// The tally of the operations of a blow, kernel by kernel, from the sizes that the kernel works
/// on. An addition to a sum counts, the first one too; padding and changes of sign do not.

#pragma once

#include "atemi/blow.h"

static inline void tally(atemi_blow_operations *operations, double additions,
                         double multiplications, double divisions)
{
    operations->additions += additions;
    operations->multiplications += multiplications;
    operations->divisions += divisions;
}

/// So many products, each with its addition.
static inline void tally_products(atemi_blow_operations *operations, double products)
{
    tally(operations, products, products, 0.0);
}

/// Of complex numbers at the four poles: sums, products with a real number and with each other,
/// inverses, and shifts by a real number.
typedef struct tally_lanes_of {
    double sums, scales, products, inverses, shifts;
} tally_lanes_of;

static inline void tally_lanes(atemi_blow_operations *operations, tally_lanes_of n)
{
    const double poles = 4.0;
    tally(operations, poles * (2.0 * n.sums + 2.0 * n.products + n.inverses + n.shifts),
          poles * (2.0 * n.scales + 4.0 * n.products + 4.0 * n.inverses), poles * n.inverses);
}

/// Of the factor of a symmetric matrix with n rows, and of solving with it.
static inline void tally_factor(atemi_blow_operations *operations, double n)
{
    const double pairs = 0.5 * n * (n - 1.0), triples = pairs * (n - 2.0) / 3.0;
    tally_lanes(operations, (tally_lanes_of){.sums = pairs + triples,
                                             .products = 2.0 * pairs + triples,
                                             .inverses = n});
}
static inline void tally_solve(atemi_blow_operations *operations, double n)
{
    const double pairs = 0.5 * n * (n - 1.0);
    tally_lanes(operations, (tally_lanes_of){.sums = 2.0 * pairs, .products = 2.0 * pairs + n});
}

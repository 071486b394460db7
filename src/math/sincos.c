// SPDX-License-Identifier: Apache-2.0

#include "math/sincos.h"

#include <math.h>

// With n the integer nearest to 2 x / pi, the angle y = x - n pi/2 lies within +-pi/4 and
//
//     n mod 4      0        1        2        3
//     sin x      sin y    cos y   -sin y   -cos y
//     cos x      cos y   -sin y   -cos y    sin y
//
// pi/2 is split in three parts of 33 bits [CodyWaite80], so that n times each of the first two is
// exact for |n| < 2^20 and y keeps all its digits, with its rounding error in the tail t. The
// polynomials are minimax on +-pi/4 and those of every libm since [FDLIBM]. Angles beyond the
// range of the reduction, some forty thousand turns, go to libm lane by lane.

static const double largest_angle = 3.0e5;

// Adding it rounds a double to an integer, which then stands in the low bits.
static const double rounding = 0x1.8p52;

typedef struct reduced {
    pack      angle, tail;
    pack_mask quadrant;
} reduced;

static reduced reduce(pack x)
{
    const double half_pi_1 = 0x1.921fb544p+0, half_pi_2 = 0x1.0b4611a6p-34;
    const double half_pi_2_rest = 0x1.3198a2e037073p-69;

    const pack shifted = x * 0x1.45f306dc9c883p-1 + rounding;
    const pack n = shifted - rounding;
    const pack r = x - n * half_pi_1;
    const pack w = n * half_pi_2;
    const pack s = r - w;
    const pack rest = ((r - s) - w) - n * half_pi_2_rest;
    const pack y = s + rest;
    return (reduced){.angle = y, .tail = (s - y) + rest, .quadrant = (pack_mask)shifted};
}

static pack sine_near_zero(pack y, pack t)
{
    const pack z = y * y;
    const pack v = z * y;
    const pack r = 8.33333333332248946124e-03 +
                   z * (-1.98412698298579493134e-04 +
                        z * (2.75573137070700676789e-06 +
                             z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    return y - ((z * (0.5 * t - v * r) - t) - v * -1.66666666666666324348e-01);
}

static pack cosine_near_zero(pack y, pack t)
{
    const pack z = y * y;
    const pack r =
        z * (4.16666666666666019037e-02 +
             z * (-1.38888888888741095749e-03 +
                  z * (2.48015872894767294178e-05 +
                       z * (-2.75573143513906633035e-07 +
                            z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
    const pack half = 0.5 * z;
    const pack w = 1.0 - half;
    return w + (((1.0 - w) - half) + (z * r - y * t));
}

static void take_far_lanes_from_libm(pack angle, pack *sine, pack *cosine)
{
    for (int l = 0; l < ATEMI_LANES; ++l) {
        if (!(fabs(angle[l]) < largest_angle)) {
            (*sine)[l] = sin(angle[l]);
            (*cosine)[l] = cos(angle[l]);
        }
    }
}

void atemi_pack_sincos(pack angle, pack *sine, pack *cosine)
{
    const reduced   y = reduce(angle);
    const pack      s = sine_near_zero(y.angle, y.tail);
    const pack      c = cosine_near_zero(y.angle, y.tail);
    const pack_mask swapped = -(y.quadrant & 1);
    const pack_mask sine_sign = (y.quadrant & 2) << 62;
    const pack_mask cosine_sign = ((y.quadrant + 1) & 2) << 62;

    *sine = (pack)((pack_mask)pack_select(swapped, c, s) ^ sine_sign);
    *cosine = (pack)((pack_mask)pack_select(swapped, s, c) ^ cosine_sign);

    const pack size = (pack)((pack_mask)angle & INT64_MAX);
    if (pack_any(~(size < largest_angle))) {
        take_far_lanes_from_libm(angle, sine, cosine);
    }
}

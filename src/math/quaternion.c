// SPDX-License-Identifier: Apache-2.0

#include "atemi/math.h"

// With u the unit axis, t the angle and q = (v, w):
//
//   exp(t u)  = (sin(t/2) u, cos(t/2))
//   log(q)    = 2 atan2(|v|, |w|) v / |v|, of -q where w < 0, so that the angle is at most pi
//   matrix(q) = E + s (w [v] + [v]^2),  s = 2 / |q|^2,  [v] the cross product matrix
//
// The inverse of the last solves for four times the product of the largest component with all
// four [Shepperd78], so that nothing cancels.

static const double smallest_safe_square = 1e-280;
static const double largest_safe_square = 1e280;

static double squared_length(atemi_quaternion a)
{
    return a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
}

// The quaternions below are proportional to q; row and column of R in the letters of the struct:
// R->y.x is row x, column y.

static atemi_quaternion along_w(const atemi_mat3 *R)
{
    const atemi_quaternion q = {R->y.z - R->z.y, R->z.x - R->x.z, R->x.y - R->y.x,
                                1.0 + R->x.x + R->y.y + R->z.z};
    return q;
}

static atemi_quaternion along_x(const atemi_mat3 *R)
{
    const atemi_quaternion q = {1.0 + R->x.x - R->y.y - R->z.z, R->x.y + R->y.x, R->z.x + R->x.z,
                                R->y.z - R->z.y};
    return q;
}

static atemi_quaternion along_y(const atemi_mat3 *R)
{
    const atemi_quaternion q = {R->x.y + R->y.x, 1.0 - R->x.x + R->y.y - R->z.z, R->y.z + R->z.y,
                                R->z.x - R->x.z};
    return q;
}

static atemi_quaternion along_z(const atemi_mat3 *R)
{
    const atemi_quaternion q = {R->z.x + R->x.z, R->y.z + R->z.y, 1.0 - R->x.x - R->y.y + R->z.z,
                                R->x.y - R->y.x};
    return q;
}

// 4 x^2 = 1 + 2 R_xx - trace and so on, 4 w^2 = 1 + trace: the largest of R_xx, R_yy, R_zz and
// the trace names the largest component.
static atemi_quaternion along_largest(const atemi_mat3 *R)
{
    const double xx = R->x.x, yy = R->y.y, zz = R->z.z;
    const double trace = xx + yy + zz;
    const double largest = fmax(fmax(xx, yy), fmax(zz, trace));
    if (trace >= largest) {
        return along_w(R);
    }
    if (xx >= largest) {
        return along_x(R);
    }
    return yy >= largest ? along_y(R) : along_z(R);
}

atemi_quaternion atemi_quaternion_multiply(atemi_quaternion a, atemi_quaternion b)
{
    const atemi_quaternion product = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                                      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return product;
}

atemi_quaternion atemi_quaternion_normalized(atemi_quaternion a)
{
    const double largest = fmax(fmax(fabs(a.x), fabs(a.y)), fmax(fabs(a.z), fabs(a.w)));
    if (largest == 0.0) {
        const atemi_quaternion identity = {0.0, 0.0, 0.0, 1.0};
        return identity;
    }
    const atemi_quaternion b = {a.x / largest, a.y / largest, a.z / largest, a.w / largest};
    const double           length = sqrt(squared_length(b));
    const atemi_quaternion unit = {b.x / length, b.y / length, b.z / length, b.w / length};
    return unit;
}

atemi_quaternion atemi_quaternion_exp(atemi_vec3 rotation)
{
    const double           angle = atemi_vec3_norm(rotation);
    const double           s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    const atemi_quaternion quaternion = {s * rotation.x, s * rotation.y, s * rotation.z,
                                         cos(0.5 * angle)};
    return quaternion;
}

atemi_vec3 atemi_quaternion_log(atemi_quaternion a)
{
    const atemi_vec3 v = {a.x, a.y, a.z};
    const double     length = atemi_vec3_norm(v);
    const double     s = length > 0.0 ? 2.0 * atan2(length, fabs(a.w)) / length : 2.0;
    return atemi_vec3_scale(a.w < 0.0 ? -s : s, v);
}

atemi_mat3 atemi_quaternion_matrix(atemi_quaternion a)
{
    double square = squared_length(a);
    if (!(square >= smallest_safe_square && square <= largest_safe_square)) {
        a = atemi_quaternion_normalized(a);
        square = 1.0;
    }
    const double sx = a.x * (2.0 / square), sy = a.y * (2.0 / square), sz = a.z * (2.0 / square);
    const double xx = sx * a.x, yy = sy * a.y, zz = sz * a.z;
    const double xy = sx * a.y, xz = sx * a.z, yz = sy * a.z;
    const double wx = sx * a.w, wy = sy * a.w, wz = sz * a.w;

    const atemi_mat3 R = {{1.0 - (yy + zz), xy + wz, xz - wy},
                          {xy - wz, 1.0 - (xx + zz), yz + wx},
                          {xz + wy, yz - wx, 1.0 - (xx + yy)}};
    return R;
}

atemi_quaternion atemi_quaternion_from_matrix(const atemi_mat3 *rotation)
{
    const atemi_quaternion q = atemi_quaternion_normalized(along_largest(rotation));
    const atemi_quaternion opposite = {-q.x, -q.y, -q.z, -q.w};
    return q.w < 0.0 ? opposite : q;
}

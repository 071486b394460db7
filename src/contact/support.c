// SPDX-License-Identifier: Apache-2.0

#include "atemi/support.h"

#include "atemi/base.h"
#include "base/heapsort.h"

#include <float.h>

// On the plane through o with normal n, the axes e_x, e_y of a rotation (e_x, e_y, n) give a point
// p the coordinates
//
//   x = e_x . (p - o),   y = e_y . (p - o)
//
// The hull is a monotone chain [Andrew79], in place: with a and b the first and the last point by
// x, then y, the ring
//
//   a, the points right of or on a b in ascending order, b, those left of a b in descending order
//
// goes once around. A stack at its front keeps the points where it turns left,
//
//   turn(a, b, c) = (b - a)_x (c - a)_y - (b - a)_y (c - a)_x > 0
//
// Each difference and then turn are right to their last digits, so that a point lost to rounding is
// within rounding of the hull. Then vertices that hardly stand out are dropped: the distance to a
// segment is a convex function, so that points within s of the segment a p are within s + h of the
// segment a c when p is within h of it.
//
// Forces with the sum F and the moment M about o have about p the moment M - (p - o) x F. As p - o
// is normal to n,
//
//   0 = n x (M - (p - o) x F) = n x M - (p - o) (n . F)
//
//   p = o + n x M / (n . F)                                                  the centre of pressure
//
// By momentum P and, about the centre of mass c, L, the ground's force is dP/dt - m g and has the
// moment dL/dt about c.

static const double unit_tolerance = 1e-6; // of the squared length; guards against bugs only
static const double flat_tolerance = 1e-12;
static const double pressing_tolerance = 1e-12;

static atemi_support_plane plane_or_floor(const atemi_support_plane *plane)
{
    return plane ? *plane : atemi_support_plane_floor();
}

static bool is_unit(atemi_vec3 a)
{
    return fabs(atemi_vec3_dot(a, a) - 1.0) <= unit_tolerance;
}

// ---- The hull, in coordinates of the plane. While points are sorted, z tells their side of a b.

// a b - c d to its last digits, by the rounding error of c d [Jeannerod13].
static double difference_of_products(double a, double b, double c, double d)
{
    const double cd = c * d;
    return fma(a, b, -cd) + fma(-c, d, cd);
}

// Exactly 0 where two of the points are one, so that neither a nor b is ever left of a b.
static double turn(atemi_vec3 a, atemi_vec3 b, atemi_vec3 c)
{
    return difference_of_products(b.x - a.x, c.y - a.y, b.y - a.y, c.x - a.x);
}

static bool is_less(atemi_vec3 a, atemi_vec3 b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static bool comes_before(const void *first, const void *second)
{
    const atemi_vec3 *a = (const atemi_vec3 *)first, *b = (const atemi_vec3 *)second;
    if (a->z != b->z) {
        return a->z < b->z;
    }
    return a->z > 0.0 ? is_less(*b, *a) : is_less(*a, *b);
}

// Puts the points into the order of the ring.
// @return the index of b
static int arrange(atemi_vec3 *p, int count)
{
    atemi_vec3 a = p[0], b = p[0];
    for (int i = 1; i < count; ++i) {
        a = is_less(p[i], a) ? p[i] : a;
        b = is_less(b, p[i]) ? p[i] : b;
    }
    int left = 0;
    for (int i = 0; i < count; ++i) {
        const bool is_left = turn(a, b, p[i]) > 0.0;
        p[i].z = is_left ? 1.0 : 0.0;
        left += is_left;
    }
    atemi_heap_sort(p, sizeof *p, comes_before, count);
    return count - left - 1;
}

// Takes vertices off the stack until the way to `next` turns left, but none at or below `bottom`.
static int pop(const atemi_vec3 *p, int bottom, int top, atemi_vec3 next)
{
    while (top > bottom && turn(p[top - 1], p[top], next) <= 0.0) {
        --top;
    }
    return top;
}

// Walks around the ring. `top` is the index of the last vertex on the stack.
// @return how many vertices stay
static int walk(atemi_vec3 *p, int count, int last_right)
{
    int bottom = 0, top = 0;
    for (int i = 1; i < count; ++i) {
        top = pop(p, bottom, top, p[i]);
        p[++top] = p[i];
        bottom = i == last_right ? top : bottom;
    }
    return pop(p, bottom, top, p[0]) + 1;
}

static atemi_vec3 nearest_on_segment(atemi_vec3 a, atemi_vec3 b, atemi_vec3 p)
{
    const atemi_vec3 way = atemi_vec3_sub(b, a);
    const double     length2 = atemi_vec3_dot(way, way);
    const double     along = atemi_vec3_dot(way, atemi_vec3_sub(p, a));
    if (along <= 0.0 || length2 <= 0.0) {
        return a;
    }
    return along >= length2 ? b : atemi_vec3_add(a, atemi_vec3_scale(along / length2, way));
}

static double segment_distance(atemi_vec3 a, atemi_vec3 b, atemi_vec3 p)
{
    return atemi_vec3_norm(atemi_vec3_sub(p, nearest_on_segment(a, b, p)));
}

// Drops vertices as long as all of them stay within the tolerance of the ring of the others: half
// of it is for those after the first, half for the first.
// @return how many vertices stay
static int trim(atemi_vec3 *p, int count, double tolerance)
{
    const double half = 0.5 * tolerance;
    int          kept = 1;
    double       strayed = 0.0; // at most so far is what was dropped since the last vertex kept
    for (int i = 1; i < count; ++i) {
        const double height = segment_distance(p[kept - 1], p[i + 1 < count ? i + 1 : 0], p[i]);
        if (strayed + height <= half) {
            strayed += height;
        } else {
            strayed = 0.0;
            p[kept++] = p[i];
        }
    }
    if (kept > 1 && segment_distance(p[kept - 1], p[1], p[0]) <= half) {
        p[0] = p[--kept];
    }
    return kept;
}

// ---- Between the world and the plane

static double largest_coordinate(const atemi_vec3 *points, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        largest =
            fmax(largest, fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z))));
    }
    return largest;
}

static bool are_finite(const atemi_vec3 *points, int count)
{
    for (int i = 0; i < count; ++i) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z)) {
            return false;
        }
    }
    return true;
}

static void to_plane(const atemi_support_plane *plane, const atemi_mat3 *axes,
                     const atemi_vec3 *points, int count, atemi_vec3 *p)
{
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 r = atemi_vec3_sub(points[i], plane->point);
        p[i] = (atemi_vec3){atemi_vec3_dot(axes->x, r), atemi_vec3_dot(axes->y, r), 0.0};
    }
}

static void to_world(const atemi_support_plane *plane, const atemi_mat3 *axes, int count,
                     atemi_vec3 *p)
{
    for (int i = 0; i < count; ++i) {
        p[i] = atemi_vec3_add(plane->point, atemi_mat3_apply(axes, p[i]));
    }
}

// The distance from the first point of the ring to the farthest.
static double extent(const atemi_vec3 *p, int count)
{
    double largest = 0.0;
    for (int i = 1; i < count; ++i) {
        largest = fmax(largest, hypot(p[i].x - p[0].x, p[i].y - p[0].y));
    }
    return largest;
}

static int hull(atemi_vec3 *p, int count, double rounding)
{
    const int last_right = arrange(p, count);
    count = walk(p, count, last_right);
    for (int i = 0; i < count; ++i) {
        p[i].z = 0.0;
    }
    return trim(p, count, flat_tolerance * extent(p, count) + rounding);
}

// ---- The distance

static atemi_vec3 foot_of(const atemi_support_plane *plane, atemi_vec3 point)
{
    const double above = atemi_vec3_dot(plane->normal, atemi_vec3_sub(point, plane->point));
    return atemi_vec3_sub(point, atemi_vec3_scale(above, plane->normal));
}

static int next_of(const atemi_support *support, int i)
{
    return i + 1 < support->count ? i + 1 : 0;
}

// On no edge's right side.
static bool is_inside(const atemi_support *support, atemi_vec3 p)
{
    for (int i = 0; i < support->count; ++i) {
        const atemi_vec3 a = support->vertices[i], b = support->vertices[next_of(support, i)];
        const atemi_vec3 left = atemi_vec3_cross(support->plane.normal, atemi_vec3_sub(b, a));
        if (atemi_vec3_dot(left, atemi_vec3_sub(p, a)) < 0.0) {
            return false;
        }
    }
    return support->count > 2;
}

// ---- The centre of pressure

// @param wrench about the plane's point
// @param size   that the wrench's force is a rounded sum of
static bool center_of_wrench(const atemi_support_plane *plane, atemi_force wrench, double size,
                             atemi_vec3 *center)
{
    const double pressing = atemi_vec3_dot(plane->normal, wrench.linear);
    if (!(pressing > pressing_tolerance * size)) {
        return false;
    }
    const atemi_vec3 lever = atemi_vec3_cross(plane->normal, wrench.angular);
    *center = atemi_vec3_add(plane->point, atemi_vec3_scale(1.0 / pressing, lever));
    return true;
}

// The force at `point`, with its moment about the plane's point.
static atemi_force about_plane(const atemi_support_plane *plane, atemi_vec3 point,
                               atemi_force force)
{
    return atemi_force_at(force, atemi_vec3_sub(plane->point, point));
}

// ---- Public functions

atemi_support_plane atemi_support_plane_floor(void)
{
    const atemi_support_plane floor = {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
    return floor;
}

int atemi_site_corners(const atemi_site *site, const atemi_transform *link_pose,
                       atemi_vec3 corners[4])
{
    ATEMI_REQUIRE_OR(site && link_pose && corners, 0);

    static const double along_x[] = {-0.5, 0.5, 0.5, -0.5}, along_y[] = {-0.5, -0.5, 0.5, 0.5};
    const bool          is_wide = site->size_x > 0.0, is_long = site->size_y > 0.0;
    const int           count = is_wide && is_long ? 4 : is_wide || is_long ? 2 : 1;
    const int           step = is_wide ? 1 : 2; // a line along y is the diagonal of its rectangle
    const double        x = is_wide ? site->size_x : 0.0, y = is_long ? site->size_y : 0.0;
    for (int i = 0; i < count; ++i) {
        const int        k = i * step;
        const atemi_vec3 corner = {along_x[k] * x, along_y[k] * y, 0.0};
        corners[i] = atemi_transform_apply(link_pose, atemi_transform_apply(&site->pose, corner));
    }
    return count;
}

atemi_support atemi_support_polygon(const atemi_support_plane *plane, const atemi_vec3 *points,
                                    int count, atemi_vec3 *vertices)
{
    atemi_support support = {plane_or_floor(plane), vertices, 0};
    ATEMI_REQUIRE_OR(count >= 0 && (count == 0 || (points && vertices)), support);
    ATEMI_REQUIRE_OR(is_unit(support.plane.normal), support);
    ATEMI_REQUIRE_OR(are_finite(points, count), support);
    if (count == 0) {
        return support;
    }
    const double     rounding = 4.0 * DBL_EPSILON * largest_coordinate(points, count);
    const atemi_mat3 axes = atemi_mat3_with_z(support.plane.normal);
    to_plane(&support.plane, &axes, points, count, vertices);
    support.count = hull(vertices, count, rounding);
    to_world(&support.plane, &axes, support.count, vertices);
    return support;
}

atemi_support_margin atemi_support_distance(const atemi_support *support, atemi_vec3 point)
{
    atemi_support_margin margin = {-INFINITY, point, ATEMI_NONE};
    ATEMI_REQUIRE_OR(support && support->count >= 0, margin);
    ATEMI_REQUIRE_OR(support->count == 0 || support->vertices, margin);
    ATEMI_REQUIRE_OR(is_unit(support->plane.normal), margin);

    const atemi_vec3 p = foot_of(&support->plane, point);
    double           least = INFINITY;
    for (int i = 0; i < support->count; ++i) {
        const atemi_vec3 a = support->vertices[i], b = support->vertices[next_of(support, i)];
        const atemi_vec3 nearest = nearest_on_segment(a, b, p);
        const double     distance = atemi_vec3_norm(atemi_vec3_sub(p, nearest));
        if (distance < least) {
            least = distance;
            margin.nearest = nearest;
            margin.edge = i;
        }
    }
    margin.distance = is_inside(support, p) ? least : -least;
    return margin;
}

bool atemi_center_of_pressure(const atemi_support_plane *plane, const atemi_vec3 *points,
                              const atemi_force *forces, int count, atemi_vec3 *center)
{
    const atemi_support_plane ground = plane_or_floor(plane);
    ATEMI_REQUIRE_OR(count >= 0 && (count == 0 || (points && forces)) && center, false);
    ATEMI_REQUIRE_OR(is_unit(ground.normal), false);

    atemi_force sum = {0};
    double      size = 0.0;
    for (int i = 0; i < count; ++i) {
        sum = atemi_force_add(sum, about_plane(&ground, points[i], forces[i]));
        size += atemi_vec3_norm(forces[i].linear);
    }
    return center_of_wrench(&ground, sum, size, center);
}

bool atemi_zmp_from_momentum(const atemi_support_plane *plane, double mass, atemi_vec3 gravity,
                             atemi_vec3 center_of_mass, atemi_force rate, atemi_vec3 *zmp)
{
    const atemi_support_plane ground = plane_or_floor(plane);
    ATEMI_REQUIRE_OR(zmp && is_unit(ground.normal), false);

    const atemi_vec3  weight = atemi_vec3_scale(mass, gravity);
    const atemi_force push = {atemi_vec3_sub(rate.linear, weight), rate.angular};
    return center_of_wrench(&ground, about_plane(&ground, center_of_mass, push),
                            atemi_vec3_norm(weight) + atemi_vec3_norm(rate.linear), zmp);
}

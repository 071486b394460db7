// SPDX-License-Identifier: Apache-2.0

#include "contact/shapes/convex.h"

#include <math.h>

// The point of a flat shape that is nearest to one outside is in the face that has its foot, or
// else on an edge. Two segments a + s u and b + t w are nearest where s is that of the lines, t the
// nearest to that and s to this, each within 0 to 1 [Ericson05, 5.1.9].

static const atemi_vec3 upwards = {0.0, 0.0, 1.0};

static double within(double part)
{
    return part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
}

// ---- Segments -------------------------------------------------------------------------------

static double part_nearest(atemi_vec3 from, atemi_vec3 along, atemi_vec3 point)
{
    const double square = atemi_vec3_dot(along, along);
    return square > 0.0 ? within(atemi_vec3_dot(along, atemi_vec3_sub(point, from)) / square) : 0.0;
}

atemi_nearest_parts atemi_segments_nearest(atemi_vec3 a, atemi_vec3 a_end, atemi_vec3 b,
                                           atemi_vec3 b_end)
{
    const atemi_vec3 u = atemi_vec3_sub(a_end, a), w = atemi_vec3_sub(b_end, b);
    const atemi_vec3 r = atemi_vec3_sub(a, b);
    const double uu = atemi_vec3_dot(u, u), ww = atemi_vec3_dot(w, w), uw = atemi_vec3_dot(u, w);
    const double scale = uu * ww - uw * uw;
    const double lines = uw * atemi_vec3_dot(w, r) - ww * atemi_vec3_dot(u, r);
    const double s = scale > 1e-12 * uu * ww ? within(lines / scale) : 0.5;
    const double t = part_nearest(b, w, atemi_point_between(a, a_end, s));
    return (atemi_nearest_parts){part_nearest(a, u, atemi_point_between(b, b_end, t)), t};
}

// From a place on the shape, outside of which the point is; `otherwise` where it is at the place.
static atemi_convex_distance from_place(atemi_vec3 place, atemi_vec3 point, double radius,
                                        atemi_vec3 otherwise)
{
    const atemi_vec3 off = atemi_vec3_sub(point, place);
    const double     distance = atemi_vec3_norm(off);
    return (atemi_convex_distance){
        distance - radius, distance > 0.0 ? atemi_vec3_scale(1.0 / distance, off) : otherwise};
}

// ---- Round shapes and cylinders -------------------------------------------------------------

static atemi_convex_distance from_cylinder(const atemi_convex *c, atemi_vec3 p)
{
    const double     rho = hypot(p.x, p.y), side = rho - c->radius, cap = fabs(p.z) - c->half;
    const atemi_vec3 up = {0.0, 0.0, p.z < 0.0 ? -1.0 : 1.0};
    const atemi_vec3 out =
        rho > 0.0 ? (atemi_vec3){p.x / rho, p.y / rho, 0.0} : (atemi_vec3){1.0, 0.0, 0.0};
    if (side > 0.0 && cap > 0.0) {
        const atemi_vec3 rim = {c->radius * out.x, c->radius * out.y, up.z * c->half};
        return from_place(rim, p, 0.0, up);
    }
    return side > cap ? (atemi_convex_distance){side, out} : (atemi_convex_distance){cap, up};
}

// ---- Flat shapes ----------------------------------------------------------------------------

static bool has_foot(const atemi_convex *c, const atemi_convex_face *face, atemi_vec3 point)
{
    for (int i = 0; i < face->count; ++i) {
        const atemi_vec3 from = c->vertices[c->corners[face->first + i]];
        const atemi_vec3 to = c->vertices[c->corners[face->first + (i + 1) % face->count]];
        const atemi_vec3 out = atemi_vec3_cross(atemi_vec3_sub(to, from), face->normal);
        if (atemi_vec3_dot(out, atemi_vec3_sub(point, from)) > 0.0) {
            return false;
        }
    }
    return true;
}

static atemi_convex_distance from_edges(const atemi_convex *c, atemi_vec3 point,
                                        atemi_vec3 otherwise)
{
    atemi_convex_distance best = {INFINITY, otherwise};
    for (int e = 0; e < c->edge_count; ++e) {
        const atemi_vec3 from = c->vertices[c->edges[e].from], to = c->vertices[c->edges[e].to];
        const double     part = part_nearest(from, atemi_vec3_sub(to, from), point);
        const atemi_convex_distance d =
            from_place(atemi_point_between(from, to, part), point, 0.0, otherwise);
        best = d.gap < best.gap ? d : best;
    }
    return best;
}

static atemi_convex_distance from_flat(const atemi_convex *c, atemi_vec3 point)
{
    atemi_convex_distance most = {-INFINITY, upwards};
    for (int f = 0; f < c->face_count; ++f) {
        const atemi_convex_face *face = &c->faces[f];
        const double             gap = atemi_vec3_dot(face->normal, point) - face->offset;
        if (gap > 0.0 && has_foot(c, face, point)) {
            return (atemi_convex_distance){gap, face->normal};
        }
        most = gap > most.gap ? (atemi_convex_distance){gap, face->normal} : most;
    }
    return most.gap > 0.0 ? from_edges(c, point, most.normal) : most;
}

// ---- The interface --------------------------------------------------------------------------

atemi_convex_distance atemi_convex_from_point(const atemi_convex *convex, atemi_vec3 point)
{
    if (convex->kind == ATEMI_CONVEX_FLAT) {
        return from_flat(convex, point);
    }
    if (convex->kind == ATEMI_CONVEX_CYLINDER) {
        return from_cylinder(convex, point);
    }
    const atemi_vec3 place = {0.0, 0.0, fmax(-convex->half, fmin(convex->half, point.z))};
    return from_place(place, point, convex->radius, (atemi_vec3){1.0, 0.0, 0.0});
}

double atemi_convex_support(const atemi_convex *convex, atemi_vec3 direction)
{
    if (convex->kind == ATEMI_CONVEX_CYLINDER) {
        return convex->radius * hypot(direction.x, direction.y) + convex->half * fabs(direction.z);
    }
    if (convex->kind == ATEMI_CONVEX_ROUND) {
        return convex->radius * atemi_vec3_norm(direction) + convex->half * fabs(direction.z);
    }
    double most = -(double)INFINITY;
    for (int i = 0; i < convex->vertex_count; ++i) {
        const double along = atemi_vec3_dot(direction, convex->vertices[i]);
        most = along > most ? along : most;
    }
    return most;
}

int atemi_convex_face_along(const atemi_convex *convex, atemi_vec3 direction)
{
    int    best = 0;
    double most = -(double)INFINITY;
    for (int f = 0; f < convex->face_count; ++f) {
        const double along = atemi_vec3_dot(convex->faces[f].normal, direction);
        if (along > most) {
            most = along;
            best = f;
        }
    }
    return best;
}

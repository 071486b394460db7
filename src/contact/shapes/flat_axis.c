// SPDX-License-Identifier: Apache-2.0

#include "contact/shapes/flat_touch.h"

#include <math.h>

// Two convex shapes are apart if they are along some axis. For flat shapes these are the normals of
// their faces and, for pairs of edges, the normals of both: those pairs whose arcs cross on the
// sphere of normals, one taken from the other side [Gregorius13]. For cylinders there are also the
// normals of their axis and an edge, and those from the axis to a vertex; from the best of all
// these, a search in ever smaller turns ends where a rim touches an edge or another rim.
//
// Faces that are nearly parallel touch in a polygon, of which each corner has its own gap: edges,
// which would be a little farther apart, are not looked at then.
//
// The gap along a normal n from b to a is  -h_a(-n) - h_b(n),  with the support h.

// An edge must be better than a face by this part of the shapes' size: flat on flat, both are the
// same.
static const double preference = 1e-6;

// Of the turns of a search: from 0.25 rad to 1e-7.
enum { HALVINGS = 21, MOST_ROUNDS = 16, IDLE_ROUNDS = 3 };

static const double pi = 3.14159265358979324, golden = 2.39996322972865332; // rad

// Faces are parallel within the angle of this sine.
static const double face_on_face = 0.1;

static atemi_vec3 negative(atemi_vec3 x)
{
    return atemi_vec3_scale(-1.0, x);
}

int atemi_flat_face_count(const atemi_convex *convex)
{
    return convex->kind == ATEMI_CONVEX_CYLINDER ? 2 : convex->face_count;
}

atemi_convex_face atemi_flat_face(const atemi_convex *convex, int index)
{
    if (convex->kind == ATEMI_CONVEX_CYLINDER) {
        return (atemi_convex_face){.normal = {0.0, 0.0, index ? -1.0 : 1.0},
                                   .offset = convex->half};
    }
    return convex->faces[index];
}

static atemi_vec3 from_b(const atemi_flat_pair *pair, atemi_vec3 x)
{
    return atemi_mat3_apply(&pair->pose.rotation, x);
}

static atemi_vec3 vertex_of_b(const atemi_flat_pair *pair, int index)
{
    return atemi_transform_apply(&pair->pose, pair->b->vertices[index]);
}

// The support of b along n, seen from a.
static double support_of_b(const atemi_flat_pair *pair, atemi_vec3 n)
{
    return atemi_convex_support(pair->b, atemi_mat3_apply_transposed(&pair->pose.rotation, n)) +
           atemi_vec3_dot(n, pair->pose.position);
}

static void take_better(atemi_axis *best, atemi_axis_kind kind, int i, int j, double gap,
                        double more, atemi_vec3 normal)
{
    if (gap > best->gap + more) {
        *best = (atemi_axis){kind, i, j, gap, normal};
    }
}

// ---- Faces ----------------------------------------------------------------------------------

static void try_faces(const atemi_flat_pair *pair, atemi_axis *best)
{
    for (int i = 0; i < atemi_flat_face_count(pair->a); ++i) {
        const atemi_convex_face face = atemi_flat_face(pair->a, i);
        const atemi_vec3        n = negative(face.normal);
        take_better(best, ATEMI_AXIS_FACE_OF_A, i, 0, -face.offset - support_of_b(pair, n), 0.0, n);
    }
    const double more = preference * (pair->a->bound + pair->b->bound);
    for (int i = 0; i < atemi_flat_face_count(pair->b); ++i) {
        const atemi_convex_face face = atemi_flat_face(pair->b, i);
        const atemi_vec3        n = from_b(pair, face.normal);
        const double            gap = -atemi_convex_support(pair->a, negative(n)) - face.offset -
                           atemi_vec3_dot(n, pair->pose.position);
        take_better(best, ATEMI_AXIS_FACE_OF_B, i, 0, gap, i ? 0.0 : more, n);
    }
}

// ---- Edges ----------------------------------------------------------------------------------

static double triple(atemi_vec3 a, atemi_vec3 b, atemi_vec3 c)
{
    return atemi_vec3_dot(a, atemi_vec3_cross(b, c));
}

// Whether the arcs between the normals of two edges cross, those of the second one negated.
static bool cross_on_sphere(const atemi_convex_edge *a, atemi_vec3 left, atemi_vec3 right)
{
    const double c = triple(left, a->right, a->left), d = triple(right, a->right, a->left);
    const double e = triple(a->left, right, left), f = triple(a->right, right, left);
    return c * d < 0.0 && e * f < 0.0 && c * f > 0.0;
}

static void try_edge_pair(const atemi_flat_pair *pair, int i, int j, double more, atemi_axis *best)
{
    const atemi_convex_edge *of_a = &pair->a->edges[i], *of_b = &pair->b->edges[j];
    const atemi_vec3         at = pair->a->vertices[of_a->from], on = vertex_of_b(pair, of_b->from);
    const atemi_vec3         u = atemi_vec3_sub(pair->a->vertices[of_a->to], at);
    const atemi_vec3         w = atemi_vec3_sub(vertex_of_b(pair, of_b->to), on);
    const atemi_vec3         across = atemi_vec3_cross(u, w);
    const double             size = atemi_vec3_norm(across);
    if (size <= 1e-6 * atemi_vec3_norm(u) * atemi_vec3_norm(w)) {
        return;
    }
    const double side =
        atemi_vec3_dot(across, atemi_vec3_sub(at, pair->a->center)) > 0.0 ? -1.0 : 1.0;
    const atemi_vec3 n = atemi_vec3_scale(side / size, across);
    take_better(best, ATEMI_AXIS_EDGES, i, j, atemi_vec3_dot(n, atemi_vec3_sub(at, on)), more, n);
}

static void try_edges(const atemi_flat_pair *pair, atemi_axis *best)
{
    const double more = preference * (pair->a->bound + pair->b->bound);
    for (int j = 0; j < pair->b->edge_count; ++j) {
        const atemi_vec3 left = negative(from_b(pair, pair->b->edges[j].left));
        const atemi_vec3 right = negative(from_b(pair, pair->b->edges[j].right));
        for (int i = 0; i < pair->a->edge_count; ++i) {
            if (cross_on_sphere(&pair->a->edges[i], left, right)) {
                const double than = best->kind == ATEMI_AXIS_EDGES ? 0.0 : more;
                try_edge_pair(pair, i, j, than, best);
            }
        }
    }
}

// ---- Cylinders ------------------------------------------------------------------------------

// Along an axis of any length and sign.
static void try_line(const atemi_flat_pair *pair, atemi_vec3 axis, atemi_axis *best)
{
    const double     size = atemi_vec3_norm(axis);
    const atemi_vec3 between =
        atemi_vec3_sub(pair->a->center, atemi_transform_apply(&pair->pose, pair->b->center));
    if (size <= 1e-9) {
        return;
    }
    const double     sign = atemi_vec3_dot(axis, between) < 0.0 ? -1.0 : 1.0;
    const atemi_vec3 n = atemi_vec3_scale(sign / size, axis);
    const double     gap = -atemi_convex_support(pair->a, negative(n)) - support_of_b(pair, n);
    const double     more =
        best->kind == ATEMI_AXIS_LINE ? 0.0 : preference * (pair->a->bound + pair->b->bound);
    take_better(best, ATEMI_AXIS_LINE, 0, 0, gap, more, n);
}

static atemi_vec3 across(atemi_vec3 x, atemi_vec3 axis)
{
    return atemi_vec3_sub(x, atemi_vec3_scale(atemi_vec3_dot(x, axis), axis));
}

// A cylinder about `axis` through `middle`, and a flat shape at `pose`, seen from a.
static void try_cylinder(const atemi_flat_pair *pair, atemi_vec3 axis, atemi_vec3 middle,
                         const atemi_convex *flat, const atemi_transform *pose, atemi_axis *best)
{
    for (int i = 0; i < flat->edge_count; ++i) {
        const atemi_vec3 from = flat->vertices[flat->edges[i].from];
        const atemi_vec3 edge = atemi_vec3_sub(flat->vertices[flat->edges[i].to], from);
        const atemi_vec3 along = atemi_mat3_apply(&pose->rotation, edge);
        try_line(pair, atemi_vec3_scale(1.0 / flat->bound, atemi_vec3_cross(axis, along)), best);
    }
    for (int i = 0; i < flat->vertex_count; ++i) {
        const atemi_vec3 vertex = atemi_transform_apply(pose, flat->vertices[i]);
        try_line(pair, across(atemi_vec3_sub(vertex, middle), axis), best);
    }
}

static void try_cylinders(const atemi_flat_pair *pair, atemi_axis *best)
{
    const atemi_vec3      up = {0.0, 0.0, 1.0}, none = {0.0, 0.0, 0.0}, axis = from_b(pair, up);
    const atemi_transform here = atemi_transform_identity();
    const bool            first = pair->a->kind == ATEMI_CONVEX_CYLINDER;
    const bool            second = pair->b->kind == ATEMI_CONVEX_CYLINDER;
    if (first && second) {
        try_line(pair, atemi_vec3_cross(up, axis), best);
        try_line(pair, across(pair->pose.position, up), best);
        try_line(pair, across(pair->pose.position, axis), best);
        try_line(pair, pair->pose.position, best);
    } else if (first) {
        try_cylinder(pair, up, none, pair->b, &pair->pose, best);
    } else if (second) {
        try_cylinder(pair, axis, pair->pose.position, pair->a, &here, best);
    }
}

// One round of a search: in four directions. Whether one of them is better.
static bool look_around(const atemi_flat_pair *pair, double turn, double angle, atemi_axis *best)
{
    const atemi_mat3 axes = atemi_mat3_with_z(best->normal);
    const atemi_vec3 from = best->normal;
    const double     before = best->gap;
    for (int i = 0; i < 4; ++i) {
        const double     at = angle + 0.5 * pi * i;
        const atemi_vec3 to = {turn * cos(at), turn * sin(at), 1.0};
        try_line(pair, atemi_mat3_apply(&axes, to), best);
    }
    // once more as far as that went
    try_line(pair, atemi_vec3_sub(atemi_vec3_scale(2.0, best->normal), from), best);
    return best->gap > before;
}

// A rim against an edge or another rim: from the best axis so far, to where the gap is largest. The
// gap has ridges, on which it grows in a narrow range of directions only: each round looks in
// others.
static void refine(const atemi_flat_pair *pair, atemi_axis *best)
{
    double turn = 0.25, angle = 0.0;
    for (int halved = 0; halved < HALVINGS; ++halved, turn *= 0.5) {
        for (int round = 0, idle = 0; round < MOST_ROUNDS && idle < IDLE_ROUNDS; ++round) {
            idle = look_around(pair, turn, angle, best) ? 0 : idle + 1;
            angle += golden;
        }
    }
}

// The same from the line through the centres, as there may be several such axes.
static void refine_from_centers(const atemi_flat_pair *pair, atemi_axis *best)
{
    atemi_axis       other = {.kind = ATEMI_AXIS_LINE, .gap = -(double)INFINITY};
    const atemi_vec3 between =
        atemi_vec3_sub(pair->a->center, atemi_transform_apply(&pair->pose, pair->b->center));
    try_line(pair, between, &other);
    if (isfinite(other.gap)) {
        refine(pair, &other);
        try_line(pair, other.normal, best);
    }
}

// Sine of the angle by which the other one's face leans that looks along an axis, of a face; 1 if
// it looks away.
static double lean_of_faces(const atemi_flat_pair *pair, const atemi_axis *axis)
{
    const bool              of_a = axis->kind == ATEMI_AXIS_FACE_OF_A;
    const atemi_convex     *other = of_a ? pair->b : pair->a;
    const atemi_vec3        towards = of_a
                                          ? atemi_mat3_apply_transposed(&pair->pose.rotation, axis->normal)
                                          : negative(axis->normal);
    const atemi_convex_face face =
        other->kind == ATEMI_CONVEX_CYLINDER
            ? atemi_flat_face(other, towards.z < 0.0)
            : atemi_flat_face(other, atemi_convex_face_along(other, towards));
    return atemi_vec3_dot(face.normal, towards) > 0.0
               ? atemi_vec3_norm(atemi_vec3_cross(face.normal, towards))
               : 1.0;
}

// Cylinders may be apart sideways, where faces at their ends are parallel: by more than these can
// be off because they lean.
static void try_round(const atemi_flat_pair *pair, double off, atemi_axis *best)
{
    atemi_axis line = *best;
    try_cylinders(pair, &line);
    if (off == 0.0 || line.gap > best->gap + off) {
        refine(pair, &line);
        refine_from_centers(pair, &line);
        *best = line;
    }
}

atemi_axis atemi_flat_axis(const atemi_flat_pair *pair, double reach)
{
    const bool round =
        pair->a->kind == ATEMI_CONVEX_CYLINDER || pair->b->kind == ATEMI_CONVEX_CYLINDER;
    atemi_axis best = {.gap = -(double)INFINITY, .normal = {0.0, 0.0, 1.0}};
    try_faces(pair, &best);
    if (best.gap > reach) {
        return best;
    }
    const double lean = lean_of_faces(pair, &best);
    const double size = pair->a->bound + pair->b->bound;
    if (lean > face_on_face) {
        try_edges(pair, &best);
    }
    if (round) {
        try_round(pair, lean > face_on_face ? 0.0 : (preference + lean) * size, &best);
    }
    return best;
}

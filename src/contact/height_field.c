// SPDX-License-Identifier: Apache-2.0

#include "contact/height_field.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// The surface z = h(x, y). Along each axis, between two nodes, h is the polynomial of fifth degree
// that has at both of them the height f, the slope and the second derivative of the central
// differences
//
//   (f_1 - f_-1) / 2,    f_1 - 2 f_0 + f_-1        (in units of the spacing)
//
// At the edge of the table the slope is that of the last two heights and the second derivative
// zero. Beyond it, the slope falls to zero within a spacing, by 1 - 3 u^2 + 2 u^3, and the surface
// goes on level. So h has continuous second derivatives and depends on 4 x 4 nodes only. It is
// exact for planes, and for polynomials of second degree but for the cells along the edge.
//
// At the distance d along the normal n, with B the bending of the surface itself, in its tangent
// plane, the second derivative of the distance is
//
//   bending = (1 + d B)^-1 B,    B = -h'' / sqrt(1 + |h'|^2)  along the surface

static const int samples = 4; // a cell and axis, for the sharpest valley

static const double focal = 1e-3; // the least det(1 + d B) that counts, near centres of curvature

// The four nodes about a coordinate, and what they weigh in value, slope and curvature.
typedef struct weights {
    int    node[4];
    double value[4], slope[4], curvature[4];
} weights;

// ---- The surface

static int clamped(int i, int count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

// What the nodes before, at, after and after that of a cell weigh, as polynomials of the place in
// it: coefficients of 1, t, t^2, ... Beyond the edge the first two count, the edge and the node
// before it.
enum { DEGREE = 5 };

typedef const double shape[DEGREE + 1][4];

static shape inner_cell = {{0.0, 1.0, 0.0, 0.0},   {-0.5, 0.0, 0.5, 0.0},  {0.5, -1.0, 0.5, 0.0},
                           {1.5, -4.5, 4.5, -1.5}, {-2.5, 7.5, -7.5, 2.5}, {1.0, -3.0, 3.0, -1.0}};
static shape first_cell = {{0.0, 1.0, 0.0, 0.0},   {0.0, -1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0},
                           {0.0, -1.5, 3.0, -1.5}, {0.0, 2.5, -5.0, 2.5}, {0.0, -1.0, 2.0, -1.0}};
static shape last_cell = {{0.0, 1.0, 0.0, 0.0},  {-0.5, 0.0, 0.5, 0.0},  {0.5, -1.0, 0.5, 0.0},
                          {1.5, -3.0, 1.5, 0.0}, {-2.5, 5.0, -2.5, 0.0}, {1.0, -2.0, 1.0, 0.0}};
static shape only_cell = {{0.0, 1.0, 0.0, 0.0}, {0.0, -1.0, 1.0, 0.0}};
static shape beyond_edge = {{1.0}, {1.0, -1.0}, {0.0}, {-1.0, 1.0}, {0.5, -0.5}};

// Horner's rule, with derivatives; `way` is dt / dx.
static weights weights_of(shape c, double t, double way)
{
    weights w = {{0}, {0.0}, {0.0}, {0.0}};
    for (int i = DEGREE; i >= 0; --i) {
        for (int k = 0; k < 4; ++k) {
            w.curvature[k] = w.curvature[k] * t + w.slope[k];
            w.slope[k] = w.slope[k] * t + w.value[k];
            w.value[k] = w.value[k] * t + c[i][k];
        }
    }
    for (int k = 0; k < 4; ++k) {
        w.slope[k] *= way;
        w.curvature[k] *= 2.0 * way * way;
    }
    return w;
}

// u spacings beyond the node `edge`, with `next` before it.
static weights weights_beyond(double u, int edge, int next, double way)
{
    weights w = weights_of(beyond_edge, u < 1.0 ? u : 1.0, way);
    w.node[0] = w.node[2] = w.node[3] = edge;
    w.node[1] = next;
    return w;
}

static weights weights_at(double x, double spacing, int count)
{
    const double way = 1.0 / spacing, at = x * way;
    if (!(at > 0.0)) {
        return weights_beyond(-at, 0, 1, -way);
    }
    if (!(at < count - 1)) {
        return weights_beyond(at - (count - 1), count - 1, count - 2, way);
    }
    const int  cell = (int)at;
    const bool first = cell == 0, last = cell == count - 2;
    weights    w = weights_of(first && last ? only_cell
                              : first       ? first_cell
                              : last        ? last_cell
                                            : inner_cell,
                           at - cell, way);
    for (int k = 0; k < 4; ++k) {
        w.node[k] = clamped(cell - 1 + k, count);
    }
    return w;
}

static double node_height(const atemi_height_table *table, int column, int row)
{
    return table->heights[(size_t)row * (size_t)table->columns + (size_t)column];
}

static double dot(const double *a, const double *b)
{
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

atemi_height_patch atemi_height_patch_at(const atemi_height_table *table, atemi_height_place u)
{
    const weights x = weights_at(u.x, table->spacing_x, table->columns);
    const weights y = weights_at(u.y, table->spacing_y, table->rows);
    double        value[4] = {0.0}, slope[4] = {0.0}, curvature[4] = {0.0}; // along y
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const double f = node_height(table, x.node[j], y.node[i]);
            value[j] += y.value[i] * f;
            slope[j] += y.slope[i] * f;
            curvature[j] += y.curvature[i] * f;
        }
    }
    return (atemi_height_patch){.h = dot(x.value, value),
                                .x = dot(x.slope, value),
                                .y = dot(x.value, slope),
                                .xx = dot(x.curvature, value),
                                .xy = dot(x.slope, slope),
                                .yy = dot(x.value, curvature)};
}

double atemi_height_field_height(const atemi_height_table *table, double x, double y)
{
    return atemi_height_patch_at(table, (atemi_height_place){x, y}).h;
}

// ---- What is seen

// The tangent plane: two unit vectors across each other and the normal.
typedef struct frame {
    atemi_vec3 first, second, normal;
    double     length; ///< sqrt(1 + |h'|^2)
} frame;

static frame frame_of(const atemi_height_patch *f)
{
    const double     across = sqrt(1.0 + f->x * f->x), length = sqrt(across * across + f->y * f->y);
    const atemi_vec3 first = {1.0 / across, 0.0, f->x / across};
    const atemi_vec3 normal = {-f->x / length, -f->y / length, 1.0 / length};
    return (frame){first, atemi_vec3_cross(normal, first), normal, length};
}

// a.(-h'') b / sqrt(1 + |h'|^2)
static double bend(const atemi_height_patch *f, const frame *t, atemi_vec3 a, atemi_vec3 b)
{
    return -(a.x * (f->xx * b.x + f->xy * b.y) + a.y * (f->xy * b.x + f->yy * b.y)) / t->length;
}

// A symmetric matrix of the tangent plane.
typedef struct tangent2 {
    double xx, xy, yy;
} tangent2;

static tangent2 bending_of(const atemi_height_patch *f, const frame *t)
{
    return (tangent2){bend(f, t, t->first, t->first), bend(f, t, t->first, t->second),
                      bend(f, t, t->second, t->second)};
}

// (1 + d B)^-1 B = (B + d det B) / det(1 + d B)
static tangent2 bending_away(tangent2 B, double d)
{
    const double det = B.xx * B.yy - B.xy * B.xy;
    const double s = 1.0 / fmax(1.0 + d * (B.xx + B.yy) + d * d * det, focal);
    return (tangent2){s * (B.xx + d * det), s * B.xy, s * (B.yy + d * det)};
}

static double weigh(const tangent2 *B, double a, double b, double c, double d)
{
    return B->xx * a * b + B->xy * (a * d + b * c) + B->yy * c * d;
}

static atemi_symmetric3 in_space(const tangent2 *B, atemi_vec3 a, atemi_vec3 b)
{
    return (atemi_symmetric3){
        .xx = weigh(B, a.x, a.x, b.x, b.x),
        .yy = weigh(B, a.y, a.y, b.y, b.y),
        .zz = weigh(B, a.z, a.z, b.z, b.z),
        .xy = weigh(B, a.x, a.y, b.x, b.y),
        .xz = weigh(B, a.x, a.z, b.x, b.z),
        .yz = weigh(B, a.y, a.z, b.y, b.z),
    };
}

atemi_surface_view atemi_height_field_look(const atemi_height_table *table, atemi_vec3 point)
{
    const atemi_height_foot foot = atemi_height_foot_of(table, point);
    const atemi_vec3        at = {foot.at.x, foot.at.y, foot.patch.h};
    const frame             t = frame_of(&foot.patch);
    const double            gap = atemi_vec3_dot(t.normal, atemi_vec3_sub(point, at));
    const tangent2          B = bending_away(bending_of(&foot.patch, &t), gap);
    return (atemi_surface_view){
        .gap = gap, .normal = t.normal, .bending = in_space(&B, t.first, t.second)};
}

// ---- Valleys

static double valley_at(const atemi_height_table *table, atemi_height_place u)
{
    const atemi_height_patch f = atemi_height_patch_at(table, u);
    const frame              t = frame_of(&f);
    const tangent2           B = bending_of(&f, &t);
    const double             half = 0.5 * (B.xx - B.yy);
    return sqrt(half * half + B.xy * B.xy) - 0.5 * (B.xx + B.yy);
}

atemi_height_field_valley atemi_height_field_sharpest(const atemi_height_table *table)
{
    atemi_height_field_valley sharpest = {0};
    for (int i = -samples; i <= samples * table->rows; ++i) {
        for (int j = -samples; j <= samples * table->columns; ++j) {
            const atemi_height_place u = {j * table->spacing_x / samples,
                                          i * table->spacing_y / samples};
            const double             curvature = valley_at(table, u);
            if (curvature > sharpest.curvature) {
                sharpest = (atemi_height_field_valley){curvature, u.x, u.y};
            }
        }
    }
    return sharpest;
}

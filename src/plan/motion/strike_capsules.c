// SPDX-License-Identifier: Apache-2.0

#include "plan/motion/strike_capsules.h"

#include "model/shape_capsule.h"

#include <math.h>
#include <string.h>

// Two capsules of radii r and R have the middle lines a + s u and b + t w, s and t from 0 to 1, and
// the distance
//
//   d = min |a + s u - b - t w| - r - R
//
// Between parallel lines the nearest places jump, and d has kinks. With a little e,
//
//   V = min |a + s u - b - t w|^2 + e (u^2 (s - 1/2)^2 + w^2 (t - 1/2)^2)
//
// has exactly one minimum, which moves continuously, and dV = 2 (p - q) . (dp - dq) with the places
// p and q of that minimum held fixed on their links. So d = sqrt(V + h^2) - h - r - R is smooth,
// also where lines cross. The minimum is inside, or on one of the four sides of the square of s and
// t.

static const double e = 1e-4;
static const double h = 1e-4;     // m
static const double slack = 0.05; // m: of a box around a link's joints

// ---- Distances

static double within(double part)
{
    return fmin(fmax(part, 0.0), 1.0);
}

// V = A s^2 - 2 B s t + C t^2 + 2 D s + 2 E t + F
typedef struct square {
    double A, B, C, D, E, F;
} square;

static double value_at(const square *k, double s, double t)
{
    return k->A * s * s - 2.0 * k->B * s * t + k->C * t * t + 2.0 * (k->D * s + k->E * t) + k->F;
}

static square square_of(const strike_capsule *a, const strike_capsule *b, double bend)
{
    const atemi_vec3 r = atemi_vec3_sub(a->start, b->start);
    const double     uu = atemi_vec3_dot(a->axis, a->axis), ww = atemi_vec3_dot(b->axis, b->axis);
    return (square){.A = (1.0 + bend) * uu,
                    .B = atemi_vec3_dot(a->axis, b->axis),
                    .C = (1.0 + bend) * ww,
                    .D = atemi_vec3_dot(a->axis, r) - 0.5 * bend * uu,
                    .E = -atemi_vec3_dot(b->axis, r) - 0.5 * bend * ww,
                    .F = atemi_vec3_dot(r, r) + 0.25 * bend * (uu + ww)};
}

static double least_along(double curvature, double slope)
{
    return curvature > 0.0 ? within(-slope / curvature) : 0.5;
}

static void try_place(const square *k, double s, double t, double *best, double at[2])
{
    const double value = value_at(k, s, t);
    if (value < *best) {
        *best = value;
        at[0] = s;
        at[1] = t;
    }
}

// @return V
static double minimize(const square *k, double at[2])
{
    const double det = k->A * k->C - k->B * k->B;
    double       best = INFINITY;
    if (det > 0.0) {
        const double s = -(k->C * k->D + k->B * k->E) / det, t = -(k->A * k->E + k->B * k->D) / det;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
            try_place(k, s, t, &best, at);
            return fmax(best, 0.0);
        }
    }
    for (int side = 0; side < 2; ++side) {
        try_place(k, side, least_along(k->C, k->E - k->B * side), &best, at);
        try_place(k, least_along(k->A, k->D - k->B * side), side, &best, at);
    }
    return fmax(best, 0.0);
}

strike_gap strike_capsule_gap(const strike_capsule *a, const strike_capsule *b)
{
    const square k = square_of(a, b, e);
    double       at[2] = {0.5, 0.5};
    const double length = sqrt(minimize(&k, at) + h * h);
    strike_gap   gap = {.distance = length - h - a->radius - b->radius};
    gap.first = atemi_vec3_add(a->start, atemi_vec3_scale(at[0], a->axis));
    gap.second = atemi_vec3_add(b->start, atemi_vec3_scale(at[1], b->axis));
    gap.away = atemi_vec3_scale(1.0 / length, atemi_vec3_sub(gap.second, gap.first));
    return gap;
}

double strike_capsule_distance(const strike_capsule *a, const strike_capsule *b)
{
    const square k = square_of(a, b, 0.0);
    double       at[2];
    return sqrt(minimize(&k, at)) - a->radius - b->radius;
}

strike_capsule strike_capsule_placed(const strike_capsule *capsule, const atemi_model *model,
                                     const atemi_kinematics *kinematics)
{
    const atemi_transform pose = atemi_link_pose_in(model, kinematics, capsule->link);
    return (strike_capsule){capsule->link, atemi_transform_apply(&pose, capsule->start),
                            atemi_mat3_apply(&pose.rotation, capsule->axis), capsule->radius};
}

// ---- Capsules of links

static strike_capsule capsule_in(const atemi_geometry *shape)
{
    const shape_capsule c = shape_capsule_in(shape);
    return (strike_capsule){shape->link, c.from, atemi_vec3_sub(c.to, c.from), c.radius};
}

enum { SWEEPS = 30 };

// Principal axes as columns, by Jacobi's rotations [GolubVanLoan13, 8.5].
static void find_principal(double A[3][3], double axes[3][3])
{
    memset(axes, 0, 9 * sizeof axes[0][0]);
    axes[0][0] = axes[1][1] = axes[2][2] = 1.0;
    for (int n = 0; n < SWEEPS; ++n) {
        const int    p = n % 3 == 2 ? 1 : 0, q = n % 3 == 0 ? 1 : 2;
        const double angle = 0.5 * atan2(2.0 * A[p][q], A[q][q] - A[p][p]);
        const double c = cos(angle), s = sin(angle);
        for (int i = 0; i < 3; ++i) {
            const double x = A[i][p], y = A[i][q], ax = axes[i][p], ay = axes[i][q];
            A[i][p] = c * x - s * y;
            A[i][q] = s * x + c * y;
            axes[i][p] = c * ax - s * ay;
            axes[i][q] = s * ax + c * ay;
        }
        for (int i = 0; i < 3; ++i) {
            const double x = A[p][i], y = A[q][i];
            A[p][i] = c * x - s * y;
            A[q][i] = s * x + c * y;
        }
    }
}

static double side_of(double one, double two, double own, double mass)
{
    return mass > 0.0 ? sqrt(fmax(6.0 * (one + two - own) / mass, 0.0)) : 0.0;
}

// How far from its origin and its centre of mass a link goes on, at least.
static double reach_of(const atemi_model *model, int link)
{
    const atemi_vec3 com = atemi_model_link(model, link)->inertia.com;
    double           reach = atemi_vec3_norm(com);
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        const atemi_vec3   there = joint->origin.position;
        if (joint->parent_link == link) {
            reach = fmax(reach,
                         fmax(atemi_vec3_norm(there), atemi_vec3_norm(atemi_vec3_sub(there, com))));
        }
    }
    return reach;
}

// In the uniform box that has the mass and inertia of a link. One that is larger than the link has
// an inertia that somebody made up.
static strike_capsule capsule_of_inertia(const atemi_model *model, int link)
{
    const atemi_inertia    inertia = atemi_model_link(model, link)->inertia;
    const atemi_symmetric3 I = inertia.rotational;
    double                 A[3][3] = {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
    double                 axes[3][3];
    find_principal(A, axes);
    atemi_geometry box = {.link = link, .shape = ATEMI_SHAPE_BOX};
    box.pose.position = inertia.com;
    box.pose.rotation = (atemi_mat3){{axes[0][0], axes[1][0], axes[2][0]},
                                     {axes[0][1], axes[1][1], axes[2][1]},
                                     {axes[0][2], axes[1][2], axes[2][2]}};
    box.size = (atemi_vec3){side_of(A[1][1], A[2][2], A[0][0], inertia.mass),
                            side_of(A[2][2], A[0][0], A[1][1], inertia.mass),
                            side_of(A[0][0], A[1][1], A[2][2], inertia.mass)};
    const double longest = fmax(box.size.x, fmax(box.size.y, box.size.z));
    return longest <= 2.0 * reach_of(model, link) + slack ? capsule_in(&box) : (strike_capsule){0};
}

static void add(strike_capsules *c, strike_capsule capsule)
{
    if (capsule.radius > 0.0) {
        if (c->list) {
            c->list[c->count] = capsule;
        }
        ++c->count;
    }
}

static void add_all(strike_capsules *c, const atemi_model *model)
{
    for (int link = 0; link < atemi_model_link_count(model); ++link) {
        const int before = c->count;
        for (int i = 0; i < atemi_model_geometry_count(model); ++i) {
            const atemi_geometry *shape = atemi_model_geometry(model, i);
            if (shape->link == link && shape->collision) {
                add(c, capsule_in(shape));
            }
        }
        if (c->count == before) {
            add(c, capsule_of_inertia(model, link));
        }
    }
}

int strike_capsules_count(const atemi_model *model)
{
    strike_capsules counted = {0};
    add_all(&counted, model);
    return counted.count;
}

// ---- Pairs that are as they were made

static double *pair_of(const strike_capsules *c, const atemi_model *model, int first, int second)
{
    return c->made + (ptrdiff_t)first * atemi_model_link_count(model) + second;
}

static void ignore(const strike_capsules *c, const atemi_model *model, int first, int second)
{
    *pair_of(c, model, first, second) = *pair_of(c, model, second, first) = -INFINITY;
}

static bool has_capsule(const strike_capsules *c, int link)
{
    bool found = false;
    for (int i = 0; i < c->count; ++i) {
        found = found || c->list[i].link == link;
    }
    return found;
}

static int parent_of(const atemi_model *model, int link)
{
    const int joint = atemi_model_link(model, link)->parent_joint;
    return joint == ATEMI_NONE ? ATEMI_NONE : atemi_model_joint(model, joint)->parent_link;
}

// The next link above that has a capsule, or ATEMI_NONE; also of ATEMI_NONE.
static int above(const strike_capsules *c, const atemi_model *model, int link)
{
    link = link == ATEMI_NONE ? ATEMI_NONE : parent_of(model, link);
    while (link != ATEMI_NONE && !has_capsule(c, link)) {
        link = parent_of(model, link);
    }
    return link;
}

// The topmost link that a link does not move against.
static int body_of(const atemi_model *model, const bool *moving, int link)
{
    for (;;) {
        const int          j = atemi_model_link(model, link)->parent_joint;
        const atemi_joint *joint = j == ATEMI_NONE ? NULL : atemi_model_joint(model, j);
        bool               moves = !joint;
        for (int i = 0; joint && i < joint->v_count; ++i) {
            moves = moves || moving[joint->first_v + i];
        }
        if (moves) {
            return link;
        }
        link = joint->parent_link;
    }
}

static void ignore_links(strike_capsules *c, const atemi_model *model, const bool *moving)
{
    const int links = atemi_model_link_count(model);
    for (int i = 0; i < links; ++i) {
        const int one = above(c, model, i), two = above(c, model, one);
        if (one != ATEMI_NONE) {
            ignore(c, model, i, one);
        }
        if (two != ATEMI_NONE) {
            ignore(c, model, i, two);
        }
        for (int k = 0; k <= i; ++k) {
            if (body_of(model, moving, i) == body_of(model, moving, k)) {
                ignore(c, model, i, k);
            }
        }
    }
}

// Nor do pairs that the robot's description keeps out.
static void ignore_apart(strike_capsules *c, const atemi_model *model)
{
    const atemi_link_pair *pairs = atemi_model_apart(model);
    for (int i = 0; i < atemi_model_apart_count(model); ++i) {
        ignore(c, model, pairs[i].first, pairs[i].second);
    }
}

// Those that overlap do not count.
static void find_made(strike_capsules *c, const atemi_model *model,
                      const atemi_kinematics *kinematics)
{
    for (int i = 0; i < c->count; ++i) {
        const strike_capsule a = strike_capsule_placed(&c->list[i], model, kinematics);
        for (int k = i + 1; k < c->count; ++k) {
            const strike_capsule b = strike_capsule_placed(&c->list[k], model, kinematics);
            const double         distance = strike_capsule_distance(&a, &b);
            double              *made = pair_of(c, model, a.link, b.link);
            *made = distance < 0.0 ? (double)-INFINITY : fmin(*made, distance);
            *pair_of(c, model, b.link, a.link) = *made;
        }
    }
}

void strike_capsules_fill(strike_capsules *c, const atemi_model *model, const bool *moving,
                          double *neutral, atemi_kinematics *kinematics)
{
    const size_t links = (size_t)atemi_model_link_count(model);
    for (size_t i = 0; i < links * links; ++i) {
        c->made[i] = INFINITY;
    }
    c->count = 0;
    add_all(c, model);
    ignore_links(c, model, moving);
    ignore_apart(c, model);
    atemi_configuration_neutral(model, neutral);
    atemi_kinematics_update(model, neutral, NULL, NULL, kinematics);
    find_made(c, model, kinematics);
}

bool strike_capsules_counts(const strike_capsules *c, const atemi_model *model, int first,
                            int second)
{
    return *pair_of(c, model, first, second) >= 0.0;
}

double strike_capsules_made(const strike_capsules *c, const atemi_model *model, int first,
                            int second)
{
    return *pair_of(c, model, first, second);
}

// SPDX-License-Identifier: Apache-2.0

#include "motion/outline.h"

#include "atemi/contact.h"
#include "atemi/kinematics.h"
#include "motion/bodies.h"

#include <math.h>

// A uniform box with the sides a, b, c has the moments of inertia m (b^2 + c^2) / 12, ...:
//
//   a^2 = 6 (I_y + I_z - I_x) / m

static const double pi = 3.14159265358979323846;

enum { AROUND = 8 }; // points around the end of a cylinder

typedef void (*point_visitor)(void *context, atemi_vec3 point);

// ---- Points of shapes

static void visit_box(const atemi_geometry *shape, const atemi_transform *link, point_visitor visit,
                      void *context)
{
    for (int i = 0; i < 8; ++i) {
        const atemi_vec3 corner = {(i & 1 ? 0.5 : -0.5) * shape->size.x,
                                   (i & 2 ? 0.5 : -0.5) * shape->size.y,
                                   (i & 4 ? 0.5 : -0.5) * shape->size.z};
        visit(context, atemi_transform_apply(link, atemi_transform_apply(&shape->pose, corner)));
    }
}

static void visit_cylinder(const atemi_geometry *shape, const atemi_transform *link,
                           point_visitor visit, void *context)
{
    for (int i = 0; i < 2 * AROUND; ++i) {
        const int        around = i / 2; // both ends of the same line
        const double     angle = 2.0 * pi * around / (double)AROUND;
        const atemi_vec3 rim = {shape->size.x * cos(angle), shape->size.x * sin(angle),
                                (i & 1 ? 0.5 : -0.5) * shape->size.y};
        visit(context, atemi_transform_apply(link, atemi_transform_apply(&shape->pose, rim)));
    }
}

// The lowest point of each round end: what a foot stands on.
static void visit_round(const atemi_geometry *shape, const atemi_transform *link, atemi_vec3 up,
                        point_visitor visit, void *context)
{
    const double half = shape->shape == ATEMI_SHAPE_CAPSULE ? 0.5 * shape->size.y : 0.0;
    for (int i = 0; i < 2; ++i) {
        const atemi_vec3 end = {0.0, 0.0, i ? half : -half};
        const atemi_vec3 middle =
            atemi_transform_apply(link, atemi_transform_apply(&shape->pose, end));
        visit(context, atemi_vec3_sub(middle, atemi_vec3_scale(shape->size.x, up)));
    }
}

static void visit_shape(const outline *o, const atemi_geometry *shape, point_visitor visit,
                        void *context)
{
    const atemi_transform link = atemi_link_pose(o->data, shape->link);
    switch (shape->shape) {
    case ATEMI_SHAPE_BOX:
        visit_box(shape, &link, visit, context);
        break;
    case ATEMI_SHAPE_CYLINDER:
        visit_cylinder(shape, &link, visit, context);
        break;
    case ATEMI_SHAPE_SPHERE:
    case ATEMI_SHAPE_CAPSULE:
        visit_round(shape, &link, o->up, visit, context);
        break;
    case ATEMI_SHAPE_MESH:
        break;
    }
}

// ---- Points of a body

static void visit_shapes(const outline *o, int body, point_visitor visit, void *context)
{
    for (int i = 0; i < atemi_model_geometry_count(o->model); ++i) {
        const atemi_geometry *shape = atemi_model_geometry(o->model, i);
        if (shape->collision && atemi_body_of(o->model, shape->link) == body) {
            visit_shape(o, shape, visit, context);
        }
    }
}

static void visit_points(const outline *o, int body, point_visitor visit, void *context)
{
    for (int i = 0; i < o->point_count; ++i) {
        if (atemi_body_of(o->model, o->points[i].link) == body) {
            const atemi_transform link = atemi_link_pose(o->data, o->points[i].link);
            visit(context, atemi_transform_apply(&link, o->points[i].point));
        }
    }
}

static void visit_joints(const outline *o, int body, point_visitor visit, void *context)
{
    for (int j = 0; j < atemi_model_joint_count(o->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(o->model, j);
        if (joint->type != ATEMI_JOINT_FIXED &&
            atemi_body_of(o->model, joint->parent_link) == body) {
            const atemi_transform link = atemi_link_pose(o->data, joint->parent_link);
            visit(context, atemi_transform_apply(&link, joint->origin.position));
        }
    }
}

atemi_inertia atemi_outline_inertia(const outline *o, int body)
{
    atemi_inertia sum = {0};
    for (int i = 0; i < atemi_model_link_count(o->model); ++i) {
        if (atemi_body_of(o->model, i) == body) {
            const atemi_transform link = atemi_link_pose(o->data, i);
            const atemi_inertia   here =
                atemi_inertia_transformed(&atemi_model_link(o->model, i)->inertia, &link);
            sum = atemi_inertia_add(&sum, &here);
        }
    }
    return sum;
}

// The corners of the box, if there is one.
static void visit_inertia(const outline *o, int body, const atemi_mat3 *axes, point_visitor visit,
                          void *context)
{
    const atemi_inertia    sum = atemi_outline_inertia(o, body);
    const atemi_mat3       back = atemi_mat3_transposed(axes);
    const atemi_symmetric3 I = atemi_symmetric3_rotated(&sum.rotational, &back);
    const atemi_vec3       squares = {I.yy + I.zz - I.xx, I.xx + I.zz - I.yy, I.xx + I.yy - I.zz};
    if (!(sum.mass > 0.0 && squares.x > 0.0 && squares.y > 0.0 && squares.z > 0.0)) {
        return;
    }
    const double     scale = 6.0 / sum.mass;
    const atemi_vec3 half = {0.5 * sqrt(scale * squares.x), 0.5 * sqrt(scale * squares.y),
                             0.5 * sqrt(scale * squares.z)};
    for (int i = 0; i < 8; ++i) {
        const atemi_vec3 corner = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                   i & 4 ? half.z : -half.z};
        visit(context, atemi_vec3_add(sum.com, atemi_mat3_apply(axes, corner)));
    }
}

static void visit_all(const outline *o, int body, const atemi_mat3 *axes,
                      atemi_outline_source source, point_visitor visit, void *context)
{
    switch (source) {
    case ATEMI_OUTLINE_SHAPES:
        visit_shapes(o, body, visit, context);
        break;
    case ATEMI_OUTLINE_POINTS:
        visit_points(o, body, visit, context);
        break;
    case ATEMI_OUTLINE_JOINTS:
        visit_joints(o, body, visit, context);
        break;
    case ATEMI_OUTLINE_INERTIA:
        visit_inertia(o, body, axes, visit, context);
        break;
    case ATEMI_OUTLINE_GIVEN:
    case ATEMI_OUTLINE_SITE:
    case ATEMI_OUTLINE_LENGTH:
        break;
    }
}

// ---- Boxes

typedef struct box_growth {
    outline_box box;
    atemi_mat3  axes;
    double      highest; ///< points above are left out
} box_growth;

static void grow(void *context, atemi_vec3 point)
{
    box_growth      *g = (box_growth *)context;
    const atemi_vec3 p = atemi_mat3_apply_transposed(&g->axes, point);
    if (p.z > g->highest) {
        return;
    }
    const atemi_vec3 a = g->box.lower, b = g->box.upper;
    g->box.lower = (atemi_vec3){fmin(a.x, p.x), fmin(a.y, p.y), fmin(a.z, p.z)};
    g->box.upper = (atemi_vec3){fmax(b.x, p.x), fmax(b.y, p.y), fmax(b.z, p.z)};
    ++g->box.count;
}

static outline_box box_below(const outline *o, int body, const atemi_mat3 *axes,
                             atemi_outline_source source, double highest)
{
    box_growth g = {.box = {.lower = {INFINITY, INFINITY, INFINITY},
                            .upper = {-INFINITY, -INFINITY, -INFINITY}},
                    .axes = *axes,
                    .highest = highest};
    visit_all(o, body, axes, source, grow, &g);
    return g.box;
}

outline_box atemi_outline_around(const outline *o, int body, const atemi_mat3 *axes,
                                 atemi_outline_source source)
{
    return box_below(o, body, axes, source, INFINITY);
}

outline_box atemi_outline_bottom(const outline *o, int body, const atemi_mat3 *axes,
                                 atemi_outline_source source, double flat)
{
    const outline_box all = atemi_outline_around(o, body, axes, source);
    return box_below(o, body, axes, source, all.lower.z + flat);
}

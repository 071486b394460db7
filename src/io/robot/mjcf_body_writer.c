// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_writing.h"

#include "io/robot/xml_text.h"

#include <math.h>
#include <string.h>
#include <strings.h>

// Links are bodies, with the joint that moves them inside. A link that has nothing but one joint
// behind it (as those between the joints of a shoulder) is no body: MuJoCo wants mass in bodies
// that move. Its joint moves the next body, before that one's own:
//
//   X = X_1 X_2 ... X_n                       the body in the last one that is written, at q = 0
//   axis of joint k:  R_(k+1..n)^T axis_k     its place:  (X_(k+1) ... X_n)^-1 0
//
// MuJoCo also wants inertias that a mass can have. Where a link's is none, it counts with the body
// that carries the link by fixed joints; where that of the body is none, all of these count with
// it.
//
// A base that floats is a free joint; other bases are slides and a hinge.

static const atemi_link *link_of(const mjcf_writing *w, int index)
{
    return atemi_model_link(w->model, index);
}

static const atemi_joint *joint_before(const mjcf_writing *w, int link)
{
    const int joint = link_of(w, link)->parent_joint;
    return joint == ATEMI_NONE ? NULL : atemi_model_joint(w->model, joint);
}

// The world has its name already.
const char *mjcf_body_name(const mjcf_writing *w, int link)
{
    const char *name = link_of(w, link)->name;
    const bool  is_world = link == 0 && atemi_model_base(w->model) == ATEMI_BASE_FIXED;
    return strcmp(name, "world") == 0 && !is_world ? "world_link" : name;
}

static int parent_of(const mjcf_writing *w, int link)
{
    const atemi_joint *joint = joint_before(w, link);
    return joint ? joint->parent_link : ATEMI_NONE;
}

// ---- Parts of bodies

static void put_place(atemi_text *text, atemi_vec3 place)
{
    if (place.x != 0.0 || place.y != 0.0 || place.z != 0.0) {
        atemi_xml_put_vector(text, "pos", place);
    }
}

static void put_pose(atemi_text *text, const atemi_transform *pose)
{
    const atemi_quaternion turn = atemi_quaternion_from_matrix(&pose->rotation);
    const double           wxyz[] = {turn.w, turn.x, turn.y, turn.z};
    put_place(text, pose->position);
    if (wxyz[0] != 1.0) {
        atemi_xml_put_numbers(text, "quat", wxyz, 4);
    }
}

static bool has_inertia(const atemi_inertia *inertia)
{
    const atemi_symmetric3 *I = &inertia->rotational;
    return inertia->mass > 0.0 || I->xx != 0.0 || I->yy != 0.0 || I->zz != 0.0;
}

static void put_inertial(atemi_text *text, const atemi_inertia *inertia)
{
    const atemi_symmetric3 *I = &inertia->rotational;
    const double            full[] = {I->xx, I->yy, I->zz, I->xy, I->xz, I->yz};
    atemi_text_put_string(text, "<inertial");
    atemi_xml_put_vector(text, "pos", inertia->com);
    atemi_xml_put_number(text, "mass", inertia->mass);
    atemi_xml_put_numbers(text, "fullinertia", full, 6);
    atemi_text_put_string(text, "/>\n");
}

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

// MuJoCo refuses files whose meshes are not there, and shapes of size 0.
bool mjcf_takes_shape(const atemi_geometry *geometry)
{
    const atemi_vec3 s = geometry->size;
    switch (geometry->shape) {
    case ATEMI_SHAPE_BOX:
        return s.x > 0.0 && s.y > 0.0 && s.z > 0.0;
    case ATEMI_SHAPE_SPHERE:
        return s.x > 0.0;
    case ATEMI_SHAPE_CYLINDER:
    case ATEMI_SHAPE_CAPSULE:
        return s.x > 0.0 && s.y > 0.0;
    case ATEMI_SHAPE_MESH:
        break;
    }
    return (geometry->path &&
            (ends_with(geometry->path, ".stl") || ends_with(geometry->path, ".obj")));
}

static void put_shape(atemi_text *text, const atemi_geometry *geometry, int index)
{
    static const char *const types[] = {[ATEMI_SHAPE_BOX] = "box",
                                        [ATEMI_SHAPE_CYLINDER] = "cylinder",
                                        [ATEMI_SHAPE_SPHERE] = "sphere",
                                        [ATEMI_SHAPE_CAPSULE] = "capsule",
                                        [ATEMI_SHAPE_MESH] = "mesh"};
    const atemi_vec3         s = geometry->size;
    const bool               box = geometry->shape == ATEMI_SHAPE_BOX;
    const double             size[] = {box ? 0.5 * s.x : s.x, 0.5 * s.y, 0.5 * s.z};
    const int                counts[] = {[ATEMI_SHAPE_BOX] = 3,
                                         [ATEMI_SHAPE_CYLINDER] = 2,
                                         [ATEMI_SHAPE_SPHERE] = 1,
                                         [ATEMI_SHAPE_CAPSULE] = 2,
                                         [ATEMI_SHAPE_MESH] = 0};
    atemi_xml_put_string(text, "type", types[geometry->shape]);
    if (geometry->shape == ATEMI_SHAPE_MESH) {
        atemi_text_append(text, " mesh=\"mesh_%d\"", index);
    } else {
        atemi_xml_put_numbers(text, "size", size, counts[geometry->shape]);
    }
}

static void put_geom(atemi_text *text, const atemi_geometry *geometry, int index)
{
    atemi_text_put_string(text, "<geom");
    put_shape(text, geometry, index);
    put_pose(text, &geometry->pose);
    atemi_text_put_string(text, geometry->collision
                                    ? " group=\"3\""
                                    : " group=\"2\" contype=\"0\" conaffinity=\"0\"");
    if (geometry->color[3] > 0.0) {
        atemi_xml_put_numbers(text, "rgba", geometry->color, 4);
    }
    atemi_text_put_string(text, "/>\n");
}

static void put_site(atemi_text *text, const atemi_site *site)
{
    const double half[] = {0.5 * site->size_x, 0.5 * site->size_y, 0.001};
    const bool   is_area = site->size_x > 0.0 && site->size_y > 0.0;
    atemi_text_put_string(text, "<site");
    atemi_xml_put_string(text, "name", site->name);
    put_pose(text, &site->pose);
    if (is_area) {
        atemi_text_put_string(text, " type=\"box\"");
        atemi_xml_put_numbers(text, "size", half, 3);
    }
    atemi_text_put_string(text, "/>\n");
}

// A place where a closed loop holds a link; ATEMI_NONE is the world.
static void put_loop_site(const mjcf_writing *w, const atemi_loop *loop, const char *end,
                          const atemi_transform *pose)
{
    atemi_text_put_string(w->text, "<site name=\"");
    atemi_xml_put_escaped(w->text, loop->name);
    atemi_text_append(w->text, "/%s\"", end);
    put_pose(w->text, pose);
    atemi_text_put_string(w->text, "/>\n");
}

static void put_loop_sites(const mjcf_writing *w, int link)
{
    for (int i = 0; i < atemi_model_loop_count(w->model); ++i) {
        const atemi_loop *loop = atemi_model_loop(w->model, i);
        if (loop->first == link) {
            put_loop_site(w, loop, "first", &loop->on_first);
        }
        if (loop->second == link) {
            put_loop_site(w, loop, "second", &loop->on_second);
        }
    }
}

// Whether a part of the model is the link's; O(parts), as links are few beside them.
static void put_contents(mjcf_writing *w, int link)
{
    for (int i = 0; i < atemi_model_geometry_count(w->model); ++i) {
        const atemi_geometry *geometry = atemi_model_geometry(w->model, i);
        if (geometry->link == link && mjcf_takes_shape(geometry)) {
            put_geom(w->text, geometry, i);
        }
        w->unwritten_shapes += geometry->link == link && !mjcf_takes_shape(geometry);
    }
    for (int i = 0; i < atemi_model_site_count(w->model); ++i) {
        const atemi_site *site = atemi_model_site(w->model, i);
        if (site->link == link) {
            put_site(w->text, site);
        }
    }
    put_loop_sites(w, link);
}

// ---- Joints

static bool is_hinge(const atemi_joint *joint)
{
    return joint->type == ATEMI_JOINT_REVOLUTE || joint->type == ATEMI_JOINT_CONTINUOUS;
}

bool mjcf_has_one_coordinate(const atemi_joint *joint)
{
    return is_hinge(joint) || joint->type == ATEMI_JOINT_PRISMATIC;
}

// `after` leads from the joint's frame to the body's.
static void put_axis(atemi_text *text, const char *type, const atemi_transform *after,
                     atemi_vec3 axis)
{
    const atemi_transform back = atemi_transform_inverse(after);
    atemi_xml_put_string(text, "type", type);
    put_place(text, back.position);
    atemi_xml_put_vector(text, "axis", atemi_mat3_apply(&back.rotation, axis));
}

static void put_simple_joint(mjcf_writing *w, const atemi_joint *joint,
                             const atemi_transform *after)
{
    const double range[] = {joint->limits.lower, joint->limits.upper};
    atemi_text_put_string(w->text, "<joint");
    atemi_xml_put_string(w->text, "name", joint->name);
    put_axis(w->text, is_hinge(joint) ? "hinge" : "slide", after, joint->axis);
    if (isfinite(range[0]) && isfinite(range[1]) && range[0] < range[1]) {
        atemi_xml_put_numbers(w->text, "range", range, 2);
    }
    atemi_xml_put_nonzero(w->text, "damping", joint->damping);
    atemi_xml_put_nonzero(w->text, "frictionloss", joint->friction);
    atemi_xml_put_nonzero(w->text, "armature", joint->armature);
    atemi_text_put_string(w->text, "/>\n");
    w->speed_limits += isfinite(joint->limits.velocity);
}

// `name` followed by an ending, in the axes of the joint's frame.
static void put_part(const mjcf_writing *w, const char *name, const char *ending, const char *type,
                     const atemi_transform *after, atemi_vec3 axis)
{
    atemi_text_put_string(w->text, "<joint name=\"");
    atemi_xml_put_escaped(w->text, name);
    atemi_text_append(w->text, "_%s\"", ending);
    put_axis(w->text, type, after, axis);
    atemi_text_put_string(w->text, "/>\n");
}

static const atemi_vec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0},
                        z_axis = {0.0, 0.0, 1.0};

static void put_floating(const mjcf_writing *w, const atemi_joint *joint,
                         const atemi_transform *after)
{
    put_part(w, joint->name, "x", "slide", after, x_axis);
    put_part(w, joint->name, "y", "slide", after, y_axis);
    put_part(w, joint->name, "z", "slide", after, z_axis);
    put_part(w, joint->name, "ball", "ball", after, z_axis);
}

// Two axes in the plane, and a rotation about its normal.
static void put_planar(const mjcf_writing *w, const atemi_joint *joint,
                       const atemi_transform *after)
{
    const atemi_vec3 n = joint->axis;
    const atemi_vec3 other = fabs(n.x) < 0.9 ? x_axis : y_axis;
    const atemi_vec3 side = atemi_vec3_cross(n, other);
    const atemi_vec3 second = atemi_vec3_scale(1.0 / atemi_vec3_norm(side), side);
    put_part(w, joint->name, "x", "slide", after, atemi_vec3_cross(second, n));
    put_part(w, joint->name, "y", "slide", after, second);
    put_part(w, joint->name, "turn", "hinge", after, n);
}

static void put_joint(mjcf_writing *w, const atemi_joint *joint, const atemi_transform *after)
{
    if (mjcf_has_one_coordinate(joint)) {
        put_simple_joint(w, joint, after);
    } else if (joint->type == ATEMI_JOINT_FLOATING) {
        put_floating(w, joint, after);
    } else if (joint->type == ATEMI_JOINT_PLANAR) {
        put_planar(w, joint, after);
    }
}

static void put_base(const mjcf_writing *w)
{
    const atemi_transform here = atemi_transform_identity();
    switch (atemi_model_base(w->model)) {
    case ATEMI_BASE_FIXED:
        break;
    case ATEMI_BASE_FLOATING:
        atemi_text_put_string(w->text, "<freejoint/>\n");
        break;
    case ATEMI_BASE_PLANAR:
        put_part(w, "base", "x", "slide", &here, x_axis);
        put_part(w, "base", "y", "slide", &here, y_axis);
        put_part(w, "base", "turn", "hinge", &here, z_axis);
        break;
    case ATEMI_BASE_SAGITTAL:
        put_part(w, "base", "x", "slide", &here, x_axis);
        put_part(w, "base", "z", "slide", &here, z_axis);
        put_part(w, "base", "turn", "hinge", &here, y_axis);
        break;
    }
}

// ---- Bodies

static bool is_world(const mjcf_writing *w, int link)
{
    return link == 0 && atemi_model_base(w->model) == ATEMI_BASE_FIXED &&
           strcmp(link_of(w, 0)->name, "world") == 0;
}

static int count_of(int                count, int (*owner)(const atemi_model *model, int index),
                    const atemi_model *model, int link)
{
    int found = 0;
    for (int i = 0; i < count; ++i) {
        found += owner(model, i) == link;
    }
    return found;
}

static int parent_of_joint(const atemi_model *model, int index)
{
    return atemi_model_joint(model, index)->parent_link;
}
static int link_of_geometry(const atemi_model *model, int index)
{
    return atemi_model_geometry(model, index)->link;
}
static int link_of_site(const atemi_model *model, int index)
{
    return atemi_model_site(model, index)->link;
}

static bool is_named_by_pair(const atemi_model *model, int link)
{
    bool found = false;
    for (int i = 0; i < atemi_model_apart_count(model); ++i) {
        const atemi_link_pair pair = atemi_model_apart(model)[i];
        found = found || pair.first == link || pair.second == link;
    }
    for (int i = 0; i < atemi_model_loop_count(model); ++i) {
        const atemi_loop *loop = atemi_model_loop(model, i);
        found = found || loop->first == link || loop->second == link;
    }
    return found;
}

// Whether the link is no body: nothing but one joint behind it, which moves, as the one before it.
static bool is_between(const mjcf_writing *w, int link)
{
    const atemi_model *m = w->model;
    const atemi_joint *before = joint_before(w, link);
    const bool         last = link + 1 >= atemi_model_link_count(m);
    if (!before || before->type == ATEMI_JOINT_FIXED || last ||
        has_inertia(&link_of(w, link)->inertia) || is_named_by_pair(m, link)) {
        return false;
    }
    return joint_before(w, link + 1)->parent_link == link &&
           joint_before(w, link + 1)->type != ATEMI_JOINT_FIXED &&
           count_of(atemi_model_joint_count(m), parent_of_joint, m, link) == 1 &&
           count_of(atemi_model_geometry_count(m), link_of_geometry, m, link) == 0 &&
           count_of(atemi_model_site_count(m), link_of_site, m, link) == 0;
}

// The first of the links that are one body with this one.
static int first_of(const mjcf_writing *w, int link)
{
    while (link > 0 && is_between(w, link - 1) && parent_of(w, link) == link - 1) {
        --link;
    }
    return link;
}

// From the frame of joint `from` at zero to the frame of link `to`.
static atemi_transform between(const mjcf_writing *w, int from, int to)
{
    atemi_transform all = atemi_transform_identity();
    for (int i = from + 1; i <= to; ++i) {
        all = atemi_transform_compose(&all, &joint_before(w, i)->origin);
    }
    return all;
}

// Whether a mass has it: positive moments A <= B <= C with A + B >= C, to rounding. For MuJoCo 0 is
// 1e-14.
static bool is_possible(const atemi_inertia *inertia)
{
    const atemi_vec3 moments = atemi_symmetric3_eigenvalues(&inertia->rotational);
    return inertia->mass > 0.0 && moments.x > 1e-14 &&
           moments.x + moments.y >= (1.0 - 1e-12) * moments.z;
}

static bool is_fixed(const mjcf_writing *w, int link)
{
    const atemi_joint *before = joint_before(w, link);
    return before && before->type == ATEMI_JOINT_FIXED;
}

// The link whose body a link's inertia counts with: its own, where MuJoCo takes both that and the
// inertia of what carries it.
static int carrier_of(const mjcf_writing *w, int link)
{
    int carrier = link;
    while (is_fixed(w, carrier)) {
        carrier = parent_of(w, carrier);
    }
    if (!is_possible(&link_of(w, carrier)->inertia)) {
        return carrier;
    }
    while (is_fixed(w, link) && !is_possible(&link_of(w, link)->inertia)) {
        link = parent_of(w, link);
    }
    return link;
}

// The inertia of a link's body: its own, and of links fixed to it, and to those, that have none.
static atemi_inertia inertia_of(mjcf_writing *w, int link)
{
    atemi_inertia all = {0};
    for (int i = link; i < atemi_model_link_count(w->model) && carrier_of(w, link) == link; ++i) {
        if (!has_inertia(&link_of(w, i)->inertia) || carrier_of(w, i) != link) {
            continue;
        }
        atemi_inertia own = link_of(w, i)->inertia;
        for (int at = i; at != link; at = parent_of(w, at)) {
            own = atemi_inertia_transformed(&own, &joint_before(w, at)->origin);
        }
        w->lumped += i != link;
        all = atemi_inertia_add(&all, &own);
    }
    return all;
}

static void open_body(mjcf_writing *w, int link)
{
    const int             first = first_of(w, link);
    const atemi_joint    *before = joint_before(w, first);
    atemi_transform       pose = before ? before->origin : atemi_transform_identity();
    const atemi_transform rest = between(w, first, link);
    pose = atemi_transform_compose(&pose, &rest);
    atemi_text_put_string(w->text, "<body");
    atemi_xml_put_string(w->text, "name", mjcf_body_name(w, link));
    put_pose(w->text, &pose);
    atemi_text_put_string(w->text, ">\n");
    if (link == 0) {
        put_base(w);
    }
    for (int i = first; i <= link; ++i) {
        const atemi_transform after = between(w, i, link);
        if (joint_before(w, i)) {
            put_joint(w, joint_before(w, i), &after);
        }
    }
    const atemi_inertia inertia = inertia_of(w, link);
    if (has_inertia(&inertia)) {
        w->impossible += !is_possible(&inertia);
        put_inertial(w->text, &inertia);
    }
}

// The body around a link's own; ATEMI_NONE for the world.
static int body_around(const mjcf_writing *w, int link)
{
    return parent_of(w, first_of(w, link));
}

// Links stand in depth-first order: before the next one, bodies close until its parent is open.
void mjcf_put_bodies(mjcf_writing *w)
{
    int open = ATEMI_NONE;
    atemi_text_put_string(w->text, "<worldbody>\n");
    put_loop_sites(w, ATEMI_NONE);
    for (int i = 0; i < atemi_model_link_count(w->model); ++i) {
        if (is_between(w, i)) {
            continue;
        }
        for (; open != ATEMI_NONE && open != body_around(w, i); open = body_around(w, open)) {
            atemi_text_put_string(w->text, is_world(w, open) ? "" : "</body>\n");
        }
        if (!is_world(w, i)) {
            open_body(w, i);
        }
        put_contents(w, i);
        open = i;
    }
    for (; open != ATEMI_NONE; open = body_around(w, open)) {
        atemi_text_put_string(w->text, is_world(w, open) ? "" : "</body>\n");
    }
    atemi_text_put_string(w->text, "</worldbody>\n");
}

// SPDX-License-Identifier: Apache-2.0

#include "papers/walk/free_fall.h"

#include <math.h>

// With s the centre of mass of a link and w its angular velocity, [WALK] eq. 23-25:
//
//   E_p = - sum of m g . s       E_k = sum of w . I w / 2       E_v = sum of m s' . s' / 2

static const double tolerance = 1e-12; // energy stays within 1e-10 of itself
static const double longest_step = 1e-2;

// ---- What may touch the floor ---------------------------------------------------------------

typedef struct point_list {
    int                     count, most;
    atemi_simulation_point *points;
} point_list;

static void add_point(point_list *list, int link, atemi_vec3 place, double radius)
{
    if (list->count < list->most) {
        list->points[list->count++] =
            (atemi_simulation_point){.link = link, .point = place, .radius = radius};
    }
}

static bool has_point(const point_list *list, int link)
{
    bool found = false;
    for (int i = 0; i < list->count; ++i) {
        found = found || list->points[i].link == link;
    }
    return found;
}

static void add_sites(const atemi_model *model, point_list *list)
{
    for (int i = 0; i < atemi_model_site_count(model); ++i) {
        const atemi_site *site = atemi_model_site(model, i);
        if (site->size_x == 0.0 && site->size_y == 0.0) {
            add_point(list, site->link, site->pose.position, 0.0);
        }
    }
}

static void add_corners(const atemi_geometry *box, point_list *list)
{
    for (int corner = 0; corner < 4; ++corner) {
        const atemi_vec3 place = {copysign(0.5 * box->size.x, corner & 1 ? 1.0 : -1.0), 0.0,
                                  copysign(0.5 * box->size.z, corner & 2 ? 1.0 : -1.0)};
        add_point(list, box->link, atemi_transform_apply(&box->pose, place), 0.0);
    }
}

static void add_shape(const atemi_geometry *shape, point_list *list)
{
    if (shape->shape == ATEMI_SHAPE_SPHERE) {
        add_point(list, shape->link, shape->pose.position, shape->size.x);
    } else if (shape->shape == ATEMI_SHAPE_BOX) {
        add_corners(shape, list);
    }
}

int atemi_free_fall_points(const atemi_model *model, int most, atemi_simulation_point *points)
{
    point_list list = {.most = most, .points = points};
    add_sites(model, &list);
    const point_list feet = list;
    for (int i = 0; i < atemi_model_geometry_count(model); ++i) {
        const atemi_geometry *shape = atemi_model_geometry(model, i);
        if (!shape->collision && !has_point(&feet, shape->link)) {
            add_shape(shape, &list);
        }
    }
    return list.count;
}

// ---- Falling --------------------------------------------------------------------------------

static atemi_status create_simulation(atemi_free_fall *fall, const atemi_simulation_point *points,
                                      int count, const atemi_simulation_hooks *hooks,
                                      atemi_error *error)
{
    const atemi_surface      floor = atemi_surface_floor();
    atemi_simulation_options options = atemi_simulation_options_default();
    options.integrator = ATEMI_INTEGRATOR_ADAPTIVE;
    options.step = longest_step;
    options.tolerance = tolerance;
    options.joint_friction = false;
    return atemi_simulation_create(fall->model, &floor, 1, points, count, &options, hooks,
                                   &fall->simulation, error);
}

static void look(atemi_free_fall *fall)
{
    atemi_update_kinematics(fall->data, atemi_simulation_q(fall->simulation),
                            atemi_simulation_v(fall->simulation), NULL);
}

atemi_status atemi_free_fall_begin(const atemi_model *model, const atemi_simulation_point *points,
                                   int count, const atemi_simulation_hooks *hooks, const double *q,
                                   const double *v, atemi_free_fall *fall, atemi_error *error)
{
    *fall = (atemi_free_fall){.model = model};
    atemi_status status = atemi_data_create(model, NULL, &fall->data, error);
    if (!status) {
        status = create_simulation(fall, points, count, hooks, error);
    }
    if (!status) {
        status = atemi_simulation_start(fall->simulation, 0.0, q, v, error);
    }
    if (status) {
        atemi_free_fall_end(fall);
        return status;
    }
    look(fall);
    return ATEMI_OK;
}

void atemi_free_fall_end(atemi_free_fall *fall)
{
    atemi_simulation_destroy(fall->simulation);
    atemi_data_destroy(fall->data);
}

atemi_status atemi_free_fall_run(atemi_free_fall *fall, double time, atemi_error *error)
{
    const atemi_status status = atemi_simulation_run(fall->simulation, time, error);
    look(fall);
    return status;
}

// ---- Energy ---------------------------------------------------------------------------------

static void add_link(const atemi_free_fall *fall, int link, atemi_fall_energy *sum)
{
    const atemi_inertia   *inertia = &atemi_model_link(fall->model, link)->inertia;
    const atemi_transform  pose = atemi_link_pose(fall->data, link);
    const atemi_motion     moves = atemi_link_velocity(fall->data, link);
    const atemi_symmetric3 I = atemi_symmetric3_rotated(&inertia->rotational, &pose.rotation);
    const atemi_vec3       s = atemi_transform_apply(&pose, inertia->com);
    const atemi_vec3       ds = atemi_motion_at(moves, atemi_vec3_sub(s, pose.position)).linear;
    sum->potential -= inertia->mass * atemi_vec3_dot(atemi_model_gravity(fall->model), s);
    sum->rotational +=
        0.5 * atemi_vec3_dot(moves.angular, atemi_symmetric3_apply(&I, moves.angular));
    sum->translational += 0.5 * inertia->mass * atemi_vec3_dot(ds, ds);
}

atemi_fall_energy atemi_free_fall_energy(const atemi_free_fall *fall)
{
    atemi_fall_energy sum = {0};
    for (int i = 0; i < atemi_model_link_count(fall->model); ++i) {
        add_link(fall, i, &sum);
    }
    return sum;
}

atemi_vec3 atemi_free_fall_center(const atemi_free_fall *fall)
{
    return atemi_center_of_mass(fall->data);
}

double atemi_fall_energy_total(atemi_fall_energy energy)
{
    return energy.potential + energy.rotational + energy.translational;
}

// SPDX-License-Identifier: Apache-2.0

#include "simulate/contact_set.h"

#include "dynamics/blocks.h"

#include <math.h>

static bool is_passive(double x)
{
    return isfinite(x) && x >= 0.0;
}

static atemi_status check_point(const atemi_model *model, int surface_count,
                                const atemi_simulation_point *point, int index, atemi_error *error)
{
    if (point->link < 0 || point->link >= atemi_model_link_count(model) || point->surface < 0 ||
        point->surface >= surface_count) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact point %d is on link %d and surface %d, which do not both exist",
                          index, point->link, point->surface);
    }
    if (!is_passive(point->static_friction) || !is_passive(point->kinetic_friction) ||
        point->kinetic_friction > point->static_friction) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact point %d has static friction %g and kinetic friction %g; both "
                          "must be 0 or more, and the kinetic one not the larger",
                          index, point->static_friction, point->kinetic_friction);
    }
    if (!(point->restitution >= 0.0 && point->restitution <= 1.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact point %d has restitution %g; give 0 to 1", index,
                          point->restitution);
    }
    return ATEMI_OK;
}

static atemi_status check_surface(const atemi_model *model, const atemi_surface *surface, int index,
                                  atemi_error *error)
{
    const int links = atemi_model_link_count(model);
    if (surface->carried && (surface->link < 0 || surface->link >= links)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "surface %d is carried by link %d, which does not exist: the model has "
                          "%d links",
                          index, surface->link, links);
    }
    return atemi_surface_check(surface, error);
}

// Shapes that move touch surfaces of the caller that stay.
static double largest_shape(const atemi_model *model, const atemi_shape_points *all, int surface)
{
    const bool stays = surface < all->own_surfaces && !all->surfaces[surface].carried;
    double     largest = 0.0;
    for (int i = 0; all->shapes && stays && i < all->shapes->count; ++i) {
        const atemi_touch_shape *shape = &all->shapes->shapes[i];
        const bool               moves = model->mountings[shape->link].node != ATEMI_NONE;
        largest = moves ? fmax(largest, shape->size.x) : largest;
    }
    return largest;
}

// The largest rigid ball that may touch a surface.
static double largest_ball(const atemi_model *model, const atemi_shape_points *all, int surface)
{
    double largest = largest_shape(model, all, surface);
    for (int i = 0; i < all->point_count; ++i) {
        if (all->points[i].surface == surface && !all->points[i].compliance) {
            largest = fmax(largest, all->points[i].radius);
        }
    }
    return largest;
}

static atemi_status check_carried(const atemi_surface *surface, const atemi_simulation_point *point,
                                  int index, atemi_error *error)
{
    if (surface->carried && point->tied) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "contact point %d is tied, but its surface %d is carried by a link: close "
            "a loop between the two links instead",
            index, point->surface);
    }
    if (surface->carried && surface->link == point->link) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "contact point %d is on link %d, which carries its surface %d: nothing "
                          "pushes itself",
                          index, point->link, point->surface);
    }
    return ATEMI_OK;
}

atemi_status atemi_contact_set_check(const atemi_model *model, const atemi_shape_points *all,
                                     atemi_error *error)
{
    const int rigid = atemi_contact_set_sized(model, all).most_rigid;
    if (rigid > ATEMI_CONTACT_MAX_COUNT) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "%d points touch rigid surfaces or each other; give at most %d, or give "
                          "some of them a compliance",
                          rigid, ATEMI_CONTACT_MAX_COUNT);
    }
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < all->surface_count && !status; ++i) {
        status = check_surface(model, &all->surfaces[i], i, error);
    }
    for (int i = 0; i < all->point_count && !status; ++i) {
        status = check_point(model, all->surface_count, &all->points[i], i, error);
        if (!status) {
            status =
                check_carried(&all->surfaces[all->points[i].surface], &all->points[i], i, error);
        }
    }
    for (int i = 0; i < all->surface_count && !status; ++i) {
        status = atemi_surface_check_ball(&all->surfaces[i], largest_ball(model, all, i), error);
    }
    return status;
}

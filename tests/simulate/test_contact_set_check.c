// SPDX-License-Identifier: Apache-2.0

#include "simulate/contact_set.h"

#include "bodies.h"
#include "check.h"

static atemi_status check_one(const atemi_model *model, const atemi_surface *surface,
                              const atemi_simulation_point *point, atemi_error *error)
{
    const atemi_shape_points all = {
        .surfaces = surface, .surface_count = 1, .points = point, .point_count = 1};
    return atemi_contact_set_check(model, &all, error);
}

// Whether a point of the brick over the floor is refused with such a message.
static void check_refused(const atemi_simulation_point *point, const char *message)
{
    atemi_model        *model = brick_model();
    const atemi_surface floor = atemi_surface_floor();
    atemi_simulation   *simulation;
    atemi_error         error = {0};
    CHECK_STATUS(check_one(model, &floor, point, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, message);
    CHECK_STATUS(
        atemi_simulation_create(model, &floor, 1, point, 1, NULL, NULL, &simulation, &error),
        ATEMI_ERROR_INPUT);
    CHECK(!simulation);
    atemi_model_destroy(model);
}

TEST(contact_set_check, refuses_points_that_make_no_sense)
{
    const atemi_simulation_point good = rough_point((atemi_vec3){0.1, 0.0, 0.0}, 0.5);
    atemi_simulation_point       point = good;
    point.link = 3;
    check_refused(&point, "link 3");
    point = good;
    point.surface = 1;
    check_refused(&point, "surface 1");
    point = good;
    point.restitution = 1.5;
    check_refused(&point, "restitution 1.5");
    point = good;
    point.kinetic_friction = 0.6;
    check_refused(&point, "kinetic");
    atemi_model        *model = brick_model();
    const atemi_surface floor = atemi_surface_floor();
    CHECK_STATUS(check_one(model, &floor, &good, NULL), ATEMI_OK);
    atemi_model_destroy(model);
}

// A surface that a link carries is for points of other links that are not tied.
TEST(contact_set_check, refuses_points_that_are_tied_to_what_is_carried)
{
    atemi_model           *model = brick_model();
    atemi_surface          carried = atemi_surface_floor();
    atemi_simulation_point point = rough_point((atemi_vec3){0.1, 0.0, 0.0}, 0.5);
    atemi_error            error = {0};
    carried.carried = true;
    CHECK_STATUS(check_one(model, &carried, &point, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "nothing pushes itself");
    point.tied = true;
    CHECK_STATUS(check_one(model, &carried, &point, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "tied");
    carried.link = 1;
    CHECK_STATUS(check_one(model, &carried, &point, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "carried by link 1");
    atemi_model_destroy(model);
}

// SPDX-License-Identifier: Apache-2.0

#include "dynamics/frame_rows.h"

#include "check.h"
#include "math/matrix.h"
#include "tree_rig.h"

#include <stdlib.h>

// A point and an angle by differences of the pose, with a step of every entry of v. Their error is
// of order h^2 and of rounding over h: of lengths of metres 1e-10.
static const double h = 1e-6, tolerance = 1e-8;

static const atemi_vec3 point = {0.1, -0.2, 0.3};

static atemi_transform pose_at(const tree_rig *rig, int link, const double *step)
{
    double q[TREE_MAX_Q];
    atemi_configuration_integrate(rig->model, rig->x.q, step, 1.0, q);
    atemi_update_kinematics(rig->s, q, NULL, NULL);
    return atemi_link_pose(rig->s, link);
}

static atemi_transform stepped(const tree_rig *rig, int link, int i, double by)
{
    double step[TREE_MAX_V] = {0.0};
    step[i] = by;
    return pose_at(rig, link, step);
}

static void check_column(const tree_rig *rig, int link, int i, const double *J)
{
    const atemi_transform ahead = stepped(rig, link, i, h), behind = stepped(rig, link, i, -h);
    const atemi_vec3      way =
        atemi_vec3_sub(atemi_transform_apply(&ahead, point), atemi_transform_apply(&behind, point));
    const atemi_vec3 linear = atemi_vec3_scale(0.5 / h, way);
    CHECK_NEAR(J[i], linear.x, tolerance);
    CHECK_NEAR(J[rig->n + i], linear.y, tolerance);
    CHECK_NEAR(J[2 * rig->n + i], linear.z, tolerance);
    for (int axis = 0; axis < 3; ++axis) { // a unit vector turns by omega x e
        const atemi_vec3 e = {axis == 0, axis == 1, axis == 2};
        const atemi_vec3 turned =
            atemi_vec3_scale(0.5 / h, atemi_vec3_sub(atemi_mat3_apply(&ahead.rotation, e),
                                                     atemi_mat3_apply(&behind.rotation, e)));
        const atemi_transform here = pose_at(rig, link, (double[TREE_MAX_V]){0.0});
        const atemi_vec3      omega = {J[3 * rig->n + i], J[4 * rig->n + i], J[5 * rig->n + i]};
        const atemi_vec3      found = atemi_vec3_cross(omega, atemi_mat3_apply(&here.rotation, e));
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(found, turned)), 0.0, tolerance);
    }
}

TEST(frame_rows, are_the_motions_of_a_point_and_its_link_by_differences)
{
    for (int index = 0; index < TREE_CASES; ++index) {
        tree_rig    rig;
        atemi_arena arena = atemi_arena_measuring();
        tree_rig_begin(&rig, index, 3);
        const int link = atemi_model_link_count(rig.model) - 1;
        double   *J = (double *)malloc((size_t)(6 * rig.n + 1) * sizeof *J);
        (void)atemi_kinematics_take(&arena, rig.model);
        atemi_arena memory;
        CHECK_STATUS(atemi_arena_create(&memory, arena.used, NULL), ATEMI_OK);
        atemi_kinematics kinematics = atemi_kinematics_take(&memory, rig.model);
        atemi_kinematics_update(rig.model, rig.x.q, NULL, NULL, &kinematics);
        atemi_frame_rows(rig.model, &kinematics, link, point, J);
        for (int i = 0; i < rig.n; ++i) {
            check_column(&rig, link, i, J);
        }
        free(J);
        atemi_arena_destroy(&memory);
        tree_rig_end(&rig);
    }
}

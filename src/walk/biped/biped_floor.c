// SPDX-License-Identifier: Apache-2.0

#include "walk/biped/biped_floor.h"

void biped_floor_points(const atemi_humanoid *humanoid, double friction,
                        atemi_simulation_point points[ATEMI_BIPED_POINTS])
{
    for (int i = 0; i < ATEMI_BIPED_POINTS; ++i) {
        const int         side = i / ATEMI_SOLE_CORNERS, k = i % ATEMI_SOLE_CORNERS;
        const atemi_sole *sole = &humanoid->soles[side];
        const atemi_vec3  corner = {(k == 0 || k == 3 ? 0.5 : -0.5) * sole->size_x,
                                    (k < 2 ? 0.5 : -0.5) * sole->size_y, 0.0};
        points[i] = (atemi_simulation_point){.link = humanoid->legs[side].end,
                                             .point = atemi_transform_apply(&sole->pose, corner),
                                             .static_friction = friction,
                                             .kinetic_friction = friction};
    }
}

static bool covers(const atemi_floor_patch *patch, atemi_vec3 place)
{
    const bool is_wide = patch->right == 0.0 && patch->left == 0.0;
    return place.x >= patch->from && place.x < patch->to &&
           (is_wide || (place.y >= patch->right && place.y < patch->left));
}

double biped_floor_friction(const atemi_biped_task *task, atemi_vec3 place)
{
    for (int i = task->patch_count - 1; i >= 0; --i) {
        if (covers(&task->patches[i], place)) {
            return task->patches[i].friction;
        }
    }
    return task->friction;
}

atemi_status biped_floor_lay(const atemi_biped_task *task, atemi_simulation *simulation,
                             atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < ATEMI_BIPED_POINTS && task->patch_count > 0 && !status; ++i) {
        const double friction =
            biped_floor_friction(task, atemi_simulation_position(simulation, i));
        status = atemi_point_friction_set(simulation, i, friction, friction, error);
    }
    return status;
}

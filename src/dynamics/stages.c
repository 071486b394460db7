// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/kinematics.h"
#include "dynamics/data_parts.h"

// The state that a data is at, and the motion of links there. Which results of earlier stages still
// hold is kept beside them, so that no function reads what belongs to another state.

static const atemi_vec3 nowhere = {0};

atemi_data atemi_data_parts_take(atemi_arena *arena, const atemi_model *model)
{
    atemi_data data = {.model = model};
    data.inverse = atemi_inverse_dynamics_scratch_take(arena, model);
    data.factor = atemi_mass_factor_take_at(arena, model);
    if (!model->coupled) {
        data.bodies = atemi_arena_array(arena, atemi_composite_block, model->block_count);
        data.nodes = atemi_arena_array(arena, atemi_articulated_node, model->node_count);
    }
    data.load = atemi_arena_array(arena, double, model->v_count);
    return data;
}

void atemi_data_go(atemi_data *data, const double *q, const double *v)
{
    atemi_kinematics_update(data->model, q, v, NULL, &data->inverse.kinematics);
    data->posed = true;
    data->moving = v != NULL;
    data->loaded = data->factored = false;
    data->accelerations = ATEMI_ACCELERATIONS_NONE;
}

void atemi_update_kinematics(atemi_data *data, const double *q, const double *v, const double *a)
{
    ATEMI_REQUIRE(data && (q || data->model->v_count == 0));
    atemi_data_go(data, q, v);
    if (a) {
        atemi_kinematics_accelerations(data->model, a, !v, nowhere, &data->inverse.kinematics);
        data->accelerations = ATEMI_ACCELERATIONS_OF_LINKS;
    }
}

static bool has_link(const atemi_data *data, int link)
{
    return data && data->posed && link >= 0 && link < data->model->link_count;
}

atemi_transform atemi_link_pose(const atemi_data *data, int link)
{
    ATEMI_REQUIRE_OR(has_link(data, link), atemi_transform_identity());
    return atemi_link_pose_in(data->model, atemi_data_kinematics(data), link);
}

atemi_transform atemi_site_pose(const atemi_data *data, int site)
{
    ATEMI_REQUIRE_OR(data && data->posed && site >= 0 && site < atemi_model_site_count(data->model),
                     atemi_transform_identity());
    const atemi_site     *at = atemi_model_site(data->model, site);
    const atemi_transform link = atemi_link_pose(data, at->link);
    return atemi_transform_compose(&link, &at->pose);
}

atemi_motion atemi_link_velocity(const atemi_data *data, int link)
{
    const atemi_motion still = {0};
    ATEMI_REQUIRE_OR(has_link(data, link), still);
    return data->moving ? atemi_link_velocity_in(data->model, atemi_data_kinematics(data), link)
                        : still;
}

atemi_motion atemi_link_acceleration(const atemi_data *data, int link)
{
    const atemi_motion still = {0};
    ATEMI_REQUIRE_OR(has_link(data, link), still);
    ATEMI_REQUIRE_OR(data->accelerations != ATEMI_ACCELERATIONS_NONE, still);
    const atemi_kinematics *k = atemi_data_kinematics(data);
    if (data->model->mountings[link].node == ATEMI_NONE) {
        return still;
    }
    atemi_motion a = data->moving ? atemi_link_acceleration_in(data->model, k, link)
                                  : atemi_link_start_in(data->model, k, link);
    if (data->accelerations == ATEMI_ACCELERATIONS_RELATIVE) {
        a.linear = atemi_vec3_add(a.linear, data->model->gravity);
    }
    return a;
}

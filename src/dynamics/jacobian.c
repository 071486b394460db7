// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/kinematics.h"
#include "dynamics/columns.h"
#include "dynamics/data_parts.h"

#include <string.h>

// With x the origin of a frame on the link and u = v + omega x x its velocity, the column of a node
// that carries it:
//
//   J      = (S_lin + S_ang x x, S_ang)
//   dJ/dt  = (dS_lin + dS_ang x x + S_ang x u, dS_ang),   dS = v_b x S
//
// where v_b is the velocity of the body at the end of the node's joint, in which S is fixed. All
// other columns are zero. Columns are computed and written in whole blocks.

// How many blocks hold the nodes that carry a link.
static int carrying_blocks(const atemi_model *model, int link)
{
    const int node = model->mountings[link].node;
    return node == ATEMI_NONE ? 0 : atemi_block(node) + 1;
}

// Of the point x, from the common origin, as the link carries it.
static void fill_jacobian(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                          atemi_vec3 place, int rows, double *J)
{
    const int   node = model->mountings[link].node, blocks = carrying_blocks(model, link);
    const pack3 x = pack3_of(place);

    memset(J, 0, (size_t)rows * (size_t)model->v_count * sizeof *J);
    for (int b = blocks - 1; b >= 0; --b) {
        const pack_mask carriers = atemi_carriers(model, b, node);
        if (!pack_any(carriers)) {
            continue;
        }
        const atemi_kinematics_block *k = &kinematics->blocks[b];
        const pack3                   rotation = pack3_load(&k->axis_angular);
        const atemi_columns           part = atemi_columns_of(
            pack3_add(pack3_load(&k->axis_linear), pack3_cross(rotation, x)), rotation, carriers);
        atemi_columns_write(model, rows, b, &part, J);
    }
}

// The velocity of the body at the end of each node's joint.
typedef struct twist {
    pack3 linear, angular;
} twist;

static twist end_velocity(const atemi_model *model, const atemi_kinematics *kinematics, int block)
{
    lanes3 linear = kinematics->blocks[block].linear, angular = kinematics->blocks[block].angular;
    for (int j = 0; j < model->multi_joint_count; ++j) {
        const atemi_multi_joint      *joint = &model->multi_joints[j];
        const atemi_kinematics_block *end = &kinematics->blocks[atemi_block(joint->last_node)];
        const int                     lane = atemi_lane(joint->last_node);
        for (int i = joint->first_node; i < joint->last_node; ++i) {
            if (atemi_block(i) == block) {
                atemi_set_lane3(&linear, atemi_lane(i), atemi_lane3(&end->linear, lane));
                atemi_set_lane3(&angular, atemi_lane(i), atemi_lane3(&end->angular, lane));
            }
        }
    }
    return (twist){pack3_load(&linear), pack3_load(&angular)};
}

static atemi_vec3 velocity_at(const atemi_model *model, const atemi_kinematics *kinematics,
                              int link, atemi_vec3 place)
{
    const int node = model->mountings[link].node, lane = atemi_lane(node);
    if (node == ATEMI_NONE) {
        return (atemi_vec3){0};
    }
    const atemi_kinematics_block *block = &kinematics->blocks[atemi_block(node)];
    const atemi_motion v = {atemi_lane3(&block->linear, lane), atemi_lane3(&block->angular, lane)};
    return atemi_motion_at(v, place).linear;
}

static void fill_rate(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                      atemi_vec3 place, int rows, double *rate)
{
    const int   node = model->mountings[link].node, blocks = carrying_blocks(model, link);
    const pack3 x = pack3_of(place);
    const pack3 u = pack3_of(velocity_at(model, kinematics, link, place));

    memset(rate, 0, (size_t)rows * (size_t)model->v_count * sizeof *rate);
    for (int b = blocks - 1; b >= 0; --b) {
        const atemi_kinematics_block *k = &kinematics->blocks[b];
        const pack3 slide = pack3_load(&k->axis_linear), rotation = pack3_load(&k->axis_angular);
        const twist v = end_velocity(model, kinematics, b);
        const pack3 angular = pack3_cross(v.angular, rotation);
        const pack3 linear =
            pack3_add(pack3_cross(v.angular, slide), pack3_cross(v.linear, rotation));
        const pack3         moved = pack3_add(pack3_cross(angular, x), pack3_cross(rotation, u));
        const atemi_columns part =
            atemi_columns_of(pack3_add(linear, moved), angular, atemi_carriers(model, b, node));
        atemi_columns_write(model, rows, b, &part, rate);
    }
}

void atemi_link_jacobian_in(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                            double *J)
{
    ATEMI_REQUIRE(model && kinematics && link >= 0 && link < model->link_count);
    if (model->v_count == 0) {
        return;
    }
    ATEMI_REQUIRE(J);
    fill_jacobian(model, kinematics, link, atemi_link_place(model, kinematics, link), 6, J);
}

// ---- At the state of a data -----------------------------------------------------------------

// Whether there is anything to compute for this link.
static bool has_columns(const atemi_data *data, int link, const double *result)
{
    ATEMI_REQUIRE_OR(data && data->posed && link >= 0 && link < data->model->link_count, false);
    ATEMI_REQUIRE_OR(result || data->model->v_count == 0, false);
    return data->model->v_count > 0;
}

static void jacobian_at(const atemi_data *data, int link, atemi_vec3 place, int rows, double *J)
{
    fill_jacobian(data->model, atemi_data_kinematics(data), link, place, rows, J);
}

static void rate_at(const atemi_data *data, int link, atemi_vec3 place, int rows, double *rate)
{
    if (data->moving) {
        fill_rate(data->model, atemi_data_kinematics(data), link, place, rows, rate);
    } else {
        memset(rate, 0, (size_t)rows * (size_t)data->model->v_count * sizeof *rate);
    }
}

static atemi_vec3 link_place(const atemi_data *data, int link)
{
    return atemi_link_place(data->model, atemi_data_kinematics(data), link);
}

static atemi_vec3 point_place(const atemi_data *data, int link, atemi_vec3 point)
{
    return atemi_point_place(data->model, atemi_data_kinematics(data), link, point);
}

void atemi_link_jacobian(const atemi_data *data, int link, double *J)
{
    if (has_columns(data, link, J)) {
        jacobian_at(data, link, link_place(data, link), 6, J);
    }
}

void atemi_link_jacobian_rate(const atemi_data *data, int link, double *rate)
{
    if (has_columns(data, link, rate)) {
        rate_at(data, link, link_place(data, link), 6, rate);
    }
}

void atemi_point_jacobian(const atemi_data *data, int link, atemi_vec3 point, double *J)
{
    if (has_columns(data, link, J)) {
        jacobian_at(data, link, point_place(data, link, point), 3, J);
    }
}

void atemi_point_jacobian_rate(const atemi_data *data, int link, atemi_vec3 point, double *rate)
{
    if (has_columns(data, link, rate)) {
        rate_at(data, link, point_place(data, link, point), 3, rate);
    }
}

void atemi_frame_jacobian(const atemi_data *data, int link, atemi_vec3 origin, double *J)
{
    if (has_columns(data, link, J)) {
        jacobian_at(data, link, point_place(data, link, origin), 6, J);
    }
}

void atemi_frame_jacobian_rate(const atemi_data *data, int link, atemi_vec3 origin, double *rate)
{
    if (has_columns(data, link, rate)) {
        rate_at(data, link, point_place(data, link, origin), 6, rate);
    }
}

static const atemi_site *site_of(const atemi_data *data, int site)
{
    ATEMI_REQUIRE_OR(data && site >= 0 && site < atemi_model_site_count(data->model), NULL);
    return atemi_model_site(data->model, site);
}

void atemi_site_jacobian(const atemi_data *data, int site, double *J)
{
    const atemi_site *at = site_of(data, site);
    if (at) {
        atemi_frame_jacobian(data, at->link, at->pose.position, J);
    }
}

void atemi_site_jacobian_rate(const atemi_data *data, int site, double *rate)
{
    const atemi_site *at = site_of(data, site);
    if (at) {
        atemi_frame_jacobian_rate(data, at->link, at->pose.position, rate);
    }
}

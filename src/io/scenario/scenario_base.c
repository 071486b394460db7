// SPDX-License-Identifier: Apache-2.0

#include "io/scenario/scenario_base.h"

#include "atemi/math.h"

#include <string.h>

// A base that is not free can do without some of three numbers: a planar one stays at z = 0, a
// sagittal one at y = 0, and each turns about the axis that it does not move along.
typedef struct base_freedom {
    bool        moves[3], rotates[3];
    const char *moves_text, *rotates_text;
} base_freedom;

static const base_freedom freedoms[] = {
    [ATEMI_BASE_FIXED] = {{false, false, false}, {false, false, false}, "no number", "no number"},
    [ATEMI_BASE_PLANAR] = {{true, true, false},
                           {false, false, true},
                           "only the first and second number",
                           "only the third number"},
    [ATEMI_BASE_SAGITTAL] = {{true, false, true},
                             {false, true, false},
                             "only the first and third number",
                             "only the second number"},
    [ATEMI_BASE_FLOATING] = {{true, true, true}, {true, true, true}, "", ""}};

static bool fits(const bool free[3], atemi_vec3 x)
{
    return (free[0] || x.x == 0.0) && (free[1] || x.y == 0.0) && (free[2] || x.z == 0.0);
}

// The numbers of x along what is free.
static int put(const bool free[3], atemi_vec3 x, double *to)
{
    const double all[3] = {x.x, x.y, x.z};
    int          count = 0;
    for (int i = 0; i < 3; ++i) {
        if (free[i]) {
            to[count++] = all[i];
        }
    }
    return count;
}

static atemi_vec3 read_vector(atemi_scenario_reader *reader, const char *key, const char *unit,
                              const char *help, const atemi_model *model, bool rotates)
{
    const atemi_vec3 x =
        atemi_scenario_vec3(reader, key, (atemi_vec3_key){.unit = unit, .help = help});
    const base_freedom *freedom = &freedoms[model ? atemi_model_base(model) : ATEMI_BASE_FLOATING];
    if (!fits(rotates ? freedom->rotates : freedom->moves, x)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the base is %s: %s may differ from 0",
                            atemi_base_text(atemi_model_base(model)),
                            rotates ? freedom->rotates_text : freedom->moves_text);
    }
    return x;
}

static void put_quaternion(const atemi_mat3 *rotation, double *to)
{
    const atemi_quaternion quaternion = atemi_quaternion_from_matrix(rotation);
    const double           all[4] = {quaternion.x, quaternion.y, quaternion.z, quaternion.w};
    memcpy(to, all, sizeof all);
}

void atemi_scenario_read_base(atemi_scenario_reader *reader, const atemi_model *model, double *q,
                              double *v)
{
    const atemi_vec3 position = read_vector(
        reader, "position", "m", "of the base, which is the root link's origin", model, false);
    const atemi_vec3 rpy = read_vector(
        reader, "rpy", "rad", "of the base: rotations about the fixed axes x, y, z", model, true);
    const atemi_vec3 velocity =
        read_vector(reader, "velocity", "m/s", "of the base, world axes", model, false);
    const atemi_vec3 spin =
        read_vector(reader, "angular_velocity", "rad/s", "of the base, world axes", model, true);
    if (!model || !q || !v) {
        return;
    }
    const atemi_base    base = atemi_model_base(model);
    const base_freedom *freedom = &freedoms[base];
    const atemi_mat3    rotation = atemi_mat3_from_rpy(rpy.x, rpy.y, rpy.z);
    const int           moves = put(freedom->moves, position, q);
    if (base == ATEMI_BASE_FLOATING) {
        put_quaternion(&rotation, q + moves);
    } else {
        put(freedom->rotates, rpy, q + moves);
    }
    put(freedom->moves, atemi_mat3_apply_transposed(&rotation, velocity), v);
    put(freedom->rotates, atemi_mat3_apply_transposed(&rotation, spin), v + moves);
}

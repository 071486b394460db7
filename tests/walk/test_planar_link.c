// SPDX-License-Identifier: Apache-2.0

#include "walk/planar_link.h"

#include "atemi/model.h"
#include "data.h"
#include "dynamics/data_parts.h"
#include "random.h"
#include "walk_rig.h"

#include <math.h>

enum { RATES = 19 };

// The robot moves on with its rates as they are: positions and velocities by differences are the
// oracle of velocities and accelerations.
typedef struct look {
    atemi_planar_link  link;
    atemi_planar_point point;
} look;

static const atemi_vec3 place = {0.1, 0.0, -0.05};

static look look_at(const atemi_model *model, atemi_data *s, atemi_planar_link *room,
                    const double *q, const double *v)
{
    static const double still[RATES] = {0};
    atemi_update_kinematics(s, q, v, still);
    atemi_planar_link_look(model, atemi_data_kinematics(s),
                           atemi_model_find_link(model, "left_foot"), room);
    return (look){*room, atemi_planar_link_point(room, place)};
}

TEST(planar_link, moves_as_differences_of_its_places_say)
{
    atemi_model *model = walker();
    atemi_data  *s = data_create(model);
    atemi_arena  arena = atemi_arena_measuring();
    atemi_planar_link_take(&arena, model);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    atemi_planar_link room = atemi_planar_link_take(&arena, model);

    random_stream stream = random_seeded(3);
    double        q[RATES], v[RATES], later[RATES], earlier[RATES];
    atemi_configuration_random(model, 3, q);
    for (int i = 0; i < RATES; ++i) {
        v[i] = random_uniform(&stream, -2.0, 2.0);
    }
    const double h = 1e-4;
    atemi_configuration_integrate(model, q, v, h, later);
    atemi_configuration_integrate(model, q, v, -h, earlier);
    const look after = look_at(model, s, &room, later, v);
    const look before = look_at(model, s, &room, earlier, v);
    const look now = look_at(model, s, &room, q, v);

    CHECK_NEAR((after.point.x - before.point.x) / (2.0 * h), now.point.vx, 1e-5);
    CHECK_NEAR((after.point.z - before.point.z) / (2.0 * h), now.point.vz, 1e-5);
    CHECK_NEAR((after.point.vx - before.point.vx) / (2.0 * h), now.point.ax, 1e-4);
    CHECK_NEAR((after.point.vz - before.point.vz) / (2.0 * h), now.point.az, 1e-4);
    double x = 0.0, z = 0.0, turn = 0.0;
    for (int i = 0; i < RATES; ++i) {
        x += v[i] * atemi_planar_x(&room, now.point.arm_z, i);
        z += v[i] * atemi_planar_z(&room, now.point.arm_x, i);
        turn += v[i] * atemi_planar_turn(&room, i);
    }
    CHECK_NEAR(x, now.point.vx, 1e-12);
    CHECK_NEAR(z, now.point.vz, 1e-12);
    CHECK_NEAR(turn, now.link.turn, 1e-12);

    atemi_arena_destroy(&arena);
    atemi_data_destroy(s);
    atemi_model_destroy(model);
}

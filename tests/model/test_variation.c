// SPDX-License-Identifier: Apache-2.0

#include "atemi/data.h"
#include "atemi/dynamics.h"
#include "atemi/kinematics.h"
#include "atemi/model_builder.h"
#include "atemi/robots.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

static atemi_model *load(void)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *model;
    options.model.base = ATEMI_BASE_FLOATING;
    CHECK_STATUS(atemi_robots_load("hrp2_like", &options, &model, NULL), ATEMI_OK);
    return model;
}

static atemi_model *vary(const atemi_model *model, const atemi_model_variation *variation)
{
    atemi_model *varied;
    CHECK_STATUS(atemi_model_vary(model, variation, &varied, NULL), ATEMI_OK);
    return varied;
}

// A robot in motion.
typedef struct moving {
    atemi_data *data;
    double     *q, *v;
} moving;

static moving move(const atemi_model *model)
{
    random_stream stream = random_seeded(3);
    moving        m = {.q = calloc((size_t)atemi_model_q_count(model), sizeof(double)),
                       .v = calloc((size_t)atemi_model_v_count(model), sizeof(double))};
    CHECK_STATUS(atemi_data_create(model, NULL, &m.data, NULL), ATEMI_OK);
    atemi_configuration_random(model, 7, m.q);
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        m.v[i] = random_uniform(&stream, -1.0, 1.0);
    }
    atemi_update_kinematics(m.data, m.q, m.v, NULL);
    return m;
}

static void stop(moving *m)
{
    atemi_data_destroy(m->data);
    free(m->q);
    free(m->v);
}

// p = sum of m v: proportional to the masses.
TEST(variation, masses_scale_mass_and_momentum)
{
    const atemi_model_variation heavier = {.masses = 1.25, .lengths = 1.0};
    atemi_model                *model = load(), *varied = vary(model, &heavier);
    moving                      a = move(model), b = move(varied);
    const atemi_force           p = atemi_momentum(a.data), r = atemi_momentum(b.data);
    CHECK_NEAR(atemi_model_mass(varied), 1.25 * atemi_model_mass(model), 1e-10);
    CHECK_NEAR(r.linear.x, 1.25 * p.linear.x, 1e-10); // rounding of sums of some 30 links
    CHECK_NEAR(r.linear.z, 1.25 * p.linear.z, 1e-10);
    CHECK_NEAR(r.angular.y, 1.25 * p.angular.y, 1e-10);
    stop(&a);
    stop(&b);
    atemi_model_destroy(varied);
    atemi_model_destroy(model);
}

// Places relative to the base grow by l. At rest but for the base's rotation, angular momentum
// about the centre of mass is that of a rigid body, whose inertia grows by l^2.
TEST(variation, lengths_scale_places_and_inertias)
{
    const double                l = 1.1;
    const atemi_model_variation longer = {.masses = 1.0, .lengths = l};
    atemi_model                *model = load(), *varied = vary(model, &longer);
    moving                      a = move(model), b = move(varied);
    const atemi_vec3            base = {a.q[0], a.q[1], a.q[2]};
    const atemi_vec3            com = atemi_vec3_sub(atemi_center_of_mass(a.data), base);
    const atemi_vec3            far = atemi_vec3_sub(atemi_center_of_mass(b.data), base);
    CHECK_NEAR(far.x, l * com.x, 1e-12);
    CHECK_NEAR(far.y, l * com.y, 1e-12);
    CHECK_NEAR(far.z, l * com.z, 1e-12);
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        a.v[i] = b.v[i] = i >= 3 && i < 6 ? 0.1 * i : 0.0;
    }
    atemi_update_kinematics(a.data, a.q, a.v, NULL);
    atemi_update_kinematics(b.data, b.q, b.v, NULL);
    const atemi_vec3 h = atemi_momentum(a.data).angular, k = atemi_momentum(b.data).angular;
    CHECK_NEAR(k.x, l * l * h.x, 1e-10);
    CHECK_NEAR(k.y, l * l * h.y, 1e-10);
    CHECK_NEAR(k.z, l * l * h.z, 1e-10);
    stop(&a);
    stop(&b);
    atemi_model_destroy(varied);
    atemi_model_destroy(model);
}

// A point of mass m adds m v to the momentum, where v is the velocity of its place.
TEST(variation, payloads_move_with_their_links)
{
    atemi_model                *model = load();
    const int                   link = atemi_model_link_count(model) - 1;
    const atemi_payload         load_of = {link, 3.0, {0.1, -0.2, 0.3}};
    const atemi_model_variation loaded = {1.0, 1.0, &load_of, 1};
    atemi_model                *varied = vary(model, &loaded);
    moving                      a = move(model), b = move(varied);
    const atemi_transform       pose = atemi_link_pose(a.data, link);
    const atemi_vec3            arm = atemi_mat3_apply(&pose.rotation, load_of.position);
    const atemi_vec3            v = atemi_motion_at(atemi_link_velocity(a.data, link), arm).linear;
    const atemi_vec3            gained =
        atemi_vec3_sub(atemi_momentum(b.data).linear, atemi_momentum(a.data).linear);
    CHECK_NEAR(atemi_model_mass(varied), atemi_model_mass(model) + 3.0, 1e-12);
    CHECK_NEAR(gained.x, 3.0 * v.x, 1e-10);
    CHECK_NEAR(gained.y, 3.0 * v.y, 1e-10);
    CHECK_NEAR(gained.z, 3.0 * v.z, 1e-10);
    stop(&a);
    stop(&b);
    atemi_model_destroy(varied);
    atemi_model_destroy(model);
}

TEST(variation, keeps_all_parts_and_refuses_nonsense)
{
    atemi_error                 error;
    atemi_model                *model = load(), *varied;
    const atemi_model_variation none = atemi_model_variation_none();
    varied = vary(model, &none);
    CHECK_EQUAL_INT(atemi_model_site_count(varied), atemi_model_site_count(model));
    CHECK_EQUAL_INT(atemi_model_geometry_count(varied), atemi_model_geometry_count(model));
    CHECK_EQUAL_INT(atemi_model_posture_count(varied), atemi_model_posture_count(model));
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        CHECK_EQUAL_STRING(atemi_model_joint(varied, i)->name, atemi_model_joint(model, i)->name);
        CHECK_EQUAL_INT(atemi_model_joint(varied, i)->first_v,
                        atemi_model_joint(model, i)->first_v);
    }
    atemi_model_destroy(varied);
    const atemi_model_variation massless = {.masses = 0.0, .lengths = 1.0};
    CHECK_STATUS(atemi_model_vary(model, &massless, &varied, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "give positive ones");
    const atemi_payload         nowhere = {.link = -1, .mass = 1.0};
    const atemi_model_variation lost = {1.0, 1.0, &nowhere, 1};
    CHECK_STATUS(atemi_model_vary(model, &lost, &varied, &error), ATEMI_ERROR_INPUT);
    CHECK(varied == NULL);
    atemi_model_destroy(model);
}

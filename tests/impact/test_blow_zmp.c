// SPDX-License-Identifier: Apache-2.0

#include "blow_bench.h"
#include "data.h"

typedef struct instant {
    double force, rates[MOST], accelerations[MOST];
    int    n;
} instant;

static void keep_instant(void *context, const atemi_blow_sample *sample)
{
    instant *at = context;
    at->force = sample->force;
    memcpy(at->rates, sample->rates, (size_t)at->n * sizeof *at->rates);
    memcpy(at->accelerations, sample->accelerations, (size_t)at->n * sizeof *at->accelerations);
}

// The oracle: what inverse dynamics asks of the base with the blow's force on the fist is the
// ground's wrench.
static atemi_vec3 zmp_by_inverse_dynamics(bench *b, const instant *at)
{
    atemi_data *s = data_create(b->model);
    double      tau[MOST];
    atemi_force external[MOST] = {0};
    external[b->point.link].linear =
        atemi_vec3_scale(-at->force / (1 + b->point.more), b->point.direction);
    if (b->point.more) {
        external[b->point.others[0].link] = external[b->point.link];
    }
    atemi_inverse_dynamics(s, b->q, at->rates, at->accelerations, external, tau);
    atemi_update_kinematics(s, b->q, NULL, NULL);
    const atemi_transform pose = atemi_link_pose(s, 0);
    const atemi_force     ground = {
        atemi_mat3_apply(&pose.rotation, (atemi_vec3){tau[0], tau[1], tau[2]}),
        atemi_mat3_apply(&pose.rotation, (atemi_vec3){tau[3], tau[4], tau[5]})};
    atemi_data_destroy(s);
    atemi_vec3 zmp = {0};
    CHECK(atemi_center_of_pressure(NULL, &pose.position, &ground, 1, &zmp));
    return zmp;
}

static void check_zmp(bench *b)
{
    const double           time = 2e-3;
    instant                at = {.n = b->n};
    const atemi_blow_watch watch = {&time, 1, keep_instant, &at};
    CHECK_STATUS(
        atemi_blow(&b->base, &b->setting, &b->options, &watch, &b->scratch, &b->result, NULL),
        ATEMI_OK);
    CHECK(at.force > 100.0);
    atemi_vec3       zmp = {0};
    const atemi_vec3 expected = zmp_by_inverse_dynamics(b, &at);
    CHECK(atemi_blow_zmp(b->base.data, b->q, at.rates, at.accelerations, &b->point, at.force, NULL,
                         &zmp));
    CHECK_NEAR(zmp.x, expected.x, 1e-10);
    CHECK_NEAR(zmp.y, expected.y, 1e-10);
    CHECK_NEAR(zmp.z, 0.0, 1e-12);
}

TEST(blow_zmp, moves_as_inverse_dynamics_tells)
{
    bench b;
    humanoid(&b, 12000.0, 400.0, 1.0);
    check_zmp(&b);
    bench_end(&b);
}

// The left arm is somewhere else than the right: half of the force is at each.
TEST(blow_zmp, of_two_hands_moves_as_inverse_dynamics_tells)
{
    bench b;
    humanoid(&b, 12000.0, 400.0, 1.0);
    b.point.more = 1;
    b.point.others[0].link = atemi_model_find_link(b.model, "left_fist");
    freeze(&b);
    check_zmp(&b);
    bench_end(&b);
}

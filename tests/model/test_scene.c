// SPDX-License-Identifier: Apache-2.0

#include "atemi/model_builder.h"

#include "allocations.h"
#include "atemi/model.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

enum { BODIES = 3, BODY_Q = 1 + 7, BODY_V = 1 + 6, MOST_V = TREE_MAX_V + BODY_V };

// A nail that slides down and away, a wall and a ball in the air, none of them where the world is.
static void make_bodies(atemi_scene_body bodies[BODIES])
{
    bodies[0] = atemi_scene_body_box("nail", 0.7, (atemi_vec3){0.1, 0.02, 0.03});
    bodies[0].type = ATEMI_JOINT_PRISMATIC;
    bodies[0].axis = (atemi_vec3){0.0, 3.0, -4.0};
    bodies[0].pose.position = (atemi_vec3){0.6, 0.1, 1.2};
    bodies[0].damping = 2.5;
    bodies[0].friction = 40.0;
    bodies[0].color[0] = bodies[0].color[3] = 1.0;
    bodies[1] = (atemi_scene_body){.name = "wall",
                                   .pose = {atemi_mat3_from_rpy(0.1, 0.2, 0.3), {2.0, 0.0, 0.0}}};
    bodies[2] = atemi_scene_body_box("ball", 5.0, (atemi_vec3){0.3, 0.2, 0.1});
    bodies[2].pose = (atemi_transform){atemi_mat3_from_rpy(-0.4, 0.8, 1.5), {0.5, -0.6, 0.9}};
    bodies[2].inertia.com = (atemi_vec3){0.01, 0.02, 0.03};
}

static atemi_model *scene_of(const atemi_model *robot)
{
    atemi_scene_body bodies[BODIES];
    atemi_model     *scene = NULL;
    atemi_error      error = {0};
    make_bodies(bodies);
    const atemi_status status = atemi_scene_create(robot, bodies, BODIES, &scene, &error);
    CHECK_EQUAL_STRING(error.message, "");
    CHECK_STATUS(status, ATEMI_OK);
    return scene;
}

static atemi_model *load(const char *name, atemi_base base)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *model = NULL;
    options.model.base = base;
    CHECK_STATUS(atemi_robots_load(name, &options, &model, NULL), ATEMI_OK);
    return model;
}

// A robot and a scene of it, in one state: their arrays are the same.
typedef struct pair {
    atemi_model *robot, *scene;
    int          robot_v, scene_v;
    atemi_data  *alone, *beside;
    random_state x;
    double       fine; ///< tolerance of accelerations: random trees lose two digits by their M
} pair;

static void pair_begin(pair *p, atemi_model *robot, uint64_t seed)
{
    p->robot = robot;
    p->scene = scene_of(robot);
    p->robot_v = atemi_model_v_count(robot);
    p->scene_v = atemi_model_v_count(p->scene);
    p->alone = data_create(robot);
    p->beside = data_create(p->scene);
    random_state_fill(p->scene, seed, &p->x);
}

static void pair_end(pair *p)
{
    atemi_data_destroy(p->alone);
    atemi_data_destroy(p->beside);
    atemi_model_destroy(p->robot);
    atemi_model_destroy(p->scene);
}

// The robots of a manipulator, of humanoids with and without coupled joints, and random ones.
static const struct {
    const char *name;
    atemi_base  base;
} robots[] = {{"hrp2_like", ATEMI_BASE_FLOATING}, {"r2_like", ATEMI_BASE_FLOATING},
              {"r2_like", ATEMI_BASE_FIXED},      {"two_link", ATEMI_BASE_FIXED},
              {"three_link", ATEMI_BASE_PLANAR},  {"humanoid17", ATEMI_BASE_FLOATING}};

enum { ROBOTS = sizeof robots / sizeof robots[0] };

typedef void claim(pair *p);

static void for_every_robot(claim *is_true)
{
    static pair p;
    for (int i = 0; i < ROBOTS; ++i) {
        pair_begin(&p, load(robots[i].name, robots[i].base), 7);
        p.fine = 1e-12;
        is_true(&p);
        pair_end(&p);
    }
    for (int c = 0; c < TREE_CASES; ++c) {
        const tree_options options = tree_case(c);
        if (options.base != ATEMI_BASE_SAGITTAL) {
            pair_begin(&p, random_tree(&options, 3), 3);
            p.fine = 1e-10;
            is_true(&p);
            pair_end(&p);
        }
    }
}

// ---- Layout ---------------------------------------------------------------------------------

static void has_the_layout(pair *p)
{
    const int links = atemi_model_link_count(p->robot), q = atemi_model_q_count(p->robot);
    const int first_v = atemi_base_v_count(atemi_model_base(p->robot));
    CHECK_EQUAL_INT(atemi_model_base(p->scene), ATEMI_BASE_FIXED);
    CHECK_EQUAL_INT(atemi_model_q_count(p->scene), q + BODY_Q);
    CHECK_EQUAL_INT(p->scene_v, p->robot_v + BODY_V);
    CHECK_EQUAL_INT(atemi_model_link_count(p->scene), 1 + links + BODIES);
    CHECK_EQUAL_STRING(atemi_model_name(p->scene), atemi_model_name(p->robot));
    CHECK_EQUAL_STRING(atemi_model_link(p->scene, 0)->name, "world");
    CHECK_EQUAL_STRING(atemi_model_joint(p->scene, 0)->name, "base");
    CHECK_EQUAL_INT(atemi_model_joint(p->scene, 0)->v_count, first_v);
    for (int i = 0; i < links; ++i) {
        CHECK_EQUAL_STRING(atemi_model_link(p->scene, 1 + i)->name,
                           atemi_model_link(p->robot, i)->name);
    }
    CHECK_EQUAL_INT(atemi_model_find_link(p->scene, "nail"), 1 + links);
    CHECK_EQUAL_INT(atemi_model_find_joint(p->scene, "ball"), links + 2);
    CHECK_EQUAL_INT(atemi_model_joint(p->scene, links)->first_q, q);
    CHECK_EQUAL_INT(atemi_model_joint(p->scene, links + 2)->first_v, p->robot_v + 1);
}

TEST(scene, has_the_layout_of_the_robot_first)
{
    for_every_robot(has_the_layout);
}

static void check_same_joint(const atemi_joint *a, const atemi_joint *b)
{
    CHECK_EQUAL_STRING(a->name, b->name);
    CHECK_EQUAL_INT(a->type, b->type);
    CHECK_EQUAL_INT(a->parent_link, b->parent_link + 1);
    CHECK_EQUAL_INT(a->child_link, b->child_link + 1);
    CHECK_EQUAL_INT(a->first_q, b->first_q);
    CHECK_EQUAL_INT(a->first_v, b->first_v);
    CHECK_EQUAL_INT(a->q_count, b->q_count);
    CHECK(memcmp(&a->limits, &b->limits, sizeof a->limits) == 0);
    CHECK(memcmp(&a->origin, &b->origin, sizeof a->origin) == 0);
    CHECK(a->armature == b->armature && a->damping == b->damping && a->friction == b->friction);
    CHECK_EQUAL_INT(a->mimic.joint, b->mimic.joint == ATEMI_NONE ? ATEMI_NONE : b->mimic.joint + 1);
    CHECK(a->mimic.multiplier == b->mimic.multiplier && a->mimic.offset == b->mimic.offset);
}

static void keeps_the_joints(pair *p)
{
    for (int j = 0; j < atemi_model_joint_count(p->robot); ++j) {
        check_same_joint(atemi_model_joint(p->scene, j + 1), atemi_model_joint(p->robot, j));
    }
}

TEST(scene, keeps_limits_rotors_friction_and_couplings)
{
    for_every_robot(keeps_the_joints);
}

static void keeps_the_rest(pair *p)
{
    const int shapes = atemi_model_geometry_count(p->robot);
    CHECK_EQUAL_INT(atemi_model_site_count(p->scene), atemi_model_site_count(p->robot));
    for (int i = 0; i < atemi_model_site_count(p->robot); ++i) {
        const atemi_site *a = atemi_model_site(p->scene, i), *b = atemi_model_site(p->robot, i);
        CHECK_EQUAL_STRING(a->name, b->name);
        CHECK_EQUAL_INT(a->link, b->link + 1);
        CHECK(memcmp(&a->pose, &b->pose, sizeof a->pose) == 0);
        CHECK(a->size_x == b->size_x && a->size_y == b->size_y);
    }
    CHECK_EQUAL_INT(atemi_model_geometry_count(p->scene), shapes + 2); // the wall shows nothing
    for (int i = 0; i < shapes; ++i) {
        const atemi_geometry *a = atemi_model_geometry(p->scene, i);
        const atemi_geometry *b = atemi_model_geometry(p->robot, i);
        CHECK(a->link == b->link + 1 && a->shape == b->shape && a->collision == b->collision);
        CHECK(memcmp(&a->pose, &b->pose, sizeof a->pose) == 0);
        CHECK(memcmp(&a->size, &b->size, sizeof a->size) == 0);
        CHECK(memcmp(a->color, b->color, sizeof a->color) == 0);
    }
    CHECK_EQUAL_INT(atemi_model_posture_count(p->scene), atemi_model_posture_count(p->robot));
    for (int i = 0; i < atemi_model_posture_count(p->robot); ++i) {
        CHECK_EQUAL_STRING(atemi_model_posture_name(p->scene, i),
                           atemi_model_posture_name(p->robot, i));
        CHECK(memcmp(atemi_model_posture(p->scene, i), atemi_model_posture(p->robot, i),
                     (size_t)atemi_model_q_count(p->robot) * sizeof(double)) == 0);
    }
}

TEST(scene, keeps_sites_geometries_and_postures)
{
    for_every_robot(keeps_the_rest);
}

// ---- Motion ---------------------------------------------------------------------------------

// What moves apart has no inertia in common.
static void shares_no_inertia(pair *p)
{
    static double M[TREE_MAX_V * TREE_MAX_V], N[MOST_V * MOST_V];
    const int     n = p->robot_v, m = p->scene_v;
    atemi_mass_matrix(p->alone, p->x.q, M);
    atemi_mass_matrix(p->beside, p->x.q, N);
    const double size = 1.0 + largest_size(M, n * n);
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(largest_difference(N + (size_t)i * (size_t)m, M + (size_t)i * (size_t)n, n), 0.0,
                   1e-12 * size);
        CHECK_NEAR(largest_size(N + (size_t)i * (size_t)m + n, BODY_V), 0.0, 0.0);
    }
    CHECK_NEAR(N[n * m + n], 0.7, 1e-15);
    CHECK_NEAR(N[(n + 2) * m + n + 2], 5.0, 1e-14);
}

TEST(scene, has_the_mass_matrix_of_the_robot_as_a_block)
{
    for_every_robot(shares_no_inertia);
}

static void moves_alike(pair *p)
{
    static atemi_force on_robot[TREE_MAX_JOINTS + 8], on_scene[TREE_MAX_JOINTS + 8 + 1 + BODIES];
    double             alone[TREE_MAX_V], beside[MOST_V];
    random_forces(p->robot, 5, on_robot);
    memset(on_scene, 0, sizeof on_scene);
    memcpy(on_scene + 1, on_robot, (size_t)atemi_model_link_count(p->robot) * sizeof *on_robot);

    atemi_inverse_dynamics(p->alone, p->x.q, p->x.v, p->x.a, on_robot, alone);
    atemi_inverse_dynamics(p->beside, p->x.q, p->x.v, p->x.a, on_scene, beside);
    double size = 1.0 + largest_size(alone, p->robot_v);
    CHECK_NEAR(largest_difference(alone, beside, p->robot_v), 0.0, 1e-12 * size);

    atemi_forward_dynamics(p->alone, p->x.q, p->x.v, p->x.tau, on_robot, alone);
    atemi_forward_dynamics(p->beside, p->x.q, p->x.v, p->x.tau, on_scene, beside);
    size = 1.0 + largest_size(alone, p->robot_v);
    CHECK_NEAR(largest_difference(alone, beside, p->robot_v), 0.0, p->fine * size);
}

TEST(scene, leaves_the_robot_its_dynamics)
{
    for_every_robot(moves_alike);
}

static double potential_of(const atemi_model *scene, const atemi_data *k, const char *name)
{
    const int             link = atemi_model_find_link(scene, name);
    const atemi_inertia  *inertia = &atemi_model_link(scene, link)->inertia;
    const atemi_transform pose = atemi_link_pose(k, link);
    return -inertia->mass *
           atemi_vec3_dot(atemi_model_gravity(scene), atemi_transform_apply(&pose, inertia->com));
}

static void adds_energies(pair *p)
{
    atemi_data   *alone = p->alone, *beside = p->beside;
    const double *of_nail = p->x.v + p->robot_v, *of_ball = of_nail + 1;
    atemi_update_kinematics(alone, p->x.q, p->x.v, NULL);
    atemi_update_kinematics(beside, p->x.q, p->x.v, NULL);
    const atemi_inertia ball =
        atemi_model_link(p->scene, atemi_model_link_count(p->scene) - 1)->inertia;
    const atemi_motion twist = {{of_ball[0], of_ball[1], of_ball[2]},
                                {of_ball[3], of_ball[4], of_ball[5]}};
    const double       kinetic = atemi_kinetic_energy(alone) + 0.35 * of_nail[0] * of_nail[0] +
                           0.5 * atemi_motion_power(twist, atemi_inertia_apply(&ball, twist));
    const double potential = atemi_potential_energy(alone) +
                             potential_of(p->scene, beside, "nail") +
                             potential_of(p->scene, beside, "ball");
    CHECK_NEAR(atemi_kinetic_energy(beside), kinetic, 1e-12 * (1.0 + kinetic));
    CHECK_NEAR(atemi_potential_energy(beside), potential, 1e-12 * (1.0 + fabs(potential)));
}

TEST(scene, has_the_energy_of_all_that_moves)
{
    for_every_robot(adds_energies);
}

TEST(scene, keeps_the_gravity_of_the_robot)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    atemi_model       *robot = NULL;
    options.model.gravity = (atemi_vec3){0.1, 0.2, -1.62};
    CHECK_STATUS(atemi_robots_load("hrp2_like", &options, &robot, NULL), ATEMI_OK);
    atemi_model *scene = scene_of(robot);
    CHECK_NEAR(atemi_model_gravity(scene).x, 0.1, 0.0);
    CHECK_NEAR(atemi_model_gravity(scene).z, -1.62, 0.0);
    atemi_model_destroy(scene);
    atemi_model_destroy(robot);
}

// ---- Bodies ---------------------------------------------------------------------------------

TEST(scene, puts_bodies_where_they_are_said_to_be)
{
    static pair      p;
    atemi_scene_body bodies[BODIES];
    make_bodies(bodies);
    pair_begin(&p, load("two_link", ATEMI_BASE_FIXED), 1);
    const int     first = atemi_model_q_count(p.robot);
    const double *still = p.x.v;
    double        q[64];
    atemi_configuration_neutral(p.scene, q);
    atemi_update_kinematics(p.beside, q, still, NULL);
    for (int i = 0; i < BODIES; ++i) {
        const int             link = atemi_model_find_link(p.scene, bodies[i].name);
        const atemi_transform pose = atemi_link_pose(p.beside, link);
        CHECK_NEAR(largest_pose_difference(&pose, &bodies[i].pose), 0.0, 1e-15);
    }
    q[first] = 0.5; // along (0, 0.6, -0.8)
    atemi_update_kinematics(p.beside, q, still, NULL);
    const atemi_vec3 nail =
        atemi_link_pose(p.beside, atemi_model_find_link(p.scene, "nail")).position;
    CHECK_NEAR(nail.y, 0.1 + 0.3, 1e-15);
    CHECK_NEAR(nail.z, 1.2 - 0.4, 1e-15);
    const atemi_joint *joint = atemi_model_joint(p.scene, atemi_model_find_joint(p.scene, "nail"));
    CHECK(joint->damping == 2.5 && joint->friction == 40.0);
    const atemi_geometry *box =
        atemi_model_geometry(p.scene, atemi_model_geometry_count(p.scene) - 2);
    CHECK_EQUAL_INT(box->link, atemi_model_find_link(p.scene, "nail"));
    CHECK(box->shape == ATEMI_SHAPE_BOX && box->size.y == 0.02 && box->color[0] == 1.0);
    pair_end(&p);
}

TEST(scene, without_bodies_is_the_robot)
{
    atemi_model *robot = load("r2_like", ATEMI_BASE_FLOATING), *scene = NULL;
    CHECK_STATUS(atemi_scene_create(robot, NULL, 0, &scene, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_model_q_count(scene), atemi_model_q_count(robot));
    CHECK_NEAR(atemi_model_mass(scene), atemi_model_mass(robot), 0.0);
    atemi_model_destroy(scene);
    atemi_model_destroy(robot);
}

// A scene is a robot for the next one: its own world and base have these names.
TEST(scene, takes_other_names_where_the_robot_has_its_own)
{
    atemi_model           *robot = load("two_link", ATEMI_BASE_FIXED), *scene = scene_of(robot);
    atemi_model           *outer = NULL;
    const atemi_scene_body moon = atemi_scene_body_box("moon", 1.0, (atemi_vec3){1.0, 1.0, 1.0});
    CHECK_STATUS(atemi_scene_create(scene, &moon, 1, &outer, NULL), ATEMI_OK);
    CHECK_EQUAL_STRING(atemi_model_link(outer, 0)->name, "world_");
    CHECK_EQUAL_STRING(atemi_model_joint(outer, 0)->name, "base_");
    CHECK_EQUAL_INT(atemi_model_find_link(outer, "world"), 1);
    atemi_model_destroy(outer);
    atemi_model_destroy(scene);
    atemi_model_destroy(robot);
}

// ---- Refusals -------------------------------------------------------------------------------

static void check_refused(const atemi_model *robot, const atemi_scene_body *bodies, int count,
                          const char *why)
{
    atemi_model *scene = NULL;
    atemi_error  error = {0};
    CHECK_STATUS(atemi_scene_create(robot, bodies, count, &scene, &error), ATEMI_ERROR_INPUT);
    CHECK(!scene);
    CHECK_CONTAINS(error.message, why);
}

TEST(scene, refuses_names_that_are_taken)
{
    atemi_model      *robot = load("two_link", ATEMI_BASE_FIXED);
    const char *const taken[] = {"base", "world", atemi_model_joint(robot, 0)->name};
    atemi_scene_body  twins[2];
    for (int i = 0; i < 3; ++i) {
        twins[0] = atemi_scene_body_box(taken[i], 1.0, (atemi_vec3){1.0, 1.0, 1.0});
        check_refused(robot, twins, 1, taken[i]);
        check_refused(robot, twins, 1, "give it another name");
    }
    twins[0].name = "twin";
    twins[1] = twins[0];
    check_refused(robot, twins, 2, "link 'twin' is described twice");
    twins[0].name = NULL;
    check_refused(robot, twins, 1, "no name");
    atemi_model_destroy(robot);
}

TEST(scene, refuses_what_cannot_move)
{
    atemi_model     *robot = load("two_link", ATEMI_BASE_FIXED);
    atemi_scene_body ghost = atemi_scene_body_box("ghost", 0.0, (atemi_vec3){1.0, 1.0, 1.0});
    check_refused(robot, &ghost, 1, "nothing behind it has a mass");
    atemi_model_destroy(robot);
    robot = load("two_link", ATEMI_BASE_SAGITTAL);
    check_refused(robot, NULL, 0, "sagittal");
    atemi_model_destroy(robot);
}

TEST(scene, fails_cleanly_without_memory)
{
    atemi_model *robot = load("two_link", ATEMI_BASE_FIXED);
    bool         failed = true;
    for (int n = 1; failed; ++n) {
        atemi_scene_body bodies[BODIES];
        atemi_model     *scene = NULL;
        make_bodies(bodies);
        failing_allocator_install(n);
        const atemi_status status = atemi_scene_create(robot, bodies, BODIES, &scene, NULL);
        atemi_model_destroy(scene);
        failed = failing_allocator_failed();
        failing_allocator_remove();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    atemi_model_destroy(robot);
}

// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow.h"

#include "atemi/math.h"
#include "atemi/robots.h"
#include "check.h"
#include "data.h"
#include "random.h"
#include "random_tree.h"
#include "two_rails.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 16, MOST = TREE_MAX_V };

typedef struct bench {
    atemi_model       *model;
    atemi_arena        arena;
    atemi_virtual_base base;
    atemi_data        *scratch;
    int                n;
    int                feet[2];
    atemi_ground       ground; ///< none, or the feet
} bench;

static void bench_begin(bench *b, atemi_model *model)
{
    *b = (bench){.model = model, .arena = atemi_arena_measuring()};
    atemi_virtual_base_take(&b->arena, model);
    CHECK_STATUS(atemi_arena_create(&b->arena, b->arena.used, NULL), ATEMI_OK);
    b->base = atemi_virtual_base_take(&b->arena, model);
    b->scratch = data_create(model);
    b->n = atemi_model_v_count(model);
    b->ground = atemi_ground_default();
}

static void bench_end(bench *b)
{
    atemi_data_destroy(b->scratch);
    atemi_arena_destroy(&b->arena);
    atemi_model_destroy(b->model);
}

static atemi_model *hrp2(void)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    return model;
}

// With both feet fixed.
static void bench_begin_standing(bench *b)
{
    bench_begin(b, hrp2());
    b->feet[0] = atemi_model_find_link(b->model, "right_sole");
    b->feet[1] = atemi_model_find_link(b->model, "left_sole");
    b->ground.links = b->feet;
    b->ground.count = 2;
}

static const double *half_sitting(const atemi_model *model)
{
    return atemi_model_posture(model, atemi_model_find_posture(model, "half_sitting"));
}

static atemi_status update(bench *b, const double *q, const atemi_striking_point *at,
                           atemi_error *error)
{
    return atemi_virtual_base_update(b->model, q, &b->ground, at, &b->base, error);
}

static double virtual_mass(bench *b, const double *q, const atemi_striking_point *at)
{
    CHECK_STATUS(update(b, q, at, NULL), ATEMI_OK);
    return atemi_virtual_mass(&b->base);
}

static atemi_striking_point punch(const atemi_model *model)
{
    return (atemi_striking_point){.link = atemi_model_find_link(model, "right_fist"),
                                  .direction = {1.0, 0.0, 0.0}};
}

static atemi_striking_point push(const atemi_model *model)
{
    atemi_striking_point both = punch(model);
    both.more = 1;
    both.others[0].link = atemi_model_find_link(model, "left_fist");
    return both;
}

// ---- A dense oracle: M, G and the KKT system by LU ------------------------------------------

// The rows of the grounded links and locked joints, and n^T J by differences of velocities.
static int rows_of(bench *b, const double *q, double *G)
{
    atemi_update_kinematics(b->scratch, q, NULL, NULL);
    for (int i = 0; i < b->ground.count; ++i) {
        atemi_link_jacobian(b->scratch, b->ground.links[i], G + 6 * i * b->n);
    }
    int count = 6 * b->ground.count;
    for (int i = 0; b->ground.locked && i < b->n; ++i) {
        if (b->ground.locked[i]) {
            memset(G + count * b->n, 0, (size_t)b->n * sizeof *G);
            G[count++ * b->n + i] = 1.0;
        }
    }
    return count;
}

static double hand_speed(bench *b, atemi_striking_hand hand, atemi_vec3 direction)
{
    const atemi_transform pose = atemi_link_pose(b->scratch, hand.link);
    const atemi_motion    moved = atemi_motion_at(atemi_link_velocity(b->scratch, hand.link),
                                                  atemi_mat3_apply(&pose.rotation, hand.point));
    return atemi_vec3_dot(moved.linear, direction);
}

// Of two hands, the mean.
static double point_speed(bench *b, const double *q, const double *v,
                          const atemi_striking_point *at)
{
    atemi_update_kinematics(b->scratch, q, v, NULL);
    const double first = hand_speed(b, (atemi_striking_hand){at->link, at->point}, at->direction);
    return at->more == 0 ? first : 0.5 * (first + hand_speed(b, at->others[0], at->direction));
}

static void point_row(bench *b, const double *q, const atemi_striking_point *at, double *row)
{
    double unit[MOST] = {0};
    for (int i = 0; i < b->n; ++i) {
        unit[i] = 1.0;
        row[i] = point_speed(b, q, unit, at);
        unit[i] = 0.0;
    }
}

// v' of  M v' = load + G^T l,  G v' = 0, with rotors on the diagonal of M.
static bool solve_kkt(bench *b, const double *q, const double *load, double *answer)
{
    static double M[MOST * MOST], G[MAX_ROWS * MOST];
    static double K[(MOST + MAX_ROWS) * (MOST + MAX_ROWS)], x[MOST + MAX_ROWS];
    static int    pivot[MOST + MAX_ROWS];
    const int     n = b->n, m = rows_of(b, q, G), size = n + m;
    atemi_mass_matrix(b->scratch, q, M);
    memset(K, 0, sizeof K);
    memset(x, 0, sizeof x);
    for (int i = 0; i < n; ++i) {
        memcpy(K + i * size, M + i * n, (size_t)n * sizeof *K);
        for (int r = 0; r < m; ++r) {
            K[i * size + n + r] = K[(n + r) * size + i] = G[r * n + i];
        }
        K[i * size + i] += b->ground.rotors ? b->ground.rotors[i] : 0.0;
        x[i] = load[i];
    }
    if (!atemi_lu_factor(size, K, size, pivot)) {
        return false;
    }
    atemi_lu_solve(size, K, size, pivot, x);
    memcpy(answer, x, (size_t)n * sizeof *answer);
    return true;
}

// ---- Claims ---------------------------------------------------------------------------------

static void check_against_kkt(bench *b, const double *q, const atemi_striking_point *at)
{
    double row[MOST], answer[MOST], load[MOST] = {0};
    point_row(b, q, at, row);
    CHECK_STATUS(update(b, q, at, NULL), ATEMI_OK);
    CHECK_NEAR(largest_difference(b->base.jacobian, row, b->n), 0.0, 1e-12);

    CHECK(solve_kkt(b, q, row, answer));
    const double size = largest_size(answer, b->n);
    CHECK_NEAR(largest_difference(b->base.response, answer, b->n), 0.0, 1e-9 * size);
    double give = 0.0;
    for (int i = 0; i < b->n; ++i) {
        give += row[i] * answer[i];
    }
    CHECK_NEAR(b->base.give, give, 1e-9 * give);
    CHECK_NEAR(atemi_virtual_mass(&b->base), 1.0 / give, 1e-9 / give);

    for (int i = 0; i < b->n; ++i) {
        load[i] = 1.0;
        CHECK(solve_kkt(b, q, load, answer));
        const double *C = b->base.mobility + i * b->base.stride;
        CHECK_NEAR(largest_difference(C, answer, b->n), 0.0, 1e-9 * largest_size(answer, b->n));
        load[i] = 0.0;
    }
}

TEST(virtual_base, of_a_fixed_robot_has_the_plain_operational_space_inertia)
{
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        tree_options options = tree_options_default();
        options.base = ATEMI_BASE_FIXED;
        bench b;
        bench_begin(&b, random_tree(&options, seed));
        random_state x;
        random_state_fill(b.model, seed, &x);
        const atemi_striking_point at = {.link = atemi_model_link_count(b.model) - 1,
                                         .point = {0.1, 0.2, -0.1},
                                         .direction = {0.48, 0.6, 0.64}};
        check_against_kkt(&b, x.q, &at);
        bench_end(&b);
    }
}

// Two feet on the ground are a closed loop: 36 rates less 12 rows leave 24.
TEST(virtual_base, with_both_feet_fixed_solves_the_whole_constrained_system)
{
    bench b;
    bench_begin_standing(&b);
    const atemi_striking_point at = punch(b.model);
    for (b.ground.count = 0; b.ground.count <= 2; ++b.ground.count) {
        check_against_kkt(&b, half_sitting(b.model), &at);
    }
    bench_end(&b);
}

// On every third joint.
static void fill_rotors(const bench *b, double inertia, double *rotors)
{
    for (int i = 0; i < b->n; ++i) {
        rotors[i] = i >= b->base.base_count && i % 3 == 0 ? inertia : 0.0;
    }
}

TEST(virtual_base, with_rotors_solves_the_whole_constrained_system)
{
    double rotors[MOST];
    bench  b;
    bench_begin_standing(&b);
    const atemi_striking_point at = punch(b.model);
    b.ground.rotors = rotors;
    for (double inertia = 1e-3; inertia < 1e3; inertia *= 30.0) {
        fill_rotors(&b, inertia, rotors);
        check_against_kkt(&b, half_sitting(b.model), &at);
    }
    bench_end(&b);
}

// A joint of the waist, of both arms and of the neck.
TEST(virtual_base, with_locked_joints_solves_the_whole_constrained_system)
{
    static const char *const names[] = {"chest_pitch", "right_elbow", "left_gripper", "neck_yaw"};
    bool                     locked[MOST] = {false};
    double                   rotors[MOST];
    bench                    b;
    bench_begin_standing(&b);
    for (int i = 0; i < 4; ++i) {
        const int joint = atemi_model_find_joint(b.model, names[i]);
        locked[atemi_model_joint(b.model, joint)->first_v] = true;
    }
    const atemi_striking_point at = punch(b.model);
    fill_rotors(&b, 0.1, rotors);
    b.ground.rotors = rotors;
    b.ground.locked = locked;
    check_against_kkt(&b, half_sitting(b.model), &at);
    for (int i = 0; i < b.n; ++i) {
        CHECK(!locked[i] || b.base.mobility[i * b.base.stride + i] == 0.0);
    }
    b.ground.grounding = ATEMI_GROUNDING_HEAVY;
    CHECK_STATUS(update(&b, half_sitting(b.model), &at, NULL), ATEMI_ERROR_INPUT);
    bench_end(&b);
}

// Links of an ant on joints with rotors, as robot files have them between two axes of a neck: a
// trolley, and on it two hinges that turn hardly anything but their rotors. Their mobilities
// without rotors are 1e17, of which rounding would leave errors of 10.
TEST(virtual_base, keeps_its_digits_where_a_rotor_is_all_the_inertia)
{
    const double         rotors[] = {0.0, 0.004, 0.002};
    const double         mobility[] = {1.0 / 5.0, 1.0 / 0.004, 1.0 / 0.002};
    const double         q[3] = {0.0, 0.3, -0.4};
    const atemi_vec3     x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0}, at = {0};
    const atemi_inertia  none = {0}, body = {.mass = 5.0, .rotational = {1.0, 1.0, 1.0, 0, 0, 0}};
    const atemi_inertia  ant = {.mass = 1e-15, .rotational = {1e-17, 1e-17, 1e-17, 0, 0, 0}};
    atemi_model_builder *builder = tree_begin();
    bench                b;
    tree_add_link(builder, "wall", &none);
    tree_add_link(builder, "trolley", &body);
    tree_add_link(builder, "gimbal", &ant);
    tree_add_link(builder, "head", &ant);
    tree_add_joint(builder, "rail", ATEMI_JOINT_PRISMATIC, "wall", "trolley", x, at);
    tree_add_joint(builder, "yaw", ATEMI_JOINT_REVOLUTE, "trolley", "gimbal", z, at);
    tree_add_joint(builder, "pitch", ATEMI_JOINT_REVOLUTE, "gimbal", "head", y, at);
    bench_begin(&b, tree_finish(builder, ATEMI_BASE_FIXED));
    b.ground.rotors = rotors;
    const atemi_striking_point point = {.link = 1, .direction = x};
    CHECK_NEAR(virtual_mass(&b, q, &point), 5.0, 1e-12);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(b.base.mobility[i * b.base.stride + k], i == k ? mobility[i] : 0.0, 1e-9);
        }
    }
    bench_end(&b);
}

TEST(virtual_base, with_rotors_and_heavy_feet_is_about_that_with_fixed_ones)
{
    double rotors[MOST];
    bench  b;
    bench_begin_standing(&b);
    const atemi_striking_point at = punch(b.model);
    const double              *q = half_sitting(b.model);
    b.ground.rotors = rotors;
    fill_rotors(&b, 1.0, rotors);
    const double fixed = virtual_mass(&b, q, &at);
    b.ground.grounding = ATEMI_GROUNDING_HEAVY;
    CHECK_NEAR(virtual_mass(&b, q, &at), fixed, 1e-3 * fixed);
    bench_end(&b);
}

// The nearest velocities in kinetic energy solve the constrained system with the load M wanted.
TEST(virtual_base, projects_velocities_onto_those_that_leave_the_feet_where_they_are)
{
    static double M[MOST * MOST];
    bench         b;
    bench_begin_standing(&b);
    const atemi_striking_point at = punch(b.model);
    const double              *q = half_sitting(b.model);
    double                     wanted[MOST], load[MOST] = {0}, answer[MOST], v[MOST], again[MOST];
    atemi_mass_matrix(b.scratch, q, M);
    for (int i = 0; i < b.n; ++i) {
        wanted[i] = sin(1.0 + i);
    }
    for (int i = 0; i < b.n * b.n; ++i) {
        load[i / b.n] += M[i] * wanted[i % b.n];
    }
    CHECK_STATUS(update(&b, q, &at, NULL), ATEMI_OK);
    CHECK(solve_kkt(&b, q, load, answer));
    atemi_virtual_base_project(&b.base, wanted, v);
    CHECK_NEAR(largest_difference(v, answer, b.n), 0.0, 1e-10);
    atemi_virtual_base_project(&b.base, v, again);
    CHECK_NEAR(largest_difference(v, again, b.n), 0.0, 1e-10);
    CHECK_BREAKS_CONTRACT(atemi_virtual_base_project(&b.base, v, v));
    bench_end(&b);
}

TEST(virtual_base, leaves_grounded_links_where_they_are)
{
    static double G[MAX_ROWS * MOST];
    bench         b;
    bench_begin_standing(&b);
    const atemi_striking_point at = punch(b.model);
    const double              *q = half_sitting(b.model);
    double                     v[MOST];
    CHECK_STATUS(update(&b, q, &at, NULL), ATEMI_OK);
    atemi_virtual_base_rates(&b.base, 0.7, v);
    const int rows = rows_of(&b, q, G);
    for (int r = 0; r < rows; ++r) {
        double moved = 0.0;
        for (int i = 0; i < b.n; ++i) {
            moved += G[r * b.n + i] * v[i];
        }
        CHECK_NEAR(moved, 0.0, 1e-12);
    }
    CHECK_NEAR(point_speed(&b, q, v, &at), 0.7, 1e-12);
    atemi_update_kinematics(b.scratch, q, v, NULL);
    CHECK_NEAR(atemi_kinetic_energy(b.scratch), 0.5 * atemi_virtual_mass(&b.base) * 0.49, 1e-10);
    bench_end(&b);
}

// The difference shrinks as 1 / M_g: its logarithm over that of M_g has the slope -1.
TEST(virtual_base, with_heavy_feet_approaches_fixed_feet_as_one_over_their_mass)
{
    bench b;
    bench_begin_standing(&b);
    const atemi_striking_point at = punch(b.model);
    const double              *q = half_sitting(b.model);
    const double               limit = virtual_mass(&b, q, &at);
    double                     fixed[MOST];
    memcpy(fixed, b.base.response, (size_t)b.n * sizeof *fixed);

    b.ground.grounding = ATEMI_GROUNDING_HEAVY;
    double before = 0.0;
    for (double mass = 1e4; mass <= 1e7; mass *= 10.0) {
        b.ground.mass = b.ground.inertia = mass;
        const double off = virtual_mass(&b, q, &at) - limit;
        if (before != 0.0) {
            CHECK_NEAR(log10(off / before), -1.0, 0.02);
        }
        before = off;
    }
    CHECK_NEAR(largest_difference(b.base.response, fixed, b.n), 0.0,
               1e-5 * largest_size(fixed, b.n));
    bench_end(&b);
}

static void check_inverse(const atemi_virtual_base *base, int first)
{
    const int joints = base->count - first;
    for (int i = 0; i < joints; ++i) {
        for (int j = 0; j < joints; ++j) {
            double sum = 0.0;
            for (int k = 0; k < joints; ++k) {
                sum += base->generalized_inertia[i * joints + k] *
                       base->mobility[(first + k) * base->stride + first + j];
            }
            CHECK_NEAR(sum, i == j, 1e-9);
        }
    }
}

// A robot that floats freely, struck by nothing but its own torques, keeps the momentum zero.
TEST(virtual_base, that_floats_freely_keeps_its_momentum)
{
    bench b;
    bench_begin(&b, hrp2());
    const atemi_striking_point at = punch(b.model);
    const double              *q = half_sitting(b.model);
    b.ground.grounding = ATEMI_GROUNDING_HEAVY;
    CHECK_STATUS(update(&b, q, &at, NULL), ATEMI_OK);
    check_inverse(&b.base, 6);
    for (int i = 6; i < b.n; ++i) {
        atemi_update_kinematics(b.scratch, q, b.base.mobility + i * b.base.stride, NULL);
        const atemi_force p = atemi_momentum(b.scratch);
        CHECK_NEAR(atemi_vec3_norm(p.linear), 0.0, 1e-10);
        CHECK_NEAR(atemi_vec3_norm(p.angular), 0.0, 1e-10);
    }
    // n^T J* is how the point moves with such rates.
    double unit[MOST] = {0}, moved = 0.0;
    memcpy(unit, b.base.mobility + 20 * b.base.stride, (size_t)b.n * sizeof *unit);
    for (int i = 6; i < b.n; ++i) {
        moved += b.base.generalized_jacobian[i - 6] * unit[i];
    }
    CHECK_NEAR(point_speed(&b, q, unit, &at), moved, 1e-12);
    bench_end(&b);
}

TEST(virtual_base, does_not_mind_a_foot_that_is_grounded_twice)
{
    bench b;
    bench_begin_standing(&b);
    const int feet[] = {b.feet[0], b.feet[1], atemi_model_find_link(b.model, "right_foot")};
    const atemi_striking_point at = punch(b.model);
    const double              *q = half_sitting(b.model);
    const double               mass = virtual_mass(&b, q, &at);
    b.ground.links = feet;
    b.ground.count = 3;
    CHECK_NEAR(virtual_mass(&b, q, &at), mass, 1e-9 * mass);
    bench_end(&b);
}

// ---- Two hands ------------------------------------------------------------------------------

// Half of the force on each, and the mean of what they do: (1/m_1 + 1/m_2) / 4.
TEST(virtual_base, of_two_masses_has_both_if_they_are_equal)
{
    static const double masses[][3] = {{4.0, 4.0, 8.0}, {4.0, 1.0, 3.2}};
    for (int i = 0; i < 2; ++i) {
        const double               q[2] = {0};
        const atemi_striking_point at = both_rails();
        bench                      b;
        bench_begin(&b, two_rails(masses[i][0], masses[i][1]));
        CHECK_STATUS(atemi_virtual_base_update(b.model, q, NULL, &at, &b.base, NULL), ATEMI_OK);
        CHECK_NEAR(atemi_virtual_mass(&b.base), masses[i][2], 1e-12);
        CHECK_NEAR(b.base.jacobian[0], 0.5, 0.0);
        CHECK_NEAR(b.base.jacobian[1], 0.5, 0.0);
        bench_end(&b);
    }
}

TEST(virtual_base, of_two_hands_solves_the_whole_constrained_system)
{
    bench b;
    bench_begin_standing(&b);
    atemi_striking_point at = push(b.model);
    at.point = (atemi_vec3){0.01, -0.02, 0.03};
    at.others[0].point = (atemi_vec3){0.05, 0.01, -0.04};
    for (b.ground.count = 0; b.ground.count <= 2; ++b.ground.count) {
        check_against_kkt(&b, half_sitting(b.model), &at);
    }
    bench_end(&b);
}

// Bit by bit, fixed and heavy.
TEST(virtual_base, of_two_hands_at_one_place_is_that_of_one)
{
    for (int heavy = 0; heavy < 2; ++heavy) {
        bench one, two;
        bench_begin(&one, hrp2());
        bench_begin(&two, hrp2());
        atemi_ground         ground = atemi_ground_default();
        const int            foot = atemi_model_find_link(one.model, "right_sole");
        atemi_striking_point at = punch(one.model);
        const double        *q = half_sitting(one.model);
        const size_t         row = (size_t)one.n * sizeof(double);
        ground.grounding = heavy ? ATEMI_GROUNDING_HEAVY : ATEMI_GROUNDING_FIXED;
        ground.links = &foot;
        ground.count = 1;
        at.point = (atemi_vec3){0.01, -0.02, 0.03};
        CHECK_STATUS(atemi_virtual_base_update(one.model, q, &ground, &at, &one.base, NULL),
                     ATEMI_OK);
        at.more = 1;
        at.others[0] = (atemi_striking_hand){at.link, at.point};
        CHECK_STATUS(atemi_virtual_base_update(two.model, q, &ground, &at, &two.base, NULL),
                     ATEMI_OK);
        CHECK(memcmp(one.base.jacobian, two.base.jacobian, row) == 0);
        CHECK(memcmp(one.base.response, two.base.response, row) == 0);
        CHECK(one.base.give == two.base.give);
        bench_end(&one);
        bench_end(&two);
    }
}

// A unit of impulse, half at each hand, is what the robot's momentum becomes, with its moment.
TEST(virtual_base, of_two_hands_of_a_free_robot_answers_with_their_momentum)
{
    bench b;
    bench_begin(&b, hrp2());
    const double        *q = half_sitting(b.model);
    atemi_striking_point at = push(b.model);
    at.direction = (atemi_vec3){0.48, 0.6, 0.64};
    at.others[0].point = (atemi_vec3){0.1, 0.2, 0.3};
    CHECK_STATUS(atemi_virtual_base_update(b.model, q, NULL, &at, &b.base, NULL), ATEMI_OK);
    atemi_update_kinematics(b.scratch, q, b.base.response, NULL);
    const atemi_data     *k = b.scratch;
    const atemi_transform right = atemi_link_pose(k, at.link);
    const atemi_transform left = atemi_link_pose(k, at.others[0].link);
    const atemi_vec3      amid = atemi_vec3_scale(
        0.5, atemi_vec3_add(right.position, atemi_transform_apply(&left, at.others[0].point)));
    const atemi_vec3  arm = atemi_vec3_sub(amid, atemi_center_of_mass(k));
    const atemi_force p = atemi_momentum(k);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(p.linear, at.direction)), 0.0, 1e-10);
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(p.angular, atemi_vec3_cross(arm, at.direction))), 0.0,
               1e-10);
    bench_end(&b);
}

static double give_between(bench *b, const atemi_striking_point *at, const double *response)
{
    double row[MOST], sum = 0.0;
    point_row(b, half_sitting(b->model), at, row);
    for (int i = 0; i < b->n; ++i) {
        sum += row[i] * response[i];
    }
    return sum;
}

// Hands that a rigid plate holds together have the mass  1^T A^-1 1,  A_ij what hand i does when j
// is pushed. That is more than both have by themselves, less than 1e-3 more where they are mirror
// images but for the trunk's centre of mass.
TEST(virtual_base, of_two_hands_is_that_of_tied_hands_if_they_are_mirror_images)
{
    bench b;
    bench_begin_standing(&b);
    const atemi_striking_point both = push(b.model), right = punch(b.model);
    atemi_striking_point       left = right;
    left.link = both.others[0].link;
    const double *q = half_sitting(b.model);
    CHECK_STATUS(update(&b, q, &right, NULL), ATEMI_OK);
    const double A = give_between(&b, &right, b.base.response);
    const double B = give_between(&b, &left, b.base.response);
    CHECK_STATUS(update(&b, q, &left, NULL), ATEMI_OK);
    const double D = give_between(&b, &left, b.base.response);
    const double tied = (A + D - 2.0 * B) / (A * D - B * B);
    const double mass = virtual_mass(&b, q, &both);
    CHECK_NEAR(mass, 4.0 / (A + D + 2.0 * B), 1e-9 * mass);
    CHECK(mass <= tied);
    CHECK_NEAR(mass, tied, 1e-3 * tied);
    bench_end(&b);
}

// ---- Refusals -------------------------------------------------------------------------------

TEST(virtual_base, refuses_what_cannot_be)
{
    bench b;
    bench_begin(&b, hrp2());
    const double        *q = half_sitting(b.model);
    atemi_error          error;
    atemi_striking_point at = punch(b.model);
    const int            held[] = {atemi_model_find_link(b.model, "right_fist"), 9999};
    b.ground.links = held;
    b.ground.count = 1;
    CHECK_STATUS(update(&b, q, &at, &error), ATEMI_ERROR_SINGULAR);
    CHECK_CONTAINS(error.message, "right_fist");
    CHECK_CONTAINS(error.message, "ground fewer links");
    b.ground.count = 2;
    CHECK_STATUS(update(&b, q, &at, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "9999");

    at.direction = (atemi_vec3){0};
    CHECK_STATUS(atemi_virtual_base_update(b.model, q, NULL, &at, &b.base, &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "length 1");
    at = punch(b.model);
    at.point.x = (double)NAN;
    CHECK_STATUS(atemi_virtual_base_update(b.model, q, NULL, &at, &b.base, &error),
                 ATEMI_ERROR_INPUT);
    at.link = -1;
    CHECK_STATUS(atemi_virtual_base_update(b.model, q, NULL, &at, &b.base, &error),
                 ATEMI_ERROR_INPUT);
    at = punch(b.model);
    b.ground.count = 0;
    b.ground.grounding = ATEMI_GROUNDING_HEAVY;
    b.ground.mass = -1.0;
    CHECK_STATUS(update(&b, q, &at, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "positive");
    bench_end(&b);
}

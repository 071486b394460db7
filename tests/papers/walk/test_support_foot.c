// SPDX-License-Identifier: Apache-2.0

#include "papers/walk/support_foot.h"

#include "atemi/contact.h"
#include "check.h"
#include "data.h"
#include "free_state.h"
#include "random.h"
#include "walk_rig.h"

#include <math.h>
#include <string.h>

// Two parametrizations of one motion: rooted in the supporting foot as in [WALK], and with a free
// base and the foot's contacts in their modes. They share the robot's file and nothing else: the
// trees are turned round, one has no constraint, the other no joint at the floor.

enum { MAX_V = 24, STATES = 4, EDGES = 2, FEET = 2, CASES = 5 };

static const char *const edge_names[FEET][EDGES] = {{"right_heel", "right_toe"},
                                                    {"left_heel", "left_toe"}};

// A robot in both parametrizations, in the same state under the same torques.
typedef struct pair {
    atemi_model       *robot, *rooted;
    atemi_support_foot foot;
    atemi_vec3         edges[EDGES]; ///< heel and toe, in the foot's frame
    int                edge;         ///< on which it stands in line contact
    atemi_data        *of_robot, *of_rooted;
    double             q[MAX_V], v[MAX_V], tau[MAX_V], a[MAX_V]; ///< of the rooted robot
    double             robot_q[MAX_V], robot_v[MAX_V], robot_tau[MAX_V], robot_a[MAX_V];
} pair;

static atemi_vec3 find_point(const atemi_model *robot, const char *name, int *link)
{
    const atemi_site *site = atemi_model_site(robot, atemi_model_find_site(robot, name));
    *link = site->link;
    return site->pose.position;
}

// State 0 to 3 as in Fig. 2: (a) to (d).
static void begin(pair *p, int foot, int edge, int state)
{
    *p = (pair){.robot = walker(), .edge = edge};
    for (int e = 0; e < EDGES; ++e) {
        p->edges[e] = find_point(p->robot, edge_names[foot][e], &p->foot.link);
    }
    p->foot.edge = p->edges[edge];
    p->foot.rotates = state % 2 == 1;
    p->foot.slips = state >= 2;
    CHECK_STATUS(atemi_support_foot_model(&p->foot, p->robot, &p->rooted, NULL), ATEMI_OK);
    p->of_robot = data_create(p->robot);
    p->of_rooted = data_create(p->rooted);
}

static void end(pair *p)
{
    atemi_data_destroy(p->of_robot);
    atemi_data_destroy(p->of_rooted);
    atemi_model_destroy(p->rooted);
    atemi_model_destroy(p->robot);
}

// The floor's joints have no torque; the others have any.
static void choose_state(pair *p, uint64_t seed)
{
    random_stream stream = random_seeded(seed);
    for (int i = 0; i < atemi_model_v_count(p->rooted); ++i) {
        p->q[i] = random_uniform(&stream, -1.5, 1.5);
        p->v[i] = random_uniform(&stream, -4.0, 4.0);
    }
    for (int i = 0; i < atemi_model_v_count(p->robot); ++i) {
        p->robot_tau[i] = i < 3 ? 0.0 : random_uniform(&stream, -100.0, 100.0);
    }
    atemi_support_foot_root(p->robot, p->rooted, p->robot_tau, p->tau);
    free_state(&p->foot, p->robot, p->rooted, p->q, p->v, p->of_robot, p->robot_q, p->robot_v);
}

// ---- The floor's force
//
// [WALK] eq. 9 and 10 of link 1, moments about the edge, c from there to the centre of mass:
//
//   f = sum of f_i + m (s'' - g)
//   n = sum of (n_i + p_i x f_i) + c x m (s'' - g) + I w' + w x I w       over the links i upon it

// What the foot's own motion takes, moment about its frame's origin, which is the edge.
static atemi_force load_of_foot(const atemi_model *rooted, const atemi_data *data, int link)
{
    const atemi_inertia   *inertia = &atemi_model_link(rooted, link)->inertia;
    const atemi_transform  pose = atemi_link_pose(data, link);
    const atemi_motion     a = atemi_link_acceleration(data, link);
    const atemi_vec3       w = atemi_link_velocity(data, link).angular;
    const atemi_vec3       c = atemi_mat3_apply(&pose.rotation, inertia->com);
    const atemi_symmetric3 I = atemi_symmetric3_rotated(&inertia->rotational, &pose.rotation);
    const atemi_vec3       s =
        atemi_vec3_add(a.linear, atemi_vec3_add(atemi_vec3_cross(a.angular, c),
                                                atemi_vec3_cross(w, atemi_vec3_cross(w, c))));
    const atemi_vec3 f =
        atemi_vec3_scale(inertia->mass, atemi_vec3_sub(s, atemi_model_gravity(rooted)));
    const atemi_vec3 turning = atemi_vec3_add(atemi_symmetric3_apply(&I, a.angular),
                                              atemi_vec3_cross(w, atemi_symmetric3_apply(&I, w)));
    return (atemi_force){f, atemi_vec3_add(atemi_vec3_cross(c, f), turning)};
}

// What a joint passes on to the link above, world axes, moment about the edge.
static atemi_force passed_on(const atemi_model *rooted, const atemi_data *data, int joint,
                             atemi_vec3 edge)
{
    const int             child = atemi_model_joint(rooted, joint)->child_link;
    const atemi_transform pose = atemi_link_pose(data, child);
    const atemi_force     wrench = atemi_joint_wrench(data, joint);
    const atemi_vec3      f = atemi_mat3_apply(&pose.rotation, wrench.linear);
    const atemi_vec3      n = atemi_mat3_apply(&pose.rotation, wrench.angular);
    const atemi_vec3      arm = atemi_vec3_sub(pose.position, edge);
    return (atemi_force){f, atemi_vec3_add(n, atemi_vec3_cross(arm, f))};
}

static atemi_force floor_force(const atemi_support_foot *foot, const atemi_model *robot,
                               const atemi_model *rooted, const atemi_data *data)
{
    const int link = atemi_model_find_link(rooted, atemi_model_link(robot, foot->link)->name);
    const atemi_vec3 edge = atemi_link_pose(data, link).position;
    atemi_force      sum = load_of_foot(rooted, data, link);
    for (int j = 0; j < atemi_model_joint_count(rooted); ++j) {
        if (atemi_model_joint(rooted, j)->parent_link == link) {
            sum = atemi_force_add(sum, passed_on(rooted, data, j, edge));
        }
    }
    return sum;
}

// ---- The two ways

// What the floor does to the foot, moment about the edge it is rooted at.
static atemi_force move_rooted(pair *p)
{
    atemi_data *s = p->of_rooted;
    double      ignored[MAX_V];
    atemi_forward_dynamics(s, p->q, p->v, p->tau, NULL, p->a);
    atemi_inverse_dynamics(s, p->q, p->v, p->a, NULL, ignored);
    return floor_force(&p->foot, p->robot, p->rooted, s);
}

static int put_contacts(const pair *p, double friction, atemi_contact contacts[EDGES])
{
    int count = 0;
    for (int e = 0; e < EDGES; ++e) {
        if (!p->foot.rotates || e == p->edge) {
            contacts[count] = atemi_contact_default();
            contacts[count].link = p->foot.link;
            contacts[count].point = p->edges[e];
            contacts[count].mode = p->foot.slips ? ATEMI_CONTACT_SLIP : ATEMI_CONTACT_STICK;
            contacts[count++].friction = friction;
        }
    }
    return count;
}

static atemi_vec3 place_of(const pair *p, atemi_vec3 point)
{
    const atemi_transform pose = atemi_link_pose(p->of_robot, p->foot.link);
    return atemi_transform_apply(&pose, point);
}

static atemi_force move_free(pair *p, double friction)
{
    atemi_contact contacts[EDGES];
    atemi_force   forces[EDGES], sum = {0};
    const int     count = put_contacts(p, friction, contacts);
    CHECK_STATUS(
        atemi_constrained_dynamics(p->of_robot, p->robot_q, p->robot_v, p->robot_tau, NULL,
                                   &(atemi_contact_set){.contacts = contacts, .count = count},
                                   p->robot_a, forces, NULL),
        ATEMI_OK);
    atemi_update_kinematics(p->of_robot, p->robot_q, p->robot_v, p->robot_a);
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 arm =
            atemi_vec3_sub(place_of(p, p->foot.edge), place_of(p, contacts[i].point));
        sum = atemi_force_add(sum, atemi_force_at(forces[i], arm));
    }
    return sum;
}

static void compare(pair *p, atemi_force rooted, atemi_force free)
{
    double expected[MAX_V];
    atemi_support_foot_root(p->robot, p->rooted, p->robot_a, expected);
    const int    first = p->foot.rotates + p->foot.slips, count = atemi_model_v_count(p->rooted);
    const double size = largest_size(expected, count);
    for (int i = first; i < count; ++i) {
        CHECK_NEAR(p->a[i], expected[i], 1e-9 * size);
    }
    const double force = atemi_vec3_norm(free.linear);
    CHECK_NEAR(rooted.linear.x, free.linear.x, 1e-9 * force);
    CHECK_NEAR(rooted.linear.z, free.linear.z, 1e-9 * force);
    CHECK_NEAR(rooted.angular.y, free.angular.y, 1e-9 * force);
}

// ---- Claims

TEST(support_foot, leaves_the_robot_its_mass_and_its_place)
{
    pair p;
    begin(&p, 0, 1, 3);
    CHECK_EQUAL_INT(atemi_model_v_count(p.rooted), 18);
    CHECK_NEAR(atemi_model_mass(p.rooted), 64.2, 1e-12);
    for (int seed = 1; seed <= CASES; ++seed) {
        choose_state(&p, (uint64_t)seed);
        atemi_update_kinematics(p.of_rooted, p.q, p.v, NULL);
        atemi_update_kinematics(p.of_robot, p.robot_q, p.robot_v, NULL);
        const atemi_vec3  here = atemi_center_of_mass(p.of_rooted);
        const atemi_vec3  there = atemi_center_of_mass(p.of_robot);
        const atemi_force one = atemi_momentum(p.of_rooted);
        const atemi_force other = atemi_momentum(p.of_robot);
        CHECK_NEAR(here.x, there.x, 1e-14);
        CHECK_NEAR(here.z, there.z, 1e-14);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(one.linear, other.linear)), 0.0, 1e-12);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(one.angular, other.angular)), 0.0, 1e-12);
        CHECK_NEAR(atemi_kinetic_energy(p.of_rooted), atemi_kinetic_energy(p.of_robot), 1e-10);
    }
    end(&p);
}

TEST(support_foot, moves_as_a_free_base_with_contacts_does_in_all_four_states)
{
    for (int i = 0; i < FEET * EDGES * STATES; ++i) {
        pair p;
        begin(&p, i % FEET, i / FEET % EDGES, i / (FEET * EDGES));
        for (int seed = 1; seed <= CASES; ++seed) {
            choose_state(&p, (uint64_t)(CASES * i + seed));
            const atemi_force rooted = move_rooted(&p);
            compare(&p, rooted, move_free(&p, 0.0));
        }
        end(&p);
    }
}

// A slide with Coulomb friction. In the rooted robot it is a force at the first joint that depends
// on the floor's own answer: f_x = -K f_z s, s the sense of the slide, and f_z = A + B f_x.
static atemi_force move_rooted_with_friction(pair *p, double friction)
{
    const double K = copysign(friction, p->v[0]);
    p->tau[0] = 0.0;
    const double A = move_rooted(p).linear.z;
    p->tau[0] = 1.0;
    const double B = move_rooted(p).linear.z - A;
    p->tau[0] = -K * A / (1.0 + K * B);
    return move_rooted(p);
}

TEST(support_foot, slides_against_friction_as_a_free_base_with_contacts_does)
{
    for (int i = 0; i < EDGES * 2; ++i) {
        pair p;
        begin(&p, 0, i % EDGES, 2 + i / EDGES);
        for (int seed = 1; seed <= CASES; ++seed) {
            choose_state(&p, (uint64_t)(CASES * i + seed));
            const atemi_force rooted = move_rooted_with_friction(&p, 0.2);
            compare(&p, rooted, move_free(&p, 0.2));
            CHECK_NEAR(fabs(rooted.linear.x), 0.2 * fabs(rooted.linear.z),
                       1e-9 * fabs(rooted.linear.z));
        }
        end(&p);
    }
}

TEST(support_foot, bears_only_what_its_joint_does_not_let_go)
{
    for (int i = 0; i < STATES; ++i) {
        pair p;
        begin(&p, 1, 0, i);
        choose_state(&p, (uint64_t)i);
        const atemi_force floor = move_rooted(&p);
        const double      size = atemi_vec3_norm(floor.linear);
        CHECK(p.foot.slips == (fabs(floor.linear.x) < 1e-9 * size));
        CHECK(p.foot.rotates == (fabs(floor.angular.y) < 1e-9 * size));
        end(&p);
    }
}

TEST(support_foot, refuses_a_robot_that_is_not_in_the_sagittal_plane)
{
    atemi_model             *robot = walker_on(ATEMI_BASE_FLOATING), *rooted;
    atemi_error              error;
    const atemi_support_foot foot = {.link = atemi_model_find_link(robot, "left_foot")};
    CHECK_STATUS(atemi_support_foot_model(&foot, robot, &rooted, &error), ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "sagittal");
    atemi_model_destroy(robot);
}

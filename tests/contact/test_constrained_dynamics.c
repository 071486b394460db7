// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"

#include "atemi/model.h"
#include "check.h"
#include "data.h"
#include "random.h"
#include "random_tree.h"

#include <math.h>
#include <string.h>

// The motion and the forces are determined by two things together: Newton's equations hold, and the
// points do what their modes say. Both are checked with inverse dynamics and kinematics, which know
// nothing of contacts.

enum { MAX_CONTACTS = 12, MAX_LINKS = TREE_MAX_JOINTS + 1 };

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// What inverse dynamics says of accelerations and contact forces, against the torques.
static double newton_residual(data_bench *b, const random_state *x, const double *a,
                              const atemi_contact *contacts, const atemi_force *forces, int count)
{
    atemi_force external[MAX_LINKS] = {0};
    double      tau[TREE_MAX_V];
    const int   n = atemi_model_v_count(b->model);
    atemi_update_kinematics(b->data, x->q, NULL, NULL);
    atemi_contact_forces_add(b->data, &(atemi_contact_set){.contacts = contacts, .count = count},
                             forces, external);
    atemi_inverse_dynamics(b->data, x->q, x->v, a, external, tau);
    for (int i = 0; i < n; ++i) {
        tau[i] -= x->tau[i];
    }
    return largest(tau, n);
}

// The acceleration of a contact's point.
static atemi_motion point_acceleration(data_bench *b, const random_state *x, const double *a,
                                       const atemi_contact *contact)
{
    atemi_update_kinematics(b->data, x->q, x->v, a);
    const atemi_transform pose = atemi_link_pose(b->data, contact->link);
    const atemi_vec3      arm = atemi_mat3_apply(&pose.rotation, contact->point);
    const atemi_motion    v = atemi_link_velocity(b->data, contact->link);
    atemi_motion          acceleration = atemi_link_acceleration(b->data, contact->link);
    acceleration.linear = atemi_vec3_add(
        acceleration.linear,
        atemi_vec3_add(atemi_vec3_cross(acceleration.angular, arm),
                       atemi_vec3_cross(v.angular, atemi_vec3_cross(v.angular, arm))));
    return acceleration;
}

static atemi_contact random_contact(const atemi_model *model, random_stream *stream,
                                    atemi_contact_mode mode)
{
    atemi_contact contact = atemi_contact_default();
    contact.link = random_index(stream, atemi_model_link_count(model));
    contact.mode = mode;
    contact.point =
        (atemi_vec3){random_uniform(stream, -0.3, 0.3), random_uniform(stream, -0.3, 0.3),
                     random_uniform(stream, -0.3, 0.3)};
    const atemi_vec3 n = {random_uniform(stream, -1.0, 1.0), random_uniform(stream, -1.0, 1.0),
                          1.5};
    contact.normal = atemi_vec3_scale(1.0 / atemi_vec3_norm(n), n);
    contact.friction = random_uniform(stream, 0.0, 0.3);
    contact.normal_acceleration = random_uniform(stream, -1.0, 1.0);
    return contact;
}

// The residuals are rounding errors of forces of size f, times the condition of A.
static void check_solution(data_bench *b, const random_state *x, const atemi_contact *contacts,
                           int count)
{
    double               a[TREE_MAX_V];
    atemi_force          forces[MAX_CONTACTS];
    atemi_contact_report report;
    const atemi_status   status = atemi_constrained_dynamics(
        b->data, x->q, x->v, x->tau, NULL,
        &(atemi_contact_set){.contacts = contacts, .count = count}, a, forces, &report);
    if (status == ATEMI_ERROR_SINGULAR || report.condition > 1e6) {
        return;
    }
    CHECK_STATUS(status, ATEMI_OK);
    const double scale = 1.0 + largest(a, atemi_model_v_count(b->model)) +
                         largest((const double *)forces, 6 * count);
    CHECK_NEAR(newton_residual(b, x, a, contacts, forces, count), 0.0, 1e-9 * scale);
    for (int i = 0; i < count; ++i) {
        const atemi_motion p = point_acceleration(b, x, a, &contacts[i]);
        if (contacts[i].mode == ATEMI_CONTACT_SLIP) {
            CHECK_NEAR(atemi_vec3_dot(p.linear, contacts[i].normal),
                       contacts[i].normal_acceleration, 1e-9 * scale);
        } else if (contacts[i].mode != ATEMI_CONTACT_OPEN) {
            CHECK_NEAR(atemi_vec3_norm(p.linear), 0.0, 1e-9 * scale);
        }
        if (contacts[i].mode == ATEMI_CONTACT_SURFACE) {
            CHECK_NEAR(atemi_vec3_norm(p.angular), 0.0, 1e-9 * scale);
        }
    }
}

TEST(constrained_dynamics, obeys_newton_and_the_contacts)
{
    for (uint64_t seed = 1; seed <= 120; ++seed) {
        tree_options options = tree_options_default();
        options.joints = 6 + (int)(seed % 30);
        options.base = (atemi_base)(seed % 4);
        options.mimic = seed % 5 == 0;
        options.multi = seed % 6 == 0;
        data_bench    b = data_bench_of(random_tree(&options, seed));
        random_stream stream = random_seeded(seed);
        random_state  x;
        random_state_fill(b.model, seed, &x);

        atemi_contact contacts[4];
        const int     count = 1 + (int)(seed % 4);
        for (int i = 0; i < count; ++i) {
            contacts[i] =
                random_contact(b.model, &stream, (atemi_contact_mode)random_index(&stream, 4));
        }
        check_solution(&b, &x, contacts, count);
        data_bench_end(&b);
    }
}

// Friction stands against sliding and is K times the normal force: [ENE] eq. 6.
TEST(constrained_dynamics, rubs_against_the_sliding_direction)
{
    tree_options options = tree_options_default();
    data_bench   b = data_bench_of(random_tree(&options, 5));
    random_state x;
    random_state_fill(b.model, 5, &x);
    atemi_contact contact = atemi_contact_default();
    contact.link = 3;
    contact.friction = 0.2;

    double      a[TREE_MAX_V];
    atemi_force force;
    CHECK_STATUS(atemi_constrained_dynamics(b.data, x.q, x.v, x.tau, NULL,
                                            &(atemi_contact_set){.contacts = &contact, .count = 1},
                                            a, &force, NULL),
                 ATEMI_OK);
    atemi_update_kinematics(b.data, x.q, x.v, NULL);
    atemi_vec3 slide = atemi_link_velocity(b.data, contact.link).linear;
    slide.z = 0.0;
    slide = atemi_vec3_scale(1.0 / atemi_vec3_norm(slide), slide);
    CHECK_NEAR(force.linear.x, -0.2 * force.linear.z * slide.x, 1e-12 * fabs(force.linear.z));
    CHECK_NEAR(force.linear.y, -0.2 * force.linear.z * slide.y, 1e-12 * fabs(force.linear.z));
    data_bench_end(&b);
}

// At rest the direction is the one the caller expects; without one there is no friction.
TEST(constrained_dynamics, slides_at_zero_speed_where_it_is_told_to)
{
    tree_options options = tree_options_default();
    data_bench   b = data_bench_of(random_tree(&options, 6));
    random_state x;
    random_state_fill(b.model, 6, &x);
    atemi_contact contact = atemi_contact_default();
    contact.link = 2;
    contact.friction = 0.3;

    double      a[TREE_MAX_V];
    atemi_force force;
    CHECK_STATUS(atemi_constrained_dynamics(b.data, x.q, NULL, x.tau, NULL,
                                            &(atemi_contact_set){.contacts = &contact, .count = 1},
                                            a, &force, NULL),
                 ATEMI_OK);
    CHECK_NEAR(force.linear.x, 0.0, 0.0);
    contact.direction = (atemi_vec3){0.0, 1.0, 0.0};
    CHECK_STATUS(atemi_constrained_dynamics(b.data, x.q, NULL, x.tau, NULL,
                                            &(atemi_contact_set){.contacts = &contact, .count = 1},
                                            a, &force, NULL),
                 ATEMI_OK);
    CHECK_NEAR(force.linear.y, -0.3 * force.linear.z, 1e-12 * fabs(force.linear.z));
    data_bench_end(&b);
}

// Four corners of a foot forbid what the foot's surface forbids, though their twelve rows have rank
// six; the force is the same in sum, and equal where nothing tells the corners apart.
TEST(constrained_dynamics, of_four_points_is_that_of_their_surface)
{
    tree_options options = tree_options_default();
    data_bench   b = data_bench_of(random_tree(&options, 9));
    random_state x;
    random_state_fill(b.model, 9, &x);
    memset(x.v, 0, sizeof x.v); // or the points could not all stand still

    atemi_contact surface = atemi_contact_default(), points[4];
    surface.link = 4;
    surface.mode = ATEMI_CONTACT_SURFACE;
    for (int i = 0; i < 4; ++i) {
        points[i] = surface;
        points[i].mode = ATEMI_CONTACT_STICK;
        points[i].point = (atemi_vec3){i & 1 ? 0.1 : -0.1, i & 2 ? 0.05 : -0.05, 0.0};
    }
    double               one[TREE_MAX_V], four[TREE_MAX_V];
    atemi_force          whole, parts[4];
    atemi_contact_report report;
    CHECK_STATUS(atemi_constrained_dynamics(b.data, x.q, NULL, x.tau, NULL,
                                            &(atemi_contact_set){.contacts = &surface, .count = 1},
                                            one, &whole, &report),
                 ATEMI_OK);
    CHECK_EQUAL_INT(report.rank, 6);
    CHECK_STATUS(atemi_constrained_dynamics(b.data, x.q, NULL, x.tau, NULL,
                                            &(atemi_contact_set){.contacts = points, .count = 4},
                                            four, parts, &report),
                 ATEMI_OK);
    CHECK_EQUAL_INT(report.rows, 12);
    CHECK_EQUAL_INT(report.rank, 6);
    const double scale = 1.0 + largest(one, atemi_model_v_count(b.model));
    for (int i = 0; i < atemi_model_v_count(b.model); ++i) {
        CHECK_NEAR(four[i], one[i], 1e-10 * scale);
    }
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        sum += parts[i].linear.z;
    }
    CHECK_NEAR(sum, whole.linear.z, 1e-9 * (1.0 + fabs(whole.linear.z)));
    data_bench_end(&b);
}

// Contacts of one link whose forces are open by those of `open`, which balance each other: what the
// preferred forces have of these is in the forces, and the motion is the same.
static void check_preferred(data_bench *b, const random_state *x, atemi_contact *contacts,
                            int count, const atemi_force *open)
{
    double      least[TREE_MAX_V], near[TREE_MAX_V];
    atemi_force small[MAX_CONTACTS], forces[MAX_CONTACTS];
    for (int i = 0; i < count; ++i) {
        contacts[i].preferred = (atemi_force){0};
    }
    CHECK_STATUS(
        atemi_constrained_dynamics(b->data, x->q, NULL, x->tau, NULL,
                                   &(atemi_contact_set){.contacts = contacts, .count = count},
                                   least, small, NULL),
        ATEMI_OK);
    for (int i = 0; i < count; ++i) {
        contacts[i].preferred = atemi_force_add(small[i], open[i]);
    }
    CHECK_STATUS(
        atemi_constrained_dynamics(b->data, x->q, NULL, x->tau, NULL,
                                   &(atemi_contact_set){.contacts = contacts, .count = count}, near,
                                   forces, NULL),
        ATEMI_OK);
    const int    n = atemi_model_v_count(b->model);
    const double scale = 1.0 + largest(least, n);
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(near[i], least[i], 1e-10 * scale);
    }
    for (int i = 0; i < count; ++i) {
        const atemi_vec3 linear = contacts[i].preferred.linear,
                         turn = contacts[i].preferred.angular;
        CHECK_NEAR(forces[i].linear.x, linear.x, 1e-8 * scale);
        CHECK_NEAR(forces[i].linear.z, linear.z, 1e-8 * scale);
        CHECK_NEAR(forces[i].angular.y, turn.y, 1e-8 * scale);
    }
}

TEST(constrained_dynamics, of_redundant_contacts_has_the_forces_nearest_to_the_preferred_ones)
{
    tree_options options = tree_options_default();
    data_bench   b = data_bench_of(random_tree(&options, 9));
    random_state x;
    random_state_fill(b.model, 9, &x);
    atemi_contact     points[4];
    const atemi_force slip[4] = {{.linear = {0.0, 0.0, 5.0}},
                                 {.linear = {0.0, 0.0, -5.0}},
                                 {.linear = {0.0, 0.0, -5.0}},
                                 {.linear = {0.0, 0.0, 5.0}}};
    const atemi_force hold[4] = {{.angular = {0.0, 3.0, 0.0}}, {.angular = {0.0, -3.0, 0.0}}};
    for (int i = 0; i < 4; ++i) {
        points[i] = atemi_contact_default();
        points[i].link = 4;
        points[i].point = (atemi_vec3){i & 1 ? 0.1 : -0.1, i & 2 ? 0.05 : -0.05, 0.0};
    }
    check_preferred(&b, &x, points, 4, slip);
    points[0].mode = points[1].mode = ATEMI_CONTACT_SURFACE;
    check_preferred(&b, &x, points, 2, hold);
    data_bench_end(&b);
}

// Rows that are neighbours on a link are computed together, others apart. Both must be the same.
TEST(constrained_dynamics, does_not_depend_on_the_order_of_contacts)
{
    enum { COUNT = 8 };
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        tree_options options = tree_options_default();
        options.joints = 40;
        options.mimic = seed % 3 == 0;
        data_bench    b = data_bench_of(random_tree(&options, seed));
        random_stream stream = random_seeded(seed);
        random_state  x;
        random_state_fill(b.model, seed, &x);

        atemi_contact together[COUNT], apart[COUNT];
        for (int i = 0; i < COUNT; ++i) {
            const atemi_contact_mode mode = i ? ATEMI_CONTACT_SLIP : ATEMI_CONTACT_STICK;
            together[i] = random_contact(b.model, &stream, mode);
            together[i].link = together[i - i % 4].link;
            apart[2 * (i % 4) + i / 4] = together[i];
        }
        double               a[2][TREE_MAX_V];
        atemi_force          forces[COUNT];
        atemi_contact_report report;
        const atemi_status   status = atemi_constrained_dynamics(
            b.data, x.q, x.v, x.tau, NULL,
            &(atemi_contact_set){.contacts = together, .count = COUNT}, a[0], forces, &report);
        CHECK_STATUS(
            atemi_constrained_dynamics(b.data, x.q, x.v, x.tau, NULL,
                                       &(atemi_contact_set){.contacts = apart, .count = COUNT},
                                       a[1], forces, NULL),
            status);
        const int    n = status || report.condition > 1e6 ? 0 : atemi_model_v_count(b.model);
        const double scale = largest(a[0], n);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(a[1][i], a[0][i], 1e-14 * report.condition * scale);
        }
        data_bench_end(&b);
    }
}

TEST(constrained_dynamics, refuses_a_link_that_is_not_there)
{
    tree_options  options = tree_options_default();
    data_bench    b = data_bench_of(random_tree(&options, 5));
    random_state  x;
    double        a[TREE_MAX_V];
    atemi_force   force;
    atemi_contact contact = atemi_contact_default();
    random_state_fill(b.model, 5, &x);
    contact.link = atemi_model_link_count(b.model);
    CHECK_BREAKS_CONTRACT(atemi_constrained_dynamics(
        b.data, x.q, x.v, x.tau, NULL, &(atemi_contact_set){.contacts = &contact, .count = 1}, a,
        &force, NULL));
    data_bench_end(&b);
}

// Painleve's rod: a slender rod that slides on its tip, leaning against its motion. With l its half
// length and angle q to the floor, A = (1 + 3 cos q (cos q - K sin q)) / m, so it jams for
// K > (1 + 3 cos^2 q) / (3 sin q cos q); at q = 45 degrees from K = 5/3.
static atemi_model *rod_model(void)
{
    const double                 m = 1.0, half = 0.5, moment = m * half * half / 3.0;
    atemi_model_builder         *builder;
    atemi_model                 *model;
    atemi_model_options          options = atemi_model_options_default();
    const atemi_link_description rod = {
        .name = "rod",
        .inertia = {.mass = m, .rotational = {.xx = 1e-4, .yy = moment, .zz = moment}}};
    options.base = ATEMI_BASE_SAGITTAL;
    CHECK_STATUS(atemi_model_builder_create("rod", NULL, &builder, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_add_link(builder, &rod, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_model_builder_finish(builder, &options, &model, NULL), ATEMI_OK);
    atemi_model_builder_destroy(builder);
    return model;
}

TEST(constrained_dynamics, flags_painleves_rod)
{
    const double         q[3] = {0.0, 0.5 * sin(0.78539816339744831), 0.78539816339744831};
    data_bench           b = data_bench_of(rod_model());
    double               a[3];
    atemi_force          force;
    atemi_contact_report report;
    atemi_contact        tip = atemi_contact_default();
    tip.point.x = 0.5; // the lower end
    // The base's own frame is turned; the tip shall slide with 1 m/s along -x or +x.
    for (int way = -1; way <= 1; way += 2) {
        const double v[3] = {way * cos(q[2]), way * sin(q[2]), 0.0};
        const double limit = 5.0 / 3.0;
        for (int over = 0; over <= 1; ++over) {
            tip.friction = limit + (over ? 1e-6 : -1e-6);
            const atemi_status status = atemi_constrained_dynamics(
                b.data, q, v, NULL, NULL, &(atemi_contact_set){.contacts = &tip, .count = 1}, a,
                &force, &report);
            const bool jams = over && report.jamming < 0.5;
            CHECK_STATUS(status, jams ? ATEMI_ERROR_SINGULAR : ATEMI_OK);
            if (report.jamming < 0.5) {
                const double expected = (1.0 + 1.5 * (1.0 - tip.friction)) / 2.5;
                CHECK_NEAR(report.jamming, expected, 1e-12);
            }
        }
    }
    data_bench_end(&b);
}

// ---- Holds

// What is held does not accelerate, and with the forces of the holds as torques the robot moves so
// without them.
static void hold_two(const tree_options *options, uint64_t seed)
{
    random_stream stream = random_seeded(seed);
    data_bench    b = data_bench_of(random_tree(options, seed));
    const int     n = atemi_model_v_count(b.model);
    random_state  x;
    double        a[TREE_MAX_V], free[TREE_MAX_V];
    random_state_fill(b.model, seed, &x);
    const int               one = (int)(random_bits(&stream) % (uint64_t)n);
    const int               other = (int)(random_bits(&stream) % (uint64_t)n);
    atemi_joint_hold        holds[2] = {{.rate = one}, {.rate = other}};
    const atemi_contact_set set = {.holds = holds, .hold_count = one == other ? 1 : 2};
    CHECK_STATUS(atemi_constrained_dynamics(b.data, x.q, x.v, x.tau, NULL, &set, a, NULL, NULL),
                 ATEMI_OK);
    for (int i = 0; i < set.hold_count; ++i) {
        x.tau[holds[i].rate] += holds[i].force;
    }
    atemi_constrained_dynamics(b.data, x.q, x.v, x.tau, NULL, NULL, free, NULL, NULL);
    const double scale = 1.0 + largest(a, n) + largest(x.tau, n);
    CHECK_NEAR(a[one], 0.0, 1e-9 * scale);
    CHECK_NEAR(a[other], 0.0, 1e-9 * scale);
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(free[i], a[i], 1e-9 * scale);
    }
    data_bench_end(&b);
}

TEST(constrained_dynamics, holds_joints_by_the_torques_that_it_tells)
{
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        const tree_options options = tree_case((int)(seed % TREE_CASES));
        if (options.joints > 1) {
            hold_two(&options, seed);
        }
    }
}

// A contact of the last link with what another link carries, and the closed loop of the two there.
static atemi_loop loop_of(const atemi_data *data, const atemi_contact *contact)
{
    const atemi_transform on = atemi_link_pose(data, contact->link);
    const atemi_transform below = atemi_link_pose(data, contact->other);
    const atemi_transform back = atemi_transform_inverse(&below);
    const atemi_transform here = {atemi_mat3_identity(), contact->point};
    const atemi_transform place = atemi_transform_compose(&on, &here);
    const bool            whole = contact->mode == ATEMI_CONTACT_SURFACE;
    return (atemi_loop){.kind = whole ? ATEMI_LOOP_WELD : ATEMI_LOOP_POINT,
                        .first = contact->link,
                        .second = contact->other,
                        .on_first = here,
                        .on_second = atemi_transform_compose(&back, &place)};
}

// @return whether there are joints enough between the two
static bool is_that_of_its_loop(const atemi_model *model, const atemi_contact *contact,
                                const random_state *at)
{
    atemi_data *data = data_create(model);
    atemi_update_kinematics(data, at->q, NULL, NULL);
    const atemi_loop        loop = loop_of(data, contact);
    atemi_force             external[TREE_MAX_JOINTS + 1] = {0}, force, of_loop;
    double                  a[TREE_MAX_V], by_loop[TREE_MAX_V], tau[TREE_MAX_V];
    const atemi_contact_set set = {.contacts = contact, .count = 1};
    const atemi_contact_set loops = {.loops = &loop, .loop_count = 1, .loop_forces = &of_loop};
    const atemi_status      status =
        atemi_constrained_dynamics(data, at->q, at->v, at->tau, NULL, &loops, by_loop, NULL, NULL);
    CHECK_STATUS(
        atemi_constrained_dynamics(data, at->q, at->v, at->tau, NULL, &set, a, &force, NULL),
        status);
    if (!status) {
        atemi_contact_forces_add(data, &set, &force, external);
        atemi_inverse_dynamics(data, at->q, at->v, a, external, tau);
        const double size = 1.0 + atemi_vec3_norm(force.linear);
        CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(force.linear, of_loop.linear)) / size, 0.0, 1e-8);
        for (int i = 0; i < atemi_model_v_count(model); ++i) {
            CHECK_NEAR((a[i] - by_loop[i]) / size, 0.0, 1e-8);
            CHECK_NEAR((tau[i] - at->tau[i]) / size, 0.0, 1e-8);
        }
    }
    atemi_data_destroy(data);
    return !status;
}

// A point that sticks to what another link carries moves as a closed loop through both there, whose
// rows are other code; held as a whole, as a weld. Inverse dynamics with the forces, on both links,
// has the torques that went in. Forces of some 1000 N through ill-conditioned trees cost six
// digits.
TEST(constrained_dynamics, between_two_links_is_that_of_a_loop)
{
    int compared = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const tree_options options = tree_options_default();
        atemi_model       *model = random_tree(&options, seed);
        const int          links = atemi_model_link_count(model);
        random_stream      stream = random_seeded(seed);
        random_state       at;
        random_state_fill(model, seed, &at);
        compared += is_that_of_its_loop(
            model,
            &(atemi_contact){.link = links - 1,
                             .mode = seed % 2 ? ATEMI_CONTACT_SURFACE : ATEMI_CONTACT_STICK,
                             .point = {0.1, -0.2, 0.3},
                             .normal = {0.0, 0.0, 1.0},
                             .carried = true,
                             .other = random_index(&stream, links - 1)},
            &at);
        atemi_model_destroy(model);
    }
    CHECK(compared >= 8);
}

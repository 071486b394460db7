// SPDX-License-Identifier: Apache-2.0

#include "papers/walk/free_fall.h"

#include "check.h"
#include "data.h"
#include "free_state.h"
#include "random.h"
#include "walk_rig.h"

#include <math.h>
#include <string.h>

// What [WALK] checks its model by, 3.1 and 3.2. Without torques and friction nothing changes the
// energy but collisions, which take; and no force acts along the floor where the foot slides.

enum { MAX_Q = 24, STATES = 4, MAX_POINTS = 64, LOOKS = 30 };

static void set_joint(const atemi_model *robot, const char *name, double value, double *q)
{
    q[atemi_model_joint(robot, atemi_model_find_joint(robot, name))->first_q] = value;
}

// Standing, the left leg lifted.
static void choose_posture(const atemi_model *robot, double *q)
{
    const int standing = atemi_model_find_posture(robot, "standing");
    memcpy(q, atemi_model_posture(robot, standing), (size_t)atemi_model_q_count(robot) * sizeof *q);
    set_joint(robot, "left_hip", -0.7, q);
    set_joint(robot, "left_knee", 0.9, q);
}

// A robot that falls over its right foot, states 0 to 3 as in Fig. 2: (a) to (d).
typedef struct rooted_fall {
    atemi_model       *robot, *rooted;
    atemi_support_foot foot;
    double             q[MAX_Q], v[MAX_Q]; ///< at the start
    atemi_free_fall    fall;
} rooted_fall;

static void begin_rooted(rooted_fall *f, const char *edge, int number)
{
    double posture[MAX_Q];
    *f = (rooted_fall){.robot = walker()};
    const atemi_site *site = atemi_model_site(f->robot, atemi_model_find_site(f->robot, edge));
    f->foot = (atemi_support_foot){.link = site->link,
                                   .edge = site->pose.position,
                                   .rotates = number % 2 == 1,
                                   .slips = number >= 2};
    CHECK_STATUS(atemi_support_foot_model(&f->foot, f->robot, &f->rooted, NULL), ATEMI_OK);
    choose_posture(f->robot, posture);
    atemi_support_foot_root(f->robot, f->rooted, posture, f->q);
    CHECK_STATUS(atemi_free_fall_begin(f->rooted, NULL, 0, NULL, f->q, f->v, &f->fall, NULL),
                 ATEMI_OK);
}

static void end_rooted(rooted_fall *f)
{
    atemi_free_fall_end(&f->fall);
    atemi_model_destroy(f->rooted);
    atemi_model_destroy(f->robot);
}

static double energy(const atemi_free_fall *fall)
{
    return atemi_fall_energy_total(atemi_free_fall_energy(fall));
}

// ---- On a foot that stays on the floor

// Falls over, and yields how far its centre of mass has gone along the floor.
static double largest_way(rooted_fall *f)
{
    const double     first = energy(&f->fall);
    const atemi_vec3 start = atemi_free_fall_center(&f->fall);
    double           largest = 0.0;
    for (int k = 1; k <= LOOKS; ++k) {
        CHECK_STATUS(atemi_free_fall_run(&f->fall, 0.8 / (double)LOOKS * k, NULL), ATEMI_OK);
        CHECK_NEAR(energy(&f->fall), first, 1e-9 * first);
        largest = fmax(largest, fabs(atemi_free_fall_center(&f->fall).x - start.x));
    }
    CHECK(atemi_free_fall_center(&f->fall).z < start.z - 0.9);
    return largest;
}

TEST(free_fall, keeps_its_energy_and_its_center_of_mass_where_the_foot_slides)
{
    for (int number = 0; number < STATES; ++number) {
        rooted_fall f;
        begin_rooted(&f, "right_toe", number);
        const double way = largest_way(&f);
        CHECK(f.foot.slips ? way <= 1e-9 : way > 0.01);
        end_rooted(&f);
    }
}

TEST(free_fall, does_so_on_the_heel_too)
{
    for (int number = 1; number < STATES; number += 2) {
        rooted_fall f;
        begin_rooted(&f, "right_heel", number);
        const double way = largest_way(&f);
        CHECK(f.foot.slips ? way <= 1e-9 : way > 0.01);
        end_rooted(&f);
    }
}

// The sum over links is v^T M v / 2 and the centre of mass's height.
TEST(free_fall, has_the_energy_of_its_inertia_matrix)
{
    rooted_fall f;
    begin_rooted(&f, "right_heel", 3);
    for (int k = 1; k <= 5; ++k) {
        CHECK_STATUS(atemi_free_fall_run(&f.fall, 0.1 * k, NULL), ATEMI_OK);
        const atemi_fall_energy parts = atemi_free_fall_energy(&f.fall);
        CHECK_NEAR(parts.rotational + parts.translational, atemi_kinetic_energy(f.fall.data), 1e-9);
        CHECK_NEAR(parts.potential, atemi_potential_energy(f.fall.data), 1e-9);
        CHECK(parts.rotational > 0.0);
    }
    end_rooted(&f);
}

// ---- The other parametrization: a free base whose foot is tied to a floor without friction

static int tie_points(const rooted_fall *f, atemi_simulation_point *points)
{
    static const char *const names[] = {"right_heel", "right_toe"};
    int                      count = 0;
    for (int i = 0; i < 2; ++i) {
        const atemi_site *site =
            atemi_model_site(f->robot, atemi_model_find_site(f->robot, names[i]));
        const bool stands = !f->foot.rotates || site->pose.position.x == f->foot.edge.x;
        if (stands) {
            points[count++] = (atemi_simulation_point){
                .link = site->link, .point = site->pose.position, .tied = true};
        }
    }
    return count;
}

TEST(free_fall, is_the_same_with_a_free_base_and_contacts)
{
    for (int number = 2; number < STATES; ++number) {
        rooted_fall            f;
        atemi_free_fall        other;
        atemi_simulation_point points[2];
        double                 q[MAX_Q], v[MAX_Q], joints[MAX_Q];
        begin_rooted(&f, "right_toe", number);
        atemi_data *s = data_create(f.robot);
        free_state(&f.foot, f.robot, f.rooted, f.q, f.v, s, q, v);
        const int count = tie_points(&f, points);
        CHECK_STATUS(atemi_free_fall_begin(f.robot, points, count, NULL, q, v, &other, NULL),
                     ATEMI_OK);
        CHECK_STATUS(atemi_free_fall_run(&f.fall, 0.3, NULL), ATEMI_OK);
        CHECK_STATUS(atemi_free_fall_run(&other, 0.3, NULL), ATEMI_OK);
        atemi_support_foot_root(f.robot, f.rooted, atemi_simulation_q(other.simulation), joints);
        const int first = f.foot.rotates + f.foot.slips, n = atemi_model_q_count(f.rooted);
        CHECK_NEAR(largest_difference(joints + first, atemi_simulation_q(f.fall.simulation) + first,
                                      n - first),
                   0.0, 1e-8);
        atemi_free_fall_end(&other);
        atemi_data_destroy(s);
        end_rooted(&f);
    }
}

// ---- To the floor, through collisions and changes of mode

TEST(free_fall, may_touch_the_floor_with_feet_balls_and_boxes)
{
    atemi_model           *robot = walker();
    atemi_simulation_point points[MAX_POINTS];
    const int              count = atemi_free_fall_points(robot, MAX_POINTS, points);
    const int              head = atemi_model_find_link(robot, "head");
    int                    balls = 0, of_head = 0;
    for (int i = 0; i < count; ++i) {
        balls += points[i].radius > 0.0;
        of_head += points[i].link == head && points[i].radius == 0.1;
    }
    CHECK_EQUAL_INT(count, 4 + 9 + 6 * 4);
    CHECK_EQUAL_INT(balls, 9);
    CHECK_EQUAL_INT(of_head, 1);
    CHECK_EQUAL_INT(points[0].link, atemi_model_find_link(robot, "right_foot"));
    CHECK_EQUAL_INT(atemi_free_fall_points(robot, 3, points), 3);
    atemi_model_destroy(robot);
}

// What a fall to the floor is made of.
typedef struct ground {
    double friction, restitution, speed;
} ground;

static void fall_to_floor(const ground *about, uint64_t seed)
{
    atemi_model           *robot = walker();
    random_stream          stream = random_seeded(seed);
    atemi_simulation_point points[MAX_POINTS];
    atemi_free_fall        fall;
    double                 q[MAX_Q], v[MAX_Q] = {0};
    const int              count = atemi_free_fall_points(robot, MAX_POINTS, points);
    for (int i = 0; i < count; ++i) {
        points[i].static_friction = points[i].kinetic_friction = about->friction;
        points[i].restitution = about->restitution;
    }
    choose_posture(robot, q);
    q[1] = 0.9;
    for (int i = 0; i < atemi_model_v_count(robot); ++i) {
        v[i] = random_uniform(&stream, -about->speed, about->speed);
    }
    CHECK_STATUS(atemi_free_fall_begin(robot, points, count, NULL, q, v, &fall, NULL), ATEMI_OK);
    double       before = energy(&fall);
    const double first = before;
    for (int k = 1; k <= LOOKS; ++k) {
        CHECK_STATUS(atemi_free_fall_run(&fall, 0.6 / (double)LOOKS * k, NULL), ATEMI_OK);
        const double now = energy(&fall);
        CHECK(now <= before + 1e-9 * first);
        before = now;
    }
    const atemi_simulation_statistics made = atemi_simulation_statistics_get(fall.simulation);
    CHECK(made.collisions >= 10 && made.events > made.collisions);
    CHECK(before < 0.5 * first);
    atemi_free_fall_end(&fall);
    atemi_model_destroy(robot);
}

TEST(free_fall, never_gains_energy_through_collisions_and_modes)
{
    static const ground grounds[] = {{0.0, 0.0, 0.5}, {0.0, 0.4, 0.5}, {0.5, 0.0, 0.5}};
    for (int i = 0; i < 3; ++i) {
        fall_to_floor(&grounds[i], (uint64_t)(i + 1));
    }
}

TEST(free_fall, is_a_parabola_where_there_is_no_floor)
{
    atemi_model    *robot = walker();
    atemi_free_fall fall;
    double          q[MAX_Q], v[MAX_Q] = {0};
    choose_posture(robot, q);
    CHECK_STATUS(atemi_free_fall_begin(robot, NULL, 0, NULL, q, v, &fall, NULL), ATEMI_OK);
    const double z = atemi_free_fall_center(&fall).z;
    CHECK_STATUS(atemi_free_fall_run(&fall, 1.0, NULL), ATEMI_OK);
    CHECK_NEAR(atemi_free_fall_center(&fall).z - z, -0.5 * 9.81, 1e-9);
    atemi_free_fall_end(&fall);
    atemi_model_destroy(robot);
}

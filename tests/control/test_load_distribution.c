// SPDX-License-Identifier: Apache-2.0

#include "control/load_distribution.h"

#include "atemi/coordination.h"
#include "atemi/robots.h"
#include "check.h"
#include "coordination_rig.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { V = 38, LEG = 7 };

typedef struct stance {
    atemi_model             *model;
    atemi_arena              arena;
    atemi_base_frame         base;
    atemi_base_frame_scratch scratch;
    atemi_load_distribution  loads;
    bool                    *held;
    double                   q[V + 1], torques[V];
} stance;

static void take(stance *s, atemi_arena *arena)
{
    s->scratch = atemi_base_frame_scratch_take(arena, s->model);
    s->loads = atemi_load_distribution_take(arena, s->model, 2);
    s->held = atemi_arena_array(arena, bool, atemi_model_link_count(s->model));
}

// r2_like upright on its left foot, with the torques that the weight takes then.
static void begin(stance *s)
{
    *s = (stance){0};
    CHECK_STATUS(atemi_robots_load("r2_like", NULL, &s->model, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_model_v_count(s->model), V);
    atemi_arena measuring = atemi_arena_measuring();
    take(s, &measuring);
    CHECK_STATUS(atemi_arena_create(&s->arena, measuring.used, NULL), ATEMI_OK);
    take(s, &s->arena);
    const int ready = atemi_model_find_posture(s->model, "ready");
    memcpy(s->q, atemi_model_posture(s->model, ready), sizeof s->q);
    atemi_kinematics_update(s->model, s->q, NULL, NULL, &s->scratch.kinematics);
    s->base.link = atemi_model_find_link(s->model, "left_foot");
    s->base.pose = atemi_link_pose_in(s->model, &s->scratch.kinematics, s->base.link);
    atemi_load_distribution_start(s->model, &s->loads);
}

static void bend(stance *s, random_stream *stream)
{
    for (int i = 7; i < V + 1; ++i) {
        s->q[i] += random_uniform(stream, -0.3, 0.3);
    }
}

static void weigh(stance *s)
{
    atemi_base_frame_gravity_torques(s->model, &s->base, atemi_model_gravity(s->model), &s->scratch,
                                     s->q, s->torques);
}

static void distribute(stance *s)
{
    atemi_load_distribution_place(s->model, &s->base, &s->scratch, s->held, &s->loads);
    atemi_load_distribution_apply(&s->loads, s->torques + 6);
}

static void end(stance *s)
{
    atemi_arena_destroy(&s->arena);
    atemi_model_destroy(s->model);
}

static double strain(const stance *s, const double *torques)
{
    double sum = 0.0;
    for (int i = 0; i < V - 6; ++i) {
        const double part = torques[6 + i] / atemi_joint_rating_of(s->model, i).effort;
        sum += part * part;
    }
    return sum;
}

// Torques that hold the robot may differ by J^T f alone: what they have in common is the power of
// each motion that leaves the foot where it is. Such motions are found here as differences of a
// random one and the legs' answer to it, solved for by a dense inverse of J of one leg.
TEST(load_distribution, holds_the_robot_as_before)
{
    stance        s;
    random_stream stream = random_seeded(5);
    double        J[6 * V], leg[36], u[V], b[6], before[V];
    int           pivot[6];
    begin(&s);
    const int right = atemi_model_find_link(s.model, "right_foot");
    s.held[s.base.link] = s.held[right] = true;
    for (int k = 0; k < 50; ++k) {
        bend(&s, &stream);
        weigh(&s);
        memcpy(before, s.torques, sizeof before);
        distribute(&s);
        CHECK(strain(&s, s.torques) < strain(&s, before));
        atemi_base_frame_jacobian(s.model, right, (atemi_vec3){0}, &s.scratch, J);
        for (int i = 0; i < V; ++i) {
            u[i] = i < 6 ? 0.0 : random_uniform(&stream, -1.0, 1.0);
        }
        const int first = 6 + LEG; // the right leg; its first six joints answer
        for (int r = 0; r < 6; ++r) {
            b[r] = 0.0;
            for (int i = 6; i < V; ++i) {
                const bool answers = i >= first && i < first + 6;
                b[r] -= answers ? 0.0 : J[r * V + i] * u[i];
            }
            memcpy(leg + 6 * r, J + r * V + first, 6 * sizeof *leg);
        }
        CHECK(atemi_lu_factor(6, leg, 6, pivot));
        atemi_lu_solve(6, leg, 6, pivot, b);
        memcpy(u + first, b, sizeof b);
        double power = 0.0, scale = 0.0;
        for (int i = 6; i < V; ++i) {
            power += u[i] * (s.torques[i] - before[i]);
            scale += fabs(u[i] * before[i]) + fabs(u[i] * s.torques[i]);
        }
        CHECK(fabs(power) <= 1e-10 * scale); // rounding times the condition of a leg
    }
    end(&s);
}

// What is minimized: the strain of the joints and a hundredth of the forces, in weights.
static double cost(const stance *s, const double *torques, const double *f)
{
    const double weight = 9.81 * atemi_model_mass(s->model);
    double       sum = strain(s, torques);
    for (int r = 0; r < 6; ++r) {
        sum += 0.01 * f[r] / weight * f[r] / weight;
    }
    return sum;
}

// No other force does better: neither a newton nor a hundred more or less, along any axis.
TEST(load_distribution, strains_the_joints_least)
{
    stance        s;
    random_stream stream = random_seeded(6);
    double        J[6 * V];
    begin(&s);
    const int right = atemi_model_find_link(s.model, "right_foot");
    s.held[right] = true;
    for (int k = 0; k < 200; ++k) {
        bend(&s, &stream);
        weigh(&s);
        distribute(&s);
        atemi_base_frame_jacobian(s.model, right, (atemi_vec3){0}, &s.scratch, J);
        double    f[6], torques[V];
        const int r = random_index(&stream, 6);
        memcpy(f, s.loads.forces, sizeof f);
        memcpy(torques, s.torques, sizeof torques);
        const double best = cost(&s, torques, f);
        const double by = (k % 2 ? 1.0 : -1.0) * (k % 4 < 2 ? 1.0 : 100.0);
        f[r] += by;
        for (int i = 6; i < V; ++i) {
            torques[i] -= by * J[r * V + i];
        }
        CHECK(cost(&s, torques, f) > best);
    }
    end(&s);
}

// Whichever foot is the base. Only forces of the other one are counted, so each optimum may be
// worse than the other by what forces cost: 0.02 for a weight at a lever of a metre.
TEST(load_distribution, hardly_depends_on_the_base)
{
    stance s;
    begin(&s);
    const int feet[] = {atemi_model_find_link(s.model, "left_foot"),
                        atemi_model_find_link(s.model, "right_foot")};
    double    strains[2], alone = 0.0;
    s.held[feet[0]] = s.held[feet[1]] = true;
    for (int k = 0; k < 2; ++k) {
        atemi_base_frame_place(s.model, &s.base, &s.scratch, s.q);
        s.base.pose = atemi_link_pose_in(s.model, &s.scratch.kinematics, feet[k]);
        s.base.link = feet[k];
        weigh(&s);
        alone = strain(&s, s.torques);
        distribute(&s);
        strains[k] = strain(&s, s.torques);
    }
    CHECK(fabs(strains[0] - strains[1]) <= 0.02);
    CHECK(fmax(strains[0], strains[1]) + 0.1 < alone);
    end(&s);
}

// With one foot held, and with none besides the base, nothing changes.
TEST(load_distribution, leaves_alone_what_the_base_alone_bears)
{
    stance s;
    double before[V];
    begin(&s);
    weigh(&s);
    memcpy(before, s.torques, sizeof before);
    distribute(&s);
    for (int i = 0; i < V; ++i) {
        CHECK_NEAR(s.torques[i], before[i], 1e-12 * fabs(before[i]));
    }
    end(&s);
}

// A foot that is held takes its load within 50 steps: no torque jumps by more than a fiftieth of
// what it changes by in all.
TEST(load_distribution, a_link_that_is_held_takes_load_step_by_step)
{
    coordination_rig rig;
    bool             held[100] = {0};
    double           first[RIG_JOINTS], before[RIG_JOINTS], largest[RIG_JOINTS] = {0};
    rig_begin(&rig);
    CHECK(atemi_model_link_count(rig.model) <= 100);
    rig.held = held;
    for (int i = 0; i < RIG_JOINTS; ++i) {
        first[i] = before[i] = rig.commands[i].gravity_torque;
    }
    held[rig_link(&rig, "right_foot")] = true;
    for (int k = 0; k < 60; ++k) {
        rig_step(&rig);
        for (int i = 0; i < RIG_JOINTS; ++i) {
            largest[i] = fmax(largest[i], fabs(rig.commands[i].gravity_torque - before[i]));
            before[i] = rig.commands[i].gravity_torque;
        }
    }
    double most = 0.0;
    for (int i = 0; i < RIG_JOINTS; ++i) {
        const double change = fabs(before[i] - first[i]);
        CHECK(largest[i] <= change / 50.0 + 1e-9 * (1.0 + fabs(first[i])));
        most = fmax(most, change);
    }
    CHECK(most > 50.0); // the left leg bore 213 kg alone
    held[rig_link(&rig, "right_foot")] = false;
    rig_step(&rig);
    for (int i = 0; i < RIG_JOINTS; ++i) {
        CHECK_NEAR(rig.commands[i].gravity_torque, first[i], 1e-9 * (1.0 + fabs(first[i])));
    }
    rig_end(&rig);
}

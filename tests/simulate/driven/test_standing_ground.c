// SPDX-License-Identifier: Apache-2.0

#include "simulate/driven/standing_ground.h"

#include "standing_rig.h"

#include <math.h>

// hrp2_like stands on both soles under control, as `atemi control` runs it, without noise.

enum { JOINTS_MOST = 64 };

typedef struct rig {
    atemi_model              *model;
    atemi_control_loop       *loop;
    atemi_standing_contact    contacts[STANDING_FEET];
    atemi_joint_plant_options plants[JOINTS_MOST];
    atemi_coordinated_joint   joints[JOINTS_MOST];
    double                    q[STANDING_MOST], weight;
} rig;

static void set_joints(rig *r, double frequency)
{
    const int count = atemi_model_v_count(r->model) - 6;
    for (int i = 0; i < count; ++i) {
        r->plants[i] = atemi_whole_body_joint_default(r->model, i);
        r->plants[i].motor_deviation = r->plants[i].joint_deviation = 0.0;
        r->plants[i].current_deviation = 0.0;
        r->joints[i] = atemi_coordinated_joint_default(r->model, i);
        r->joints[i].impedance = atemi_impedance_limits_of(&r->plants[i].drive);
        r->joints[i].dynamics.natural_frequency = frequency;
    }
}

static void begin(rig *r, double friction, double frequency)
{
    *r = (rig){0};
    r->model = standing_robot(r->q);
    r->weight = 9.81 * atemi_model_mass(r->model);
    standing_soles(r->model, r->contacts);
    r->contacts[0].friction = r->contacts[1].friction = friction;
    set_joints(r, frequency);
    atemi_control_loop_options o = atemi_control_loop_options_default();
    o.plant.joints = r->plants;
    o.coordination.joints = r->joints;
    o.coordination.contacts = r->contacts;
    o.coordination.contact_count = STANDING_FEET;
    o.q = r->q;
    CHECK_STATUS(atemi_control_loop_create(r->model, &o, &r->loop, NULL), ATEMI_OK);
}

static void end(rig *r)
{
    atemi_control_loop_destroy(r->loop);
    atemi_model_destroy(r->model);
}

static const double *q_of(const rig *r)
{
    return atemi_whole_body_plant_q(atemi_control_loop_plant(r->loop));
}

// Runs for a time with a force on the chest.
static void run(rig *r, double time, atemi_vec3 force)
{
    atemi_force *forces = atemi_whole_body_plant_forces(atemi_control_loop_plant(r->loop));
    forces[atemi_model_find_link(r->model, "chest")].linear = force;
    for (int k = 0; k < (int)lround(time / 0.02); ++k) {
        atemi_control_loop_coordinate(r->loop);
        for (int i = 0; i < atemi_control_loop_tick_count(r->loop); ++i) {
            CHECK_STATUS(atemi_control_loop_tick(r->loop, NULL), ATEMI_OK);
        }
    }
}

static const atemi_vec3 none = {0.0, 0.0, 0.0};

TEST(standing_ground, bears_the_weight_on_all_corners_at_its_depth)
{
    const double depth = 2e-4;
    rig          r;
    double       sum = 0.0;
    begin(&r, 0.6, 20.0);
    CHECK_EQUAL_INT(atemi_control_loop_corner_count(r.loop), 8);
    run(&r, 2.0, none);
    for (int i = 0; i < 8; ++i) {
        const atemi_touch t = atemi_whole_body_plant_ground(atemi_control_loop_plant(r.loop), i);
        CHECK_NEAR(t.force.z, -t.gap * r.weight / (8 * depth), 0.01 * r.weight);
        sum += t.force.z;
    }
    CHECK_NEAR(sum, r.weight, 1e-3 * r.weight);
    CHECK_NEAR(q_of(&r)[2], r.q[2], depth); // it had sunk in already
    end(&r);
}

TEST(standing_ground, shows_what_each_foot_bears_as_the_coordination_planned)
{
    rig r;
    begin(&r, 0.6, 20.0);
    run(&r, 2.0, none);
    for (int c = 0; c < STANDING_FEET; ++c) {
        const atemi_force real = atemi_control_loop_contact_wrench(r.loop, c);
        const atemi_force planned =
            atemi_coordination_contact_wrench(atemi_control_loop_coordination(r.loop), c);
        CHECK_NEAR(real.linear.z, planned.linear.z, 0.02 * r.weight); // friction of the gears
    }
    end(&r);
}

// Stable for K (k - m g h) > (m g h)^2, with K of the joints and k of the ground about the ankles:
// joints of a tenth of the usual frequency have a hundredth of its stiffness, and are.
TEST(standing_ground, is_stood_on_by_soft_joints)
{
    rig r;
    begin(&r, 0.6, 2.0);
    run(&r, 6.0, none);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(q_of(&r)[i], r.q[i], 2e-3);
    }
    end(&r);
}

// The lever rule: a push F at the height h moves the pressure by F h / W, and the robot falls
// where that is beyond its toes. Joints and ground give way by some millimetres.
TEST(standing_ground, lets_a_robot_fall_that_is_pushed_beyond_its_toes)
{
    for (int hard = 0; hard < 2; ++hard) {
        rig r;
        begin(&r, 0.6, 20.0);
        atemi_control_loop     *loop = r.loop;
        atemi_whole_body_plant *plant = atemi_control_loop_plant(loop);
        const atemi_transform   sole =
            atemi_whole_body_plant_pose(plant, r.contacts[0].link, &r.contacts[0].frame);
        const atemi_transform chest =
            atemi_whole_body_plant_pose(plant, atemi_model_find_link(r.model, "chest"), NULL);
        run(&r, 2.0, none);
        double pressure = 0.0;
        for (int c = 0; c < STANDING_FEET; ++c) {
            pressure -= atemi_control_loop_contact_wrench(loop, c).angular.y / r.weight;
        }
        const double height = chest.position.z - sole.position.z;
        const double lever = 0.5 * r.contacts[0].size_x - pressure;
        const double force = (hard ? 1.2 : 0.75) * r.weight * lever / height;
        run(&r, 2.0, (atemi_vec3){force, 0.0, 0.0});
        CHECK((q_of(&r)[2] < r.q[2] - 0.1) == (hard == 1));
        end(&r);
    }
}

TEST(standing_ground, lets_feet_slide_where_friction_does_not_hold)
{
    rig r;
    begin(&r, 0.04, 20.0);
    const atemi_vec3 before =
        atemi_whole_body_plant_pose(atemi_control_loop_plant(r.loop), r.contacts[0].link, NULL)
            .position;
    run(&r, 2.0, none);
    run(&r, 0.5, (atemi_vec3){0.0, 0.08 * r.weight, 0.0}); // twice the friction
    const atemi_vec3 after =
        atemi_whole_body_plant_pose(atemi_control_loop_plant(r.loop), r.contacts[0].link, NULL)
            .position;
    // F - friction m g accelerates the whole robot: 0.04 g for half a second.
    CHECK_NEAR(after.y - before.y, 0.5 * 0.04 * 9.81 * 0.25, 0.015);
    end(&r);
}

// SPDX-License-Identifier: Apache-2.0

/// @file
/// What the parts of the coordination share: its state.

#pragma once

#include "atemi/coordination.h"
#include "atemi/trajectory.h"
#include "control/goal_log.h"
#include "control/load_distribution.h"
#include "control/passivity_watch.h"
#include "control/standing_program.h"
#include "dynamics/base_frame.h"
#include "motion/least_norm.h"
#include "motion/task_priority.h"

/// What a joint's command comes from.
typedef enum joint_driver {
    DRIVER_NONE, ///< it holds its position
    DRIVER_TRAJECTORY,
    DRIVER_NODES,
    DRIVER_BREADCRUMBS,
} joint_driver;

typedef struct moved_joint {
    const atemi_joint      *joint;
    atemi_coordinated_joint settings;

    joint_driver         driver;
    bool                 retreats; ///< on a path to where it is
    int                  goal;     ///< that its motion belongs to; 0 for none
    atemi_command_source source;   ///< of that goal
    atemi_axis_state     command;
    double               mean_velocity; ///< commanded in the last step
    atemi_trapezoid      trajectory;
    double               trajectory_time;
    bool                 generated; ///< by the generator, of the task below
    atemi_trapezoid_task task;

    bool   sensed;  ///< the last measurement was one
    bool   stopped; ///< safely, by its own control
    double position, velocity, torque;

    double          inertia;          ///< effective, without rotor if elastic, kg m^2
    double          inertia_torque;   ///< N m
    double          gravity_torque;   ///< scaled, N m
    double          torque_limits[2]; ///< by atemi_command_source
    double          effort;           ///< limit, N m
    double          torque_limit;     ///< blended
    double          gravity;          ///< blended
    atemi_impedance impedance;        ///< blended
} moved_joint;

typedef struct breadcrumbs {
    int     goal;
    int    *joints; ///< [joint_count]
    int     joint_count;
    double *positions; ///< [max_breadcrumbs x joints] a ring of rows
    int     first, count;
    int     taken; ///< of this goal
} breadcrumbs;

/// Position x, y, z and quaternion x, y, z, w.
enum { PATH_AXES = 7 };

typedef struct guided_node {
    atemi_node_target target;
    atemi_trapezoid   trajectories[PATH_AXES];
    atemi_axis_state  states[PATH_AXES];
    double            offset[6]; ///< of force axes, along the target's axes
    double            force[6];  ///< that it presses with, along the target's axes
} guided_node;

typedef enum nodes_phase {
    NODES_IDLE,
    NODES_WAITING, ///< for joints to stop
    NODES_MOVING,
} nodes_phase;

typedef struct node_group {
    nodes_phase          phase;
    int                  goal;
    atemi_command_source source;
    guided_node         *nodes; ///< [count]
    int                  count;
    atemi_node_motion    motion;
    bool                *used;    ///< [joints] that move a node, and may
    double              *posture; ///< [joints]
    double               time, duration;
    double               pace; ///< at which time went in the last step, 0 to 1

    /// Of a robot that stands: where its centre of mass was when the motion began, and shall be
    atemi_vec3 center_start, center_end;
    bool       is_centered; ///< whether it goes there

    atemi_posture_goal               *goals;  ///< [max_nodes + 2] then the base, the centre of mass
    bool                             *moving; ///< [v_count]
    atemi_inverse_kinematics_scratch *inverse;
    atemi_posture_report              report;
    atemi_task_priority               tasks;
    double           *rows, *values, *identity; ///< of the tasks, and [joints x joints]
    atemi_least_norm *least;
    double           *transposed, *torques; ///< [joints x 6], [joints]
} node_group;

struct atemi_coordination {
    const atemi_model         *model;
    atemi_arena                arena;
    atemi_coordination_options options;
    int                        count;     ///< of joints
    int                        first_v;   ///< of the joints
    int                        first_q;   ///< of the joints
    moved_joint               *joints;    ///< [count]
    double                    *q;         ///< [q_count] commanded
    double                    *q_sensed;  ///< [q_count]
    double                    *trial;     ///< [q_count]
    double                    *positions; ///< [count]

    atemi_base_frame         base, base_before;
    double                   base_fraction;
    atemi_base_frame_scratch at_base;
    double                  *u, *du, *torques, *inertias; ///< [v_count]
    double                  *jacobian;                    ///< [6 x v_count]

    atemi_load_distribution loads;
    double                 *borne;              ///< [2 x count] of gravity and inertia
    bool                   *held, *held_before; ///< [links]
    double                  held_fraction;      ///< of `held`, while a link joins those before

    standing_program      standing;
    double               *stood;           ///< [count] torques of a robot that stands
    double               *capture, *still; ///< [v_count] loads at the capture point; zeros
    bool                 *closed;          ///< [count] joints between contacts
    atemi_standing_report stands, was;     ///< in this step and in the one before

    atemi_trapezoid_task *tasks; ///< [axes] of the largest command
    atemi_trapezoid      *trajectories;
    bool                 *marks; ///< [joints of the model]

    breadcrumbs           crumbs;
    node_group            nodes;
    atemi_goal_log        log;
    atemi_passivity_watch watch;
    atemi_feedback_port  *ports; ///< [count]

    atemi_command_mode mode;
    double             time, last_command, blind_time;
    bool               started, limp, senses_torques;
    unsigned           faults;
};

/// What a joint is commanded. One that retreats is commanded positions alone: it is there already,
/// and neither damping nor inertia shall move it.
static inline atemi_axis_state joint_command_of(const moved_joint *j)
{
    return j->retreats ? (atemi_axis_state){.position = j->command.position} : j->command;
}

/// Where what a joint is commanded goes on to when the next command comes, a period later.
static inline atemi_axis_state command_ahead(const moved_joint *j, double period)
{
    const atemi_axis_state c = joint_command_of(j);
    return (atemi_axis_state){c.position + period * (c.velocity + 0.5 * period * c.acceleration),
                              c.velocity + period * c.acceleration, c.acceleration};
}

static inline bool is_at_rest(const moved_joint *j)
{
    return j->driver == DRIVER_NONE;
}

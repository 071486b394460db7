// SPDX-License-Identifier: Apache-2.0

/// @file
/// The scenes of the simulation benchmark: a humanoid on a floor, in the posture half_sitting, with
/// a servo in every joint. The same numbers for every simulator.
///
///     standing   the servos hold the posture
///     stepping   the legs are shortened in turn, so that the feet leave the floor and come down
///                again; a soft spring keeps the waist upright
///     falling    all joints are limp but for some damping: it falls on balls about the centres of
///                mass of its links

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SCENE_MAX_JOINTS = 64,
    SCENE_MAX_BALLS = 64,
    SCENE_FEET = 2,
    SCENE_CORNERS = 4,
    SCENE_ERROR_SIZE = 1024
};

/// A joint with one coordinate and its servo: tau = stiffness (target - q) - damping v.
typedef struct scene_joint {
    const char *name;
    double      armature;
    double      target; ///< rad
    double      swing;  ///< rad: by which the target moves at the height of a step
} scene_joint;

/// A sole: the corners of a rectangle, in the frame of a link that a joint moves.
typedef struct scene_foot {
    const char *link;
    double      corners[SCENE_CORNERS][3];
} scene_foot;

/// A ball in the frame of a link that a joint moves.
typedef struct scene_ball {
    const char *link;
    double      center[3];
} scene_ball;

typedef struct bench_scene {
    const char *name;
    const char *path; ///< of the robot's URDF
    double      duration;
    double      stiffness, damping;          ///< of the servos
    double      period;                      ///< of two steps, s
    double      upright, steady;             ///< of the waist's spring: N m/rad, N m s/rad
    double      friction;                    ///< of the soles on the floor, z = 0
    double      mass;                        ///< of the robot, as a check
    double      start[7 + SCENE_MAX_JOINTS]; ///< base position, quaternion x y z w, joints
    int         joint_count;
    scene_joint joints[SCENE_MAX_JOINTS];
    scene_foot  feet[SCENE_FEET];
    double      radius; ///< of the balls
    int         ball_count;
    scene_ball  balls[SCENE_MAX_BALLS];
} bench_scene;

/// What the servos and the waist's spring do.
///
/// @param turn   x y z of the base's quaternion
/// @param spin   the base's angular velocity, in its own axes
/// @param q,v    of the joints, in the order of the scene
/// @param moment [3] result on the base, in its own axes
/// @param tau    [joint_count] result
void bench_scene_torques(const bench_scene *scene, double time, const double turn[3],
                         const double spin[3], const double *q, const double *v, double moment[3],
                         double *tau);

#ifdef __cplusplus
}
#endif

// SPDX-License-Identifier: Apache-2.0

#include "scene.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/// How far the legs have swung, -1 to 1: the first step is smaller, so that nothing starts at once.
static double swing_at(const bench_scene *scene, double time)
{
    const double steps = 2.0 * time / scene->period;
    return fmin(steps, 1.0) * sin(pi * steps);
}

void bench_scene_torques(const bench_scene *scene, double time, const double turn[3],
                         const double spin[3], const double *q, const double *v, double moment[3],
                         double *tau)
{
    const double swing = swing_at(scene, time);
    for (int i = 0; i < 3; i++)
        moment[i] = -2.0 * scene->upright * turn[i] - scene->steady * spin[i];
    for (int i = 0; i < scene->joint_count; i++) {
        const scene_joint *joint = &scene->joints[i];
        tau[i] = scene->stiffness * (joint->target + swing * joint->swing - q[i]) -
                 scene->damping * v[i];
    }
}

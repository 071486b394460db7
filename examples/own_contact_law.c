// SPDX-License-Identifier: Apache-2.0
//
// Hybrid simulation with a contact law of your own: a ball falls on a mat whose force grows with
// the cube of the depth, and gives half of its energy back.

#include <atemi/atemi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct mat {
    double stiffness; ///< N/m^3
    double loss;      ///< fraction of the force that is missing while it opens
} mat;

static double mat_force(const void *context, double depth, double rate)
{
    const mat   *soft = (const mat *)context;
    const double force = soft->stiffness * depth * depth * depth;
    return rate > 0 ? force : force * (1 - soft->loss);
}

// What happens is heard as it happens; a simulation asks for nothing else here.
static void hear(void *context, const atemi_event *event)
{
    (void)context;
    printf("%8.4f s  %-9s  %.3f m/s\n", event->time, atemi_event_kind_text(event->kind),
           event->speed);
}

static const char ball[] = "<robot name='ball'><link name='ball'><inertial><mass value='0.5'/>"
                           "<inertia ixx='1e-3' iyy='1e-3' izz='1e-3' ixy='0' ixz='0' iyz='0'/>"
                           "</inertial></link></robot>";

static atemi_status drop(const atemi_model *robot, atemi_error *error)
{
    const mat                    soft = {.stiffness = 4e6, .loss = 0.5};
    const atemi_compliance       law = {.force = mat_force, .context = &soft};
    const atemi_surface          floor = atemi_surface_floor();
    const atemi_simulation_point point = {.radius = 0.1, .compliance = &law};
    const atemi_simulation_hooks hooks = {.event = hear};
    const double                 q[7] = {0, 0, 0.6, 0, 0, 0, 1};
    const double                 v[6] = {0};
    atemi_simulation            *simulation;
    atemi_status                 status =
        atemi_simulation_create(robot, &floor, 1, &point, 1, NULL, &hooks, &simulation, error);
    if (status) {
        return status;
    }
    status = atemi_simulation_start(simulation, 0, q, v, error);
    double highest = 0;
    for (int tick = 1; tick <= 1000 && !status; ++tick) {
        status = atemi_simulation_run(simulation, tick * 1e-3, error);
        const double gap = atemi_simulation_gap(simulation, 0);
        highest = tick > 400 && gap > highest ? gap : highest;
    }
    printf("fell from 0.500 m, came back to %.3f m\n", highest);
    atemi_simulation_destroy(simulation);
    return status;
}

int main(void)
{
    atemi_model *robot = NULL;
    atemi_error  error;
    atemi_status status = atemi_urdf_parse(ball, sizeof ball - 1, "ball", NULL, &robot, &error);
    if (!status) {
        status = drop(robot, &error);
    }
    if (status) {
        fprintf(stderr, "%s\n", error.message);
    }
    atemi_model_destroy(robot);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

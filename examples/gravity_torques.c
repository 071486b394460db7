// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics of your robot: what its joints must bear to hold a posture.
//
//     gravity_torques [FILE.urdf]

#include <atemi/atemi.h>
#include <stdio.h>
#include <stdlib.h>

static void print_torques(const atemi_model *robot, const double *tau)
{
    for (int i = 0; i < atemi_model_joint_count(robot); ++i) {
        const atemi_joint *joint = atemi_model_joint(robot, i);
        if (joint->v_count == 1) {
            printf("%-24s %9.3f of %g N m\n", joint->name, tau[joint->first_v],
                   joint->limits.effort);
        }
    }
}

static atemi_status print_gravity(const atemi_model *robot, atemi_error *error)
{
    // All memory is laid out once: measured, then taken. The kernel itself never allocates.
    atemi_arena arena = atemi_arena_measuring();
    atemi_inverse_dynamics_scratch_take(&arena, robot);
    atemi_arena_array(&arena, double, atemi_model_q_count(robot));
    atemi_arena_array(&arena, double, atemi_model_v_count(robot));
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (status) {
        return status;
    }
    atemi_inverse_dynamics_scratch scratch = atemi_inverse_dynamics_scratch_take(&arena, robot);
    double *q = atemi_arena_array(&arena, double, atemi_model_q_count(robot));
    double *tau = atemi_arena_array(&arena, double, atemi_model_v_count(robot));

    atemi_configuration_neutral(robot, q);
    atemi_inverse_dynamics_in(robot, q, NULL, NULL, NULL, &scratch, tau); // at rest: gravity alone
    print_torques(robot, tau);
    atemi_arena_destroy(&arena);
    return ATEMI_OK;
}

int main(int argc, char **argv)
{
    atemi_model *robot = NULL;
    atemi_error  error;
    atemi_status status = argc > 1 ? atemi_urdf_load(argv[1], NULL, &robot, &error)
                                   : atemi_robots_load("hrp2_like", NULL, &robot, &error);
    if (!status) {
        status = print_gravity(robot, &error);
    }
    if (status) {
        fprintf(stderr, "%s\n", error.message);
    }
    atemi_model_destroy(robot);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

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
    atemi_data        *data;
    const atemi_status status = atemi_data_create(robot, NULL, &data, error);
    if (status) {
        return status;
    }
    double *q = (double *)calloc((size_t)atemi_model_q_count(robot), sizeof *q);
    double *tau = (double *)calloc((size_t)atemi_model_v_count(robot), sizeof *tau);
    if (q && tau) {
        atemi_configuration_neutral(robot, q);
        atemi_inverse_dynamics(data, q, NULL, NULL, NULL, tau); // at rest: gravity alone
        print_torques(robot, tau);
    }
    free(q);
    free(tau);
    atemi_data_destroy(data);
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
        fprintf(stderr, "%s:%d: %s\n", error.file, error.line, error.message);
    }
    atemi_model_destroy(robot);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

// SPDX-License-Identifier: Apache-2.0
//
// The loop that runs a robot at 1 kHz: priority, locked memory, a clock that does not drift, what
// to do when a tick is late, and how long ticks took. It needs libatemi_core alone. Behind
// read_robot() and write_robot() is a simulated arm; put your bus there. Arguments: seconds to run.

#define _GNU_SOURCE

#include <atemi/base.h>
#include <atemi/data.h>
#include <atemi/dynamics.h>
#include <atemi/model_builder.h>
#include <atemi/robot_control.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { JOINTS = 2, BINS = 12, NANOSECONDS = 1000000000, PERIOD = 1000000 };

static const double period = 1e-9 * (double)PERIOD; // s

// ---- The robot: two rods of 0.5 m and 1 kg, motors that take torques
// ------------------------------

typedef struct robot {
    atemi_data *data;
    double      q[JOINTS], v[JOINTS], torques[JOINTS];
} robot;

static bool read_robot(void *context, atemi_joint_measurement *measurements, int count)
{
    const robot *r = (const robot *)context;
    for (int i = 0; i < count; ++i) {
        measurements[i] = (atemi_joint_measurement){.joint_position = r->q[i]};
    }
    return true; // false when nothing came from the bus
}

static void write_robot(void *context, const atemi_joint_output *outputs, int count)
{
    robot *r = (robot *)context;
    double a[JOINTS];
    for (int i = 0; i < count; ++i) {
        r->torques[i] = outputs[i].torque_demand;
    }
    if (atemi_forward_dynamics(r->data, r->q, r->v, r->torques, NULL, a)) {
        return;
    }
    for (int i = 0; i < count; ++i) { // what the robot does until the next tick
        r->v[i] += period * a[i];
        r->q[i] += period * r->v[i];
    }
}

// Base, and rods that hang on hinges about y.
static atemi_status add_parts(atemi_model_builder *builder, atemi_error *error)
{
    static const char *const links[] = {"base", "upper", "lower"};
    static const char *const joints[] = {NULL, "shoulder", "elbow"};
    atemi_status             status = ATEMI_OK;
    for (int i = 0; i <= JOINTS && !status; ++i) {
        const atemi_inertia          rod = {1, {0, 0, -0.25}, {1.0 / 48, 1.0 / 48, 1e-3, 0, 0, 0}};
        const atemi_link_description link = {.name = links[i],
                                             .inertia = i ? rod : (atemi_inertia){0}};
        atemi_joint_description      joint = atemi_joint_description_default();
        status = atemi_model_builder_add_link(builder, &link, error);
        joint.name = joints[i];
        joint.type = ATEMI_JOINT_REVOLUTE;
        joint.parent = i ? links[i - 1] : NULL;
        joint.child = links[i];
        joint.axis = (atemi_vec3){0, 1, 0};
        joint.origin.position.z = i > 1 ? -0.5 : 0;
        joint.limits = (atemi_limits){-3, 3, 6, 40};
        status = status || !i ? status : atemi_model_builder_add_joint(builder, &joint, error);
    }
    return status;
}

static atemi_status build_model(atemi_model **model, atemi_error *error)
{
    atemi_model_options  options = atemi_model_options_default();
    atemi_model_builder *builder = NULL;
    options.base = ATEMI_BASE_FIXED;
    atemi_status status = atemi_model_builder_create("arm", NULL, &builder, error);
    status = status ? status : add_parts(builder, error);
    status = status ? status : atemi_model_builder_finish(builder, &options, model, error);
    atemi_model_builder_destroy(builder);
    return status;
}

// ---- The loop
// -------------------------------------------------------------------------------------

// What the system grants. Without the privilege the loop goes on, and is late now and then.
static void ask_for_priority(void)
{
    const struct sched_param priority = {.sched_priority = 80};
    if (sched_setscheduler(0, SCHED_FIFO, &priority)) {
        printf("no real-time priority (%s): run as root, or with CAP_SYS_NICE\n", strerror(errno));
    }
    if (mlockall(MCL_CURRENT | MCL_FUTURE)) {
        printf("memory is not locked (%s): raise ulimit -l\n", strerror(errno));
    }
}

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * NANOSECONDS + t.tv_nsec;
}

static void sleep_until(long long time)
{
    const struct timespec t = {time / NANOSECONDS, time % NANOSECONDS};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {
    }
}

typedef struct histogram {
    long      bins[BINS]; // below 1, 2, 4, ... us, and the rest
    long long largest;
} histogram;

static void count(histogram *h, long long time)
{
    int bin = 0;
    while (bin < BINS - 1 && time >= 1000LL << bin) {
        ++bin;
    }
    ++h->bins[bin];
    h->largest = time > h->largest ? time : h->largest;
}

static void print(const char *name, const histogram *h)
{
    printf("%s: %.1f us at most\n", name, 1e-3 * (double)h->largest);
    for (int i = 0; i < BINS; ++i) {
        if (h->bins[i]) {
            printf(i < BINS - 1 ? "  below %4d us %8ld\n" : "  more than %d us %3ld\n",
                   1 << (i < BINS - 1 ? i : i - 1), h->bins[i]);
        }
    }
}

// Ticks that were missed are left out: two at once would tell the joints that no time went by. A
// joint that hears nothing for its patience stops by itself.
static void run(atemi_robot_control *control, robot *r, long ticks)
{
    const atemi_robot_bus bus = {r, read_robot, write_robot};
    histogram             late = {0}, took = {0};
    long                  missed = 0;
    long long             next = now() + PERIOD;
    for (long k = 0; k < ticks; ++k, next += PERIOD) {
        sleep_until(next);
        const long long begin = now();
        atemi_robot_control_tick(control, &bus);
        const long long end = now();
        count(&late, begin - next);
        count(&took, end - begin);
        for (; next + PERIOD <= end; next += PERIOD) {
            ++missed;
        }
    }
    print("late", &late);
    print("took", &took);
    printf("ticks missed: %ld of %ld\n", missed, ticks);
}

int main(int argc, char **argv)
{
    const double             time = argc > 1 ? strtod(argv[1], NULL) : 3;
    const atemi_joint_target targets[JOINTS] = {{.joint = 0, .position = 0.5},
                                                {.joint = 1, .position = -0.8}};
    robot                    r = {0};
    atemi_model             *model = NULL;
    atemi_robot_control     *control = NULL;
    atemi_error              error;
    bool                     arrived = false;
    if (build_model(&model, &error) || atemi_data_create(model, NULL, &r.data, &error) ||
        atemi_robot_control_create(model, NULL, &control, &error)) {
        fprintf(stderr, "%s\n", error.message);
    } else {
        ask_for_priority();
        run(control, &r, 500); // until it is stiff
        atemi_coordination_move_joints(atemi_robot_control_coordination(control), ATEMI_SOURCE_USER,
                                       targets, JOINTS, 1.5, NULL);
        run(control, &r, (long)(time / period));
        printf("arm at %.4f and %.4f rad\n", r.q[0], r.q[1]);
        arrived = fabs(r.q[0] - 0.5) < 0.01 && fabs(r.q[1] + 0.8) < 0.01;
    }
    atemi_robot_control_destroy(control);
    atemi_data_destroy(r.data);
    atemi_model_destroy(model);
    return arrived ? EXIT_SUCCESS : EXIT_FAILURE;
}

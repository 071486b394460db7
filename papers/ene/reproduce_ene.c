// SPDX-License-Identifier: Apache-2.0

#include "papers/ene/reproduce_ene_figures.h"
#include "papers/ene/reproduce_ene_shapes.h"

#include <math.h>
#include <stdio.h>

// What [ENE] prints: that the hand stays on the floor in the four runs of section V-A; forces and
// accelerations of the two runs of section V-B at two instants each, and where these come to rest.
//
// Tolerances of section V-B:
//   2-link   half a unit of the last printed digit
//   3-link   0.03 N: it starts beside an unstable equilibrium, so that a shift of 10 ms remains
//   forces at rest   half a unit of the last digit of the least one
//   postures at rest   the paper prints the equilibrium without friction. Friction stops the hand
//            where it balances what is left of the weight, so many K beside:
//              2-link   2 l K f_n |cos q_1| = m g l |cos q_1| dq_1, so dq_1 = 2 K, and dq_2 = -4 K
//              3-link   links 1 and 3 lean by K f_n / (m g) = 1.5 K, link 2 stays level
//            and 1e-3 is what K^2 leaves.
//
// That the hand stays on the floor is no number: 1 % of the links' reach, without the projection
// that all other rows have. Forces on a link are m times its acceleration, which is Newton's law.

enum {
    MAX_LINKS = ATEMI_ENE_MAX_LINKS,
    INSTANTS = 2,
    POSTURES = 2,
    FORCE_FIGURES = 2,
    WHERE_SIZE = 64
};

// An angle as the paper has it, in units of pi.
static double pi_times(double x)
{
    return x * acos(-1.0);
}

// ---- Torques

static void torque_of_table_1(double time, double *tau)
{
    (void)time;
    tau[1] = -4.9 / 4.0;
}

static void torque_of_figure_3(double time, double *tau)
{
    (void)time;
    tau[0] = -3.0;
    tau[1] = 3.0;
}

static void torque_of_figure_4(double time, double *tau)
{
    tau[0] = tau[1] = 3.0 * sin(pi_times(time / 3.0));
}

static void torque_of_figure_5(double time, double *tau)
{
    (void)time;
    tau[0] = tau[1] = tau[2] = 3.0;
}

static void torque_of_figure_6(double time, double *tau)
{
    tau[0] = -3.0 * cos(pi_times(2.0 * time));
    tau[1] = -3.0 * sin(pi_times(2.0 * time));
    tau[2] = 3.0 * cos(pi_times(2.0 * time));
}

// ---- Section V-A

typedef struct printed_figure {
    atemi_ene_figure  about;
    atemi_ene_setting setting;
} printed_figure;

static const printed_figure figures[] = {
    {{3, "2-link, torques -3, 3 N m", ATEMI_ENE_ANGLES},
     {.robot = "two_link", .posture = "figure2", .friction = 0.2, .torque = torque_of_figure_3}},
    {{4, "2-link, torques 3 sin(pi t / 3) N m", ATEMI_ENE_ANGLES},
     {.robot = "two_link", .posture = "figure2", .friction = 0.2, .torque = torque_of_figure_4}},
    {{5, "3-link, torques 3, 3, 3 N m", ATEMI_ENE_ANGLES},
     {.robot = "three_link", .posture = "figure2", .friction = 0.2, .torque = torque_of_figure_5}},
    {{6, "3-link, torques -3 cos(2 pi t), -3 sin(2 pi t), 3 cos(2 pi t) N m", ATEMI_ENE_ANGLES},
     {.robot = "three_link", .posture = "figure2", .friction = 0.2, .torque = torque_of_figure_6}},
};

enum { FIGURE_COUNT = sizeof figures / sizeof figures[0] };

static const double figure_time = 10.0; // s; the text does not tell it
static const double link_length = 0.5;  // m
static const char   DRIFT[] = "that the hand stays on the floor has no printed number: 1 % of the "
                              "reach; nothing pulls the hand "
                              "back";

static atemi_status find_largest_height(atemi_ene_motion *motion, double *largest,
                                        atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    *largest = 0.0;
    while (atemi_ene_motion_time(motion) < figure_time && !status) {
        status = atemi_ene_motion_step(motion, error);
        const double height = fabs(atemi_ene_motion_hand_height(motion));
        *largest = height <= *largest ? *largest : height; // NaN is larger
    }
    return status;
}

static atemi_status compare_figure(atemi_reproduction *rows, const printed_figure *figure,
                                   atemi_error *error)
{
    atemi_ene_setting drifting = figure->setting;
    atemi_ene_motion  motion;
    double            largest;
    drifting.drifts = true;
    atemi_status status = atemi_ene_motion_begin(&drifting, &motion, error);
    if (status) {
        return status;
    }
    status = find_largest_height(&motion, &largest, error);
    const atemi_printed height = {
        ATEMI_REPRODUCED_PREDICTED, 0.01 * link_length * motion.links, 0.0, "m", DRIFT,
        ATEMI_REPRODUCED_AT_MOST};
    atemi_reproduction_add(rows, height, largest, "Fig. %d: largest height of the hand in %.0f s",
                           figure->about.number, figure_time);
    atemi_ene_motion_end(&motion);
    return status ? status
                  : atemi_reproduce_ene_figure(rows, &figure->about, &figure->setting, error);
}

// ---- Section V-B

// The x components are all printed as 0.
typedef struct printed_vector {
    double      y, z;
    const char *y_note, *z_note;
} printed_vector;

typedef struct printed_instant {
    double         time;
    printed_vector joint_force[MAX_LINKS];
    printed_vector hand_force;              // f_t, f_n
    printed_vector acceleration[MAX_LINKS]; // and again as the sum of the forces on each link
} printed_instant;

typedef struct printed_posture {
    const char *where;
    double      first_axis;   // what q_1 is measured from, in units of pi
    double      q[MAX_LINKS]; // in units of pi
    const char *note[MAX_LINKS];
} printed_posture;

typedef struct printed_run {
    const char       *name;
    atemi_ene_setting setting;
    double            tolerance;
    bool              divides_by_mass; // the sums of forces are printed a third time, as f / m
    printed_instant   instants[INSTANTS];
    const char       *table; // of what it comes to rest at
    printed_posture   postures[POSTURES];
    double            lean[MAX_LINKS]; // by friction at rest, in units of K
    int               rest_force_count;
    printed_vector    rest_force[MAX_LINKS];
    double            rest_normal_force;
    atemi_ene_figure  figures[FORCE_FIGURES];
} printed_run;

#define K 0.01
#define WITHOUT_FRICTION "printed is the equilibrium without friction; here with what friction adds"
#define FROM_LEVEL "measured from the horizontal; " WITHOUT_FRICTION
#define SIGN_OF_FRICTION "printed -0.127; the sum of the forces on link 3 needs +0.127"
#define WRONG_2Y "printed -0.007, which is z of link 1; the forces on link 2 sum up to -0.531"
#define SIGN_OF_2Z "printed -0.036; the forces on link 2 sum up to +0.036"
#define SIGN_OF_3Z "printed -0.055; the forces on link 3 sum up to +0.055"
#define WRONG_ANGLE_3 "printed 0, with which the hand were 0.5 m below the floor; Table IV has pi/2"

static const double rest_tolerance = 0.0005;     // N
static const double rest_angle_tolerance = 1e-3; // rad
static const double rest_speed =
    1e-8; // rad/s; at the paper's 1e-3 angles have up to 4e-3 rad to go
static const double rest_latest = 100.0; // s

static const printed_run two_link = {
    .name = "2-link",
    .setting = {.robot = "two_link",
                .posture = "start",
                .friction = K,
                .torque = torque_of_table_1},
    .tolerance = 0.0005,
    .divides_by_mass = true,
    .instants = {{.time = 0.10,
                  .joint_force = {{.y = -0.129, .z = 10.252}, {.y = -0.120, .z = 0.464}},
                  .hand_force = {.y = 0.093, .z = 9.324},
                  .acceleration = {{.y = -0.009, .z = -0.012}, {.y = -0.027, .z = -0.012}}},
                 {.time = 4.85,
                  .joint_force = {{.y = -0.088, .z = 10.074}, {.y = -0.090, .z = 0.271}},
                  .hand_force = {.y = 0.095, .z = 9.533},
                  .acceleration = {{.y = 0.002, .z = 0.003}, {.y = 0.006, .z = 0.003}}}},
    .table = "Table II",
    .postures = {{"Table II", 0.0, {-5.0 / 6.0, 2.0 / 3.0}, {WITHOUT_FRICTION, WITHOUT_FRICTION}},
                 {"Fig. 7", -0.5, {-1.0 / 3.0, 2.0 / 3.0}, {FROM_LEVEL, WITHOUT_FRICTION}}},
    .lean = {2.0, -4.0},
    .rest_force_count = 1,
    .rest_force = {{.y = -0.098, .z = 9.8}},
    .rest_normal_force = 9.8,
    .figures = {{9, "y of the forces on the links, 2-link", ATEMI_ENE_FORCES_Y},
                {10, "z of the forces on the links, 2-link", ATEMI_ENE_FORCES_Z}},
};

static const printed_run three_link = {
    .name = "3-link",
    .setting = {.robot = "three_link", .posture = "start", .friction = K, .torque = NULL},
    .tolerance = 0.03,
    .instants =
        {{.time = 3.01,
          .joint_force = {{.y = 0.368, .z = 16.952},
                          {.y = 0.308, .z = 7.322},
                          {.y = 0.197, .z = -2.134}},
          .hand_force = {.y = -0.118, .z = 11.760},
          .acceleration = {{.y = 0.060, .z = -0.170},
                           {.y = 0.111, .z = -0.343},
                           {.y = 0.079, .z = -0.174}}},
         {.time = 3.95,
          .joint_force = {{.y = -1.772, .z = 16.826},
                          {.y = -1.499, .z = 7.033},
                          {.y = -0.968, .z = -2.803}},
          .hand_force = {.y = 0.127, .z = 12.658, .y_note = SIGN_OF_FRICTION},
          .acceleration = {{.y = -0.274, .z = -0.007},
                           {.y = -0.531, .z = 0.036, .y_note = WRONG_2Y, .z_note = SIGN_OF_2Z},
                           {.y = -0.841, .z = 0.055, .z_note = SIGN_OF_3Z}}}},
    .table = "Table IV",
    .postures =
        {{"Table IV",
          0.0,
          {-1.0, 0.5, 0.5},
          {WITHOUT_FRICTION, WITHOUT_FRICTION, WITHOUT_FRICTION}},
         {"Fig. 12", 0.0, {-1.0, 0.5, 0.5}, {WITHOUT_FRICTION, WITHOUT_FRICTION, WRONG_ANGLE_3}}},
    .lean = {1.5, -1.5, -1.5},
    .rest_force_count = 3,
    .rest_force = {{.y = -0.147, .z = 14.7}, {.y = -0.147, .z = 4.9}, {.y = -0.147, .z = -4.9}},
    .rest_normal_force = 14.7,
    .figures = {{14, "y of the forces on the links, 3-link", ATEMI_ENE_FORCES_Y},
                {15, "z of the forces on the links, 3-link", ATEMI_ENE_FORCES_Z}},
};

// What several vectors, one for each link, have in common.
typedef struct vectors {
    const char           *where, *name, *unit;
    double                tolerance;
    int                   count;
    atemi_reproduced_kind kind;
} vectors;

static void compare_vectors(atemi_reproduction *rows, const vectors *about,
                            const printed_vector *printed, const atemi_vec3 *ours)
{
    for (int i = 0; i < about->count; ++i) {
        const printed_vector *p = &printed[i];
        const atemi_printed   y = {about->kind, p->y, about->tolerance, about->unit, p->y_note, 0};
        const atemi_printed   z = {about->kind, p->z, about->tolerance, about->unit, p->z_note, 0};
        atemi_reproduction_add(rows, y, ours[i].y, "%s: %s %dy", about->where, about->name, i + 1);
        atemi_reproduction_add(rows, z, ours[i].z, "%s: %s %dz", about->where, about->name, i + 1);
    }
}

static void compare_hand_force(atemi_reproduction *rows, const char *where, double tolerance,
                               const printed_vector *printed, atemi_vec3 ours)
{
    const atemi_printed friction = {
        ATEMI_REPRODUCED_PREDICTED, printed->y, tolerance, "N", printed->y_note, 0};
    const atemi_printed normal = {
        ATEMI_REPRODUCED_PREDICTED, printed->z, tolerance, "N", printed->z_note, 0};
    atemi_reproduction_add(rows, friction, ours.y, "%s: friction f_t", where);
    atemi_reproduction_add(rows, normal, ours.z, "%s: normal force f_n", where);
}

static void compare_per_mass(atemi_reproduction *rows, const vectors *about,
                             const printed_vector *printed, const atemi_ene_loads *loads)
{
    atemi_vec3 ours[MAX_LINKS];
    for (int i = 0; i < about->count; ++i) {
        ours[i] = atemi_vec3_scale(1.0 / loads->mass[i], loads->net_force[i]);
    }
    compare_vectors(rows, about, printed, ours);
}

static void compare_instant(atemi_reproduction *rows, const printed_run *run,
                            const printed_instant *printed, atemi_ene_motion *motion)
{
    const atemi_ene_loads loads = atemi_ene_motion_loads(motion);
    char                  where[WHERE_SIZE];
    snprintf(where, sizeof where, "%s, t = %.2f s", run->name, printed->time);
    vectors about = {where,          "joint force", "N",
                     run->tolerance, motion->links, ATEMI_REPRODUCED_PREDICTED};
    compare_vectors(rows, &about, printed->joint_force, loads.joint_force);
    compare_hand_force(rows, where, run->tolerance, &printed->hand_force,
                       motion->hand_force.linear);
    about.name = "net force";
    about.kind = ATEMI_REPRODUCED_IDENTITY;
    compare_vectors(rows, &about, printed->acceleration, loads.net_force);
    about.name = "acceleration";
    about.kind = ATEMI_REPRODUCED_PREDICTED;
    about.unit = "m/s^2";
    compare_vectors(rows, &about, printed->acceleration, loads.acceleration);
    if (run->divides_by_mass) {
        about.name = "net force / mass";
        about.kind = ATEMI_REPRODUCED_IDENTITY;
        compare_per_mass(rows, &about, printed->acceleration, &loads);
    }
}

static void compare_posture(atemi_reproduction *rows, const printed_run *run,
                            const printed_posture *printed, const atemi_ene_motion *motion)
{
    for (int i = 0; i < motion->links; ++i) {
        const double        axis = i == 0 ? pi_times(printed->first_axis) : 0.0;
        const atemi_printed angle = {
            ATEMI_REPRODUCED_PREDICTED, pi_times(printed->q[i]) + run->lean[i] * K,
            rest_angle_tolerance,       "rad",
            printed->note[i],           0};
        atemi_reproduction_add(rows, angle, motion->state.q[i] - axis, "%s: angle %d at rest",
                               printed->where, i + 1);
    }
}

static void compare_rest(atemi_reproduction *rows, const printed_run *run, atemi_ene_motion *motion)
{
    const atemi_ene_loads loads = atemi_ene_motion_loads(motion);
    const atemi_printed   normal = {
        ATEMI_REPRODUCED_PREDICTED, run->rest_normal_force, rest_tolerance, "N", NULL, 0};
    const vectors about = {run->table,     "force at rest",       "N",
                           rest_tolerance, run->rest_force_count, ATEMI_REPRODUCED_PREDICTED};
    for (int i = 0; i < POSTURES; ++i) {
        compare_posture(rows, run, &run->postures[i], motion);
    }
    compare_vectors(rows, &about, run->rest_force, loads.joint_force);
    atemi_reproduction_add(rows, normal, motion->hand_force.linear.z,
                           "%s: normal force at rest f_n", run->table);
}

static atemi_status compare_motion(atemi_reproduction *rows, const printed_run *run,
                                   atemi_ene_motion *motion, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < INSTANTS && !status; ++i) {
        status = atemi_ene_motion_run(motion, run->instants[i].time, error);
        if (!status) {
            compare_instant(rows, run, &run->instants[i], motion);
        }
    }
    if (!status) {
        status = atemi_ene_motion_settle(motion, rest_speed, rest_latest, error);
    }
    if (!status) {
        compare_rest(rows, run, motion);
    }
    return status;
}

static atemi_status compare_run(atemi_reproduction *rows, const printed_run *run,
                                atemi_error *error)
{
    atemi_ene_motion motion;
    atemi_status     status = atemi_ene_motion_begin(&run->setting, &motion, error);
    if (status) {
        return status;
    }
    status = compare_motion(rows, run, &motion, error);
    atemi_ene_motion_end(&motion);
    for (int i = 0; i < FORCE_FIGURES && !status; ++i) {
        status = atemi_reproduce_ene_figure(rows, &run->figures[i], &run->setting, error);
    }
    return status;
}

// ---- "Fig. 14 shows the acting force in y-direction is maximum in the negative direction" at 3.95

static atemi_status find_least_force(atemi_ene_motion *motion, double *when, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    double       least = HUGE_VAL;
    while (atemi_ene_motion_time(motion) < figure_time && !status) {
        status = atemi_ene_motion_step(motion, error);
        const double force = atemi_ene_motion_loads(motion).joint_force[0].y;
        if (force < least) {
            least = force;
            *when = atemi_ene_motion_time(motion);
        }
    }
    return status;
}

static atemi_status compare_figure_14(atemi_reproduction *rows, atemi_error *error)
{
    const atemi_printed time = {ATEMI_REPRODUCED_PREDICTED,
                                3.95,
                                0.015,
                                "s",
                                "to a step and half a unit of the last digit",
                                0};
    double              when = 0.0;
    atemi_ene_motion    motion;
    atemi_status        status = atemi_ene_motion_begin(&three_link.setting, &motion, error);
    if (status) {
        return status;
    }
    status = find_least_force(&motion, &when, error);
    atemi_reproduction_add(rows, time, when, "Fig. 14: time of the least joint force 1y");
    atemi_ene_motion_end(&motion);
    return status;
}

atemi_status atemi_reproduce_ene(atemi_reproduction *reproduction, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < FIGURE_COUNT && !status; ++i) {
        status = compare_figure(reproduction, &figures[i], error);
    }
    if (!status) {
        status = compare_run(reproduction, &two_link, error);
    }
    if (!status) {
        status = compare_run(reproduction, &three_link, error);
    }
    if (!status) {
        status = compare_figure_14(reproduction, error);
    }
    if (!status) {
        status = atemi_reproduce_ene_shapes(reproduction, &three_link.setting, error);
    }
    return status;
}

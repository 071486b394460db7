// SPDX-License-Identifier: Apache-2.0

#include "atemi/dynamics.h"
#include "atemi/kinematics.h"
#include "control/whole_body_parts.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

// The program of a tick, in x = (a_j, w) of control/whole_body_tasks.c:
//
//   min  |W (T x - r)|^2 / 2 + sum of w_i (x_i - r_i)^2 / 2
//
// with T the rows of tasks, W^2 their weights, and the limits of control/whole_body_limits.c. It is
// never contradictory without the limits of joints: no force, and accelerations as in free fall.

static const double least_weight = 1e-8; // of an acceleration or force that no task is about

atemi_whole_body_options atemi_whole_body_options_default(void)
{
    return (atemi_whole_body_options){.contacts = 4,
                                      .frames = 8,
                                      .efforts = true,
                                      .horizon = 0.02,
                                      .stop_rate = 30.0,
                                      .effort_cost = 1e-3};
}

atemi_whole_body_contact atemi_whole_body_contact_default(void)
{
    return (atemi_whole_body_contact){.frame = atemi_transform_identity(),
                                      .friction = 0.5,
                                      .most_force = (double)INFINITY,
                                      .weight = 1e4,
                                      .cost = 1.0};
}

// ---- Making one

static void take_tasks(atemi_arena *arena, atemi_whole_body_control *c)
{
    const int contacts = c->options.contacts;
    c->feet = atemi_arena_array(arena, whole_body_foot, contacts);
    for (int f = 0; f < contacts; ++f) {
        double *J = atemi_arena_array(arena, double, WHOLE_BODY_WRENCH * c->nv);
        if (c->feet) {
            c->feet[f].J = J;
        }
    }
    c->task_rows = 6 * (1 + contacts + c->options.frames);
    c->tasks = atemi_arena_array(arena, double, (size_t)c->task_rows *(size_t)c->width);
    c->wanted = atemi_arena_array(arena, double, c->task_rows);
    c->diagonal = atemi_arena_array(arena, double, c->width);
    c->pull = atemi_arena_array(arena, double, c->width);
}

static void take_program(atemi_arena *arena, atemi_whole_body_control *c)
{
    const int    n = c->joints + WHOLE_BODY_WRENCH * c->options.contacts;
    const int    rows = WHOLE_BODY_CONE_ROWS * c->options.contacts + c->joints;
    const size_t width = (size_t)c->width;
    c->H = atemi_arena_array(arena, double, width *width);
    c->g = atemi_arena_array(arena, double, width);
    c->A = atemi_arena_array(arena, double, (size_t)rows *width);
    c->lower = atemi_arena_array(arena, double, rows);
    c->upper = atemi_arena_array(arena, double, rows);
    c->least = atemi_arena_array(arena, double, n);
    c->most = atemi_arena_array(arena, double, n);
    c->x = atemi_arena_array(arena, double, width);
    c->active = atemi_arena_array(arena, signed char, n + rows);
    c->solver = atemi_quadratic_solver_take(arena, n, rows);
}

static void take_dynamics(atemi_arena *arena, atemi_whole_body_control *c)
{
    const atemi_data_options none = {.max_contacts = 0};
    c->data = atemi_data_take(arena, c->model, &none);
    c->M = atemi_arena_array(arena, double, (size_t)c->nv *(size_t)c->nv);
    c->load = atemi_arena_array(arena, double, c->nv);
    c->still = atemi_arena_array(arena, double, c->nv);
    c->a = atemi_arena_array(arena, double, c->nv);
    c->J = atemi_arena_array(arena, double, 6 * c->nv);
    c->base = atemi_arena_array(arena, double, WHOLE_BODY_BASE * c->width);
    c->effort = atemi_arena_array(arena, double, (size_t)c->joints *(size_t)c->width);
    c->effort_rest = atemi_arena_array(arena, double, c->joints);
    c->efforts = atemi_arena_array(arena, double, c->joints);
}

static void find_effort_limits(const atemi_whole_body_control *c)
{
    for (int j = 0; j < c->joints; ++j) {
        c->efforts[j] = (double)INFINITY;
    }
    for (int i = 0; i < atemi_model_joint_count(c->model); ++i) {
        const atemi_joint *joint = atemi_model_joint(c->model, i);
        if (joint->v_count == 1 && joint->first_v >= WHOLE_BODY_BASE &&
            joint->limits.effort > 0.0 && c->options.efforts) {
            c->efforts[joint->first_v - WHOLE_BODY_BASE] = joint->limits.effort;
        }
    }
}

atemi_whole_body_control *atemi_whole_body_control_take(atemi_arena                    *arena,
                                                        const atemi_model              *model,
                                                        const atemi_whole_body_options *options)
{
    ATEMI_REQUIRE_OR(arena && model && atemi_model_base(model) == ATEMI_BASE_FLOATING, NULL);
    atemi_whole_body_control made = {
        .model = model, .options = options ? *options : atemi_whole_body_options_default()};
    made.nv = atemi_model_v_count(model);
    made.joints = made.nv - WHOLE_BODY_BASE;
    made.width = matrix_stride(made.joints + WHOLE_BODY_WRENCH * made.options.contacts);
    made.mass = atemi_model_mass(model);
    atemi_whole_body_control *control = atemi_arena_array(arena, atemi_whole_body_control, 1);
    take_dynamics(arena, &made);
    take_tasks(arena, &made);
    take_program(arena, &made);
    if (!control || !made.solver) {
        return NULL;
    }
    find_effort_limits(&made);
    *control = made;
    return control;
}

const atemi_data *atemi_whole_body_data(const atemi_whole_body_control *control)
{
    ATEMI_REQUIRE_OR(control, NULL);
    return control->data;
}

// ---- A tick

void atemi_whole_body_begin(atemi_whole_body_control *c, const double *q, const double *v)
{
    ATEMI_REQUIRE(c && q && v);
    c->q = q;
    c->v = v;
    c->foot_count = c->task_count = 0;
    c->variables = c->joints;
    c->reduced = false;
    memset(c->diagonal, 0, (size_t)c->width * sizeof *c->diagonal);
    memset(c->pull, 0, (size_t)c->width * sizeof *c->pull);
    atemi_update_kinematics(c->data, q, v, c->still);
    atemi_mass_matrix_at(c->data, c->M);
    atemi_inverse_dynamics_at(c->data, c->still, NULL, c->load);
    c->center = atemi_center_of_mass(c->data);
}

// The rows of J along the axes of the frame.
static void turn_rows(const atemi_whole_body_control *c, const atemi_mat3 *R, double *J)
{
    for (int part = 0; part < 6; part += 3) {
        double *x = row_of(J, c->nv, part), *y = x + c->nv, *z = y + c->nv;
        for (int i = 0; i < c->nv; ++i) {
            const atemi_vec3 column =
                atemi_mat3_apply_transposed(R, (atemi_vec3){x[i], y[i], z[i]});
            x[i] = column.x;
            y[i] = column.y;
            z[i] = column.z;
        }
    }
}

int atemi_whole_body_contact_add(atemi_whole_body_control       *c,
                                 const atemi_whole_body_contact *contact)
{
    ATEMI_REQUIRE_OR(c && c->q && contact && !c->reduced, ATEMI_NONE);
    ATEMI_REQUIRE_OR(c->foot_count < c->options.contacts && contact->link >= 0 &&
                         contact->link < atemi_model_link_count(c->model),
                     ATEMI_NONE);
    whole_body_foot      *foot = &c->feet[c->foot_count];
    const atemi_transform link = atemi_link_pose(c->data, contact->link);
    foot->contact = *contact;
    foot->pose = atemi_transform_compose(&link, &contact->frame);
    foot->first = c->variables;
    foot->count = contact->size_x > 0.0 || contact->size_y > 0.0 ? WHOLE_BODY_WRENCH : 3;
    c->variables += foot->count;
    atemi_frame_jacobian(c->data, contact->link, contact->frame.position, foot->J);
    turn_rows(c, &foot->pose.rotation, foot->J);
    return c->foot_count++;
}

// ---- The program

static void set_objective(atemi_whole_body_control *c)
{
    memset(c->H, 0, (size_t)c->width * (size_t)c->width * sizeof *c->H);
    memset(c->g, 0, (size_t)c->width * sizeof *c->g);
    // Columns beyond the variables are padding: products leave them zero.
    matrix_add_transposed(c->task_count, c->width, c->tasks, c->width, c->tasks, c->width, c->H);
    matrix_add_product(c->task_count, c->tasks, c->width, c->wanted, c->g);
    for (int i = 0; i < c->variables; ++i) {
        c->H[(ptrdiff_t)i * c->width + i] += c->diagonal[i] + least_weight;
        c->g[i] = -c->g[i] - c->pull[i];
    }
}

// The limits of the last tick are a guess only for a program of the same shape.
static void forget_active(atemi_whole_body_control *c, int rows)
{
    if (c->variables != c->last_variables || rows != c->last_rows) {
        memset(c->active, 0, ((size_t)c->variables + (size_t)rows) * sizeof *c->active);
    }
    c->last_variables = c->variables;
    c->last_rows = rows;
}

// Solves with what limits are left.
static atemi_quadratic_result solve(atemi_whole_body_control *c, int rows)
{
    const atemi_quadratic_program program = {.variables = c->variables,
                                             .rows = rows,
                                             .H_stride = c->width,
                                             .A_stride = c->width,
                                             .H = c->H,
                                             .g = c->g,
                                             .A = c->A,
                                             .lower = c->lower,
                                             .upper = c->upper,
                                             .least = c->least,
                                             .most = c->most};
    return atemi_quadratic_solve(c->solver, &program, NULL, c->x, NULL, c->active);
}

static bool is_usable(const atemi_quadratic_result *r)
{
    return r->status == ATEMI_QUADRATIC_SOLVED || r->status == ATEMI_QUADRATIC_INACCURATE;
}

static void set_limits(atemi_whole_body_control *c)
{
    for (int i = c->joints; i < c->variables; ++i) {
        c->least[i] = -(double)INFINITY;
        c->most[i] = (double)INFINITY;
    }
    atemi_whole_body_stops_set(c, false);
    atemi_whole_body_efforts_set(c, atemi_whole_body_cones_set(c));
}

static void find_accelerations(atemi_whole_body_control *c)
{
    for (int i = 0; i < WHOLE_BODY_BASE; ++i) {
        c->a[i] = c->base_rest[i] + row_dot(c->variables, row_in(c->base, c->width, i), c->x);
    }
    memcpy(c->a + WHOLE_BODY_BASE, c->x, (size_t)c->joints * sizeof *c->a);
}

static double find_torques(const atemi_whole_body_control *c, double *tau)
{
    double largest = 0.0;
    memset(tau, 0, WHOLE_BODY_BASE * sizeof *tau);
    for (int j = 0; j < c->joints; ++j) {
        const double torque =
            c->effort_rest[j] + row_dot(c->variables, row_in(c->effort, c->width, j), c->x);
        tau[WHOLE_BODY_BASE + j] = torque;
        largest = fmax(largest, fabs(torque) / c->efforts[j]);
    }
    return largest;
}

atemi_status atemi_whole_body_solve(atemi_whole_body_control *c, double *tau,
                                    atemi_whole_body_report *report)
{
    ATEMI_REQUIRE_OR(c && c->q && tau, ATEMI_ERROR_CONTRACT);
    atemi_whole_body_report r = {.effort = 0.0};
    atemi_whole_body_reduce(c);
    set_objective(c);
    set_limits(c);
    const int rows = c->cone_rows + c->joints;
    forget_active(c, rows);
    r.program = solve(c, rows);
    if (!is_usable(&r.program)) {
        atemi_whole_body_stops_set(c, true);
        r.without_stops = true;
        r.program = solve(c, rows);
    }
    if (!is_usable(&r.program)) {
        r.without_efforts = true;
        r.program = solve(c, c->cone_rows);
    }
    const bool found = is_usable(&r.program);
    if (found) {
        find_accelerations(c);
        r.effort = find_torques(c, tau);
    } else {
        c->last_variables = 0;
    }
    if (report) {
        *report = r;
    }
    return found ? ATEMI_OK : ATEMI_ERROR_SINGULAR;
}

const double *atemi_whole_body_accelerations(const atemi_whole_body_control *control)
{
    ATEMI_REQUIRE_OR(control, NULL);
    return control->a;
}

atemi_force atemi_whole_body_wrench(const atemi_whole_body_control *control, int contact)
{
    const atemi_force none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    ATEMI_REQUIRE_OR(control && contact >= 0 && contact < control->foot_count, none);
    const whole_body_foot *foot = &control->feet[contact];
    const double          *w = control->x + foot->first;
    atemi_force            wrench = none;
    wrench.linear = atemi_mat3_apply(&foot->pose.rotation, (atemi_vec3){w[0], w[1], w[2]});
    if (foot->count > 3) {
        wrench.angular = atemi_mat3_apply(&foot->pose.rotation, (atemi_vec3){w[3], w[4], w[5]});
    }
    return wrench;
}

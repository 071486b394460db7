// SPDX-License-Identifier: Apache-2.0

#include "control/standing_program.h"

#include "control/contact_cone.h"
#include "dynamics/frame_rows.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

// A robot that moves as it is commanded to takes, with the wrenches w_c of its contacts,
//
//   M a + h = (0, t) + sum of J_c^T w_c
//
// Six rows have no torque; the others give the torques t of the joints. Of all wrenches those count
// that strain the joints least, as in load_distribution.c, with the effort limits E, the weight W,
// and moments at the lever L_c:
//
//   minimize  sum (t_i / E_i)^2 + sum |e w_c / W|^2 + m^2 |s|^2,   e = 0.1,  m = 1e6
//   with      sum of J_cb^T w_c + W s = (M a + h)_b,   |t_i| <= E_i
//   and       w_c in its cone (contact_cone.c) where it stands
//
// s is what no contact can give: it is zero, but for 1 / m^2, wherever the contacts suffice, and
// the program always has a solution. L_c is half the diagonal of a sole; the distance from the
// centre of mass otherwise. Moments on what stands have e = 1: pressure at the edge of a sole costs
// as much as a joint at its limit, and stays near the middle, from where a push has far to go.

static const double force_cost = 0.1;    // e
static const double pressure_cost = 1.0; // e of the moments of what stands
static const double missing_cost = 1e6;  // m
static const double least_gravity = 0.1; // m/s^2: below that nothing stands

enum { BASE = 6 };

// ---- Memory

static int largest_rows(const standing_program *p)
{
    return BASE + CONTACT_CONE_ROWS * p->standing + p->joint_count;
}

static int largest_width(const standing_program *p)
{
    return CONTACT_WRENCH * p->most + BASE;
}

standing_program atemi_standing_program_take(atemi_arena *arena, const atemi_model *model,
                                             int contact_count, int max_links)
{
    standing_program p = {.standing = contact_count, .most = contact_count + max_links};
    const size_t     nv = (size_t)atemi_model_v_count(model);
    p.first_v = atemi_base_v_count(atemi_model_base(model));
    p.joint_count = (int)nv - p.first_v;
    if (!contact_count) {
        return p;
    }
    const size_t rows = (size_t)largest_rows(&p), width = (size_t)largest_width(&p);
    p.width = (int)width;
    p.supports = atemi_arena_array(arena, standing_support, p.most);
    for (int c = 0; c < p.most; ++c) {
        double *J = atemi_arena_array(arena, double, CONTACT_WRENCH *nv);
        if (p.supports) {
            p.supports[c].J = J;
        }
    }
    p.limits = atemi_arena_array(arena, double, p.joint_count);
    p.strains = atemi_arena_array(arena, double, width *(size_t)p.joint_count);
    p.H = atemi_arena_array(arena, double, width *width);
    p.g = atemi_arena_array(arena, double, width);
    p.A = atemi_arena_array(arena, double, rows *width);
    p.lower = atemi_arena_array(arena, double, rows);
    p.upper = atemi_arena_array(arena, double, rows);
    p.least = atemi_arena_array(arena, double, width);
    p.bound = atemi_arena_array(arena, double, width);
    p.x = atemi_arena_array(arena, double, width);
    p.trial = atemi_arena_array(arena, double, width);
    p.active = atemi_arena_array(arena, signed char, rows + width);
    p.solver = atemi_quadratic_solver_take(arena, (int)width, (int)rows);
    return p;
}

void atemi_standing_program_start(const atemi_model *model, const atemi_standing_contact *contacts,
                                  standing_program *program)
{
    standing_program *p = program;
    const double      gravity = atemi_vec3_norm(atemi_model_gravity(model));
    p->weight = atemi_model_mass(model) * fmax(gravity, least_gravity);
    for (int i = 0; i < p->joint_count && p->standing; ++i) {
        p->limits[i] = atemi_joint_rating_of(model, i).effort;
    }
    for (int c = 0; c < p->standing; ++c) {
        p->supports[c].about = contacts[c];
        p->supports[c].stands = true;
        p->supports[c].lever = 0.5 * hypot(contacts[c].size_x, contacts[c].size_y);
    }
}

// ---- A posture

// The rows of J along the axes of the contact's frame.
static void turn_rows(int n, const atemi_mat3 *R, double *J)
{
    for (int part = 0; part < CONTACT_WRENCH; part += 3) {
        double *x = row_of(J, n, part), *y = x + n, *z = y + n;
        for (int i = 0; i < n; ++i) {
            const atemi_vec3 along = atemi_mat3_apply_transposed(R, (atemi_vec3){x[i], y[i], z[i]});
            x[i] = along.x;
            y[i] = along.y;
            z[i] = along.z;
        }
    }
}

static void place_support(const atemi_model *model, const atemi_kinematics *kinematics,
                          atemi_vec3 center, standing_program *p, standing_support *s)
{
    const atemi_transform link = atemi_link_pose_in(model, kinematics, s->about.link);
    const atemi_transform at = atemi_transform_compose(&link, &s->about.frame);
    const double          far = atemi_vec3_norm(atemi_vec3_sub(at.position, center));
    atemi_frame_rows(model, kinematics, s->about.link, s->about.frame.position, s->J);
    turn_rows(p->first_v + p->joint_count, &at.rotation, s->J);
    p->height = fmax(p->height, far);
    s->lever = s->stands && s->lever > 0.0 ? s->lever : far;
}

static bool stands(const standing_program *p, int link)
{
    for (int c = 0; c < p->standing; ++c) {
        if (p->supports[c].about.link == link) {
            return true;
        }
    }
    return false;
}

static void add_held(const atemi_model *model, const bool *held, standing_program *p)
{
    p->count = p->standing;
    for (int i = 0; i < atemi_model_link_count(model) && held && p->count < p->most; ++i) {
        if (held[i] && !stands(p, i)) {
            standing_support *s = &p->supports[p->count++];
            s->about = (atemi_standing_contact){.link = i, .frame = atemi_transform_identity()};
        }
    }
}

static double unit_of(const standing_program *p, int variable)
{
    const standing_support *s = &p->supports[variable / CONTACT_WRENCH];
    return variable % CONTACT_WRENCH < 3 ? p->weight : p->weight * s->lever;
}

static const double *jacobian_row(const standing_program *p, int variable)
{
    return row_in(p->supports[variable / CONTACT_WRENCH].J, p->first_v + p->joint_count,
                  variable % CONTACT_WRENCH);
}

static int variable_count(const standing_program *p)
{
    return CONTACT_WRENCH * p->count + BASE;
}

// What a unit of each wrench takes from each torque, as a fraction of its limit.
static void find_strains(standing_program *p)
{
    for (int k = 0; k < CONTACT_WRENCH * p->count; ++k) {
        const double  unit = unit_of(p, k);
        const double *J = jacobian_row(p, k) + p->first_v;
        double       *row = row_of(p->strains, p->joint_count, k);
        for (int i = 0; i < p->joint_count; ++i) {
            row[i] = unit * J[i] / p->limits[i];
        }
    }
}

static double cost_of(const standing_program *p, int variable)
{
    const bool presses = p->supports[variable / CONTACT_WRENCH].stands;
    return presses && variable % CONTACT_WRENCH >= 3 ? pressure_cost : force_cost;
}

static void set_costs(standing_program *p)
{
    const int wrenches = CONTACT_WRENCH * p->count, n = variable_count(p);
    memset(p->H, 0, (size_t)p->width * (size_t)p->width * sizeof *p->H);
    for (int k = 0; k < wrenches; ++k) {
        for (int l = 0; l <= k; ++l) {
            const double product = row_dot(p->joint_count, row_of(p->strains, p->joint_count, k),
                                           row_of(p->strains, p->joint_count, l));
            row_of(p->H, p->width, k)[l] = row_of(p->H, p->width, l)[k] = product;
        }
        row_of(p->H, p->width, k)[k] += cost_of(p, k) * cost_of(p, k);
    }
    for (int k = wrenches; k < n; ++k) {
        row_of(p->H, p->width, k)[k] = missing_cost * missing_cost;
    }
}

static double *add_row(standing_program *p, int row, double lower, double upper)
{
    double *r = row_of(p->A, p->width, row);
    memset(r, 0, (size_t)p->width * sizeof *r);
    p->lower[row] = lower;
    p->upper[row] = upper;
    return r;
}

// Rows of the base are divided by the weight, those of moments by its height besides.
static double base_unit(const standing_program *p, int row)
{
    return row < 3 ? p->weight : p->weight * p->height;
}

static void set_balance(standing_program *p)
{
    const int wrenches = CONTACT_WRENCH * p->count;
    for (int b = 0; b < BASE; ++b) {
        double *row = add_row(p, b, 0.0, 0.0);
        for (int k = 0; k < wrenches; ++k) {
            row[k] = unit_of(p, k) * jacobian_row(p, k)[b] / base_unit(p, b);
        }
        row[wrenches + b] = 1.0;
    }
}

static void add_cone(standing_program *p, int contact, double margin)
{
    const atemi_standing_contact *about = &p->supports[contact].about;
    const double                  inside = 0.5 - margin;
    double                        rows[CONTACT_CONE_ROWS][CONTACT_WRENCH];
    const int count = atemi_contact_cone(about->friction / sqrt(2.0), inside * about->size_x,
                                         inside * about->size_y, rows);
    const int first = CONTACT_WRENCH * contact;
    for (int i = 0; i < count; ++i) {
        double *row = add_row(p, BASE + p->cone_rows++, -(double)INFINITY, 0.0);
        for (int k = 0; k < CONTACT_WRENCH; ++k) {
            row[first + k] = rows[i][k] * unit_of(p, first + k) / p->weight;
        }
    }
}

static void fix(standing_program *p, int variable)
{
    p->least[variable] = p->bound[variable] = 0.0;
}

// What stands only pushes; a line does not resist a moment about itself, a point none at all.
static void set_cones(standing_program *p, double margin)
{
    p->cone_rows = 0;
    for (int k = 0; k < variable_count(p); ++k) {
        p->least[k] = -(double)INFINITY;
        p->bound[k] = (double)INFINITY;
    }
    for (int c = 0; c < p->standing; ++c) {
        const atemi_standing_contact *about = &p->supports[c].about;
        const int                     first = CONTACT_WRENCH * c;
        const bool                    has_x = about->size_x > 0.0, has_y = about->size_y > 0.0;
        p->least[first + CONTACT_PUSH] = 0.0;
        add_cone(p, c, margin);
        if (!has_y) {
            fix(p, first + 3);
        }
        if (!has_x) {
            fix(p, first + 4);
        }
        if (!has_x && !has_y) {
            fix(p, first + 5);
        }
    }
}

static void set_efforts(standing_program *p)
{
    for (int i = 0; i < p->joint_count; ++i) {
        double *row = add_row(p, BASE + p->cone_rows + i, 0.0, 0.0);
        for (int k = 0; k < CONTACT_WRENCH * p->count; ++k) {
            row[k] = row_of(p->strains, p->joint_count, k)[i];
        }
    }
}

void atemi_standing_program_place(const atemi_model *model, const bool *held,
                                  const atemi_base_frame_scratch *scratch,
                                  standing_program               *program)
{
    standing_program *p = program;
    const atemi_vec3  center = atemi_center_of_mass_in(model, &scratch->kinematics);
    p->height = 0.0;
    add_held(model, held, p);
    for (int c = 0; c < p->count; ++c) {
        place_support(model, &scratch->kinematics, center, p, &p->supports[c]);
    }
    find_strains(p);
    set_costs(p);
    set_balance(p);
}

// ---- A solution

static void set_loads(standing_program *p, const double *loads)
{
    const int     wrenches = CONTACT_WRENCH * p->count;
    const double *torques = loads + p->first_v;
    memset(p->g, 0, (size_t)variable_count(p) * sizeof *p->g);
    for (int b = 0; b < BASE; ++b) {
        p->lower[b] = p->upper[b] = loads[b] / base_unit(p, b);
    }
    for (int i = 0; i < p->joint_count; ++i) {
        const double part = torques[i] / p->limits[i];
        const int    row = BASE + p->cone_rows + i;
        p->lower[row] = part - 1.0;
        p->upper[row] = part + 1.0;
        for (int k = 0; k < wrenches; ++k) {
            p->g[k] -= part * row_of(p->strains, p->joint_count, k)[i];
        }
    }
}

// The limits of the last program are a guess only for one of the same shape.
static void forget_active(standing_program *p, int rows)
{
    const int n = variable_count(p);
    if (n != p->last_variables || rows != p->last_rows) {
        memset(p->active, 0, ((size_t)n + (size_t)rows) * sizeof *p->active);
    }
    p->last_variables = n;
    p->last_rows = rows;
}

static bool find_wrenches(standing_program *p, int rows)
{
    const atemi_quadratic_program program = {.variables = variable_count(p),
                                             .rows = rows,
                                             .H_stride = p->width,
                                             .A_stride = p->width,
                                             .H = p->H,
                                             .g = p->g,
                                             .A = p->A,
                                             .lower = p->lower,
                                             .upper = p->upper,
                                             .least = p->least,
                                             .most = p->bound};
    forget_active(p, rows);
    const atemi_quadratic_status status =
        atemi_quadratic_solve(p->solver, &program, NULL, p->trial, NULL, p->active).status;
    const bool found = status == ATEMI_QUADRATIC_SOLVED || status == ATEMI_QUADRATIC_INACCURATE;
    if (found) {
        memcpy(p->x, p->trial, (size_t)variable_count(p) * sizeof *p->x);
    }
    return found;
}

static standing_result find_torques(const standing_program *p, const double *loads, double *torques)
{
    const int       wrenches = CONTACT_WRENCH * p->count;
    standing_result result = {.joint = 0};
    for (int b = 0; b < BASE; ++b) {
        result.missing = fmax(result.missing, fabs(p->x[wrenches + b]));
    }
    for (int i = 0; i < p->joint_count; ++i) {
        double part = loads[p->first_v + i] / p->limits[i];
        for (int k = 0; k < wrenches; ++k) {
            part -= row_in(p->strains, p->joint_count, k)[i] * p->x[k];
        }
        torques[i] = part * p->limits[i];
        result.joint = fabs(part) > result.effort ? i : result.joint;
        result.effort = fmax(result.effort, fabs(part));
    }
    return result;
}

standing_result atemi_standing_program_solve(standing_program *program, const double *loads,
                                             standing_limits limits, double *torques)
{
    standing_program *p = program;
    set_cones(p, limits.margin);
    set_efforts(p);
    set_loads(p, loads);
    const int       rows = BASE + p->cone_rows + (limits.efforts ? p->joint_count : 0);
    const bool      found = find_wrenches(p, rows);
    standing_result result = find_torques(p, loads, torques);
    result.missing = found ? result.missing : (double)INFINITY;
    return result;
}

atemi_force atemi_standing_program_wrench(const standing_program *program, int contact)
{
    const double *x = program->x + (ptrdiff_t)CONTACT_WRENCH * contact;
    const double  f = program->weight, t = f * program->supports[contact].lever;
    return (atemi_force){{f * x[0], f * x[1], f * x[2]}, {t * x[3], t * x[4], t * x[5]}};
}

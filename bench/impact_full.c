// SPDX-License-Identifier: Apache-2.0

#include "impact_full.h"

#include <float.h>
#include <math.h>
#include <string.h>

// With the robot's own equations of motion instead of those of its frozen posture:
//
//   M dv/dt + h = tau - J^T n f + feet,   dd/dt = n^T J v - u_t,   du_t/dt = f / m_t
//   tau = limited(-K_p (phi - phi_0 - phi'_0 t) - K_d (phi' - phi'_0)) - friction
//
// Gravity is left out, as the blow leaves it out: the servo carries it before and after.

typedef struct state {
    double time, depth, target, impulse;
    double q[FULL_MOST], v[FULL_MOST];
} state;

typedef struct slope {
    double depth, target, force;
    double v[FULL_MOST], a[FULL_MOST];
} slope;

static double entry(const double *values, int i, double otherwise)
{
    return values ? values[i] : otherwise;
}

static double limited(double x, double bound)
{
    return fmin(fmax(x, -bound), bound);
}

static double torque_of(const full_blow *b, const state *s, int joint)
{
    const atemi_joint      *at = atemi_model_joint(b->model, joint);
    const atemi_blow_servo *servo = &b->setting->servo;
    const int               i = at->first_v, k = at->first_q;
    const double            angle = s->q[k] - b->q[k] - b->v[i] * s->time, rate = s->v[i] - b->v[i];
    const double            asked =
        -entry(servo->stiffness, i, 0) * angle - entry(servo->damping, i, 0) * rate;
    return limited(asked, entry(servo->limits, i, (double)INFINITY)) -
           entry(servo->viscous, i, 0) * s->v[i] -
           entry(servo->coulomb, i, 0) * limited(s->v[i] / b->slowest_slide, 1.0);
}

static void find_slope(full_blow *b, const state *s, slope *to)
{
    const int              n = atemi_model_v_count(b->model);
    const atemi_compliance law = atemi_compliance_compression_damper(&b->setting->surface.spring);
    const atemi_vec3       along = b->point.direction;
    double                 rows[6 * FULL_MOST], tau[FULL_MOST] = {0}, row[FULL_MOST], speed = 0;
    atemi_update_kinematics(b->data, s->q, NULL, NULL);
    atemi_link_jacobian(b->data, b->point.link, rows);
    for (int i = 0; i < n; i++) {
        row[i] = along.x * rows[i] + along.y * rows[n + i] + along.z * rows[2 * n + i];
        speed += row[i] * s->v[i];
    }
    to->depth = speed - s->target;
    to->force = atemi_compliance_force(&law, s->depth, to->depth);
    to->target = to->force / b->setting->target.mass;
    for (int j = 0; j < atemi_model_joint_count(b->model); j++)
        if (atemi_model_joint(b->model, j)->v_count == 1)
            tau[atemi_model_joint(b->model, j)->first_v] = torque_of(b, s, j);
    for (int i = 0; i < n; i++)
        tau[i] -= row[i] * to->force;
    memcpy(to->v, s->v, sizeof to->v);
    b->accelerate(b->self, s->q, s->v, tau, to->a);
}

static void move_on(const full_blow *b, const state *from, const slope *k, double h, state *to)
{
    to->time = from->time + h;
    to->depth = from->depth + h * k->depth;
    to->target = from->target + h * k->target;
    to->impulse = from->impulse + h * k->force;
    atemi_configuration_integrate(b->model, from->q, k->v, h, to->q);
    for (int i = 0; i < atemi_model_v_count(b->model); i++)
        to->v[i] = from->v[i] + h * k->a[i];
}

static void add_slope(int n, double weight, const slope *k, slope *sum)
{
    sum->depth += weight * k->depth;
    sum->target += weight * k->target;
    sum->force += weight * k->force;
    for (int i = 0; i < n; i++) {
        sum->v[i] += weight * k->v[i];
        sum->a[i] += weight * k->a[i];
    }
}

static void step(full_blow *b, state *s, const slope *first, double h)
{
    static const double ahead[3] = {0.5, 0.5, 1.0}, weight[4] = {1, 2, 2, 1};
    const int           n = atemi_model_v_count(b->model);
    state               stage;
    slope               k = *first, sum = {0};
    add_slope(n, weight[0] / 6, &k, &sum);
    for (int i = 0; i < 3; i++) {
        move_on(b, s, &k, ahead[i] * h, &stage);
        find_slope(b, &stage, &k);
        add_slope(n, weight[i + 1] / 6, &k, &sum);
    }
    move_on(b, s, &sum, h, s);
}

double full_blow_impulse(full_blow *b, double h)
{
    state s = {.depth = DBL_MIN}; // in touch, which depth 0 is not
    slope k;
    memcpy(s.q, b->q, sizeof s.q);
    memcpy(s.v, b->v, sizeof s.v);
    for (find_slope(b, &s, &k); k.force > 0 && s.time < b->duration; find_slope(b, &s, &k))
        step(b, &s, &k, h);
    return s.impulse;
}

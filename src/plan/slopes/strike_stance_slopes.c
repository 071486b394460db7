// SPDX-License-Identifier: Apache-2.0

#include "plan/slopes/strike_stance_slopes.h"

#include "math/matrix.h"

#include <math.h>
#include <string.h>

// Where soles would have to pull, the forces are those that come nearest, by an algorithm without
// derivatives. With d the direction (dq, dv, da),
//
//   dtau = (tau(x + h d) - tau(x)) / h,   h (|dq| + |dv| 0.1 s + |da| 0.01 s^2) = 1e-6

static const double move = 1e-6;
static const double second = 0.1; // s, by which speeds count as moves

// What is differentiated.
typedef struct standing {
    const strike_setup        *s;
    const double              *q, *v, *a;
    strike_workspace          *work;
    strike_derivatives        *d;
    const atemi_contact_point *points;
    int                        count;
} standing;

static bool stand(const standing *w, const double *q, const double *v, const double *a,
                  atemi_vec3 *forces)
{
    strike_feet *feet = &w->work->feet;
    return atemi_stance_dynamics_in(w->s->model, q, v, a, NULL, w->points, w->count, &feet->stance,
                                    feet->torques, forces) == ATEMI_STANCE_PUSHES;
}

// A direction into `along`, `moved_v` and `moved_a`.
// @return the step along it
static double find_direction(const standing *w, int c)
{
    const strike_derivatives *d = w->d;
    const int                 stride = d->directions.stride;
    double                    sizes[3] = {0};
    for (int i = 0; i < w->s->v_count; ++i) {
        w->d->along[i] = d->at_q[i * stride + c];
        w->d->moved_v[i] = d->at_v[i * stride + c];
        w->d->moved_a[i] = d->at_a[i * stride + c];
        sizes[0] = fmax(sizes[0], fabs(w->d->along[i]));
        sizes[1] = fmax(sizes[1], fabs(w->d->moved_v[i]));
        sizes[2] = fmax(sizes[2], fabs(w->d->moved_a[i]));
    }
    const double size = sizes[0] + second * (sizes[1] + second * sizes[2]);
    return size > 0.0 ? move / size : 1.0;
}

static void put_column(const standing *w, int c, double scale, const atemi_vec3 *forces)
{
    const strike_derivatives *d = w->d;
    const int                 stride = d->directions.stride;
    for (int i = 0; i < w->s->v_count; ++i) {
        d->tau[i * stride + c] += scale * w->work->feet.torques[i];
    }
    for (int k = 0; k < w->count; ++k) {
        double *to = row_of(d->forces, stride, 3 * k) + c;
        to[0] += scale * forces[k].x;
        to[stride] += scale * forces[k].y;
        to[2 * stride] += scale * forces[k].z;
    }
}

// Along direction c.
// @return the step
static double look_along(const standing *w, int c, atemi_vec3 *forces)
{
    const double h = find_direction(w, c);
    atemi_configuration_integrate(w->s->model, w->q, w->d->along, h, w->d->moved_q);
    for (int i = 0; i < w->s->v_count; ++i) {
        w->d->moved_v[i] = w->v[i] + h * w->d->moved_v[i];
        w->d->moved_a[i] = w->a[i] + h * w->d->moved_a[i];
    }
    (void)stand(w, w->d->moved_q, w->d->moved_v, w->d->moved_a, forces);
    return h;
}

static void find_differences(const standing *w, atemi_vec3 *forces)
{
    const int stride = w->d->directions.stride;
    double    scales[ATEMI_STRIKE_MAX_VARIABLES] = {0};
    memset(w->d->tau, 0, (size_t)(w->s->v_count * stride) * sizeof *w->d->tau);
    memset(w->d->forces, 0, (size_t)(3 * w->count * stride) * sizeof *w->d->forces);
    for (int c = 0; c < w->d->directions.count; ++c) {
        scales[c] = 1.0 / look_along(w, c, forces);
        put_column(w, c, scales[c], forces);
    }
    (void)stand(w, w->q, w->v, w->a, forces);
    for (int c = 0; c < w->d->directions.count; ++c) {
        put_column(w, c, -scales[c], forces);
    }
}

int strike_stance_vary(const strike_setup *s, const double *q, const double *v, const double *a,
                       strike_workspace *work, strike_derivatives *d, atemi_contact_point *points,
                       atemi_vec3 *forces)
{
    const stance_change change = {d->at_q, d->at_v, d->at_a};
    const standing      w = {s, q, v, a, work, d, points, strike_setup_corners(s, points)};
    if (stand(&w, q, v, a, forces)) {
        stance_derivatives_find(s->model, q, v, a, points, w.count, forces, &change, &d->stance,
                                d->tau, d->forces);
    } else {
        find_differences(&w, forces);
    }
    return w.count;
}

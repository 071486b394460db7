// SPDX-License-Identifier: Apache-2.0

#include "lagrange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

// How far a difference reaches, in radians of the fastest motion: 0.05^8 / 3150 of truncation
// beside 1e-19 / 0.05^2 of rounding, both about 1e-14 and less where the bound of the motion is
// loose.
static const real reach = 0.05L;

enum { STENCIL = 4 };

// Central differences of eighth order: sum of weight (f(kh) -+ f(-kh)) over h or h^2.
static const real first_weights[STENCIL] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
static const real second_weights[STENCIL] = {8.0L / 5, -1.0L / 5, 8.0L / 315, -1.0L / 560};
static const real second_weight_of_middle = -205.0L / 72;

typedef struct pose {
    real R[3][3], x[3];
} pose;

// The motion of a link: of its origin, world axes.
typedef struct motion {
    pose at;
    real v[3], w[3], a[3], dw[3];
} motion;

// ---- Vectors and poses ----------------------------------------------------------------------

static void cross(const real *a, const real *b, real *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static real dot(const real *a, const real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void apply(const real R[3][3], const real *a, real *b)
{
    for (int i = 0; i < 3; ++i) {
        b[i] = dot(R[i], a);
    }
}

static pose identity(void)
{
    return (pose){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
}

static pose compose(const pose *a, const pose *b)
{
    pose c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            c.R[i][j] = a->R[i][0] * b->R[0][j] + a->R[i][1] * b->R[1][j] + a->R[i][2] * b->R[2][j];
        }
        c.x[i] = dot(a->R[i], b->x) + a->x[i];
    }
    return c;
}

static pose from_transform(const atemi_transform *t)
{
    const atemi_mat3 *R = &t->rotation;
    return (pose){{{R->x.x, R->y.x, R->z.x}, {R->x.y, R->y.y, R->z.y}, {R->x.z, R->y.z, R->z.z}},
                  {t->position.x, t->position.y, t->position.z}};
}

static pose transposed_turn(const pose *a)
{
    pose b = identity();
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            b.R[i][j] = a->R[j][i];
        }
    }
    return b;
}

// The exponential of a twist (linear, angular): R = sum [w]^n / n!, x = sum [w]^n u / (n + 1)!.
static pose exponential(const real *twist)
{
    const real *u = twist, *w = twist + 3;
    pose        sum = identity(), term = identity();
    real        way[3] = {u[0], u[1], u[2]};
    memcpy(sum.x, u, sizeof sum.x);
    for (int n = 1; n < 100; ++n) {
        real size = 0.0L;
        for (int j = 0; j < 3; ++j) {
            const real column[3] = {term.R[0][j], term.R[1][j], term.R[2][j]};
            real       turned[3];
            cross(w, column, turned);
            for (int i = 0; i < 3; ++i) {
                term.R[i][j] = turned[i] / (real)n;
                sum.R[i][j] += term.R[i][j];
                size += fabsl(term.R[i][j]);
            }
        }
        real turned[3];
        cross(w, way, turned);
        for (int i = 0; i < 3; ++i) {
            way[i] = turned[i] / (real)(n + 1);
            sum.x[i] += way[i];
            size += fabsl(way[i]);
        }
        if (size < 1e-22L) {
            break;
        }
    }
    return sum;
}

static pose from_quaternion(const double *q)
{
    const real n =
        sqrtl((real)q[3] * q[3] + (real)q[4] * q[4] + (real)q[5] * q[5] + (real)q[6] * q[6]);
    const real x = q[3] / n, y = q[4] / n, z = q[5] / n, w = q[6] / n;
    return (pose){{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                   {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                   {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}},
                  {q[0], q[1], q[2]}};
}

// ---- The robot ------------------------------------------------------------------------------

// What stands between a link and its parent, the base included: pose = before exp(twist), where
// coordinate k of the displacement adds scale times basis[k] to the twist.
typedef struct stage {
    pose before;
    int  first_v, v_count;
    real scale;
    real basis[6][6];
} stage;

typedef struct robot {
    const atemi_model *model;
    stage             *stages; // [links] stage i leads to link i
    int                links, n;
} robot;

static void set_basis(stage *s, int k, int part, real x, real y, real z)
{
    s->basis[k][3 * part] = x;
    s->basis[k][3 * part + 1] = y;
    s->basis[k][3 * part + 2] = z;
}

enum { LINEAR, ANGULAR };

static void make_floating(stage *s, const double *q)
{
    const pose moved = from_quaternion(q);
    s->before = compose(&s->before, &moved);
    s->v_count = 6;
    for (int k = 0; k < 6; ++k) {
        s->basis[k][k] = 1.0L;
    }
}

// Slides along `first` and `second`, turns about `normal`.
static void make_planar(stage *s, const double *q, const real *first, const real *second,
                        const real *normal)
{
    const real turn[6] = {0, 0, 0, normal[0] * q[2], normal[1] * q[2], normal[2] * q[2]};
    pose       moved = exponential(turn);
    for (int i = 0; i < 3; ++i) {
        moved.x[i] = first[i] * q[0] + second[i] * q[1];
    }
    s->before = compose(&s->before, &moved);
    s->v_count = 3;
    set_basis(s, 0, LINEAR, first[0], first[1], first[2]);
    set_basis(s, 1, LINEAR, second[0], second[1], second[2]);
    set_basis(s, 2, ANGULAR, normal[0], normal[1], normal[2]);
}

static void make_single(stage *s, const atemi_joint *joint, real q)
{
    s->v_count = 1;
    set_basis(s, 0, joint->type == ATEMI_JOINT_PRISMATIC ? LINEAR : ANGULAR, joint->axis.x,
              joint->axis.y, joint->axis.z);
    real twist[6];
    for (int i = 0; i < 6; ++i) {
        twist[i] = s->basis[0][i] * q;
    }
    const pose moved = exponential(twist);
    s->before = compose(&s->before, &moved);
}

static void make_base(const atemi_model *model, const double *q, stage *s)
{
    static const real x[] = {1, 0, 0}, y[] = {0, 1, 0}, z[] = {0, 0, 1};
    *s = (stage){.before = identity(), .scale = 1.0L};
    switch (atemi_model_base(model)) {
    case ATEMI_BASE_FIXED:
        break;
    case ATEMI_BASE_PLANAR:
        make_planar(s, q, x, y, z);
        break;
    case ATEMI_BASE_SAGITTAL:
        make_planar(s, q, x, z, y);
        break;
    case ATEMI_BASE_FLOATING:
        make_floating(s, q);
        break;
    }
}

// The joint whose coordinate moves this one: itself or, coupled, the one it copies.
static const atemi_joint *driver(const atemi_model *model, const atemi_joint *joint)
{
    const bool coupled = joint->mimic.joint != ATEMI_NONE && joint->v_count == 0;
    return coupled ? atemi_model_joint(model, joint->mimic.joint) : joint;
}

static void make_stage(const atemi_model *model, const atemi_joint *joint, const double *q,
                       stage *s)
{
    const atemi_joint *source = driver(model, joint);
    *s = (stage){.before = from_transform(&joint->origin),
                 .first_v = source->first_v,
                 .scale = source == joint ? 1.0L : joint->mimic.multiplier};
    if (joint->type == ATEMI_JOINT_FLOATING) {
        make_floating(s, q + joint->first_q);
    } else if (joint->type == ATEMI_JOINT_PLANAR) {
        const atemi_transform plane = {atemi_mat3_with_z(joint->axis), {0.0, 0.0, 0.0}};
        const pose            turned = from_transform(&plane), back = transposed_turn(&turned);
        const real            x[] = {back.R[0][0], back.R[0][1], back.R[0][2]};
        const real            y[] = {back.R[1][0], back.R[1][1], back.R[1][2]};
        const real            z[] = {back.R[2][0], back.R[2][1], back.R[2][2]};
        make_planar(s, q + joint->first_q, x, y, z);
    } else if (joint->type != ATEMI_JOINT_FIXED) {
        const real shift = source == joint ? 0.0L : joint->mimic.offset;
        make_single(s, joint, s->scale * q[source->first_q] + shift);
    }
}

static robot robot_make(const atemi_model *model, const double *q)
{
    robot r = {
        .model = model, .links = atemi_model_link_count(model), .n = atemi_model_v_count(model)};
    r.stages = (stage *)calloc((size_t)r.links, sizeof *r.stages);
    make_base(model, q, &r.stages[0]);
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        make_stage(model, joint, q, &r.stages[joint->child_link]);
    }
    return r;
}

static void robot_destroy(robot *r)
{
    free(r->stages);
}

static int parent_of(const robot *r, int link)
{
    const int joint = atemi_model_link(r->model, link)->parent_joint;
    return joint == ATEMI_NONE ? ATEMI_NONE : atemi_model_joint(r->model, joint)->parent_link;
}

static pose displaced(const stage *s, const real *d, const pose *from)
{
    real twist[6] = {0}, size = 0.0L;
    for (int k = 0; k < s->v_count; ++k) {
        for (int i = 0; i < 6; ++i) {
            twist[i] += s->scale * s->basis[k][i] * d[s->first_v + k];
        }
    }
    for (int i = 0; i < 6; ++i) {
        size += fabsl(twist[i]);
    }
    if (size == 0.0L) {
        return *from;
    }
    const pose moved = exponential(twist);
    return compose(from, &moved);
}

// All links after the displacement `first`, and then `second` (which may be NULL).
static void place(const robot *r, const real *first, const real *second, pose *links)
{
    for (int i = 0; i < r->links; ++i) {
        const stage *s = &r->stages[i];
        const int    parent = parent_of(r, i);
        pose         local = displaced(s, first, &s->before);
        if (second) {
            local = displaced(s, second, &local);
        }
        links[i] = parent == ATEMI_NONE ? local : compose(&links[parent], &local);
    }
}

// ---- Motion by differences ------------------------------------------------------------------

// The displacement along q(t) with rate v and acceleration a at t = 0. For a body's own twist too:
// the twist of exp(d(t)) is d' - d x d'/2 + ..., whose rate at d = 0 is d''.
static void along(const robot *r, const double *v, const double *a, real t, real *d)
{
    for (int k = 0; k < r->n; ++k) {
        d[k] = (v ? v[k] * t : 0.0L) + (a ? a[k] * t * t / 2 : 0.0L);
    }
}

// What the joint before a link may add to how fast the link turns.
static real rate_of(const stage *s, const double *v, const double *a)
{
    real rate = 0.0L;
    for (int k = s->first_v; k < s->first_v + s->v_count; ++k) {
        const real speed = v ? fabsl(s->scale * v[k]) : 0.0L;
        const real push = a ? sqrtl(fabsl(s->scale * a[k])) : 0.0L;
        rate += fmaxl(speed, push);
    }
    return rate;
}

// A bound of how fast any link may turn.
static real rate_bound(const robot *r, const double *v, const double *a)
{
    real *rates = (real *)calloc((size_t)r->links, sizeof *rates), bound = 1.0L;
    for (int i = 0; i < r->links; ++i) {
        const int parent = parent_of(r, i);
        rates[i] = rate_of(&r->stages[i], v, a) + (parent == ATEMI_NONE ? 1.0L : rates[parent]);
        bound = fmaxl(bound, rates[i]);
    }
    free(rates);
    return bound;
}

// The vector of the skew part of D R^T: w for D = dR/dt, dw/dt for the second derivative.
static void turning(const real D[3][3], const real R[3][3], real *w)
{
    real M[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            M[i][j] = dot(D[i], R[j]);
        }
    }
    w[0] = (M[2][1] - M[1][2]) / 2;
    w[1] = (M[0][2] - M[2][0]) / 2;
    w[2] = (M[1][0] - M[0][1]) / 2;
}

// to += weight from, entry by entry
static void accumulate(pose *to, real weight, const pose *from)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            to->R[i][j] += weight * from->R[i][j];
        }
        to->x[i] += weight * from->x[i];
    }
}

static motion *find_motion(const robot *r, const double *v, const double *a)
{
    const size_t links = (size_t)r->links;
    const real   h = reach / rate_bound(r, v, a);
    motion      *motions = (motion *)calloc(links, sizeof *motions);
    pose        *poses = (pose *)calloc(3 * links, sizeof *poses);
    pose        *once = poses + links, *twice = once + links;
    real        *d = (real *)calloc((size_t)r->n + 1, sizeof *d);

    for (int step = -STENCIL; step <= STENCIL; ++step) {
        const int  k = abs(step) - 1;
        const real sign = step < 0 ? -1.0L : 1.0L;
        along(r, v, a, (real)step * h, d);
        place(r, d, NULL, poses);
        for (int i = 0; i < r->links; ++i) {
            if (step == 0) {
                motions[i].at = poses[i];
                accumulate(&twice[i], second_weight_of_middle / (h * h), &poses[i]);
            } else {
                accumulate(&once[i], sign * first_weights[k] / h, &poses[i]);
                accumulate(&twice[i], second_weights[k] / (h * h), &poses[i]);
            }
        }
    }
    for (int i = 0; i < r->links; ++i) {
        memcpy(motions[i].v, once[i].x, sizeof motions[i].v);
        memcpy(motions[i].a, twice[i].x, sizeof motions[i].a);
        turning((const real(*)[3])once[i].R, (const real(*)[3])motions[i].at.R, motions[i].w);
        turning((const real(*)[3])twice[i].R, (const real(*)[3])motions[i].at.R, motions[i].dw);
    }
    free(d);
    free(poses);
    return motions;
}

// The derivatives of all poses by coordinate k, after the displacement `from`: 6 a link. Exactly
// zero for links that do not move, as the differences are taken in pairs.
static void find_partials(const robot *r, const real *from, int k, real *partials)
{
    const size_t links = (size_t)r->links;
    pose        *poses = (pose *)calloc(4 * links, sizeof *poses);
    pose        *after = poses, *before = after + links;
    pose        *once = before + links, *middle = once + links;
    real        *d = (real *)calloc((size_t)r->n + 1, sizeof *d);
    double      *unit = (double *)calloc((size_t)r->n, sizeof *unit);
    unit[k] = 1.0;
    const real h = reach / rate_bound(r, unit, NULL);

    place(r, from, NULL, middle);
    for (int step = 1; step <= STENCIL; ++step) {
        d[k] = (real)step * h;
        place(r, from, d, after);
        d[k] = -(real)step * h;
        place(r, from, d, before);
        for (int i = 0; i < r->links; ++i) {
            accumulate(&after[i], -1.0L, &before[i]);
            accumulate(&once[i], first_weights[step - 1] / h, &after[i]);
        }
    }
    for (int i = 0; i < r->links; ++i) {
        memcpy(partials + 6 * i, once[i].x, 3 * sizeof *partials);
        turning((const real(*)[3])once[i].R, (const real(*)[3])middle[i].R, partials + 6 * i + 3);
    }
    free(unit);
    free(d);
    free(poses);
}

// ---- Newton and Euler for one link ----------------------------------------------------------

// What a link needs from its surroundings to move as it does, about a point: force, then moment.
typedef struct need {
    real force[3], moment[3], center[3];
} need;

static void inertia_apply(const atemi_symmetric3 *I, const real R[3][3], const real *w, real *L)
{
    const real S[3][3] = {{I->xx, I->xy, I->xz}, {I->xy, I->yy, I->yz}, {I->xz, I->yz, I->zz}};
    real       own[3], turned[3];
    for (int i = 0; i < 3; ++i) {
        own[i] = R[0][i] * w[0] + R[1][i] * w[1] + R[2][i] * w[2];
    }
    apply(S, own, turned);
    apply(R, turned, L);
}

static void center_of(const atemi_inertia *inertia, const motion *m, real *from_origin)
{
    const real own[3] = {inertia->com.x, inertia->com.y, inertia->com.z};
    apply((const real(*)[3])m->at.R, own, from_origin);
}

// The moment is about the centre of mass, which stands `center` away from the link's origin.
static need need_of(const robot *r, int link, const motion *m)
{
    const atemi_inertia *inertia = &atemi_model_link(r->model, link)->inertia;
    const atemi_vec3     g = atemi_model_gravity(r->model);
    const real           gravity[3] = {g.x, g.y, g.z};
    need                 result;
    real                 swing[3], inward[3], pull[3], L[3], dL[3], gyro[3];

    center_of(inertia, m, result.center);
    cross(m->dw, result.center, swing);
    cross(m->w, result.center, inward);
    cross(m->w, inward, pull);
    inertia_apply(&inertia->rotational, (const real(*)[3])m->at.R, m->w, L);
    inertia_apply(&inertia->rotational, (const real(*)[3])m->at.R, m->dw, dL);
    cross(m->w, L, gyro);
    for (int i = 0; i < 3; ++i) {
        result.force[i] = inertia->mass * (m->a[i] + swing[i] + pull[i] - gravity[i]);
        result.moment[i] = dL[i] + gyro[i];
    }
    return result;
}

// The force and the moment about the link's origin that the joints have to give.
static void net_of(const robot *r, int link, const motion *m, const atemi_force *external,
                   real *force, real *moment)
{
    const need n = need_of(r, link, m);
    real       lever[3];
    cross(n.center, n.force, lever);
    for (int i = 0; i < 3; ++i) {
        force[i] = n.force[i];
        moment[i] = n.moment[i] + lever[i];
    }
    if (external) {
        const real f[6] = {external->linear.x,  external->linear.y,  external->linear.z,
                           external->angular.x, external->angular.y, external->angular.z};
        for (int i = 0; i < 3; ++i) {
            force[i] -= f[i];
            moment[i] -= f[3 + i];
        }
    }
}

// ---- The interface --------------------------------------------------------------------------

static atemi_vec3 to_vec3(const real *a)
{
    return (atemi_vec3){(double)a[0], (double)a[1], (double)a[2]};
}

static atemi_transform to_transform(const pose *p)
{
    const real columns[3][3] = {{p->R[0][0], p->R[1][0], p->R[2][0]},
                                {p->R[0][1], p->R[1][1], p->R[2][1]},
                                {p->R[0][2], p->R[1][2], p->R[2][2]}};
    return (atemi_transform){{to_vec3(columns[0]), to_vec3(columns[1]), to_vec3(columns[2])},
                             to_vec3(p->x)};
}

void lagrange_links(const atemi_model *model, const double *q, const double *v, const double *a,
                    lagrange_link *links)
{
    robot   r = robot_make(model, q);
    motion *motions = find_motion(&r, v, a);
    for (int i = 0; i < r.links; ++i) {
        links[i] = (lagrange_link){.pose = to_transform(&motions[i].at),
                                   .velocity = {to_vec3(motions[i].v), to_vec3(motions[i].w)},
                                   .acceleration = {to_vec3(motions[i].a), to_vec3(motions[i].dw)}};
    }
    free(motions);
    robot_destroy(&r);
}

// J after a displacement, in long double.
static void jacobian_at(const robot *r, const real *from, int link, real *J)
{
    real *partials = (real *)calloc(6 * (size_t)r->links, sizeof *partials);
    for (int k = 0; k < r->n; ++k) {
        find_partials(r, from, k, partials);
        for (int row = 0; row < 6; ++row) {
            J[row * r->n + k] = partials[6 * link + row];
        }
    }
    free(partials);
}

// The robot as far as a link: parents come before children.
static robot robot_up_to(const atemi_model *model, const double *q, int link)
{
    robot r = robot_make(model, q);
    r.links = link + 1;
    return r;
}

void lagrange_jacobian(const atemi_model *model, const double *q, int link, double *J)
{
    robot        r = robot_up_to(model, q, link);
    const size_t size = 6 * (size_t)r.n;
    real        *still = (real *)calloc((size_t)r.n + 1, sizeof *still);
    real        *found = (real *)calloc(size + 1, sizeof *found);
    jacobian_at(&r, still, link, found);
    for (size_t e = 0; e < size; ++e) {
        J[e] = (double)found[e];
    }
    free(found);
    free(still);
    robot_destroy(&r);
}

void lagrange_jacobian_rate(const atemi_model *model, const double *q, const double *v, int link,
                            double *rate)
{
    robot        r = robot_up_to(model, q, link);
    const size_t size = 6 * (size_t)r.n;
    const real   h = reach / rate_bound(&r, v, NULL);
    real        *d = (real *)calloc((size_t)r.n + 1, sizeof *d);
    real        *J = (real *)calloc(2 * size + 1, sizeof *J), *sum = J + size;
    for (int step = -STENCIL; step <= STENCIL; ++step) {
        if (step == 0) {
            continue;
        }
        const real weight = first_weights[abs(step) - 1] / h;
        along(&r, v, NULL, (real)step * h, d);
        jacobian_at(&r, d, link, J);
        for (size_t e = 0; e < size; ++e) {
            sum[e] += (step < 0 ? -weight : weight) * J[e];
        }
    }
    for (size_t e = 0; e < size; ++e) {
        rate[e] = (double)sum[e];
    }
    free(J);
    free(d);
    robot_destroy(&r);
}

// A rotor turns with its joint's coordinate alone: of joints with one coordinate, mimics included.
static real rotor_of(const atemi_model *model, const atemi_joint *joint)
{
    const bool single = joint->type == ATEMI_JOINT_REVOLUTE ||
                        joint->type == ATEMI_JOINT_CONTINUOUS ||
                        joint->type == ATEMI_JOINT_PRISMATIC;
    const real scale = driver(model, joint) == joint ? 1.0L : joint->mimic.multiplier;
    return single ? scale * scale * joint->armature : 0.0L;
}

void lagrange_torques(const atemi_model *model, const double *q, const double *v, const double *a,
                      const atemi_force *external, double *tau)
{
    robot   r = robot_make(model, q);
    motion *motions = find_motion(&r, v, a);
    real   *partials = (real *)calloc(6 * (size_t)r.links, sizeof *partials);
    real   *still = (real *)calloc((size_t)r.n + 1, sizeof *still);
    real   *nets = (real *)calloc(6 * (size_t)r.links, sizeof *nets);
    for (int i = 0; i < r.links; ++i) {
        net_of(&r, i, &motions[i], external ? &external[i] : NULL, nets + 6 * i, nets + 6 * i + 3);
    }
    for (int k = 0; k < r.n; ++k) {
        real torque = 0.0L;
        find_partials(&r, still, k, partials);
        for (int i = 0; i < 6 * r.links; ++i) {
            torque += partials[i] * nets[i];
        }
        tau[k] = (double)torque;
    }
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        const real         rotor = rotor_of(model, joint);
        if (a && rotor != 0.0L) {
            const int k = driver(model, joint)->first_v;
            tau[k] += (double)(rotor * a[k]);
        }
    }
    free(nets);
    free(still);
    free(partials);
    free(motions);
    robot_destroy(&r);
}

static bool is_behind(const robot *r, int link, int ancestor)
{
    while (link != ATEMI_NONE && link != ancestor) {
        link = parent_of(r, link);
    }
    return link == ancestor;
}

atemi_force lagrange_joint_wrench(const atemi_model *model, const double *q, const double *v,
                                  const double *a, const atemi_force *external, int joint)
{
    robot         r = robot_make(model, q);
    motion       *motions = find_motion(&r, v, a);
    const int     child = atemi_model_joint(model, joint)->child_link;
    const motion *at = &motions[child];
    real          sum[6] = {0}, own[6] = {0};
    for (int i = child; i < r.links; ++i) {
        real force[3], moment[3], arm[3], lever[3];
        if (!is_behind(&r, i, child)) {
            continue;
        }
        net_of(&r, i, &motions[i], external ? &external[i] : NULL, force, moment);
        for (int e = 0; e < 3; ++e) {
            arm[e] = motions[i].at.x[e] - at->at.x[e];
        }
        cross(arm, force, lever);
        for (int e = 0; e < 3; ++e) {
            sum[e] += force[e];
            sum[3 + e] += moment[e] + lever[e];
        }
    }
    for (int e = 0; e < 3; ++e) {
        for (int i = 0; i < 3; ++i) {
            own[e] += at->at.R[i][e] * sum[i];
            own[3 + e] += at->at.R[i][e] * sum[3 + i];
        }
    }
    free(motions);
    robot_destroy(&r);
    return (atemi_force){to_vec3(own), to_vec3(own + 3)};
}

static bool moves(const robot *r, int link)
{
    for (; link != ATEMI_NONE; link = parent_of(r, link)) {
        if (r->stages[link].v_count > 0) {
            return true;
        }
    }
    return false;
}

// Mass, first moment, momentum and moment of momentum about the world's origin, kinetic energy.
typedef struct sums {
    real mass, first[3], P[3], L[3], kinetic;
} sums;

static void add_link(const robot *r, int link, const motion *m, sums *s)
{
    const atemi_inertia *inertia = &atemi_model_link(r->model, link)->inertia;
    real                 center[3], swing[3], spin[3], x[3], u[3], orbit[3];
    center_of(inertia, m, center);
    cross(m->w, center, swing);
    inertia_apply(&inertia->rotational, (const real(*)[3])m->at.R, m->w, spin);
    for (int i = 0; i < 3; ++i) {
        x[i] = m->at.x[i] + center[i];
        u[i] = m->v[i] + swing[i];
    }
    cross(x, u, orbit);
    s->mass += inertia->mass;
    s->kinetic += (inertia->mass * dot(u, u) + dot(m->w, spin)) / 2;
    for (int i = 0; i < 3; ++i) {
        s->first[i] += inertia->mass * x[i];
        s->P[i] += inertia->mass * u[i];
        s->L[i] += inertia->mass * orbit[i] + spin[i];
    }
}

static real rotors_energy(const atemi_model *model, const double *v)
{
    real sum = 0.0L;
    for (int j = 0; j < atemi_model_joint_count(model) && v; ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        const real         rotor = rotor_of(model, joint);
        if (rotor != 0.0L) {
            const real rate = v[driver(model, joint)->first_v];
            sum += rotor * rate * rate / 2;
        }
    }
    return sum;
}

lagrange_sums lagrange_sum(const atemi_model *model, const double *q, const double *v)
{
    robot   r = robot_make(model, q);
    motion *motions = find_motion(&r, v, NULL);
    sums    s = {0};
    for (int i = 0; i < r.links; ++i) {
        if (moves(&r, i)) {
            add_link(&r, i, &motions[i], &s);
        }
    }
    const atemi_vec3 g = atemi_model_gravity(model);
    const real       gravity[3] = {g.x, g.y, g.z};
    real             c[3] = {0}, orbit[3];
    for (int i = 0; i < 3 && s.mass > 0; ++i) {
        c[i] = s.first[i] / s.mass;
    }
    cross(c, s.P, orbit);
    for (int i = 0; i < 3; ++i) {
        s.L[i] -= orbit[i];
    }
    free(motions);
    robot_destroy(&r);
    return (lagrange_sums){.mass = (double)s.mass,
                           .center = to_vec3(c),
                           .momentum = {to_vec3(s.P), to_vec3(s.L)},
                           .kinetic = (double)(s.kinetic + rotors_energy(model, v)),
                           .potential = (double)(-s.mass * dot(gravity, c))};
}

// SPDX-License-Identifier: Apache-2.0

#include "contact/friction_limit.h"

#include "check.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 1000, USUAL = 64 };

typedef struct patch {
    atemi_friction_point points[MOST];
    int                  count;
    atemi_vec3           load;
} patch;

// The workspace has room for exactly these points: the sanitizers see a step beyond it.
static atemi_friction_limit find(const atemi_friction_point *points, int count, atemi_vec3 load)
{
    atemi_arena arena = atemi_arena_measuring();
    atemi_friction_limit_scratch_take(&arena, count);
    CHECK_STATUS(atemi_arena_create(&arena, arena.used, NULL), ATEMI_OK);
    const atemi_friction_limit_scratch scratch = atemi_friction_limit_scratch_take(&arena, count);
    const atemi_friction_limit limit = atemi_friction_limit_find(points, count, load, &scratch);
    atemi_arena_destroy(&arena);
    return limit;
}

static atemi_friction_limit limit_of(const patch *p)
{
    return find(p->points, p->count, p->load);
}

static atemi_vec3 motion(atemi_vec3 slip, const atemi_friction_point *at)
{
    return (atemi_vec3){slip.x - slip.z * at->y, slip.y + slip.z * at->x, 0.0};
}

// The load of a force at a place.
static atemi_vec3 wrench(const atemi_friction_point *at, atemi_vec3 force)
{
    return (atemi_vec3){force.x, force.y, at->x * force.y - at->y * force.x};
}

static double total(const patch *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->count; ++i) {
        sum += p->points[i].most;
    }
    return sum;
}

static double power(const patch *p, atemi_vec3 slip)
{
    double sum = 0.0;
    for (int i = 0; i < p->count; ++i) {
        sum += p->points[i].most * atemi_vec3_norm(motion(slip, &p->points[i]));
    }
    return sum;
}

// The largest distance from the origin.
static double reach(const patch *p)
{
    double most = 0.0;
    for (int i = 0; i < p->count; ++i) {
        most = fmax(most, hypot(p->points[i].x, p->points[i].y));
    }
    return most;
}

// ---- Closed forms ---------------------------------------------------------------------------

TEST(friction_limit, of_one_point_is_its_cone)
{
    const patch p = {{{0.3, -0.2, 5.0}}, 1, wrench(&p.points[0], (atemi_vec3){3, 4, 0})};
    const atemi_friction_limit l = limit_of(&p);
    CHECK_NEAR(l.gauge, 1.0, 1e-15);
    CHECK_NEAR(l.slip.x, 0.12, 1e-16); // along the load, at 1 W
    CHECK_NEAR(l.slip.y, 0.16, 1e-16);
    CHECK_NEAR(l.slip.z, 0.0, 0.0);
}

TEST(friction_limit, of_one_point_carries_no_moment)
{
    patch p = {{{0.3, -0.2, 5.0}}, 1, {0.1, 0.0, 1.0}};
    CHECK_NEAR(limit_of(&p).gauge, 0.0, 0.0);
    CHECK_EQUAL_INT(limit_of(&p).pivot, 0);
    p.count = 2;
    p.points[1] = p.points[0];
    CHECK_NEAR(limit_of(&p).gauge, 0.0, 0.0);
}

TEST(friction_limit, without_load_is_infinite)
{
    const patch p = {{{1.0, 0.0, 1.0}, {0.0, 1.0, 1.0}}, 2, {0.0, 0.0, 0.0}};
    CHECK(isinf(limit_of(&p).gauge));
    CHECK_NEAR(atemi_vec3_norm(limit_of(&p).slip), 0.0, 0.0);
    CHECK(isinf(find(NULL, 0, p.load).gauge));
}

TEST(friction_limit, without_friction_is_nothing)
{
    static const atemi_vec3 loads[] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 2.0}, {1.0, 2.0, 3.0}};
    patch                   p = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, 2, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 3; ++i) {
        for (p.count = 0; p.count <= 2; ++p.count) {
            p.load = loads[i];
            CHECK_NEAR(limit_of(&p).gauge, 0.0, 0.0);
            CHECK_NEAR(atemi_vec3_dot(limit_of(&p).slip, p.load), 1.0, 1e-15);
        }
    }
}

TEST(friction_limit, of_a_push_through_the_center_is_the_sum)
{
    patch p = {{{0.1, 0.05, 10.0}, {0.1, -0.05, 10.0}, {-0.1, 0.05, 10.0}, {-0.1, -0.05, 10.0}},
               4,
               {6.0, 8.0, 0.0}};
    CHECK_NEAR(limit_of(&p).gauge, 4.0, 1e-14);
    CHECK_NEAR(limit_of(&p).slip.z, 0.0, 1e-15);
    p.count = 3; // no more through the centre
    CHECK(limit_of(&p).gauge < 2.99);
}

TEST(friction_limit, of_a_twist_of_two_points_is_their_couple)
{
    const double c = 3.0, r = 0.2;
    const patch  p = {{{1.0 + r, 1.0, c}, {1.0 - r, 1.0, c}}, 2, {0.0, 0.0, -0.5}};
    CHECK_NEAR(limit_of(&p).gauge, 2.0 * c * r / 0.5, 1e-14);
    CHECK(limit_of(&p).slip.z < 0.0);
}

// All points in the line of the force slide along it.
TEST(friction_limit, of_a_bar_pushed_along_itself_is_the_sum)
{
    patch p = {.count = 5, .load = {2.0, 1.0, 0.0}};
    for (int i = 0; i < 5; ++i) {
        p.points[i] = (atemi_friction_point){0.2 * i, 0.1 * i, 1.0 + i};
    }
    CHECK_NEAR(limit_of(&p).gauge, 15.0 / sqrt(5.0), 1e-13);
    CHECK_NEAR(limit_of(&p).slip.z, 0.0, 1e-14);
}

// Pushed across itself at s > l / 2 from its end A, the bar turns about A: c l = lambda F s.
TEST(friction_limit, of_a_bar_on_two_points_is_a_turn_about_the_far_one)
{
    const double c = 2.0, l = 0.5, F = 3.0;
    for (double s = 0.26; s < 2.0; s += 0.06) {
        const patch                p = {{{0.0, 0.0, c}, {l, 0.0, c}}, 2, {0.0, F, s * F}};
        const atemi_friction_limit limit = limit_of(&p);
        CHECK_NEAR(limit.gauge, c * l / (F * s), 1e-14);
        CHECK_EQUAL_INT(limit.pivot, 0);
        CHECK_NEAR(limit.slip.z, 1.0 / (F * s), 1e-14);
    }
}

// Pushed at its end, a bar that presses evenly yields to (sqrt 2 - 1) of what moves all of it, and
// turns about the point at 1 / sqrt 2 of its length from there. With n points in place of a
// continuum the force is off by 1 / n^2.
TEST(friction_limit, of_a_bar_pushed_at_its_end_is_the_classic_result)
{
    static const int counts[] = {USUAL, USUAL + 1, 100, MOST};
    for (int k = 0; k < 4; ++k) {
        const double n = (double)counts[k];
        patch        p = {.count = counts[k], .load = {0.0, 1.0, 1.0}};
        for (int i = 0; i < p.count; ++i) {
            p.points[i] = (atemi_friction_point){(i + 0.5) / n, 0.0, 1.0 / n};
        }
        const atemi_friction_limit limit = limit_of(&p);
        CHECK_NEAR(limit.gauge, sqrt(2.0) - 1.0, 0.5 / (n * n));
        CHECK_NEAR(p.points[limit.pivot].x, 1.0 - sqrt(0.5), 1.0 / n);
    }
}

// The forces of any slip are at the limit: those of a square that turns about a place of its plane.
TEST(friction_limit, of_a_square_under_force_and_moment_is_at_every_slip)
{
    for (uint64_t seed = 1; seed <= 1000; ++seed) {
        random_stream stream = random_seeded(seed);
        patch         p = {{{1, 1, 2}, {1, -1, 2}, {-1, 1, 2}, {-1, -1, 2}}, 4, {0.0, 0.0, 0.0}};
        const double x = random_uniform(&stream, -2.0, 2.0), y = random_uniform(&stream, -2.0, 2.0);
        const atemi_vec3 slip = {y, -x, 1.0};
        for (int i = 0; i < 4; ++i) {
            const atemi_vec3 s = motion(slip, &p.points[i]);
            const atemi_vec3 f = atemi_vec3_scale(p.points[i].most / atemi_vec3_norm(s), s);
            p.load = atemi_vec3_add(p.load, wrench(&p.points[i], f));
        }
        const atemi_friction_limit limit = limit_of(&p);
        CHECK_NEAR(limit.gauge, 1.0, 1e-13);
        CHECK_NEAR(-limit.slip.y / limit.slip.z, x, 1e-9); // the least is flat
        CHECK_NEAR(limit.slip.x / limit.slip.z, y, 1e-9);
    }
}

// ---- Random patches -------------------------------------------------------------------------

// Kinds of patches: spread, in line, of very uneven strength, in close pairs, on a small grid.
enum { SPREAD, IN_LINE, UNEVEN, PAIRS, GRID, KINDS };

static atemi_friction_point random_point(random_stream *stream, int kind, double slant)
{
    const double x = random_uniform(stream, -1.0, 1.0), y = random_uniform(stream, -1.0, 1.0);
    const double most = random_uniform(stream, 0.0, 1.0);
    switch (kind) {
    case IN_LINE:
        return (atemi_friction_point){x, slant * x + 0.3, most};
    case UNEVEN:
        return (atemi_friction_point){x, y, pow(10.0, -12.0 * most)};
    case GRID:
        return (atemi_friction_point){round(x), round(y), round(2.0 * most)};
    default:
        return (atemi_friction_point){x, y, most};
    }
}

static void add_close_twins(random_stream *stream, patch *p)
{
    for (int i = 1; i < p->count; i += 2) {
        p->points[i].x = p->points[i - 1].x + random_uniform(stream, -1e-6, 1e-6);
        p->points[i].y = p->points[i - 1].y + random_uniform(stream, -1e-6, 1e-6);
    }
}

// Every tenth load passes through a point.
static patch random_patch(uint64_t seed)
{
    random_stream stream = random_seeded(seed);
    const int     kind = random_index(&stream, KINDS);
    const double  slant = random_uniform(&stream, -1.0, 1.0);
    patch         p = {.count = 1 + random_index(&stream, random_index(&stream, 20) ? 8 : USUAL)};
    for (int i = 0; i < p.count; ++i) {
        p.points[i] = random_point(&stream, kind, slant);
    }
    if (kind == PAIRS) {
        add_close_twins(&stream, &p);
    }
    p.load = (atemi_vec3){random_uniform(&stream, -1.0, 1.0), random_uniform(&stream, -1.0, 1.0),
                          random_uniform(&stream, -1.0, 1.0)};
    if (random_index(&stream, 10) == 0) {
        p.load = wrench(&p.points[0], p.load);
    }
    return p;
}

static bool at_pivot(const patch *p, const atemi_friction_limit *limit, int i)
{
    return limit->pivot != ATEMI_NONE && p->points[i].x == p->points[limit->pivot].x &&
           p->points[i].y == p->points[limit->pivot].y;
}

// Full forces along the motions and, at the pivot, what is left of gauge times the load: they make
// up that load, and the pivot carries its part. So the gauge is reached; that it is not exceeded,
// the slip shows, by which the load does 1 W and friction takes the gauge. Close to the centre of
// a turn the direction of a motion is known only to rounding of the speed elsewhere.
TEST(friction_limit, comes_with_forces_that_reach_it_and_a_slip_that_ends_it)
{
    for (uint64_t seed = 1; seed <= 10000; ++seed) {
        const patch                p = random_patch(seed);
        const atemi_friction_limit l = limit_of(&p);
        atemi_vec3                 left = atemi_vec3_scale(l.gauge, p.load);
        double                     held = 0.0, blur = 1e-12 * (1.0 + total(&p));
        const double               speed = hypot(l.slip.x, l.slip.y) + fabs(l.slip.z) * reach(&p);
        for (int i = 0; i < p.count; ++i) {
            const atemi_friction_point *at = &p.points[i];
            const atemi_vec3            s = motion(l.slip, at);
            if (at_pivot(&p, &l, i) || at->most == 0.0) {
                held += at->most;
                continue;
            }
            const atemi_vec3 f = atemi_vec3_scale(at->most / atemi_vec3_norm(s), s);
            left = atemi_vec3_sub(left, wrench(at, f));
            blur += 8.0 * DBL_EPSILON * at->most * speed / atemi_vec3_norm(s);
        }
        if (l.pivot == ATEMI_NONE) {
            CHECK_NEAR(atemi_vec3_norm(left), 0.0, blur);
        } else {
            CHECK(hypot(left.x, left.y) <= held + blur);
            CHECK_NEAR(left.z, wrench(&p.points[l.pivot], left).z, blur);
        }
        CHECK_NEAR(atemi_vec3_dot(p.load, l.slip), 1.0, 1e-13 * atemi_vec3_norm(l.slip));
        CHECK_NEAR(power(&p, l.slip), l.gauge, 1e-13 * total(&p) * speed);
    }
}

// ---- Search by brute force ------------------------------------------------------------------

// The least of a convex function on [-most, most], by golden sections.
typedef double (*function)(const void *context, double x);

static double least(function f, const void *context, double most)
{
    const double part = 0.5 * (sqrt(5.0) - 1.0);
    double low = -most, high = most, a = high - part * (high - low), b = low + part * (high - low);
    double at_a = f(context, a), at_b = f(context, b);
    for (int i = 0; i < 80; ++i) {
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - part * (high - low);
            at_a = f(context, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + part * (high - low);
            at_b = f(context, b);
        }
    }
    return fmin(at_a, at_b);
}

typedef struct slice {
    const patch *patch;
    atemi_vec3   base, one, other;
} slice;

static double power_at(const void *context, double y)
{
    const slice *s = context;
    return power(s->patch, atemi_vec3_add(s->base, atemi_vec3_scale(y, s->one)));
}

static double least_across(const void *context, double y)
{
    const slice *s = context;
    const slice  line = {.patch = s->patch,
                         .base = atemi_vec3_add(s->base, atemi_vec3_scale(y, s->other)),
                         .one = s->one};
    return least(power_at, &line, 100.0);
}

// The least power on the plane of slips by which the load does 1 W.
static double searched_gauge(const patch *p)
{
    const double     size = atemi_vec3_norm(p->load);
    const atemi_mat3 axes = atemi_mat3_with_z(atemi_vec3_scale(1.0 / size, p->load));
    const slice      plane = {p, atemi_vec3_scale(1.0 / size, axes.z), axes.x, axes.y};
    return least(least_across, &plane, 100.0);
}

// The search is as good as the range of its golden sections, except where the power is so flat
// that sections of nearly equal value lead astray, by rounding.
TEST(friction_limit, is_what_a_search_of_all_slips_finds)
{
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        patch p = random_patch(seed);
        p.count = p.count > 8 ? 8 : p.count;
        if (p.count > 1 && atemi_vec3_norm(p.load) > 0.05) {
            CHECK_NEAR(limit_of(&p).gauge, searched_gauge(&p), 1e-11 * (1.0 + total(&p)));
        }
    }
}

// ---- Invariance -----------------------------------------------------------------------------

static patch turned(patch p, double angle)
{
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < p.count; ++i) {
        const atemi_friction_point at = p.points[i];
        p.points[i].x = c * at.x - s * at.y;
        p.points[i].y = s * at.x + c * at.y;
    }
    p.load = (atemi_vec3){c * p.load.x - s * p.load.y, s * p.load.x + c * p.load.y, p.load.z};
    return p;
}

static patch shifted(patch p, double x, double y)
{
    for (int i = 0; i < p.count; ++i) {
        p.points[i].x += x;
        p.points[i].y += y;
    }
    p.load.z += x * p.load.y - y * p.load.x;
    return p;
}

static patch scaled(patch p, double length, double force)
{
    for (int i = 0; i < p.count; ++i) {
        p.points[i].x *= length;
        p.points[i].y *= length;
        p.points[i].most *= force;
    }
    p.load = atemi_vec3_scale(force, p.load);
    p.load.z *= length;
    return p;
}

// What rounding of the places and of the load does to the gauge.
static double rounding(const patch *p)
{
    const atemi_friction_limit l = limit_of(p);
    const double               work = atemi_vec3_norm(p->load) * atemi_vec3_norm(l.slip);
    return 16.0 * DBL_EPSILON * (l.gauge * work + total(p) * fabs(l.slip.z) * reach(p));
}

static void check_same(const patch *p, double gauge)
{
    CHECK_NEAR(limit_of(p).gauge, gauge, 1e-12 * gauge + rounding(p));
}

// The moment of the load about the point is then zero but for rounding.
TEST(friction_limit, of_one_point_is_its_cone_wherever_it_is_seen_from)
{
    for (uint64_t seed = 1; seed <= 1000; ++seed) {
        random_stream stream = random_seeded(seed);
        patch         p = {.count = 1 + random_index(&stream, 3)};
        for (int i = 0; i < p.count; ++i) {
            p.points[i] = (atemi_friction_point){0.1, -0.3, 1.0};
        }
        p.load = wrench(&p.points[0], (atemi_vec3){random_uniform(&stream, 0.1, 1.0),
                                                   random_uniform(&stream, 0.1, 1.0), 0.0});
        const patch seen = shifted(p, random_uniform(&stream, -9.0, 9.0), 1.0 / 3.0);
        CHECK_NEAR(limit_of(&seen).gauge, p.count / hypot(p.load.x, p.load.y), 1e-13 * p.count);
    }
}

// A single point is left out: whether it must carry a moment is a question of the last digit.
TEST(friction_limit, is_the_same_from_wherever_and_in_whatever_units_it_is_seen)
{
    for (uint64_t seed = 1; seed <= 3000; ++seed) {
        const patch  p = random_patch(seed);
        const double gauge = limit_of(&p).gauge;
        const patch  seen[] = {turned(p, 0.1 * (double)seed), shifted(p, 3.0, -2.0),
                               scaled(p, 1e-3, 1e-6), scaled(p, 1e3, 1e6)};
        for (int i = 0; i < 4 && p.count > 1; ++i) {
            check_same(&seen[i], gauge);
        }
    }
}

// As near to the limit as rounding lets one tell. A single point is left out, as above.
TEST(friction_limit, holds_up_to_a_gauge_of_one)
{
    for (uint64_t seed = 1; seed <= 3000; ++seed) {
        const patch  p = random_patch(seed);
        const double gauge = limit_of(&p).gauge, blur = 1e-12 + rounding(&p) / gauge;
        const double parts[] = {0.1, 0.9, 1.0 - blur, 1.0 + blur, 1.1, 10.0};
        for (int i = 0; i < 6 && p.count > 1 && gauge > 0.0; ++i) {
            const atemi_vec3 load = atemi_vec3_scale(parts[i] * gauge, p.load);
            CHECK((find(p.points, p.count, load).gauge > 1.0) == (parts[i] < 1.0));
        }
    }
}

TEST(friction_limit, requires_not_more_points_than_its_workspace_has)
{
    const atemi_friction_point         points[2] = {{0.0, 0.0, 1.0}, {1.0, 0.0, 1.0}};
    const atemi_friction_limit_scratch scratch = {.max_points = 1};
    const atemi_vec3                   load = {1.0, 0.0, 0.0};
    CHECK_BREAKS_CONTRACT(atemi_friction_limit_find(points, 2, load, &scratch));
    CHECK_BREAKS_CONTRACT(atemi_friction_limit_find(points, -1, load, &scratch));
}

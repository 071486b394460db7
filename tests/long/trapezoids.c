// SPDX-License-Identifier: Apache-2.0

/// @file
/// Random trapezoidal ways of five axes that arrive together, with ends that move. Counts what must
/// never happen; each case is a function of its seed.
///
///     trapezoids COUNT [FIRST_SEED]
///
/// Exits with 0 where nothing was counted, 1 where something was, 2 on bad usage.

#include "atemi/trajectory.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { AXES = 5 };

static const double allowed = 1e-9; // m, m/s, m/s^2, s

/// How far all cases were off at worst.
typedef struct tally {
    long   cases, refused, not_finite, needless;
    double limits, joints, ends, together;
} tally;

static double uniform(random_stream *r, double most)
{
    return random_uniform(r, -most, most);
}

// One in six starts or ends beyond its bound, some rest, some are there already.
static atemi_trapezoid_task random_task(random_stream *r)
{
    const double         V = random_uniform(r, 0.2, 3.0), A = random_uniform(r, 0.3, 20.0);
    const int            kind = random_index(r, 12);
    atemi_trapezoid_task t = {.velocity = V, .acceleration = A};
    t.start.position = uniform(r, 2.0);
    t.end.position = kind == 3 ? t.start.position : uniform(r, 2.0);
    t.start.velocity = kind <= 1 ? 0.0 : uniform(r, 1.2 * V);
    t.end.velocity = kind == 1 || kind == 2 ? 0.0 : uniform(r, 1.2 * V);
    return t;
}

static double worse(double worst, double off)
{
    return off > worst || isnan(off) ? off : worst;
}

// A piece and where it begins; what is left behind is where it ends.
static void check_piece(const atemi_trapezoid_task *t, const atemi_trapezoid *way, int piece,
                        atemi_axis_state *at, tally *sum)
{
    const atemi_axis_state s = way->states[piece];
    const double           T = way->durations[piece], v = s.velocity + T * s.acceleration;
    const double most = fmax(fmax(fabs(t->start.velocity), fabs(t->end.velocity)), t->velocity);
    sum->limits = worse(sum->limits, fabs(s.acceleration) - t->acceleration);
    sum->limits = worse(sum->limits, fabs(v) - most);
    sum->joints = worse(sum->joints, fabs(s.position - at->position));
    sum->joints = worse(sum->joints, fabs(s.velocity - at->velocity));
    sum->joints = worse(sum->joints, -T);
    at->position = s.position + T * (s.velocity + 0.5 * T * s.acceleration);
    at->velocity = v;
}

static void check_way(const atemi_trapezoid_task *t, const atemi_trapezoid *way, tally *sum)
{
    atemi_axis_state at = t->start;
    double           total = 0.0;
    for (int i = 0; i < way->count; ++i) {
        check_piece(t, way, i, &at, sum);
        total += way->durations[i];
    }
    sum->ends = worse(sum->ends, fabs(at.position - t->end.position));
    sum->ends = worse(sum->ends, fabs(at.velocity - t->end.velocity));
    sum->together = worse(sum->together, fabs(total - way->duration));
    sum->not_finite += !isfinite(at.position + at.velocity + total);
}

// Some axis has no way that is shorter by a millionth, or all would take less.
static bool is_needed(const atemi_trapezoid_task *tasks, double duration, double asked)
{
    const double less = duration * (1.0 - 1e-6);
    for (int i = 0; i < AXES; ++i) {
        atemi_trapezoid way;
        atemi_trapezoid_in(&tasks[i], less, &way);
        if (way.duration > less + allowed) {
            return true;
        }
    }
    return duration <= asked + allowed;
}

static void run_case(uint64_t seed, tally *sum)
{
    random_stream        random = {seed};
    atemi_trapezoid_task tasks[AXES];
    atemi_trapezoid      ways[AXES];
    const double         asked = random_uniform(&random, -2.0, 6.0);
    for (int i = 0; i < AXES; ++i) {
        tasks[i] = random_task(&random);
    }
    ++sum->cases;
    if (!atemi_trapezoid_synchronize(tasks, AXES, asked, ways)) {
        ++sum->refused;
        return;
    }
    for (int i = 0; i < AXES; ++i) {
        check_way(&tasks[i], &ways[i], sum);
        sum->together = worse(sum->together, fabs(ways[i].duration - ways[0].duration));
    }
    sum->needless += !is_needed(tasks, ways[0].duration, asked);
}

// ---- The command line -----------------------------------------------------------------------

static int tell(const tally *sum)
{
    const double worst = fmax(fmax(sum->limits, sum->joints), fmax(sum->ends, sum->together));
    printf("cases              %ld\n", sum->cases);
    printf("refused            %ld\n", sum->refused);
    printf("not finite         %ld\n", sum->not_finite);
    printf("longer than needed %ld\n", sum->needless);
    printf("beyond limits      %.1e\n", sum->limits);
    printf("between pieces     %.1e\n", sum->joints);
    printf("off the ends       %.1e\n", sum->ends);
    printf("apart in time      %.1e\n", sum->together);
    return sum->refused || sum->not_finite || sum->needless || !(worst <= allowed);
}

int main(int count, char **arguments)
{
    const long cases = count >= 2 ? strtol(arguments[1], NULL, 10) : 0;
    const long first = count >= 3 ? strtol(arguments[2], NULL, 10) : 1;
    tally      sum = {0};
    if (cases < 1 || first < 0) {
        fprintf(stderr, "trapezoids COUNT [FIRST_SEED]\n");
        return 2;
    }
    for (long i = 0; i < cases; ++i) {
        run_case((uint64_t)(first + i), &sum);
    }
    return tell(&sum);
}

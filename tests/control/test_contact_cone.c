// SPDX-License-Identifier: Apache-2.0

#include "control/contact_cone.h"

#include "atemi/quadratic_program.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <string.h>

// The oracle looks for the forces of four corners, each in its own pyramid, that make the wrench: a
// linear program that knows nothing of the rows.

enum { CORNERS = 4, FORCES = 3 * CORNERS, PYRAMID = 4 * CORNERS };

typedef struct corner_rig {
    atemi_arena             arena;
    atemi_quadratic_solver *solver;
    double                  k, X, Y;
    double                  A[(CONTACT_WRENCH + PYRAMID) * FORCES];
} corner_rig;

static void fill(corner_rig *r)
{
    memset(r->A, 0, sizeof r->A);
    for (int c = 0; c < CORNERS; ++c) {
        const double x = c % 2 ? r->X : -r->X, y = c / 2 ? r->Y : -r->Y;
        double(*A)[FORCES] = (double(*)[FORCES])r->A;
        double *const f[] = {&A[0][3 * c], &A[1][3 * c + 1], &A[2][3 * c + 2]};
        *f[0] = *f[1] = *f[2] = 1.0;
        A[3][3 * c + 2] = y;
        A[4][3 * c + 2] = -x;
        A[5][3 * c] = -y;
        A[5][3 * c + 1] = x;
        for (int i = 0; i < 4; ++i) {
            A[CONTACT_WRENCH + 4 * c + i][3 * c + i / 2] = i % 2 ? 1.0 : -1.0;
            A[CONTACT_WRENCH + 4 * c + i][3 * c + 2] = -r->k;
        }
    }
}

static void begin(corner_rig *r, double k, double X, double Y)
{
    atemi_arena measuring = atemi_arena_measuring();
    *r = (corner_rig){.k = k, .X = X, .Y = Y};
    atemi_quadratic_solver_take(&measuring, FORCES, CONTACT_WRENCH + PYRAMID);
    CHECK_STATUS(atemi_arena_create(&r->arena, measuring.used, NULL), ATEMI_OK);
    r->solver = atemi_quadratic_solver_take(&r->arena, FORCES, CONTACT_WRENCH + PYRAMID);
    fill(r);
}

// Whether corners can make the wrench.
static bool can_make(corner_rig *r, const double *wrench)
{
    double H[FORCES * FORCES] = {0}, lower[CONTACT_WRENCH + PYRAMID], least[FORCES], x[FORCES];
    double upper[CONTACT_WRENCH + PYRAMID];
    for (int i = 0; i < FORCES; ++i) {
        H[i * FORCES + i] = 1.0;
        least[i] = i % 3 == 2 ? 0.0 : -(double)INFINITY;
    }
    for (int i = 0; i < CONTACT_WRENCH + PYRAMID; ++i) {
        lower[i] = i < CONTACT_WRENCH ? wrench[i] : -(double)INFINITY;
        upper[i] = i < CONTACT_WRENCH ? wrench[i] : 0.0;
    }
    const atemi_quadratic_program program = {.variables = FORCES,
                                             .rows = CONTACT_WRENCH + PYRAMID,
                                             .H = H,
                                             .A = r->A,
                                             .lower = lower,
                                             .upper = upper,
                                             .least = least};
    return atemi_quadratic_solve(r->solver, &program, NULL, x, NULL, NULL).status ==
           ATEMI_QUADRATIC_SOLVED;
}

// The largest row, as a fraction of what a newton at the rectangle can do.
static double excess(const corner_rig *r, const double *wrench)
{
    double    rows[CONTACT_CONE_ROWS][CONTACT_WRENCH];
    const int count = atemi_contact_cone(r->k, r->X, r->Y, rows);
    double    largest = -wrench[CONTACT_PUSH];
    for (int i = 0; i < count; ++i) {
        double sum = 0.0;
        for (int j = 0; j < CONTACT_WRENCH; ++j) {
            sum += rows[i][j] * wrench[j];
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

TEST(contact_cone, holds_what_four_corners_can_do_and_nothing_else)
{
    corner_rig    r;
    random_stream stream = random_seeded(11);
    int           inside = 0, outside = 0;
    begin(&r, 0.5, 0.12, 0.05);
    for (int k = 0; k < 3000; ++k) {
        const double w[CONTACT_WRENCH] = {random_uniform(&stream, -0.6, 0.6),
                                          random_uniform(&stream, -0.6, 0.6),
                                          1.0,
                                          random_uniform(&stream, -0.06, 0.06),
                                          random_uniform(&stream, -0.14, 0.14),
                                          random_uniform(&stream, -0.08, 0.08)};
        const double e = excess(&r, w);
        if (fabs(e) < 1e-6) {
            continue; // on the edge, where either is right
        }
        CHECK(can_make(&r, w) == (e < 0.0));
        inside += e < 0.0;
        outside += e > 0.0;
    }
    CHECK(inside > 100 && outside > 100);
    atemi_arena_destroy(&r.arena);
}

TEST(contact_cone, of_a_point_is_its_pyramid_of_friction)
{
    double       rows[CONTACT_CONE_ROWS][CONTACT_WRENCH];
    const double k = 0.4;
    CHECK_EQUAL_INT(atemi_contact_cone(k, 0.0, 0.0, rows), 4);
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(rows[i][i / 2], i % 2 ? 1.0 : -1.0, 0.0);
        CHECK_NEAR(rows[i][CONTACT_PUSH], -k, 0.0);
    }
}

TEST(contact_cone, of_a_line_resists_no_moment_about_its_normal_beyond_friction_at_its_ends)
{
    const corner_rig r = {.k = 0.5, .X = 0.1, .Y = 0.0};
    const double     within[] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0499};
    const double     beyond[] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0501};
    CHECK(excess(&r, within) < 0.0);
    CHECK(excess(&r, beyond) > 0.0);
}

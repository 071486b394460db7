// SPDX-License-Identifier: Apache-2.0

#include "atemi/biped.h"
#include "atemi/robots.h"
#include "check.h"

#include <math.h>
#include <string.h>

// Walks of hrp2_like on footsteps that are given. Where its soles are is what the simulation says.

enum { MOST = 32 };

static const double width = 0.19; // of its soles at rest

static atemi_model *load(void)
{
    atemi_model *model;
    CHECK_STATUS(atemi_robots_load("hrp2_like", NULL, &model, NULL), ATEMI_OK);
    return model;
}

// Steps of `length` that turn by `turn` each; the last one comes beside the one before.
static void draw(atemi_biped_footstep *steps, int count, int side, double length, double turn)
{
    double x = 0.0, y = 0.0, heading = 0.0;
    for (int i = 0; i < count; ++i) {
        const double go = i < count - 1 ? length : 0.0, out = side ? 0.5 * width : -0.5 * width;
        x += go * cos(heading);
        y += go * sin(heading);
        heading += turn;
        steps[i] =
            (atemi_biped_footstep){.side = side,
                                   .place = {x - out * sin(heading), y + out * cos(heading), 0.0},
                                   .heading = heading};
        side = 1 - side;
    }
}

static double heading_error(double a, double b)
{
    return fabs(remainder(a - b, 2.0 * 3.14159265358979323846));
}

// The largest distance of a sole from its footstep, and the largest turn.
static double walk(const atemi_model *model, const atemi_biped_task *task, double *turn)
{
    atemi_biped_walk *w;
    double            worst = 0.0;
    CHECK_STATUS(atemi_biped_walk_create(model, task, NULL, NULL, &w, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_biped_walk_run(w, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(atemi_biped_walk_summary_get(w).end, ATEMI_BIPED_DONE);
    CHECK_EQUAL_INT(atemi_biped_walk_summary_get(w).steps, task->footstep_count);
    *turn = 0.0;
    for (int i = 0; i < task->footstep_count; ++i) {
        const atemi_biped_footstep *step = &task->footsteps[i];
        const atemi_biped_landing   l = atemi_biped_walk_landing(w, i);
        CHECK(l.landed);
        const double x = l.place.x - step->place.x, y = l.place.y - step->place.y;
        CHECK_NEAR(l.error, hypot(x, y), 1e-12);
        CHECK_NEAR(l.place.z, step->place.z, 2e-3);
        worst = fmax(worst, l.error);
        *turn = fmax(*turn, heading_error(l.heading, step->heading));
    }
    atemi_biped_walk_destroy(w);
    return worst;
}

TEST(biped_footsteps, are_reached_within_a_centimetre_in_an_ideal_world)
{
    const struct {
        int    side;
        double length, turn;
    } walks[] = {{1, 0.18, 0.0}, {0, 0.18, 0.0}, {1, 0.15, 0.1}, {0, 0.15, -0.1}, {1, -0.12, 0.0}};
    atemi_model *model = load();
    for (size_t i = 0; i < sizeof walks / sizeof *walks; ++i) {
        atemi_biped_footstep steps[12];
        atemi_biped_task     task = atemi_biped_task_default();
        double               turn;
        draw(steps, 12, walks[i].side, walks[i].length, walks[i].turn);
        task.footsteps = steps;
        task.footstep_count = 12;
        CHECK(walk(model, &task, &turn) < 0.01);
        CHECK(turn < 0.02);
    }
    atemi_model_destroy(model);
}

// The place in the world is told with noise of 5 mm, and encoders are off by 5e-4 rad.
TEST(biped_footsteps, are_reached_within_two_centimetres_by_sensors)
{
    atemi_model *model = load();
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        atemi_biped_footstep steps[16];
        atemi_biped_task     task = atemi_biped_task_default();
        double               turn;
        draw(steps, 16, 1, 0.15, 0.1);
        task.footsteps = steps;
        task.footstep_count = 16;
        task.faults = atemi_biped_faults_real();
        task.faults.seed = seed;
        CHECK(walk(model, &task, &turn) < 0.02);
    }
    atemi_model_destroy(model);
}

// Of 0.2 N s/kg at the waist, from four sides. A foothold may move by 5 % of the legs, 3 cm; beside
// that a sole lands up to a centimetre from where it shall.
TEST(biped_footsteps, a_push_moves_a_footstep_no_further_than_its_correction)
{
    atemi_model *model = load();
    for (int i = 0; i < 4; ++i) {
        atemi_biped_footstep steps[12];
        atemi_biped_task     task = atemi_biped_task_default();
        const double         angle = 1.5707963267948966 * i;
        const double         size = 0.1 * atemi_model_mass(model) / 0.1;
        atemi_timed_force    push = {.from = 4.0, .until = 4.1};
        double               turn;
        push.wrench.linear = (atemi_vec3){size * cos(angle), size * sin(angle), 0.0};
        draw(steps, 12, 1, 0.15, 0.0);
        task.footsteps = steps;
        task.footstep_count = 12;
        task.forces = &push;
        task.force_count = 1;
        CHECK(walk(model, &task, &turn) < 0.01 + 1.4142135623730951 * 0.03);
    }
    atemi_model_destroy(model);
}

// Each step in its own time, and the whole takes their sum: rest, 12 steps, the last second.
TEST(biped_footsteps, take_the_time_that_is_given)
{
    atemi_model         *model = load();
    atemi_biped_footstep steps[12];
    double               ends[2];
    for (int slow = 0; slow < 2; ++slow) {
        atemi_biped_task  task = atemi_biped_task_default();
        atemi_biped_walk *w;
        draw(steps, 12, 1, 0.15, 0.0);
        for (int i = 0; i < 12; ++i) {
            steps[i].time = slow ? 0.8 : 0.6;
        }
        task.footsteps = steps;
        task.footstep_count = 12;
        CHECK_STATUS(atemi_biped_walk_create(model, &task, NULL, NULL, &w, NULL), ATEMI_OK);
        CHECK_STATUS(atemi_biped_walk_run(w, NULL), ATEMI_OK);
        ends[slow] = atemi_biped_walk_summary_get(w).time;
        atemi_biped_walk_destroy(w);
    }
    CHECK_NEAR(ends[1] - ends[0], 12 * 0.2, 0.1); // feedback may shift a landing by hundredths
    atemi_model_destroy(model);
}

static void refuse(atemi_biped *biped, atemi_biped_footstep *steps, int count, int at,
                   const char *why)
{
    atemi_error error = {0};
    int         wrong = -1;
    CHECK_STATUS(atemi_biped_footsteps(biped, steps, count, &wrong, &error), ATEMI_ERROR_INPUT);
    CHECK_EQUAL_INT(wrong, at);
    CHECK(strstr(error.message, why) != NULL);
    draw(steps, count, 1, 0.18, 0.0);
}

TEST(biped_footsteps, that_no_leg_reaches_are_refused)
{
    atemi_model         *model = load();
    atemi_biped_options  options = atemi_biped_options_default();
    atemi_biped         *biped;
    atemi_biped_footstep steps[6];
    options.footsteps = 6;
    CHECK_STATUS(atemi_biped_create(model, &options, NULL, &biped, NULL), ATEMI_OK);
    draw(steps, 6, 1, 0.18, 0.0);
    CHECK_STATUS(atemi_biped_footsteps(biped, steps, 6, NULL, NULL), ATEMI_OK);
    steps[2].side = 1 - steps[2].side;
    refuse(biped, steps, 6, 2, "is next");
    steps[3].place.x += 0.4; // 0.58 m; 0.8 legs of 0.6 m are the most
    refuse(biped, steps, 6, 3, "ahead of");
    steps[3].place.y = steps[2].place.y;
    refuse(biped, steps, 6, 3, "narrowest");
    steps[4].place.z = 0.2; // a quarter of the legs is the most
    refuse(biped, steps, 6, 4, "above");
    steps[5].heading = 1.0;
    refuse(biped, steps, 6, 5, "turned");
    steps[0].time = 0.05;
    refuse(biped, steps, 6, 0, "on both feet");
    steps[1].place.x = NAN;
    refuse(biped, steps, 6, 1, "finite");
    steps[0].place.x = -0.5; // beside where the robot stands
    refuse(biped, steps, 6, 0, "behind");
    atemi_biped_footstep many[7];
    draw(many, 7, 1, 0.1, 0.0);
    CHECK_STATUS(atemi_biped_footsteps(biped, many, 7, NULL, NULL), ATEMI_ERROR_INPUT);
    atemi_biped_destroy(biped);
    atemi_model_destroy(model);
}

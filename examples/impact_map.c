// SPDX-License-Identifier: Apache-2.0
//
// An impact map, computed in parallel threads: how hard hrp2_like hits a box of 5 kg at 1 m/s, over
// shoulder and elbow. The model is shared; each thread has its own scratch.

#include <atemi/atemi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, SHOULDERS = 9, ELBOWS = 8 };

typedef struct strip {
    const atemi_model *robot;
    int                first; ///< row of the map; the next ones are THREADS apart
    double (*impulses)[ELBOWS];
} strip;

// A blow of the right fist forwards, both feet held by the ground.
static double blow(const atemi_model *robot, const double *q, atemi_virtual_base *base,
                   atemi_blow_scratch *scratch)
{
    const atemi_site *fist = atemi_model_site(robot, atemi_model_find_site(robot, "right_fist"));
    const int         feet[] = {atemi_model_find_link(robot, "right_foot"),
                                atemi_model_find_link(robot, "left_foot")};
    const atemi_striking_point point = {
        .link = fist->link, .point = fist->pose.position, .direction = {1, 0, 0}};
    atemi_ground       ground = atemi_ground_default();
    atemi_blow_setting setting = atemi_blow_setting_default();
    atemi_blow_result  result = {0};
    ground.links = feet;
    ground.count = 2;
    setting.speed = 1;
    const bool failed = atemi_virtual_base_update(robot, q, &ground, &point, base, NULL) ||
                        atemi_blow(base, &setting, NULL, NULL, scratch, &result, NULL);
    return failed ? 0 : result.impulse;
}

static void *fill(void *context)
{
    strip             *part = (strip *)context;
    const atemi_model *robot = part->robot;
    atemi_arena        arena = atemi_arena_measuring();
    atemi_virtual_base_take(&arena, robot);
    atemi_blow_scratch_take(&arena, robot);
    atemi_arena_array(&arena, double, atemi_model_q_count(robot));
    if (atemi_arena_create(&arena, arena.used, NULL)) {
        return NULL;
    }
    atemi_virtual_base base = atemi_virtual_base_take(&arena, robot);
    atemi_blow_scratch scratch = atemi_blow_scratch_take(&arena, robot);
    double            *q = atemi_arena_array(&arena, double, atemi_model_q_count(robot));
    const int          posture = atemi_model_find_posture(robot, "half_sitting");
    memcpy(q, atemi_model_posture(robot, posture), (size_t)atemi_model_q_count(robot) * sizeof *q);
    const int shoulder = atemi_model_find_joint(robot, "right_shoulder_pitch");
    const int elbow = atemi_model_find_joint(robot, "right_elbow");
    for (int row = part->first; row < SHOULDERS; row += THREADS) {
        for (int column = 0; column < ELBOWS; ++column) {
            q[atemi_model_joint(robot, shoulder)->first_q] = -0.2 * (row + 1);
            q[atemi_model_joint(robot, elbow)->first_q] = -0.2 * (column + 1);
            part->impulses[row][column] = blow(robot, q, &base, &scratch);
        }
    }
    atemi_arena_destroy(&arena);
    return context;
}

int main(void)
{
    static double impulses[SHOULDERS][ELBOWS];
    atemi_model  *robot;
    pthread_t     threads[THREADS];
    strip         parts[THREADS];
    if (atemi_robots_load("hrp2_like", NULL, &robot, NULL)) {
        return EXIT_FAILURE;
    }
    for (int i = 0; i < THREADS; ++i) {
        parts[i] = (strip){.robot = robot, .first = i, .impulses = impulses};
        if (pthread_create(&threads[i], NULL, fill, &parts[i])) {
            return EXIT_FAILURE;
        }
    }
    bool failed = false;
    for (int i = 0; i < THREADS; ++i) {
        void *done = NULL;
        pthread_join(threads[i], &done);
        failed = failed || !done;
    }
    puts("impulse in N s; down: shoulder pitch, right: elbow, from -0.2 rad in steps of -0.2");
    for (int row = 0; row < SHOULDERS; ++row) {
        for (int column = 0; column < ELBOWS; ++column) {
            printf("%7.3f", impulses[row][column]);
        }
        putchar('\n');
    }
    atemi_model_destroy(robot);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

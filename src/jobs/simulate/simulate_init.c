// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_init.h"

#include "atemi/base.h"
#include "atemi/humanoid.h"
#include "atemi/robots.h"
#include "jobs/yaml_writing.h"

#include <math.h>

// A humanoid stands with bent knees; any other robot begins where its joints are zero, within their
// limits. Servos hold it there: with the mass m, and r how far its links reach from the root,
//
//   K = k m r^2      k = 100 / s^2: half of what [STRIKE] has, 8000 N m/rad for 56 kg and 0.85 m
//   D = K / 100 s    as there
//
// Shapes touch where the robot has any that are found, otherwise its sites.
static const double knee = 0.6;        // rad
static const double stiffness = 100.0; // k, 1/s^2
static const double damping = 0.01;    // D / K, s

static const double significant = 2.0; // digits of a gain

typedef enum touching {
    TOUCHING_NOTHING,
    TOUCHING_SITES,
    TOUCHING_SHAPES,
} touching;

typedef struct beginning {
    const atemi_model      *model;
    atemi_humanoid          humanoid;
    atemi_humanoid_scratch *scratch;
    double                 *q; ///< [q_count]
    bool                    stands;
    touching                touches;
} beginning;

// ---- The start

static void keep_limits(beginning *b)
{
    for (int j = 0; j < atemi_model_joint_count(b->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(b->model, j);
        if (joint->q_count == 1) {
            double *q = &b->q[joint->first_q];
            *q = fmin(fmax(*q, joint->limits.lower), joint->limits.upper);
        }
    }
}

static void find_start(beginning *b)
{
    atemi_stance stance;
    atemi_configuration_neutral(b->model, b->q);
    b->stands =
        atemi_model_base(b->model) == ATEMI_BASE_FLOATING &&
        !atemi_humanoid_find(b->model, b->q, NULL, b->scratch, &b->humanoid, NULL) &&
        b->humanoid.leg_count > 0 &&
        !atemi_humanoid_stand(b->model, &b->humanoid, knee, b->scratch, b->q, &stance, NULL);
    if (!b->stands) {
        atemi_configuration_neutral(b->model, b->q);
    }
    keep_limits(b);
}

static atemi_status find_touching(beginning *b, atemi_error *error)
{
    atemi_robot_shapes shapes;
    const atemi_status status = atemi_robot_shapes_load(b->model, 1.0, 0.0, &shapes, error);
    if (!status) {
        b->touches = shapes.count > 0                       ? TOUCHING_SHAPES
                     : atemi_model_site_count(b->model) > 0 ? TOUCHING_SITES
                                                            : TOUCHING_NOTHING;
        atemi_robot_shapes_destroy(&shapes);
    }
    return status;
}

// How far the links' origins are from the root's.
static double reach(const beginning *b)
{
    atemi_data *data = atemi_humanoid_data(b->scratch);
    double      largest = 0.0;
    atemi_update_kinematics(data, b->q, NULL, NULL);
    const atemi_vec3 root = atemi_link_pose(data, 0).position;
    for (int i = 0; i < atemi_model_link_count(b->model); ++i) {
        const atemi_vec3 at = atemi_link_pose(data, i).position;
        largest = fmax(largest, atemi_vec3_norm(atemi_vec3_sub(at, root)));
    }
    return largest;
}

// ---- The scenario

static void write_head(const beginning *b, const atemi_job_wish *wish, atemi_text *yaml)
{
    const bool is_fixed = atemi_model_base(b->model) == ATEMI_BASE_FIXED;
    char       name[ATEMI_JOB_ROBOT_NAME];
    atemi_text_append(yaml,
                      "# %s %s: written by 'atemi init simulate'.\n"
                      "# 'atemi simulate FILE' simulates it; 'atemi simulate FILE --explain' has "
                      "all keys.\njob: simulate\nrobot: ",
                      atemi_job_robot_name(wish, name),
                      b->stands ? "stands on the floor" : "is held by its servos");
    yaml_put_name(yaml, wish->robot);
    atemi_text_append(yaml, "\nbase: %s\n", is_fixed ? "fixed" : "floating");
}

static void write_contacts(const beginning *b, atemi_text *yaml)
{
    const bool               is_held = atemi_model_base(b->model) == ATEMI_BASE_FIXED;
    static const char *const texts[] = {
        [TOUCHING_NOTHING] = "\n# The robot has neither collision shapes nor sites: nothing of it "
                             "touches.\ncontacts: []\n",
        [TOUCHING_SITES] = "\n# The robot has no collision shapes that are found: its sites "
                           "touch, exactly.\nmethod: events\n",
        [TOUCHING_SHAPES] = "\n# Its collision shapes touch surfaces and each other.\n"
                            "method: steps\ncontacts: shapes\nshapes: {friction: 0.8}\n"};
    atemi_text_put_string(yaml, texts[b->touches]);
    if (is_held && b->touches == TOUCHING_SHAPES) {
        atemi_text_append(yaml,
                          "# Out of its reach: how high its base is held is not known.\n"
                          "surfaces: {floor: {position: [0, 0, %.2g]}}\n",
                          -ceil(2.0 * reach(b)));
    }
}

static void write_start(const beginning *b, atemi_text *yaml)
{
    const bool falls = atemi_model_base(b->model) == ATEMI_BASE_FLOATING;
    atemi_text at = {0};
    yaml_put_joints(&at, b->model, b->q, "joints", false);
    yaml_put_joints(&at, b->model, b->q, "slides", true);
    if (falls && b->touches != TOUCHING_NOTHING) {
        atemi_text_put_string(&at, "  place_on: floor\n");
    }
    if (at.size > 0) {
        atemi_text_put_string(yaml, "start:\n");
        atemi_text_put(yaml, at.bytes, at.size);
    }
    yaml->failed = yaml->failed || at.failed;
    atemi_text_destroy(&at);
}

static void write_servos(const beginning *b, atemi_text *yaml)
{
    const double r = reach(b), K = stiffness * atemi_model_mass(b->model) * r * r;
    if (!(K > 0.0)) {
        return;
    }
    const double digits = pow(10.0, significant - 1.0 - floor(log10(K)));
    const double rounded = floor(digits * K + 0.5) / digits;
    atemi_text_put_string(yaml, "torques:\n"
                                "  # Towards where the joints begin; gains in proportion to mass "
                                "times length squared.\n"
                                "  - {kind: servo, stiffness: ");
    yaml_put(yaml, rounded);
    atemi_text_put_string(yaml, ", damping: ");
    yaml_put(yaml, damping * rounded);
    atemi_text_put_string(yaml, "}\n# limit_torques: true    # to the robot's effort limits\n");
}

static void write_rest(const beginning *b, atemi_text *yaml)
{
    const double weight = 9.81 * atemi_model_mass(b->model);
    const bool   is_held = atemi_model_base(b->model) == ATEMI_BASE_FIXED;
    const int    pushed = is_held ? atemi_model_link_count(b->model) - 1 : 0;
    atemi_text_put_string(yaml, "# forces:    # a push\n#   - {link: ");
    yaml_put_name(yaml, atemi_model_link(b->model, pushed)->name);
    atemi_text_append(yaml, ", force: [%.2g N, 0, 0], from: 0.5 s, until: 0.6 s}\nduration: 2 s\n",
                      0.3 * weight);
}

// ---- All of it

static void take(atemi_arena *arena, beginning *b)
{
    b->scratch = atemi_humanoid_scratch_take(arena, b->model);
    b->q = atemi_arena_array(arena, double, atemi_model_q_count(b->model));
}

atemi_status atemi_simulate_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error)
{
    beginning    b = {.model = wish->model};
    atemi_arena  arena = atemi_arena_measuring();
    atemi_status status = atemi_job_wish_check(wish, "simulate", 0, error);
    if (status) {
        return status;
    }
    take(&arena, &b);
    status = atemi_arena_create(&arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&arena, &b);
    find_start(&b);
    status = find_touching(&b, error);
    if (!status) {
        write_head(&b, wish, yaml);
        write_contacts(&b, yaml);
        write_start(&b, yaml);
        write_servos(&b, yaml);
        write_rest(&b, yaml);
    }
    atemi_arena_destroy(&arena);
    return status;
}

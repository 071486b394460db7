// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/coordination.h"
#include "atemi/model.h"
#include "control/coordination_options.h"
#include "dynamics/base_frame.h"
#include "math/random.h"

#include <math.h>

// In each posture, with m what joint i moves while all others keep still, without its rotor if that
// is behind a spring, K and D are made for m. The link that it really feels is taken as m / 2, m
// and 2 m: others give way, and things are carried. The postures that count are those in which m is
// least and largest.

enum { POSTURES = 32, ATTEMPTS = 15 };

static const double widest = 3.141592653589793;        // rad or m, of a joint without limits
static const double felt[] = {0.5, 1.0, 2.0};          // of m
static const double least_phase = 0.17453292519943295; // 10 degrees
static const double least_gain = 1.25;
static const double shorter = 0.8; // natural frequency of the next attempt

typedef struct search {
    const atemi_model       *model;
    int                      first, count; ///< of the joints
    atemi_base_frame         base;
    atemi_base_frame_scratch scratch;
    double                  *q, *inertias; ///< [q_count], [v_count]
} search;

static void take(atemi_arena *arena, search *s)
{
    s->scratch = atemi_base_frame_scratch_take(arena, s->model);
    s->q = atemi_arena_array(arena, double, atemi_model_q_count(s->model));
    s->inertias = atemi_arena_array(arena, double, atemi_model_v_count(s->model));
}

static double within_range(const atemi_joint *joint, double fraction)
{
    const double low = fmax(joint->limits.lower, -widest), high = fmin(joint->limits.upper, widest);
    return low + fraction * (high - low);
}

// Neutral, and then at random.
static void pose(search *s, int k, uint64_t *random)
{
    atemi_configuration_neutral(s->model, s->q);
    for (int i = 0; i < s->count; ++i) {
        const atemi_joint *joint = atemi_coordination_model_joint(s->model, i);
        const double       x = random_unit_next(random);
        double            *q = &s->q[joint->first_q];
        *q = k > 0 ? within_range(joint, x)
                   : fmin(fmax(*q, joint->limits.lower), joint->limits.upper);
    }
}

static void look(search *s, const atemi_coordinated_joint *joints, atemi_joint_stability *stability)
{
    atemi_base_frame_effective_inertias(s->model, &s->base, &s->scratch, s->q, s->inertias);
    for (int i = 0; i < s->count; ++i) {
        const double rotor = atemi_coordination_model_joint(s->model, i)->armature;
        const double m = s->inertias[s->first + i] - (joints[i].elastic ? rotor : 0.0);
        stability[i].inertia_min = fmin(stability[i].inertia_min, m);
        stability[i].inertia_max = fmax(stability[i].inertia_max, m);
    }
}

// ---- Margins --------------------------------------------------------------------------------

static bool is_good(const atemi_joint_margin *margin)
{
    return margin->stable && margin->phase >= least_phase && margin->gain >= least_gain;
}

static atemi_joint_margin worse(atemi_joint_margin a, atemi_joint_margin b)
{
    const bool         second = b.phase < a.phase || (a.stable && !b.stable);
    atemi_joint_margin worst = second ? b : a;
    worst.stable = a.stable && b.stable;
    worst.gain = fmin(a.gain, b.gain);
    return worst;
}

static atemi_joint_margin least_margin(const atemi_joint_control_options *control,
                                       const atemi_coordinated_joint *joint, double m_min,
                                       double m_max)
{
    const double       inertias[] = {m_min, m_max};
    atemi_joint_margin least = {.stable = true, .phase = INFINITY, .gain = INFINITY};
    for (int k = 0; k < 2; ++k) {
        const atemi_impedance z = atemi_coordinated_joint_impedance(joint, inertias[k]);
        for (size_t f = 0; f < sizeof felt / sizeof *felt && inertias[k] > 0.0; ++f) {
            const atemi_joint_link link = {felt[f] * inertias[k], joint->own_damping};
            least = worse(least, atemi_joint_control_margin(control, z.stiffness, z.damping, link));
        }
    }
    return least;
}

static void find(const atemi_joint_control_options *control, const atemi_coordinated_joint *given,
                 atemi_joint_stability *s)
{
    atemi_coordinated_joint joint = *given;
    s->natural_frequency = joint.dynamics.natural_frequency;
    s->margin = least_margin(control, &joint, s->inertia_min, s->inertia_max);
    for (int k = 0; k < ATTEMPTS && joint.elastic && !is_good(&s->margin); ++k) {
        s->natural_frequency *= shorter;
        joint.dynamics.natural_frequency = s->natural_frequency;
        s->margin = least_margin(control, &joint, s->inertia_min, s->inertia_max);
    }
    s->is_good = is_good(&s->margin);
}

static void find_all(search *s, const atemi_joint_control_options *controls,
                     const atemi_coordinated_joint *joints, atemi_joint_stability *stability)
{
    uint64_t random = 1;
    atemi_configuration_neutral(s->model, s->q);
    atemi_kinematics_update(s->model, s->q, NULL, NULL, &s->scratch.kinematics);
    s->base.pose = atemi_link_pose_in(s->model, &s->scratch.kinematics, s->base.link);
    for (int i = 0; i < s->count; ++i) {
        stability[i] = (atemi_joint_stability){.inertia_min = INFINITY};
    }
    for (int k = 0; k < POSTURES; ++k) {
        pose(s, k, &random);
        look(s, joints, stability);
    }
    for (int i = 0; i < s->count; ++i) {
        find(&controls[i], &joints[i], &stability[i]);
    }
}

atemi_status atemi_joint_stability_find(const atemi_model *model, int base_link,
                                        const atemi_joint_control_options *controls,
                                        const atemi_coordinated_joint     *joints,
                                        atemi_joint_stability *stability, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && controls && joints && stability, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(atemi_base_frame_fits(model, base_link), ATEMI_ERROR_CONTRACT);
    search s = {.model = model, .base = {.link = base_link}};
    s.first = atemi_base_v_count(atemi_model_base(model));
    s.count = atemi_model_v_count(model) - s.first;
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, &s);
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (!status) {
        take(&arena, &s);
        find_all(&s, controls, joints, stability);
        atemi_arena_destroy(&arena);
    }
    return status;
}

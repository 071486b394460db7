// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_trial.h"

#include "atemi/base.h"
#include "jobs/first_touch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double published_step = 1e-4; // s, [SDC] III

static const double most_steps =
    1e5; // of a surface that is not linear; those as published are fewer

const char *atemi_impact_method_text(atemi_impact_method method)
{
    static const char *const texts[ATEMI_IMPACT_METHODS] = {"estimate", "as published",
                                                            "virtual mass", "full dynamics"};
    return texts[method];
}

// ---- Creation

static void take(atemi_impact_trial *trial, atemi_arena *arena)
{
    const atemi_model *model = trial->model;
    const int          n = atemi_model_v_count(model), points = trial->scenario->contacts.count;
    trial->base = atemi_virtual_base_take(arena, model);
    trial->heavy = atemi_virtual_base_take(arena, model);
    trial->v = atemi_arena_array(arena, double, n);
    trial->a = atemi_arena_array(arena, double, n);
    trial->held = atemi_arena_array(arena, double, n);
    trial->points = atemi_arena_array(arena, atemi_contact_point, points);
    trial->forces = atemi_arena_array(arena, atemi_vec3, points);
    trial->reference = atemi_straight_reference_take(arena, model, trial->scenario->duration);
    trial->touching = atemi_touching_points_take(arena, model, points);
    trial->data = atemi_data_take(arena, model, &(atemi_data_options){.max_contacts = 0});
    trial->blow = atemi_blow_scratch_take(arena, model);
}

atemi_status atemi_impact_trial_create(const atemi_impact_scenario *scenario,
                                       atemi_impact_trial *trial, atemi_error *error)
{
    *trial = (atemi_impact_trial){.scenario = scenario, .model = scenario->robot.model};
    atemi_arena arena = atemi_arena_measuring();
    take(trial, &arena);
    const atemi_status status = atemi_arena_create(&trial->arena, arena.used, error);
    if (!status) {
        take(trial, &trial->arena);
    }
    return status;
}

void atemi_impact_trial_destroy(atemi_impact_trial *trial)
{
    atemi_arena_destroy(&trial->arena);
}

// ---- The first touch

// What it stands on: links, points and support polygon.
static void find_ground(atemi_impact_trial *trial)
{
    const atemi_scenario_contacts *contacts = &trial->scenario->contacts;
    atemi_touching_points         *touching = &trial->touching;
    atemi_touching_points_find(trial->data, trial->scenario->surfaces.surfaces, contacts->points,
                               contacts->count, touching);
    trial->ground = trial->scenario->ground;
    trial->ground.links = touching->links;
    trial->ground.count = touching->link_count;
    for (int i = 0; i < touching->count; ++i) {
        const atemi_simulation_point *point = &contacts->points[touching->points[i]];
        trial->points[i] = (atemi_contact_point){point->link, point->point};
    }
}

// The hand's acceleration along the direction while the joints keep their rates.
static double find_drift(atemi_impact_trial *trial)
{
    memset(trial->a, 0, (size_t)trial->base.count * sizeof *trial->a);
    atemi_update_kinematics(trial->data, trial->now.q, trial->v, trial->a);
    return atemi_striking_point_acceleration(trial->data, &trial->now.point);
}

static atemi_status find_motion(atemi_impact_trial *trial, atemi_error *error)
{
    const bool   straight = !isnan(trial->now.speed);
    atemi_ground fixed = trial->ground;
    fixed.grounding = ATEMI_GROUNDING_FIXED;
    if (straight) {
        atemi_virtual_base_rates(&trial->base, trial->now.speed, trial->v);
    } else if (trial->ground.count > 0) {
        atemi_virtual_base_project(&trial->base, trial->scenario->start.v, trial->v);
    } else {
        memcpy(trial->v, trial->scenario->start.v, (size_t)trial->base.count * sizeof *trial->v);
    }
    trial->hand_speed = 0.0;
    for (int i = 0; i < trial->base.count; ++i) {
        trial->hand_speed += trial->base.jacobian[i] * trial->v[i];
    }
    trial->drift = straight ? 0.0 : find_drift(trial);
    return straight ? atemi_straight_reference_start(&trial->reference, trial->now.q, trial->v,
                                                     trial->now.speed, &fixed, &trial->now.point,
                                                     trial->a, error)
                    : ATEMI_OK;
}

// As published: links beside feet of 1e5 kg may vanish in rounding, such as a neck of a microgram.
// Only a scenario that grounds so cannot do without.
static atemi_status find_heavy(atemi_impact_trial *trial, atemi_error *error)
{
    atemi_error  trouble;
    atemi_ground heavy = trial->ground;
    heavy.grounding = ATEMI_GROUNDING_HEAVY;
    const atemi_status status = atemi_virtual_base_update(
        trial->model, trial->now.q, &heavy, &trial->now.point, &trial->heavy, &trouble);
    trial->singular_as_published = status == ATEMI_ERROR_SINGULAR;
    if (!status ||
        (trial->singular_as_published && trial->ground.grounding != ATEMI_GROUNDING_HEAVY)) {
        return ATEMI_OK;
    }
    if (error) {
        *error = trouble;
    }
    return status;
}

atemi_status atemi_impact_trial_set(atemi_impact_trial *trial, const atemi_impact_case *now,
                                    atemi_error *error)
{
    const atemi_striking_point *point = &trial->now.point;
    trial->now = *now;
    atemi_update_kinematics(trial->data, now->q, NULL, NULL);
    find_ground(trial);
    atemi_ground fixed = trial->ground;
    fixed.grounding = ATEMI_GROUNDING_FIXED;
    atemi_status status =
        atemi_virtual_base_update(trial->model, now->q, &fixed, point, &trial->base, error);
    if (!status) {
        status = find_heavy(trial, error);
    }
    if (!status) {
        status = find_motion(trial, error);
    }
    if (!status) {
        atemi_stance_dynamics(trial->data, now->q, trial->v, trial->a, NULL, trial->points,
                              trial->touching.count, trial->held, trial->forces);
    }
    return status;
}

static bool on_goes_on(void *context)
{
    atemi_impact_trial *trial = (atemi_impact_trial *)context;
    trial->stopped = trial->stopped || !atemi_job_goes_on(trial->hooks, trial->done);
    return !trial->stopped;
}

// ---- Estimates

static void know_nothing(atemi_impact_answer *answer)
{
    *answer =
        (atemi_impact_answer){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, false, false, 0, 0, 0};
}

typedef struct listener {
    atemi_impact_trial       *trial;
    const atemi_impact_watch *watch;
    atemi_impact_answer      *answer;
    int                       next; ///< time that is waited for
} listener;

static void give(const listener *hears, const atemi_impact_sample *sample)
{
    if (hears->watch && hears->watch->take) {
        hears->watch->take(hears->watch->context, sample);
    }
}

static void on_sample(void *context, const atemi_blow_sample *blow)
{
    const listener     *hears = (const listener *)context;
    atemi_impact_trial *trial = hears->trial;
    atemi_impact_sample sample = {.blow = blow, .zmp = {NAN, NAN, NAN}, .margin = NAN};
    sample.has_zmp =
        trial->touching.support.count > 0 &&
        atemi_blow_zmp(trial->data, trial->now.q, blow->rates, blow->accelerations,
                       &trial->now.point, blow->force, &trial->touching.support.plane, &sample.zmp);
    if (sample.has_zmp) {
        sample.margin = atemi_support_distance(&trial->touching.support, sample.zmp).distance;
        hears->answer->margin = fmin(hears->answer->margin, sample.margin);
    }
    give(hears, &sample);
}

static atemi_blow_setting setting_of(const atemi_impact_trial *trial)
{
    atemi_blow_setting setting = atemi_blow_setting_default();
    setting.rates = trial->v;
    setting.accelerations = trial->a;
    setting.drift = trial->drift;
    setting.servo = atemi_scenario_blow_servo(&trial->scenario->servo, trial->model);
    setting.surface = atemi_scenario_blow_surface(&trial->scenario->target);
    setting.target = atemi_scenario_blow_target(&trial->scenario->target);
    setting.target.mass = trial->now.mass;
    if (!isnan(trial->now.stiffness)) {
        setting.surface.spring.stiffness = trial->now.stiffness;
    }
    return setting;
}

atemi_status atemi_impact_trial_add_touch(const atemi_impact_trial *trial, double every,
                                          atemi_recording *recording, atemi_error *error)
{
    const atemi_blow_setting setting = setting_of(trial);
    const atemi_first_touch  touch = {.model = trial->model,
                                      .q = trial->now.q,
                                      .ground = &trial->ground,
                                      .support = &trial->touching.support,
                                      .point = &trial->now.point,
                                      .setting = &setting,
                                      .speed = trial->now.speed,
                                      .duration = trial->scenario->duration,
                                      .every = every};
    return setting.surface.law == ATEMI_BLOW_OTHER_LAW
               ? ATEMI_OK
               : atemi_job_add_first_touch(recording, &touch, error);
}

static atemi_blow_options options_of(const atemi_impact_trial *trial, atemi_impact_method method,
                                     bool is_linear)
{
    atemi_blow_options options = atemi_blow_options_default();
    options.duration = trial->scenario->duration;
    options.method = method == ATEMI_IMPACT_TWO_MASSES              ? ATEMI_BLOW_VIRTUAL_MASS
                     : is_linear && method == ATEMI_IMPACT_ESTIMATE ? ATEMI_BLOW_EXACT
                                                                    : ATEMI_BLOW_RK4;
    options.step = method == ATEMI_IMPACT_PUBLISHED
                       ? published_step
                       : fmax(0.1 * published_step, options.duration / most_steps);
    options.without_stiffness = method == ATEMI_IMPACT_PUBLISHED;
    return options;
}

// What the results of both kinds of blow have; `margin` is the least of the ZMP.
#define ANSWER(result, least_margin)                                                               \
    .peak_force = (result)->peak_force, .peak_time = (result)->peak_time,                          \
    .impulse = (result)->impulse, .contact_time = (result)->contact_time,                          \
    .compression = (result)->compression, .hand_speed = (result)->hand_speed,                      \
    .target_speed = (result)->target_speed, .target_travel = (result)->target_travel,              \
    .margin = (least_margin), .released = (result)->released, .saturated = (result)->saturated

static atemi_status estimate(atemi_impact_trial *trial, atemi_impact_method method,
                             const atemi_impact_watch *watch, atemi_impact_answer *answer,
                             atemi_error *error)
{
    const atemi_blow_setting setting = setting_of(trial);
    const bool               is_linear = setting.surface.law != ATEMI_BLOW_OTHER_LAW;
    atemi_blow_options       options = options_of(trial, method, is_linear);
    listener                 hears = {.trial = trial, .watch = watch, .answer = answer};
    atemi_blow_watch         looks = {.take = on_sample, .context = &hears};
    atemi_blow_result        result;
    if ((method == ATEMI_IMPACT_TWO_MASSES && !is_linear) ||
        (method == ATEMI_IMPACT_PUBLISHED && trial->singular_as_published)) {
        return ATEMI_OK;
    }
    if (watch) {
        looks.times = watch->times;
        looks.count = watch->count;
        options.past_release = watch->past_release;
    }
    options.goes_on = on_goes_on;
    options.goes_on_context = trial;
    const bool is_heavy =
        method == ATEMI_IMPACT_PUBLISHED || trial->ground.grounding == ATEMI_GROUNDING_HEAVY;
    const atemi_status status =
        atemi_blow(is_heavy ? &trial->heavy : &trial->base, &setting, &options,
                   watch ? &looks : NULL, &trial->blow, &result, error);
    if (!status && !result.stopped) {
        *answer = (atemi_impact_answer){ANSWER(&result, answer->margin)};
    }
    return status;
}

// ---- Full dynamics

static void on_full_sample(void *context, const atemi_full_blow_sample *sample)
{
    listener                 *hears = (listener *)context;
    const atemi_impact_watch *watch = hears->watch;
    const double              half = 0.5 * hears->trial->scenario->full_step;
    const atemi_impact_sample seen = {.blow = &sample->blow,
                                      .has_zmp = sample->has_zmp,
                                      .zmp = sample->zmp,
                                      .margin = sample->margin};
    while (watch && hears->next < watch->count &&
           sample->blow.time > watch->times[hears->next] - half) {
        give(hears, &seen);
        ++hears->next;
    }
}

static atemi_full_blow_setting full_setting_of(const atemi_impact_trial *trial)
{
    const atemi_impact_scenario *scenario = trial->scenario;
    const atemi_blow_setting     blow = setting_of(trial);
    return (atemi_full_blow_setting){.q = trial->now.q,
                                     .v = trial->v,
                                     .point = trial->now.point,
                                     .servo = blow.servo,
                                     .surface = blow.surface,
                                     .target = blow.target,
                                     .surfaces = scenario->surfaces.surfaces,
                                     .surface_count = scenario->surfaces.count,
                                     .feet = scenario->contacts.points,
                                     .foot_count = scenario->contacts.count};
}

// The servos follow a hand that goes on as it came, on feet that stand.
static atemi_status follow_hand(atemi_impact_trial *trial, atemi_full_blow_setting *setting,
                                atemi_error *error)
{
    atemi_ground fixed = trial->ground;
    fixed.grounding = ATEMI_GROUNDING_FIXED;
    setting->reference = atemi_straight_reference_at;
    setting->context = &trial->reference;
    return atemi_straight_reference_find(&trial->reference, trial->now.q, trial->now.speed, &fixed,
                                         &trial->now.point, error);
}

static atemi_status simulate(atemi_impact_trial *trial, const atemi_impact_watch *watch,
                             atemi_impact_answer *answer, atemi_error *error)
{
    atemi_full_blow_setting setting = full_setting_of(trial);
    atemi_full_blow_options options = atemi_full_blow_options_default();
    listener                hears = {.trial = trial, .watch = watch, .answer = answer};
    atemi_full_blow_result  result;
    atemi_status            status = ATEMI_OK;
    options.duration = trial->scenario->duration;
    options.step = trial->scenario->full_step;
    options.goes_on = on_goes_on;
    options.goes_on_context = trial;
    if (!isnan(trial->now.speed)) {
        status = follow_hand(trial, &setting, error);
    }
    if (!status) {
        status = atemi_full_blow(trial->model, &setting, &options, on_full_sample, &hears, &result,
                                 error);
    }
    if (!status && !trial->stopped) {
        const double margin = isinf(result.margin) ? (double)NAN : result.margin;
        *answer = (atemi_impact_answer){ANSWER(&result, margin), .lift_offs = result.lift_offs,
                                        .slips = result.slips};
    }
    return status;
}

atemi_status atemi_impact_trial_run(atemi_impact_trial *trial, atemi_impact_method method,
                                    const atemi_impact_watch *watch, atemi_impact_answer *answer,
                                    atemi_error *error)
{
    know_nothing(answer);
    if (method != ATEMI_IMPACT_FULL) {
        return estimate(trial, method, watch, answer, error);
    }
    const atemi_status status = simulate(trial, watch, answer, error);
    if (status == ATEMI_ERROR_SINGULAR) {
        answer->fails = true;
        snprintf(trial->trouble, sizeof trial->trouble, "%s", error->message);
        *error = (atemi_error){0};
        return ATEMI_OK;
    }
    return status;
}

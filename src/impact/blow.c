// SPDX-License-Identifier: Apache-2.0

#include "atemi/blow.h"

#include "atemi/base.h"
#include "impact/blow_modes.h"
#include "impact/blow_rates.h"
#include "impact/blow_variation.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

static const double speed_of_light = 299792458.0; // m/s

static const double most_steps = 1e7; // by RK4: some ten seconds of computing

// ---- Checks ---------------------------------------------------------------------------------

static atemi_status check_entries(const atemi_virtual_base *base, const double *values,
                                  const char *name, bool may_be_infinite, atemi_error *error)
{
    for (int i = 0; values && i < base->count; ++i) {
        const bool is_allowed = may_be_infinite ? !isnan(values[i]) : isfinite(values[i]);
        if (!(is_allowed && values[i] >= 0.0)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT, "%s of rate %d is %g: it must be %s", name,
                              i, values[i],
                              may_be_infinite ? "zero or positive" : "zero or positive and finite");
        }
    }
    return ATEMI_OK;
}

static atemi_status check_base(const atemi_virtual_base *base, const double *values,
                               const char *name, atemi_error *error)
{
    for (int i = 0; values && i < base->base_count; ++i) {
        if (values[i] != 0.0) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "%s of rate %d is %g, but nothing drives the base: it must be zero",
                              name, i, values[i]);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_held(const atemi_virtual_base *base, const double *held,
                               atemi_error *error)
{
    for (int i = 0; held && i < base->count; ++i) {
        if (!isfinite(held[i])) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "what the servo holds of rate %d is %g: it must be finite", i,
                              held[i]);
        }
    }
    return ATEMI_OK;
}

static atemi_status check_servo(const atemi_virtual_base *base, const atemi_blow_servo *servo,
                                atemi_error *error)
{
    const struct {
        const double *values;
        const char   *name;
        bool          may_be_infinite;
    } lists[] = {{servo->stiffness, "the servo's stiffness K_p", false},
                 {servo->damping, "the servo's damping K_d", false},
                 {servo->limits, "the torque limit", true},
                 {servo->viscous, "the viscous friction", false},
                 {servo->coulomb, "the Coulomb friction", false}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        atemi_status status =
            check_entries(base, lists[i].values, lists[i].name, lists[i].may_be_infinite, error);
        if (status == ATEMI_OK && lists[i].values != servo->limits) {
            status = check_base(base, lists[i].values, lists[i].name, error);
        }
        if (status != ATEMI_OK) {
            return status;
        }
    }
    return check_held(base, servo->held, error);
}

static atemi_status check_surface(const atemi_blow_surface *surface, atemi_blow_method method,
                                  atemi_error *error)
{
    if (surface->law != ATEMI_BLOW_OTHER_LAW) {
        return atemi_spring_damper_check(&surface->spring, error);
    }
    if (method != ATEMI_BLOW_RK4) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "the method \"%s\" needs a linear surface: choose a spring with a damper, or "
            "the method \"%s\"",
            atemi_blow_method_text(method), atemi_blow_method_text(ATEMI_BLOW_RK4));
    }
    ATEMI_REQUIRE_OR(surface->other.force, ATEMI_ERROR_CONTRACT);
    return ATEMI_OK;
}

static atemi_status check_target(const atemi_blow_target *target, atemi_error *error)
{
    if (!(target->mass > 0.0)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the target's mass is %g kg: it must be positive, or infinite for a wall",
                          target->mass);
    }
    if (!(target->friction >= 0.0 && isfinite(target->friction))) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the target's friction is %g N: it must be zero or positive and finite",
                          target->friction);
    }
    return ATEMI_OK;
}

static atemi_status check_positive(double value, const char *name, const char *unit,
                                   atemi_error *error)
{
    if (value > 0.0 && isfinite(value)) {
        return ATEMI_OK;
    }
    return atemi_fail(error, ATEMI_ERROR_INPUT, "%s is %g %s: it must be positive and finite", name,
                      value, unit);
}

static atemi_status check_options(const atemi_blow_options *o, atemi_error *error)
{
    atemi_status status = check_positive(o->duration, "the duration of the blow", "s", error);
    if (status == ATEMI_OK) {
        status = check_positive(o->step, "the step", "s", error);
    }
    if (status == ATEMI_OK && o->method == ATEMI_BLOW_RK4 &&
        !(o->duration / o->step <= most_steps)) {
        status = atemi_fail(error, ATEMI_ERROR_LIMIT,
                            "%g s in steps of %g s are more than %g steps: make the step longer",
                            o->duration, o->step, most_steps);
    }
    return status == ATEMI_OK
               ? check_positive(o->slowest_slide, "the slowest slide", "rad/s", error)
               : status;
}

static atemi_status check_rates(const atemi_virtual_base *base, const atemi_blow_setting *setting,
                                atemi_error *error)
{
    for (int i = 0; setting->rates && i < base->count; ++i) {
        if (!isfinite(setting->rates[i])) {
            return atemi_fail(error, ATEMI_ERROR_INPUT, "rate %d at first touch is not finite", i);
        }
    }
    for (int i = 0; setting->accelerations && i < base->count; ++i) {
        if (!isfinite(setting->accelerations[i])) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "acceleration %d of the reference is not finite", i);
        }
    }
    if (!isfinite(setting->drift)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "the hand's drift is not finite");
    }
    if (!setting->rates && !(fabs(setting->speed) <= speed_of_light)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "the speed at first touch is %g m/s: nothing is faster than light",
                          setting->speed);
    }
    return ATEMI_OK;
}

atemi_status atemi_blow_check(const atemi_virtual_base *base, const atemi_blow_setting *setting,
                              atemi_blow_method method, atemi_error *error)
{
    atemi_status status = check_servo(base, &setting->servo, error);
    if (status == ATEMI_OK) {
        status = check_surface(&setting->surface, method, error);
    }
    if (status == ATEMI_OK) {
        status = check_target(&setting->target, error);
    }
    return status == ATEMI_OK ? check_rates(base, setting, error) : status;
}

// ---- Numbers --------------------------------------------------------------------------------

// 1/s. Times below 1e-9 s are not told apart (blow_run.h); no rigid hand is as fast either.
static const double fastest_contact = 1e9;

static atemi_status check_contact_rate(const atemi_blow_problem *p, atemi_error *error)
{
    const double rate = atemi_blow_contact_rate(p);
    if (rate <= fastest_contact) {
        return ATEMI_OK;
    }
    return atemi_fail(error, ATEMI_ERROR_INPUT,
                      "the surface between a hand of %.3g kg and a target of %.3g kg acts within "
                      "%.3g s, at least 1e-9 s are needed: make it softer, or the target heavier",
                      1.0 / p->base->give, 1.0 / p->target_give, 1.0 / rate);
}

static bool are_finite(const double *values, int count)
{
    double sum = 0.0; // not finite if one of them is not
    for (int i = 0; i < count; ++i) {
        sum += 0.0 * values[i];
    }
    return sum == 0.0;
}

static atemi_status check_result(const atemi_blow_result *r, int count, atemi_error *error)
{
    const double numbers[] = {r->peak_force,  r->peak_time,  r->impulse,      r->contact_time,
                              r->compression, r->hand_speed, r->target_speed, r->target_travel};
    if (are_finite(numbers, sizeof numbers / sizeof *numbers) && are_finite(r->rates, count) &&
        are_finite(r->torques, count) && are_finite(r->peak_torques, count)) {
        return ATEMI_OK;
    }
    return atemi_fail(error, ATEMI_ERROR_LIMIT,
                      "the blow's numbers overflow: its speed, masses, gains or stiffness are too "
                      "large or too far apart");
}

// ---- The frozen system ----------------------------------------------------------------------

static double entry(const double *values, int i, double otherwise)
{
    return values ? values[i] : otherwise;
}

static void add_element(atemi_blow_problem *p, atemi_blow_element e)
{
    if ((e.damping > 0.0 || e.stiffness > 0.0) && e.bound > 0.0) {
        p->elements[p->element_count++] = e;
    }
}

static void add_servo(atemi_blow_problem *p, const atemi_blow_servo *servo, int i)
{
    const double stiffness =
        atemi_blow_stiffness_that_counts(p, i, entry(servo->stiffness, i, 0.0));
    const double damping = atemi_blow_damping_that_counts(p, i, entry(servo->damping, i, 0.0));
    p->is_limited = p->is_limited || stiffness < entry(servo->stiffness, i, 0.0) ||
                    damping < entry(servo->damping, i, 0.0);
    add_element(p, (atemi_blow_element){.axis = i,
                                        .servo = true,
                                        .offset = entry(servo->held, i, 0.0),
                                        .held = entry(servo->held, i, 0.0),
                                        .damping = damping,
                                        .stiffness = p->options.without_stiffness ? 0.0 : stiffness,
                                        .bound = entry(servo->limits, i, (double)INFINITY)});
}

// Friction brakes the rate itself, not what it has changed by.
static void add_friction(atemi_blow_problem *p, int i, double damping, double bound)
{
    add_element(
        p, (atemi_blow_element){
               .axis = i, .offset = -damping * p->start[i], .damping = damping, .bound = bound});
}

static void add_elements(atemi_blow_problem *p, const atemi_blow_servo *servo)
{
    for (int i = 0; i < p->base->count; ++i) {
        if (row_in(p->base->mobility, p->base->stride, i)[i] == 0.0) {
            continue; // locked, or the base that heavy links leave out
        }
        const double coulomb = entry(servo->coulomb, i, 0.0);
        const double viscous = atemi_blow_damping_that_counts(p, i, entry(servo->viscous, i, 0.0));
        p->is_limited = p->is_limited || viscous < entry(servo->viscous, i, 0.0);
        add_servo(p, servo, i);
        add_friction(p, i, viscous, (double)INFINITY);
        add_friction(p, i, coulomb / p->options.slowest_slide, coulomb);
    }
}

atemi_compliance atemi_blow_law_of(const atemi_blow_surface *surface)
{
    switch (surface->law) {
    case ATEMI_BLOW_COMPRESSION_DAMPER:
        return atemi_compliance_compression_damper(&surface->spring);
    case ATEMI_BLOW_KELVIN_VOIGT:
        return atemi_compliance_kelvin_voigt(&surface->spring);
    case ATEMI_BLOW_OTHER_LAW:
    default:
        return surface->other;
    }
}

static atemi_blow_problem problem_of(const atemi_virtual_base *base,
                                     const atemi_blow_setting *setting,
                                     const atemi_blow_options *options, atemi_blow_scratch *scratch,
                                     double *start, atemi_blow_operations *operations)
{
    atemi_blow_problem p = {
        .base = base, .options = *options, .elements = scratch->elements, .operations = operations};
    if (setting->rates) {
        memcpy(start, setting->rates, (size_t)base->count * sizeof *start);
    } else {
        atemi_virtual_base_rates(base, setting->speed, start);
    }
    p.kind = setting->surface.law;
    p.spring = setting->surface.spring;
    p.law = atemi_blow_law_of(&setting->surface);
    p.target_give = 1.0 / setting->target.mass;
    p.friction = setting->target.friction;
    p.frequency = sqrt(p.spring.stiffness * (base->give + p.target_give));
    p.start = start;
    p.approach = row_dot(base->count, base->jacobian, start);
    if (options->method != ATEMI_BLOW_VIRTUAL_MASS) {
        p.gains = setting->accelerations;
        p.drift = setting->drift;
        add_elements(&p, &setting->servo);
    }
    return p;
}

// ---- The interface --------------------------------------------------------------------------

const char *atemi_blow_method_text(atemi_blow_method method)
{
    switch (method) {
    case ATEMI_BLOW_RK4:
        return "rk4";
    case ATEMI_BLOW_VIRTUAL_MASS:
        return "virtual mass";
    case ATEMI_BLOW_EXACT:
    default:
        return "exact";
    }
}

atemi_blow_setting atemi_blow_setting_default(void)
{
    atemi_blow_setting setting = {.target = {.mass = 5.0}};
    setting.surface.spring = atemi_spring_damper_default();
    return setting;
}

atemi_blow_options atemi_blow_options_default(void)
{
    return (atemi_blow_options){
        .duration = 0.1, .step = 1e-4, .slowest_slide = 1e-3, .most_evaluations = 100000};
}

atemi_blow_scratch atemi_blow_scratch_take(atemi_arena *arena, const atemi_model *model)
{
    const int    count = atemi_model_v_count(model);
    const size_t n = (size_t)count, stride = (size_t)matrix_stride(count);

    atemi_blow_scratch s = {.count = count};
    s.elements = atemi_arena_array(arena, atemi_blow_element, n * ATEMI_BLOW_ELEMENTS);
    s.lanes = atemi_arena_array(arena, atemi_blow_lane, atemi_blow_propagator_scratch_size(count));
    s.vectors = atemi_arena_array(arena, double, stride *(ATEMI_BLOW_VECTORS + 2 * n));
    s.margins = atemi_arena_array(arena, atemi_blow_margin, atemi_blow_margin_scratch_size(count));
    s.saturations = atemi_arena_array(arena, bool, n);
    s.axes = atemi_arena_array(arena, int, 3 * n);
    return s;
}

static atemi_blow_record begin_record(const atemi_blow_watch *watch,
                                      atemi_blow_variation *variation, atemi_blow_scratch *scratch,
                                      atemi_blow_vectors *vectors, atemi_blow_result *result)
{
    atemi_blow_record record = {.watch = watch, .result = result, .variation = variation};
    record.slopes = variation ? &variation->slopes : NULL;
    record.rates = atemi_blow_vector(vectors);
    record.accelerations = atemi_blow_vector(vectors);
    record.torques = atemi_blow_vector(vectors);
    record.peak_torques = atemi_blow_vector(vectors);
    record.saturations = scratch->saturations;
    memset(record.peak_torques, 0, (size_t)vectors->stride * sizeof *record.peak_torques);
    memset(record.saturations, 0, (size_t)scratch->count * sizeof *record.saturations);
    *result = (atemi_blow_result){.rates = record.rates,
                                  .torques = record.torques,
                                  .peak_torques = record.peak_torques,
                                  .saturations = record.saturations};
    return record;
}

static atemi_blow_state first_touch(const atemi_blow_problem *p, atemi_blow_vectors *vectors)
{
    const size_t     size = (size_t)vectors->stride * sizeof(double);
    atemi_blow_state state = atemi_blow_state_take(vectors);
    memset(state.rate, 0, size);
    memset(state.angle, 0, size);
    state.hand = p->approach;
    return state;
}

atemi_status atemi_blow_along(const atemi_virtual_base *base, const atemi_blow_setting *setting,
                              const atemi_blow_options *options, const atemi_blow_watch *watch,
                              atemi_blow_variation *variation, atemi_blow_scratch *scratch,
                              atemi_blow_result *result, atemi_error *error)
{
    ATEMI_REQUIRE_OR(base && setting && scratch && result, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(base->count == scratch->count, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(!watch || watch->count == 0 || (watch->times && watch->take),
                     ATEMI_ERROR_CONTRACT);
    const atemi_blow_options  usual = atemi_blow_options_default();
    const atemi_blow_options *o = options ? options : &usual;

    atemi_status status = check_options(o, error);
    if (status == ATEMI_OK) {
        status = atemi_blow_check(base, setting, o->method, error);
    }
    if (status != ATEMI_OK) {
        return status;
    }
    atemi_blow_vectors       vectors = {scratch->vectors, base->stride};
    const atemi_blow_problem problem =
        problem_of(base, setting, o, scratch, atemi_blow_vector(&vectors), &result->operations);
    atemi_blow_record record = begin_record(watch, variation, scratch, &vectors, result);
    atemi_blow_state  state = first_touch(&problem, &vectors);
    status = check_contact_rate(&problem, error);
    if (status == ATEMI_OK && problem.approach > 0.0) {
        status = o->method == ATEMI_BLOW_RK4
                     ? atemi_blow_by_rk4(&problem, &vectors, &state, &record, error)
                     : atemi_blow_exactly(&problem, &vectors, scratch, &state, &record, error);
    }
    atemi_blow_record_close(&problem, &state, &record);
    return status == ATEMI_OK ? check_result(result, base->count, error) : status;
}

double atemi_blow_friction(const atemi_blow_servo *servo, int i, double velocity,
                           double slowest_slide)
{
    ATEMI_REQUIRE_OR(servo && i >= 0 && slowest_slide > 0.0, 0.0);
    const double limit = entry(servo->coulomb, i, 0.0);
    return entry(servo->viscous, i, 0.0) * velocity +
           fmax(-limit, fmin(limit * velocity / slowest_slide, limit));
}

atemi_status atemi_blow(const atemi_virtual_base *base, const atemi_blow_setting *setting,
                        const atemi_blow_options *options, const atemi_blow_watch *watch,
                        atemi_blow_scratch *scratch, atemi_blow_result *result, atemi_error *error)
{
    return atemi_blow_along(base, setting, options, watch, NULL, scratch, result, error);
}

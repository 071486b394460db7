// SPDX-License-Identifier: Apache-2.0

#include "atemi/surface.h"

#include "atemi/base.h"

#include <math.h>
#include <stddef.h>

// With d the depth and r its rate, for d > 0, and U the integral of f over d at r = 0:
//
//   compression damper   f = k d + c max(0, r)                    U = k d^2 / 2       [SDC] III
//   Kelvin-Voigt         f = max(0, k d + c r)                    U = k d^2 / 2
//   Hunt-Crossley        f = k d^p max(0, 1 + 3/2 alpha r)        U = k d^(p+1) / (p + 1)
//                                                                     [HuntCrossley75]
//
// In all of them (f(d, r) - f(d, 0)) r >= 0: what is not stored is lost, never gained.

// ---- Spring and damper

static double compression_force(const void *context, double d, double r)
{
    const atemi_spring_damper *s = context;
    return s->stiffness * d + (r > 0.0 ? s->damping * r : 0.0);
}

static void compression_slopes(const void *context, double d, double r, double *by_depth,
                               double *by_rate)
{
    const atemi_spring_damper *s = context;
    (void)d;
    *by_depth = s->stiffness;
    *by_rate = r > 0.0 ? s->damping : 0.0;
}

static double kelvin_voigt_force(const void *context, double d, double r)
{
    const atemi_spring_damper *s = context;
    const double               f = s->stiffness * d + s->damping * r;
    return f > 0.0 ? f : 0.0;
}

static void kelvin_voigt_slopes(const void *context, double d, double r, double *by_depth,
                                double *by_rate)
{
    const atemi_spring_damper *s = context;
    const bool                 is_pushing = s->stiffness * d + s->damping * r > 0.0;
    *by_depth = is_pushing ? s->stiffness : 0.0;
    *by_rate = is_pushing ? s->damping : 0.0;
}

static double spring_energy(const void *context, double d)
{
    const atemi_spring_damper *s = context;
    return 0.5 * s->stiffness * d * d;
}

// ---- Hunt and Crossley

static double hunt_crossley_force(const void *context, double d, double r)
{
    const atemi_hunt_crossley *h = context;
    const double               fraction = 1.0 + 1.5 * h->dissipation * r;
    return fraction > 0.0 ? h->stiffness * pow(d, h->exponent) * fraction : 0.0;
}

static double hunt_crossley_energy(const void *context, double d)
{
    const atemi_hunt_crossley *h = context;
    return h->stiffness * pow(d, h->exponent + 1.0) / (h->exponent + 1.0);
}

static void hunt_crossley_slopes(const void *context, double d, double r, double *by_depth,
                                 double *by_rate)
{
    const atemi_hunt_crossley *h = context;
    const double               fraction = 1.0 + 1.5 * h->dissipation * r;
    const double               hardness = h->stiffness * pow(d, h->exponent - 1.0);
    *by_depth = fraction > 0.0 ? h->exponent * hardness * fraction : 0.0;
    *by_rate = fraction > 0.0 ? 1.5 * h->dissipation * hardness * d : 0.0;
}

// ---- Parameters

static atemi_status check_number(const char *name, const char *unit, double value, bool is_allowed,
                                 const char *demand, atemi_error *error)
{
    if (isfinite(value) && is_allowed) {
        return ATEMI_OK;
    }
    return atemi_fail(error, ATEMI_ERROR_INPUT, "the %s of a contact is %g%s: it must be %s", name,
                      value, unit, demand);
}

atemi_spring_damper atemi_spring_damper_default(void)
{
    const atemi_spring_damper surface = {.stiffness = 1e4, .damping = 300.0};
    return surface;
}

atemi_status atemi_spring_damper_check(const atemi_spring_damper *parameters, atemi_error *error)
{
    ATEMI_REQUIRE_OR(parameters, ATEMI_ERROR_CONTRACT);
    const double       k = parameters->stiffness, c = parameters->damping;
    const atemi_status status = check_number("stiffness", " N/m", k, k > 0.0, "positive", error);
    return status != ATEMI_OK
               ? status
               : check_number("damping", " N s/m", c, c >= 0.0, "zero or positive", error);
}

atemi_hunt_crossley atemi_hunt_crossley_default(void)
{
    const atemi_hunt_crossley round = {.exponent = 1.5};
    return round;
}

atemi_status atemi_hunt_crossley_check(const atemi_hunt_crossley *parameters, atemi_error *error)
{
    ATEMI_REQUIRE_OR(parameters, ATEMI_ERROR_CONTRACT);
    const double k = parameters->stiffness, alpha = parameters->dissipation;
    const double p = parameters->exponent;
    atemi_status status = check_number("stiffness", " N/m^p", k, k > 0.0, "positive", error);
    if (status == ATEMI_OK) {
        status =
            check_number("dissipation", " s/m", alpha, alpha >= 0.0, "zero or positive", error);
    }
    return status != ATEMI_OK ? status
                              : check_number("exponent", "", p, p >= 1.0, "at least 1", error);
}

// ---- Laws

atemi_compliance atemi_compliance_compression_damper(const atemi_spring_damper *parameters)
{
    const atemi_compliance law = {compression_force, spring_energy, compression_slopes, parameters};
    return law;
}

atemi_compliance atemi_compliance_kelvin_voigt(const atemi_spring_damper *parameters)
{
    const atemi_compliance law = {kelvin_voigt_force, spring_energy, kelvin_voigt_slopes,
                                  parameters};
    return law;
}

atemi_compliance atemi_compliance_hunt_crossley(const atemi_hunt_crossley *parameters)
{
    const atemi_compliance law = {hunt_crossley_force, hunt_crossley_energy, hunt_crossley_slopes,
                                  parameters};
    return law;
}

double atemi_compliance_force(const atemi_compliance *law, double depth, double rate)
{
    ATEMI_REQUIRE_OR(law && law->force, 0.0);
    return depth > 0.0 ? law->force(law->context, depth, rate) : 0.0;
}

double atemi_compliance_energy(const atemi_compliance *law, double depth)
{
    ATEMI_REQUIRE_OR(law, 0.0);
    return depth > 0.0 && law->energy ? law->energy(law->context, depth) : 0.0;
}

bool atemi_compliance_slopes(const atemi_compliance *law, double depth, double rate,
                             double *by_depth, double *by_rate)
{
    ATEMI_REQUIRE_OR(law && by_depth && by_rate, false);
    *by_depth = 0.0;
    *by_rate = 0.0;
    if (law->slopes && depth > 0.0) {
        law->slopes(law->context, depth, rate, by_depth, by_rate);
    }
    return law->slopes != NULL;
}

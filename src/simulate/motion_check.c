// SPDX-License-Identifier: Apache-2.0

#include "simulate/motion_check.h"

#include "simulate/events/evaluation.h"

#include <math.h>

static const double fastest = 1e6; // m/s or rad/s: beyond, numbers mean nothing any more

static void note(atemi_evaluation *e, double time, int rate, int link)
{
    if (e->fault.rate == ATEMI_NONE && e->fault.link == ATEMI_NONE) {
        e->fault = (atemi_input_fault){.rate = rate, .link = link, .time = time};
    }
}

static bool is_finite(const atemi_force *force)
{
    return atemi_vec3_is_finite(force->linear) && atemi_vec3_is_finite(force->angular);
}

void atemi_inputs_look(atemi_evaluation *e, double time)
{
    const int rates = atemi_model_v_count(e->model);
    const int links = e->hooks->external_forces ? atemi_model_link_count(e->model) : 0;
    for (int i = 0; i < rates; ++i) {
        if (!isfinite(e->applied[i])) {
            note(e, time, i, ATEMI_NONE);
        }
    }
    for (int i = 0; i < links; ++i) {
        if (!is_finite(&e->external[i])) {
            note(e, time, ATEMI_NONE, i);
        }
    }
}

static const char *joint_of(const atemi_model *model, int rate)
{
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        if (joint->v_count > 0 && rate >= joint->first_v &&
            rate < joint->first_v + joint->v_count) {
            return joint->name;
        }
    }
    return "base";
}

atemi_status atemi_inputs_check(const atemi_evaluation *e, atemi_error *error)
{
    const atemi_input_fault *fault = &e->fault;
    if (fault->rate != ATEMI_NONE) {
        return atemi_fail(error, ATEMI_ERROR_SINGULAR,
                          "at t = %.9g s the torque of '%s' (tau[%d]) is not finite; look at what "
                          "computes it",
                          fault->time, joint_of(e->model, fault->rate), fault->rate);
    }
    return fault->link == ATEMI_NONE
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_SINGULAR,
                            "at t = %.9g s the external force on link '%s' is not finite; look at "
                            "what computes it",
                            fault->time, atemi_model_link(e->model, fault->link)->name);
}

bool atemi_motion_is_bounded(const atemi_evaluation *e, const double *v)
{
    bool bounded = true;
    for (int i = 0; i < atemi_model_v_count(e->model); ++i) {
        bounded = bounded && fabs(v[i]) < fastest;
    }
    return bounded;
}

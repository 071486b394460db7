// SPDX-License-Identifier: Apache-2.0

#include "simulate/events/mode_prediction.h"

#include "brick_rig.h"
#include "check.h"

#include <string.h>

static const double g = 9.81;

// Predicts with all points open, whose modes would be wrong for an evaluation.
static void predict(trial *t, double friction, atemi_vec3 force)
{
    brick_begin_pulled(t, friction, &force);
    atemi_simulation *s = t->simulation;
    for (int i = 0; i < 4; ++i) {
        atemi_point_open(&s->set, i);
    }
    CHECK_STATUS(atemi_evaluate_state(&s->step.evaluation, &s->set, &s->state), ATEMI_OK);
    atemi_evaluation_predict_modes(&s->step.evaluation, &s->set, &s->state);
}

static double sum_of_forces(const trial *t)
{
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        sum += t->simulation->step.evaluation.prediction.forces[i].z;
    }
    return sum;
}

// It sticks while the pull is less than mu m g, slips along it beyond, and leaves with m g upwards.
TEST(mode_prediction, of_a_pulled_brick_follows_coulomb)
{
    const double mu = 0.5, weight = brick_mass * g;
    trial        t;
    predict(&t, mu, (atemi_vec3){0.9 * mu * weight, 0.0, 0.0});
    const atemi_mode_prediction *p = &t.simulation->step.evaluation.prediction;
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(p->modes[i], ATEMI_CONTACT_STICK);
    }
    CHECK_NEAR(sum_of_forces(&t), weight, 1e-6 * weight); // by a moment of 10 us
    trial_end(&t);
    predict(&t, mu, (atemi_vec3){0.0, 1.1 * mu * weight, 0.0});
    p = &t.simulation->step.evaluation.prediction;
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(p->modes[i], ATEMI_CONTACT_SLIP);
        CHECK_NEAR(p->directions[i].y, 1.0, 1e-9);
    }
    trial_end(&t);
    predict(&t, mu, (atemi_vec3){0.0, 0.0, 1.1 * weight});
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(t.simulation->step.evaluation.prediction.modes[i], ATEMI_CONTACT_OPEN);
    }
    CHECK_NEAR(sum_of_forces(&t), 0.0, 1e-9);
    trial_end(&t);
}

// Neither state nor contacts change, to the bit; a second prediction, which begins with the forces
// of the first, comes to the same modes.
TEST(mode_prediction, changes_neither_state_nor_contacts)
{
    trial t;
    predict(&t, 0.5, (atemi_vec3){3.0, 0.0, 0.0});
    atemi_simulation        *s = t.simulation;
    atemi_mode_prediction   *p = &s->step.evaluation.prediction;
    const atemi_contact_mode first = p->modes[0];
    atemi_contact_state      states[4];
    double                   q[7], v[6];
    memcpy(states, s->set.states, sizeof states);
    memcpy(q, s->state.q, sizeof q);
    memcpy(v, s->state.v, sizeof v);
    atemi_evaluation_predict_modes(&s->step.evaluation, &s->set, &s->state);
    CHECK(!memcmp(states, s->set.states, sizeof states));
    CHECK(!memcmp(q, s->state.q, sizeof q) && !memcmp(v, s->state.v, sizeof v));
    for (int i = 0; i < 4; ++i) {
        CHECK_EQUAL_INT(s->set.modes[i], ATEMI_CONTACT_OPEN);
        CHECK_EQUAL_INT(p->modes[i], first);
    }
    atemi_mode_prediction_apply(p, &s->set);
    CHECK_EQUAL_INT(s->set.modes[0], first);
    trial_end(&t);
}

// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation.h"

#include "bodies.h"
#include "check.h"
#include "trial.h"

#include <math.h>
#include <string.h>

// What a simulation says has acted on the robot explains how its momentum and its energy change.

static const double g = 9.81;

typedef struct stock {
    atemi_vec3 momentum;
    double     energy;
} stock;

static stock stock_of(trial *t)
{
    const double energy = trial_energy(t);
    return (stock){atemi_momentum(trial_kinematics(t)).linear, energy};
}

// `scale` is of energies; momenta have m g t.
static void check_books(trial *t, const stock *first, double scale, double tolerance)
{
    const atemi_simulation_ledger l = atemi_simulation_ledger_get(t->simulation);
    const stock                   now = stock_of(t);
    const double                  time = atemi_simulation_time(t->simulation);
    const double                  weight = g * atemi_model_mass(t->setting.model);
    const atemi_vec3              fall = {0.0, 0.0, -weight * time};
    const atemi_vec3 acted = atemi_vec3_add(atemi_vec3_add(l.impulse, l.external_impulse), fall);
    const atemi_vec3 change = atemi_vec3_sub(now.momentum, first->momentum);
    const double     work =
        l.torque_work + l.friction_work + l.contact_work + l.external_work + l.collision_work;
    CHECK_NEAR(atemi_vec3_norm(atemi_vec3_sub(change, acted)), 0.0, tolerance * weight * time);
    CHECK_NEAR(now.energy - first->energy, work, tolerance * scale);
}

// ---- Collisions
// ----------------------------------------------------------------------------------

typedef struct heard {
    int        collisions;
    atemi_vec3 impulse; ///< of all points
    atemi_vec3 standing;
    double     energy;
} heard;

static void hear(void *context, const atemi_event *event)
{
    heard *h = (heard *)context;
    if (event->kind == ATEMI_EVENT_TOUCHDOWN && event->impulses && !h->collisions++) {
        h->impulse = atemi_vec3_add(event->impulses[0], event->impulses[1]);
        h->standing = event->impulses[1 - event->point];
        h->energy = event->energy;
    }
}

// A plank, 2b wide and 2h high, that stands on one edge and falls flat: as it is wide, the edge it
// stands on takes a part of the blow, and all is at rest after it. With w the rate it comes with, R
// from the centre to an edge:
//
//   energy lost = m (R^2 + r^2) w^2 / 2,   r^2 = (b^2 + h^2) / 3;    impulse = -m w x (centre -
//   edge)
TEST(ledger, hears_of_the_impulse_of_what_stood_before)
{
    const double           b = 0.3, h = 0.05, m = 3.0, tilt = 0.2, turned = atan2(h, b) + tilt;
    const double           R = hypot(b, h), inertia = m * (4.0 / 3.0) * R * R;
    const atemi_vec3       size = {2.0 * b, 0.3, 2.0 * h};
    const double           w = sqrt(2.0 * m * g * (R * sin(turned) - h) / inertia);
    const double           q[3] = {-R * cos(turned), R * sin(turned), tilt}, v[3] = {0};
    body                   plank = body_box(m, size);
    atemi_simulation_point bottom[4];
    heard                  collision = {0};
    atemi_simulation      *simulation;
    const atemi_surface    floor = atemi_surface_floor();
    const atemi_simulation_hooks hooks = {.event = hear, .context = &collision};
    plank.base = ATEMI_BASE_SAGITTAL;
    rough_bottom(size, 2.0, bottom);
    atemi_model *model = body_model(&plank);
    CHECK_STATUS(
        atemi_simulation_create(model, &floor, 1, bottom, 2, NULL, &hooks, &simulation, NULL),
        ATEMI_OK);
    CHECK_STATUS(atemi_simulation_start(simulation, 0.0, q, v, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_simulation_run(simulation, 1.0, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(collision.collisions, 1);
    CHECK_NEAR(collision.energy, 0.5 * inertia * w * w, 1e-8);
    CHECK_NEAR(fabs(collision.impulse.x), m * w * h, 1e-8);
    CHECK_NEAR(collision.impulse.z, m * w * b, 1e-8);
    CHECK(collision.standing.z > 0.1 * collision.impulse.z);
    CHECK_NEAR(atemi_simulation_ledger_get(simulation).collision_work, -collision.energy, 1e-9);
    atemi_simulation_destroy(simulation);
    atemi_model_destroy(model);
}

// ---- Whole motions --------------------------------------------------------------------------

static void give_torque(void *context, double time, const double *q, const double *v, double *tau)
{
    (void)context;
    tau[7 - 1] = 0.3 * sin(5.0 * time) - 0.05 * v[6] - 0.2 * q[7];
}

static void give_push(void *context, double time, atemi_force *forces)
{
    (void)context;
    forces[0].linear.x += 2.0 * sin(3.0 * time);
    forces[0].angular.z += 0.2 * cos(3.0 * time);
}

static void begin_cart(trial *t, double friction, double step)
{
    static const cart      wagon = {2.0, 0.6, 0.4, 0.004};
    atemi_simulation_point bottom[4];
    rough_bottom(brick_size, friction, bottom);
    const trial_setting setting = {.model = cart_model(&wagon, false),
                                   .surface = atemi_surface_floor(),
                                   .points = bottom,
                                   .count = 4,
                                   .step = step,
                                   .hooks = {.torque = give_torque, .external_forces = give_push}};
    trial_begin(t, &setting);
}

// A cart that is dropped, slides, is pushed and has a motor.
TEST(ledger, closes_over_drops_slides_pushes_and_motors)
{
    const double q[8] = {0, 0, 0.5 * brick_size.z + 0.02, 0, 0, 0, 1, 0.5};
    const double v[7] = {1.0, 0.3, 0, 0, 0, 0, 1.0};
    trial        t;
    begin_cart(&t, 0.2, 1e-3);
    trial_start(&t, q, v);
    const stock first = stock_of(&t);
    for (int i = 1; i <= 20; ++i) {
        trial_run(&t, 0.1 * i);
        check_books(&t, &first, 10.0, 1e-6);
    }
    const atemi_simulation_ledger l = atemi_simulation_ledger_get(t.simulation);
    CHECK(trial_count(&t, ATEMI_EVENT_TOUCHDOWN) > 0);
    CHECK(l.collision_work < 0.0 && l.contact_work < 0.0 && fabs(l.external_work) > 0.0);
    trial_end(&t);
}

// A ball on a soft floor, whose force stores energy and gives it back. Friction there has a corner
// at 1 cm/s, which no step ends at.
TEST(ledger, counts_what_soft_surfaces_do)
{
    const atemi_spring_damper soft = {.stiffness = 2000.0, .damping = 3.0};
    const atemi_compliance    spring = atemi_compliance_kelvin_voigt(&soft);
    const double              q[7] = {0, 0, 0.3, 0, 0, 0, 1}, v[6] = {0.2, 0, 0, 0, 1.0, 0};
    const body                ball = body_ball(1.0, 0.1, 0.4);
    atemi_simulation_point    point = rough_point((atemi_vec3){0.0, 0.0, 0.0}, 0.05);
    trial                     t;
    point.radius = 0.1;
    point.compliance = &spring;
    const trial_setting setting = {.model = body_model(&ball),
                                   .surface = atemi_surface_floor(),
                                   .points = &point,
                                   .count = 1,
                                   .step = 2e-4};
    trial_begin(&t, &setting);
    trial_start(&t, q, v);
    const stock first = stock_of(&t);
    trial_run(&t, 0.6);
    check_books(&t, &first, 3.0, 1e-6);
    CHECK(atemi_simulation_ledger_get(t.simulation).contact_work < -1e-3);
    trial_end(&t);
}

// SPDX-License-Identifier: Apache-2.0

/// @file
/// The hybrid simulation: a robot that moves smoothly while its contacts keep their modes, and
/// changes them at events that are located in time.
///
/// Points of the robot may touch surfaces of the world. The points of one link that touch one
/// surface make a patch; its closed points stick or slip together. While modes last, accelerations
/// and forces are exact (atemi/constrained_dynamics.h); when a mode ends, the step is cut at that
/// instant.

#pragma once

#include "atemi/bump.h"
#include "atemi/constrained_dynamics.h"
#include "atemi/surface.h"

ATEMI_BEGIN

/// A point of the robot that may touch a surface.
typedef struct atemi_simulation_point {
    int        link;
    atemi_vec3 point;   ///< in the link's frame
    int        surface; ///< index
    double     static_friction, kinetic_friction;
    double     restitution;
} atemi_simulation_point;

typedef enum atemi_event_kind {
    ATEMI_EVENT_TOUCHDOWN, ///< a point has reached its surface: a bump
    ATEMI_EVENT_LIFT_OFF,  ///< a point has left its surface
    ATEMI_EVENT_SLIP,      ///< a patch has begun to slip
    ATEMI_EVENT_STICK,     ///< a patch has stopped slipping
} atemi_event_kind;

typedef struct atemi_event {
    atemi_event_kind kind;
    double           time;
    int              point; ///< that it happened to, or the first of its patch
} atemi_event;

/// What a simulation asks its user for. Both may be NULL: no torque, no interest.
typedef struct atemi_simulation_hooks {
    void (*torque)(void *context, double time, const double *q, const double *v, double *tau);
    void (*event)(void *context, const atemi_event *event);
    void *context;
} atemi_simulation_hooks;

typedef struct atemi_simulation_options {
    double step;           ///< of the Runge-Kutta method, s
    bool   joint_friction; ///< the model's own friction and damping act
    double slowest_bounce; ///< slower than this, in m/s, points do not bounce but stay
} atemi_simulation_options;

/// 1 ms, with joint friction, 1 mm/s.
ATEMI_API atemi_simulation_options atemi_simulation_options_default(void);

typedef struct atemi_simulation atemi_simulation;

/// Makes a simulation; it keeps the model, copies everything else. The surfaces' height tables
/// remain the caller's.
ATEMI_API atemi_status atemi_simulation_create(
    const atemi_model *model, const atemi_surface *surfaces, int surface_count,
    const atemi_simulation_point *points, int point_count, const atemi_simulation_options *options,
    const atemi_simulation_hooks *hooks, atemi_simulation **simulation, atemi_error *error);
ATEMI_API void atemi_simulation_destroy(atemi_simulation *simulation);

/// Puts the robot somewhere. Points within 1e-9 m of their surface are in touch: what approaches
/// bumps, what rests is given its mode.
/// @return ATEMI_ERROR_SINGULAR if no consistent modes are found
ATEMI_API atemi_status atemi_simulation_start(atemi_simulation *simulation, double time,
                                              const double *q, const double *v, atemi_error *error);

/// Simulates until `time`. No allocation.
/// @return ATEMI_ERROR_SINGULAR if the motion cannot be continued: jamming, contradicting contacts,
/// or
///         modes that do not settle; the state is that of the last instant reached
ATEMI_API atemi_status atemi_simulation_run(atemi_simulation *simulation, double time,
                                            atemi_error *error);

/// The state reached.
ATEMI_API double             atemi_simulation_time(const atemi_simulation *simulation);
ATEMI_API const double      *atemi_simulation_q(const atemi_simulation *simulation);
ATEMI_API const double      *atemi_simulation_v(const atemi_simulation *simulation);
ATEMI_API const double      *atemi_simulation_a(const atemi_simulation *simulation);
ATEMI_API atemi_contact_mode atemi_simulation_mode(const atemi_simulation *simulation, int point);

/// The force of the world on a point, world axes. Points of a patch share its force in a way that
/// has the right sum and moment.
ATEMI_API atemi_vec3 atemi_simulation_force(const atemi_simulation *simulation, int point);

ATEMI_END

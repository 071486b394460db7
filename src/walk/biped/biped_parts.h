// SPDX-License-Identifier: Apache-2.0

/// @file
/// The parts of a biped's controller.

#pragma once

#include "atemi/biped.h"

#include <math.h>

/// A place on the floor.
typedef struct floor_point {
    double x, y;
} floor_point;

/// Position, velocity and acceleration along an axis.
typedef struct biped_axis {
    double position, velocity, acceleration;
} biped_axis;

/// The state of the body that gait and tasks need.
typedef struct biped_view {
    atemi_vec3      center, velocity; ///< of mass
    atemi_force     momentum;
    atemi_transform soles[ATEMI_SIDES];   ///< at the pressures' places
    atemi_motion    motions[ATEMI_SIDES]; ///< there
    double          forces[ATEMI_SIDES];
    floor_point     capture;
    double          rate; ///< sqrt(g / height)
} biped_view;

static inline double biped_within(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/// A part of a swing.
typedef struct biped_window {
    double from, to;
} biped_window;

/// A place for a sole.
typedef struct biped_foothold {
    int         side;
    floor_point place;       ///< of the pressure at rest
    double      heading;     ///< of the sole
    double      height;      ///< of the floor there
    floor_point slope;       ///< how that rises along the world's axes
    double      time;        ///< from the landing before to this one
    double      back, ahead; ///< how far balance may move it along its heading
    double      aside;       ///< the same to both sides
} biped_foothold;

enum { BIPED_STEPS_AHEAD = 4 };

/// The footholds that are known: those of the soles that stand, and of the steps ahead. Heights
/// are those of the map, or of the footsteps given.
typedef struct biped_route {
    const atemi_surface  *map;   ///< heights of the floor; or NULL
    atemi_biped_footstep *given; ///< [given_count] of which `next` are taken into `ahead`
    int                   given_count, next;
    biped_foothold        stands[ATEMI_SIDES]; ///< where the soles are
    biped_foothold        ahead[BIPED_STEPS_AHEAD];
    int                   count; ///< of `ahead`; 0: nothing is known
    double                top;   ///< height of the floor that the swinging foot passes
    double                level; ///< of the heights here, as the sole shows it that stands
} biped_route;

/// The plan of the steps. Lengths in m, times in s.
typedef struct biped_gait {
    double forwards, sideways, turning;
    double width; ///< of the soles' middles at rest
    double apart; ///< the same that the floor holds, walking
    double step_time, double_support, starting;
    double narrowest, longest, fastest, slowest, last_change;

    atemi_biped_phase phase;
    int               support;
    double            clock, duration; ///< since the landing, until the next
    bool              walks;           ///< wanted
    long              landings;
    double            heading;           ///< of the support foot
    double            course;            ///< heading that is wanted of it
    double            rough;             ///< of the floor, a height that surprises, legs
    double            stride;            ///< fraction of the wanted step that floor and grip allow
    double            needed;            ///< time that the swinging foot takes to its foothold
    floor_point       sole;              ///< the support sole's middle
    floor_point       foothold;          ///< of the other one
    floor_point       passing_from;      ///< the pressure on landing
    floor_point       pressure, capture; ///< of the last tick
    floor_point       goal, goal_from;
    bool              leaves;  ///< rest is over: to the first step
    int               closing; ///< landings since it shall rest
    biped_route       route;
} biped_gait;

/// How a sole on the floor holds.
typedef struct biped_sole_grip {
    double x, y;  ///< velocity across, low-passed
    double noise; ///< variance of a sample of it
    double ratio; ///< |f_t| / f_n that it is asked for, low-passed
    double stood; ///< s, under load
    bool   slides;
} biped_sole_grip;

/// The plane that the floor is taken for.
typedef struct biped_slope {
    double      x, y; ///< how it rises along the world's axes
    floor_point from; ///< the sole that stands
    double      height;
} biped_slope;

/// How the floor holds.
typedef struct biped_grip {
    double          tick, unit; ///< s
    double          speed;      ///< of a sole that slides, m/s
    double          friction, confidence;
    biped_sole_grip soles[ATEMI_SIDES];
} biped_grip;

struct atemi_biped {
    const atemi_model        *model;
    atemi_biped_options       options;
    atemi_humanoid            humanoid;
    atemi_arena               arena;
    atemi_whole_body_control *control;
    double                   *posture;                                     ///< [q_count]
    double                   *accelerations, *weights, *before, *friction; ///< [v_count]
    double                    stretch; ///< of the legs at rest: hip to ankle, in legs
    double                    crouch;  ///< the same, bent as far as a knee carries the weight
    int                       root;
    double                    leg, gravity, height, mass;
    double                    time_unit; ///< sqrt(leg / g)
    /// Where the pressure rests, in the frame of the foot's link: the sole's middle, or as near to
    /// it as the ankle's effort allows.
    atemi_transform places[ATEMI_SIDES];
    double          low[ATEMI_SIDES], high[ATEMI_SIDES]; ///< of the pressure, forwards of its place
    double          ahead[ATEMI_SIDES]; ///< its place, forwards of the sole's middle

    biped_gait              gait;
    biped_axis              swing[4]; ///< x, y, z of the swinging sole's middle, and its heading
    biped_axis              rise;     ///< height of the centre of mass, where the route is known
    bool                    rises;    ///< whether that counts
    double                  lifted;   ///< height that the swing began at
    floor_point             lift;     ///< where
    bool                    swing_begins;
    biped_slope             slope;
    biped_grip              grip;
    long                    failures;
    double                  effort;
    atemi_whole_body_report report;
};

/// Finds the parts of the robot and its posture.
atemi_status biped_body_find(atemi_biped *biped, const atemi_humanoid_options *parts,
                             atemi_humanoid_scratch *scratch, atemi_error *error);

/// Whether a foot rolls with its leg: a leg of less than six joints cannot keep it flat.
bool biped_foot_rolls(const atemi_biped *biped, int side);

/// Knows where the soles stand, and as it begins to walk the steps ahead.
void biped_route_rest(atemi_biped *biped, const biped_view *view);
void biped_route_start(atemi_biped *biped, const biped_view *view);
void biped_route_plan(atemi_biped *biped);

/// The first step ahead has landed, with its pressure's place there.
void biped_route_land(biped_route *route, floor_point sole);

/// xi - u on landing at the first step ahead, for the steps after it.
floor_point biped_route_capture(const biped_gait *gait, double rate, double passing);

/// The nearest place to which balance may move a foothold.
floor_point biped_route_keep(const biped_foothold *foothold, floor_point place);

/// The rotation about z.
atemi_mat3 biped_heading(double angle);

/// Advances the plan by a tick.
void biped_gait_start(biped_gait *gait, const biped_view *view);
void biped_gait_update(atemi_biped *biped, const biped_view *view);

/// A quintic from a state to another one in `duration`, at `time`.
biped_axis biped_quintic(const biped_axis *from, const biped_axis *to, double duration,
                         double time);

/// From now on this sole stands; what it shows of the slope counts a part.
void biped_slope_stand(biped_slope *slope, const atemi_transform *sole);
void biped_slope_feel(biped_slope *slope, const atemi_transform *sole, bool rolls);

/// Height of the floor at a place.
double biped_slope_height(const biped_slope *slope, double x, double y);

/// The orientation of a sole that lies on the floor.
atemi_mat3 biped_slope_rotation(const biped_slope *slope, double heading);

/// When a foot goes across, of the time that it swings, where it rises and then comes down by these
/// multiples of its clearance.
biped_window biped_swing_window(double rise, double fall);

/// Advances the path of the swinging foot.
void biped_swing_update(atemi_biped *biped, const biped_view *view);

/// Advances the path of the centre of mass upwards.
void biped_rise_update(atemi_biped *biped, const biped_view *view);

/// Watches the soles. `wrenches` are those of the program on each sole, zero without contact;
/// `most` is the friction that is never exceeded.
void biped_grip_start(biped_grip *grip, const atemi_biped_options *options, double unit,
                      double leg);
void biped_grip_update(biped_grip *grip, const biped_view *view, const atemi_force *wrenches,
                       double weight, double most);

/// The fraction of a step that the friction felt allows.
double biped_grip_stride(const biped_grip *grip);

/// The tasks of a tick.
void biped_tasks_add(atemi_biped *biped, const biped_view *view, const atemi_biped_senses *senses);

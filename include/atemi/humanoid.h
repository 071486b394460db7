// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer motion. Humanoids: which links of a robot are its feet and hands, where its soles
/// and fists are, which way it faces, and postures to begin with.
///
/// All is found from the tree of joints, where they are, and what the links look and weigh like.
/// Names count for one thing only: a joint called finger, thumb or gripper begins a hand's fingers.
/// See docs/theory/humanoid.md.

#pragma once

#include "atemi/contact.h"
#include "atemi/inverse_kinematics.h"

ATEMI_BEGIN

enum { ATEMI_SIDE_RIGHT, ATEMI_SIDE_LEFT, ATEMI_SIDES };

/// What a sole or a fist was found from, the best source first.
typedef enum atemi_outline_source {
    ATEMI_OUTLINE_GIVEN,   ///< by the caller
    ATEMI_OUTLINE_SITE,    ///< a site of the robot
    ATEMI_OUTLINE_SHAPES,  ///< collision shapes, but meshes
    ATEMI_OUTLINE_POINTS,  ///< points of the caller, such as the vertices of meshes
    ATEMI_OUTLINE_JOINTS,  ///< of a hand: the joints of its fingers
    ATEMI_OUTLINE_INERTIA, ///< the box that has its mass and inertia
    ATEMI_OUTLINE_LENGTH,  ///< a fraction of the limb's length
} atemi_outline_source;

/// "option", "site", "shapes", "mesh", "joints", "inertia", "length of the limb".
ATEMI_API const char *atemi_outline_source_text(atemi_outline_source source);

/// A leg or an arm: the joints between the trunk and a foot or hand.
typedef struct atemi_limb {
    int    trunk;       ///< link that it begins at
    int    end;         ///< link: foot or hand
    int    joint_count; ///< that move, between both
    double length;      ///< of a leg: thigh and shin; of an arm: along all joints to the fist; m
} atemi_limb;

/// Of a leg: the joints that bend it forwards and backwards.
typedef struct atemi_leg_pitch {
    int hip, knee, ankle;
} atemi_leg_pitch;

/// What a foot stands on: a rectangle, as a site has it.
typedef struct atemi_sole {
    atemi_outline_source source;
    int                  site; ///< of the robot, or ATEMI_NONE
    atemi_transform      pose; ///< in the frame of the foot's link; x forwards, z up
    double               size_x, size_y;
} atemi_sole;

/// What a hand strikes with.
typedef struct atemi_fist {
    atemi_outline_source source;
    int                  site; ///< of the robot, or ATEMI_NONE
    atemi_vec3 point, axis;    ///< in the frame of the hand's link; the axis points out of it
} atemi_fist;

/// A robot with two legs and up to two arms; one without legs has one arm, the longest limb.
typedef struct atemi_humanoid {
    int             leg_count;            ///< 2, or 0
    int             arm_count;            ///< 0 to 2
    atemi_mat3      facing;               ///< forwards, left, up as columns, in the world
    atemi_limb      legs[ATEMI_SIDES];    ///< right, left
    atemi_leg_pitch pitches[ATEMI_SIDES]; ///< of the legs
    atemi_sole      soles[ATEMI_SIDES];
    atemi_limb      arms[ATEMI_SIDES]; ///< right, left; a single arm is first
    atemi_fist      fists[ATEMI_SIDES];
} atemi_humanoid;

/// What the caller knows better.
typedef struct atemi_humanoid_options {
    int                        feet[ATEMI_SIDES]; ///< links in any order; ATEMI_NONE: found
    int                        hand; ///< link of the first arm, on whatever side; ATEMI_NONE: found
    double                     sole_x, sole_y; ///< side lengths of the soles, m; 0: found
    const atemi_contact_point *points;         ///< [point_count] on the surfaces of links, or NULL
    int                        point_count;
} atemi_humanoid_options;

/// Nothing known.
ATEMI_API atemi_humanoid_options atemi_humanoid_options_default(void);

/// What the functions below compute in.
typedef struct atemi_humanoid_scratch atemi_humanoid_scratch;

/// Lays the scratch out on an arena.
/// @return NULL while measuring; also NULL, with a broken contract, when the arena is too small
ATEMI_API atemi_humanoid_scratch *atemi_humanoid_scratch_take(atemi_arena       *arena,
                                                              const atemi_model *model);

/// The data of the scratch: at the configuration that was looked at last.
ATEMI_API atemi_data *atemi_humanoid_data(const atemi_humanoid_scratch *scratch);

/// Finds feet, hands and all else.
///
/// Feet: the two limbs of at least three joints that reach lowest, equally low. Hands: of the limbs
/// that are left, the longest on each side, up to where its fingers begin. Forwards: across the
/// line between the feet, to where the feet reach beyond their ankles.
///
/// @param q       [q_count] base upright at the origin, feet flat, limbs about straight: mostly the
///                neutral one
/// @param options NULL for the defaults
/// @return ATEMI_ERROR_INPUT where a robot has neither two feet nor an arm, or more than two feet
///         reach equally low: the message says what to name
///
/// O(links^2 + links points). No allocation.
ATEMI_API atemi_status atemi_humanoid_find(const atemi_model *model, const double *q,
                                           const atemi_humanoid_options *options,
                                           atemi_humanoid_scratch       *scratch,
                                           atemi_humanoid *humanoid, atemi_error *error);

/// Whether a joint moves fingers: it is beyond a hand.
ATEMI_API bool atemi_humanoid_is_finger(const atemi_model *model, const atemi_humanoid *humanoid,
                                        int joint);

/// Whether a joint is between the trunk and the end of a limb; whether it carries the trunk that a
/// limb begins at, as a waist does.
ATEMI_API bool atemi_limb_has_joint(const atemi_model *model, const atemi_limb *limb, int joint);
ATEMI_API bool atemi_limb_is_carried_by(const atemi_model *model, const atemi_limb *limb,
                                        int joint);

/// How a humanoid stands. Places are forwards, left and up of the base's origin, m.
typedef struct atemi_stance {
    atemi_vec3           soles[ATEMI_SIDES]; ///< their middles
    double               hips;               ///< height of the hips' pitch joints above the ankles'
    atemi_posture_report report;             ///< how near the soles are to these places
} atemi_stance;

/// Bends the knees. The soles are below the centre of mass, and as far apart as they were.
///
/// @param knee   angle between thigh and shin, 0: straight; rad
/// @param q      [q_count] as of atemi_humanoid_find(); its legs are moved
ATEMI_API atemi_status atemi_humanoid_stand(const atemi_model    *model,
                                            const atemi_humanoid *humanoid, double knee,
                                            atemi_humanoid_scratch *scratch, double *q,
                                            atemi_stance *stance, atemi_error *error);

/// Where a fist shall be, and how.
typedef struct atemi_reach {
    atemi_vec3 place;  ///< forwards, outwards and up of the arm's first joint, of its length
    bool       aims;   ///< the fist's axis points forwards
    double     margin; ///< to the limits of joints, rad or m; half of it on short ranges
} atemi_reach;

/// Finds a posture of one arm, the best of many: the fist points forwards where it aims, is near
/// its place, and joints are amid their ranges. An arm of few joints comes as near as it can.
///
/// @param side ATEMI_SIDE_RIGHT or ATEMI_SIDE_LEFT, one of the arms there are
/// @param q    [q_count] the arm is moved, nothing else
/// @return the angle between the fist's axis and forwards, rad
ATEMI_API double atemi_humanoid_reach(const atemi_model *model, const atemi_humanoid *humanoid,
                                      int side, const atemi_reach *reach,
                                      atemi_humanoid_scratch *scratch, double *q);

ATEMI_END

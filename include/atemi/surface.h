// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer contact. Surfaces of the world that a robot may touch, the laws of those that are soft,
/// and shapes that touch.
///
/// Surfaces are planes, cylinders, capsules, spheres and height fields, into which slopes, stairs
/// and uneven ground are written. They stand still, or a link carries
/// them (atemi_scene_create() makes models of things that move).
///
/// What is seen from a point is the distance from the nearest point of the surface, positive on the
/// robot's side, with its first and second derivatives: a ball of radius r about the point touches
/// where the distance is r.

#pragma once

#include "atemi/model.h"

#include <stdbool.h>
#include <stdint.h>

ATEMI_BEGIN

typedef enum atemi_surface_kind {
    ATEMI_SURFACE_PLANE,    ///< through `position`, normal along `axis`
    ATEMI_SURFACE_SPHERE,   ///< about `position`; the robot is outside, or inside if `radius` < 0
    ATEMI_SURFACE_CYLINDER, ///< about the line through `position` along `axis`; likewise
    ATEMI_SURFACE_HEIGHTS,  ///< z = height(x, y) of a table, above `position`
} atemi_surface_kind;

/// A table of heights on a regular grid, between which a smooth surface is laid: its slope and its
/// curvature are continuous everywhere. It goes through all heights and depends on the 4 x 4
/// nearest ones. A table of a plane gives the plane, one of a polynomial of second degree gives
/// that but for the cells along the edge. Outside, the surface goes on with the slope of the edge,
/// turns level within one spacing and stays so: at the edge's height if the two outermost heights
/// are the same.
typedef struct atemi_height_table {
    int           columns, rows;        ///< along x and y, at least 2 each
    double        spacing_x, spacing_y; ///< m
    const double *heights;              ///< [rows x columns] above `position`, of the caller
} atemi_height_table;

/// A surface; which members count depends on its kind.
typedef struct atemi_surface {
    atemi_surface_kind kind;
    atemi_vec3         position;
    atemi_vec3         axis; ///< unit vector
    double             radius;
    double half_length; ///< of a cylinder that ends in half balls, a capsule; 0: it has no ends
    atemi_height_table table;
    /// Carried by a link of the model, in whose frame it is given, and which its forces push back.
    bool carried;
    int  link; ///< that carries it
} atemi_surface;

/// What a surface looks like from a point near it.
typedef struct atemi_surface_view {
    double     gap;    ///< distance, negative if the point is inside
    atemi_vec3 normal; ///< unit vector towards the robot's side: the gradient of the distance
    /// B, the second derivative of the distance: a point that keeps its distance while it moves
    /// with u has n.a = -u.B u, and the normal that it sees changes with B u.
    atemi_symmetric3 bending;
} atemi_surface_view;

/// The horizontal floor z = 0.
ATEMI_API atemi_surface atemi_surface_floor(void);

/// Whether the description makes sense: unit axis, radius not zero, a table of at least 2 x 2
/// finite heights with positive spacing.
ATEMI_API atemi_status atemi_surface_check(const atemi_surface *surface, atemi_error *error);

/// Whether a ball touches the surface at one place only, wherever it is: no valley of a table bends
/// sharper than the ball, and the ball fits into the sphere or cylinder it is inside of. What
/// touches at two places needs two contacts, which the nearest point alone does not show. O(columns
/// x rows) for tables: for creation, not for real time.
ATEMI_API atemi_status atemi_surface_check_ball(const atemi_surface *surface, double radius,
                                                atemi_error *error);

/// Looks at the surface from a point in world coordinates, or in those of the link that carries it,
/// in which the view then is. No allocation, O(1).
///
/// Of a table, the nearest point is the best of up to five minima of the distance, within eight
/// spacings. Among walls that are much steeper than 45 degrees a nearer one may be missed.
ATEMI_API atemi_surface_view atemi_surface_look(const atemi_surface *surface, atemi_vec3 point);

/// The parts of a capsule, which bend differently: the ends are half balls.
typedef enum atemi_capsule_part {
    ATEMI_CAPSULE_BOTTOM, ///< about position - half_length axis
    ATEMI_CAPSULE_SIDE,
    ATEMI_CAPSULE_TOP,
} atemi_capsule_part;

/// The part of a capsule that is nearest to a point; the side of all other surfaces.
ATEMI_API atemi_capsule_part atemi_surface_part_at(const atemi_surface *surface, atemi_vec3 point);

/// The same as atemi_surface_look(), as if that part of a capsule went on smoothly beyond its end.
ATEMI_API atemi_surface_view atemi_surface_look_at_part(const atemi_surface *surface,
                                                        atemi_capsule_part part, atemi_vec3 point);

// ---- Terrain ------------------------------------------------------------------------------------
//
// Slopes, stairs and uneven ground, written into a table of heights. Parts add up.

typedef enum atemi_terrain_kind {
    ATEMI_TERRAIN_SLOPE,  ///< rises by `angle` between `from` and `to`, and stays that high
    ATEMI_TERRAIN_STAIRS, ///< `count` steps of `rise` up, or down if negative, a `tread` apart
    ATEMI_TERRAIN_ROUGH,  ///< square tiles of random heights between `from` and `to`
} atemi_terrain_kind;

/// A part of a terrain, by its distance along a heading, which begins at the world's origin. Across
/// the heading it goes on for ever.
typedef struct atemi_terrain_part {
    atemi_terrain_kind kind;
    double             heading;     ///< rad from x towards y
    double             from, to;    ///< m; stairs begin at `from` and end by themselves
    double             angle;       ///< rad, of a slope
    double             rise, tread; ///< m
    int                count;
    double             height, tile; ///< m: tiles are at most that much higher or lower
    uint64_t           seed;
} atemi_terrain_part;

/// The height of the terrain at a place of the world. Steps between treads or tiles are ramps as
/// long as `edge`.
ATEMI_API double atemi_terrain_height(const atemi_terrain_part *parts, int count, double edge,
                                      double x, double y);

/// Writes the heights of a terrain into a table whose first height is at (x, y), with edges two
/// spacings long: the smooth surface over the table then misses the terrain by at most 4 % of a
/// step, within a spacing beside it.
/// @param heights [rows x columns] result, of the caller: those of the table
ATEMI_API void atemi_terrain_lay(const atemi_terrain_part *parts, int count, double x, double y,
                                 const atemi_height_table *table, double *heights);

// ---- Contact laws -------------------------------------------------------------------------------
//
// Compliant contact: the force of a soft surface as a function of how deep it is
// pressed and how fast.
//
// depth is the penetration along the surface's normal, m, positive in contact; rate is its time
// derivative, m/s, positive while it grows. A positive force, N, pushes the bodies apart. Nothing
// here allocates, keeps state or can fail at run time; each evaluation costs some ten operations,
// that of Hunt and Crossley a power.

/// A force law. Take one of those below, or fill in functions of your own.
///
/// The functions are called with depth > 0 only. They must be functions of their arguments alone,
/// so that threads can share a law.
typedef struct atemi_compliance {
    /// The force, N.
    double (*force)(const void *context, double depth, double rate);
    /// The elastic energy at this depth, J: the integral of the force at rate 0. NULL for a law
    /// that stores none.
    double (*energy)(const void *context, double depth);
    /// The partial derivatives of the force by depth, N/m, and by rate, N s/m; from the left where
    /// they jump. NULL where they are not known.
    void (*slopes)(const void *context, double depth, double rate, double *by_depth,
                   double *by_rate);
    /// Handed to the functions. Ours keep their parameters there.
    const void *context;
} atemi_compliance;

/// The force of the law: 0 unless depth > 0.
ATEMI_API double atemi_compliance_force(const atemi_compliance *law, double depth, double rate);

/// The elastic energy of the law: 0 unless depth > 0. What a contact takes from the bodies beyond
/// it is lost.
ATEMI_API double atemi_compliance_energy(const atemi_compliance *law, double depth);

/// The partial derivatives of the force: both 0 unless depth > 0.
/// @return false, and both 0, when the law does not give them
ATEMI_API bool atemi_compliance_slopes(const atemi_compliance *law, double depth, double rate,
                                       double *by_depth, double *by_rate);

/// The parameters of a linear spring with a linear damper beside it.
typedef struct atemi_spring_damper {
    double stiffness; ///< k, N/m
    double damping;   ///< c, N s/m
} atemi_spring_damper;

/// The surface that [SDC] strikes: 1e4 N/m and 300 N s/m.
ATEMI_API atemi_spring_damper atemi_spring_damper_default(void);

/// Refuses a stiffness that is not positive, a damping that is negative, and what is not finite.
ATEMI_API atemi_status atemi_spring_damper_check(const atemi_spring_damper *parameters,
                                                 atemi_error               *error);

/// The law of [SDC]: a spring whose damper works in compression only.
///
///     force = k depth + c rate   while rate > 0
///     force = k depth            otherwise
///
/// It jumps to c v at first touch with the speed v, and never pulls.
/// @param parameters must outlive the law, and must have passed the check
ATEMI_API atemi_compliance
atemi_compliance_compression_damper(const atemi_spring_damper *parameters);

/// Spring and damper after Kelvin and Voigt, which lets go where it would pull.
///
///     force = max(0, k depth + c rate)
///
/// It jumps to c v at first touch with the speed v.
/// @param parameters must outlive the law, and must have passed the check
ATEMI_API atemi_compliance atemi_compliance_kelvin_voigt(const atemi_spring_damper *parameters);

/// The parameters of the law of Hunt and Crossley.
typedef struct atemi_hunt_crossley {
    double stiffness;   ///< k, N/m^exponent
    double dissipation; ///< alpha, s/m: a slow impact at v has the restitution 1 - alpha v
    double exponent;    ///< p: 1.5 for round bodies (Hertz), 1 for a flat one
} atemi_hunt_crossley;

/// Hertz's exponent 1.5, no dissipation, and no stiffness: that is to be set.
ATEMI_API atemi_hunt_crossley atemi_hunt_crossley_default(void);

/// Refuses a stiffness that is not positive, a dissipation that is negative, an exponent below 1,
/// and what is not finite.
ATEMI_API atemi_status atemi_hunt_crossley_check(const atemi_hunt_crossley *parameters,
                                                 atemi_error               *error);

/// The law of [HuntCrossley75], which lets go where it would pull.
///
///     force = k depth^p max(0, 1 + 3/2 alpha rate)
///
/// It is continuous at first touch. In their own letters the damping is lambda depth^p rate with
/// lambda = 3/2 alpha k.
/// @param parameters must outlive the law, and must have passed the check
ATEMI_API atemi_compliance atemi_compliance_hunt_crossley(const atemi_hunt_crossley *parameters);

// ---- Shapes that touch each other or a surface. They are convex: boxes, balls, capsules,
// cylinders, and the convex hulls of meshes, of which up to 64 vertices are kept

/// A shape of a link, and what it is made of. Between two shapes friction and restitution are the
/// geometric means of both; on a surface they are those of the shape.
typedef struct atemi_touch_shape {
    int               link;
    atemi_shape       shape;
    atemi_transform   pose;     ///< in the link's frame
    atemi_vec3        size;     ///< as of atemi_geometry; not of a mesh
    const atemi_vec3 *vertices; ///< [vertex_count] of a mesh, in the shape's frame, scaled
    int               vertex_count;
    double            static_friction, kinetic_friction;
    double            restitution;
} atemi_touch_shape;

/// The shapes of a model's collision geometries, without meshes, with the same friction and
/// restitution for all.
/// @param shapes [geometry_count] memory for the result
/// @return how many there are
ATEMI_API int atemi_touch_shapes_of(const atemi_model *model, double friction, double restitution,
                                    atemi_touch_shape *shapes);

/// A place where two shapes touch or nearly do.
typedef struct atemi_touch_point {
    atemi_vec3 position; ///< half way between both
    atemi_vec3 normal;   ///< unit vector, from the second to the first
    double     gap;      ///< along it, m; negative if they overlap
    int        feature;  ///< which corners and edges: the same from state to state
} atemi_touch_point;

enum { ATEMI_TOUCH_MOST = 8 };

/// The places of one pair.
typedef struct atemi_touch_points {
    int               count;
    atemi_touch_point points[ATEMI_TOUCH_MOST];
} atemi_touch_points;

ATEMI_END

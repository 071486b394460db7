// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a URDF file says, in the order in which it says it, before names are looked up.

#pragma once

#include "atemi/model_builder.h"
#include "model/names.h"

/// The most parts of one kind besides links and joints.
enum { ATEMI_URDF_MAX_PARTS = 2 * ATEMI_MAX_LINKS };

/// A visual or collision element. Its colour is its own, or that of the material it names.
typedef struct atemi_urdf_shape {
    atemi_geometry_description geometry;
    const char                *material; ///< or NULL
} atemi_urdf_shape;

typedef struct atemi_urdf_material {
    const char *name; ///< or NULL
    double      color[4];
    bool        has_color;
} atemi_urdf_material;

/// The rotor of a motor, seen from the joint it drives.
typedef struct atemi_urdf_rotor {
    const char *joint;
    double      armature;
    atemi_place place;
} atemi_urdf_rotor;

/// What is odd but no error. Each kind is reported once, however often it occurs.
typedef enum atemi_urdf_oddity {
    ATEMI_URDF_ROBOT_WITHOUT_NAME,
    ATEMI_URDF_REPEATED_ELEMENT,
    ATEMI_URDF_JOINT_WITHOUT_LIMIT,
    ATEMI_URDF_LIMIT_WITHOUT_RANGE,
    ATEMI_URDF_NEGATIVE_LIMIT,
    ATEMI_URDF_USELESS_MIMIC,
    ATEMI_URDF_SHAPE_WITHOUT_GEOMETRY,
    ATEMI_URDF_UNKNOWN_MATERIAL,
    ATEMI_URDF_ROTOR_WITHOUT_JOINT,
    ATEMI_URDF_SECOND_ROTOR,
    ATEMI_URDF_ODDITY_COUNT
} atemi_urdf_oddity;

typedef struct atemi_urdf_occurrence {
    int         count;
    const char *name; ///< what it is about, the first time
    atemi_place place;
} atemi_urdf_occurrence;

typedef struct atemi_urdf_document {
    const char *robot;
    atemi_place place; ///< of <robot>
    atemi_vec3  gravity;
    bool        has_gravity; ///< the file says how strong it is

    atemi_link_description    *links;
    atemi_joint_description   *joints;
    atemi_site_description    *sites;
    atemi_urdf_shape          *shapes;
    atemi_urdf_material       *materials; ///< those with name and colour
    atemi_urdf_rotor          *rotors;
    atemi_posture_description *postures;
    atemi_loop_description    *loops;
    atemi_apart_description   *aparts;

    int link_count, joint_count, site_count, shape_count, material_count, rotor_count,
        posture_count, loop_count, apart_count;
    int link_capacity, joint_capacity, site_capacity, shape_capacity, material_capacity,
        rotor_capacity, posture_capacity, loop_capacity, apart_capacity;

    atemi_urdf_occurrence oddities[ATEMI_URDF_ODDITY_COUNT];
    atemi_string_pool     strings;
} atemi_urdf_document;

/// Appends a part whose strings live as long as the document.
/// @return ATEMI_OK, ATEMI_ERROR_MEMORY or ATEMI_ERROR_LIMIT
atemi_status atemi_urdf_document_add_link(atemi_urdf_document          *document,
                                          const atemi_link_description *link);
atemi_status atemi_urdf_document_add_joint(atemi_urdf_document           *document,
                                           const atemi_joint_description *joint);
atemi_status atemi_urdf_document_add_site(atemi_urdf_document          *document,
                                          const atemi_site_description *site);
atemi_status atemi_urdf_document_add_shape(atemi_urdf_document    *document,
                                           const atemi_urdf_shape *shape);
atemi_status atemi_urdf_document_add_material(atemi_urdf_document       *document,
                                              const atemi_urdf_material *material);
atemi_status atemi_urdf_document_add_rotor(atemi_urdf_document    *document,
                                           const atemi_urdf_rotor *rotor);
atemi_status atemi_urdf_document_add_posture(atemi_urdf_document             *document,
                                             const atemi_posture_description *posture);
atemi_status atemi_urdf_document_add_loop(atemi_urdf_document          *document,
                                          const atemi_loop_description *loop);
atemi_status atemi_urdf_document_add_apart(atemi_urdf_document           *document,
                                           const atemi_apart_description *pair);

/// Counts an oddity. `name` lives as long as the document; it may be NULL.
void atemi_urdf_document_note(atemi_urdf_document *document, atemi_urdf_oddity oddity,
                              const char *name, atemi_place place);

/// Gives shapes the colours of their materials and joints the inertia of their rotors.
atemi_status atemi_urdf_document_resolve(atemi_urdf_document *document, atemi_error *error);

/// Reports the oddities to the log hook. `file` may be NULL.
void atemi_urdf_document_report(const atemi_urdf_document *document, const char *file);

void atemi_urdf_document_destroy(atemi_urdf_document *document);

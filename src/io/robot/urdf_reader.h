// SPDX-License-Identifier: Apache-2.0

/// @file
/// From XML elements to a URDF document. The state of the reading, what reads each element, and
/// what they all share: attributes and complaints.

#pragma once

#include "io/robot/urdf_document.h"
#include "io/syntax/xml_reader.h"

#include <stdint.h>

/// The elements that have children of interest, and the rest.
typedef enum atemi_urdf_level {
    ATEMI_URDF_OUTSIDE,
    ATEMI_URDF_IN_ROBOT,
    ATEMI_URDF_IN_LINK,
    ATEMI_URDF_IN_INERTIAL,
    ATEMI_URDF_IN_SHAPE,
    ATEMI_URDF_IN_GEOMETRY,
    ATEMI_URDF_IN_MATERIAL,
    ATEMI_URDF_IN_JOINT,
    ATEMI_URDF_IN_TRANSMISSION,
    ATEMI_URDF_IN_ACTUATOR,
    ATEMI_URDF_IN_LEAF, ///< nothing inside is of interest
} atemi_urdf_level;

/// The rules nest six deep, as robot, link, visual, geometry, box inside the document; what no rule
/// opens is skipped and opens no level.
enum { ATEMI_URDF_MAX_LEVELS = 8 };

/// A link while its children are read.
typedef struct atemi_urdf_link_reading {
    atemi_link_description description;
    atemi_transform        inertial_pose;
    atemi_place            inertial_place;
    bool                   has_mass, has_inertia;
    atemi_urdf_shape       shape;
    bool                   has_shape;
} atemi_urdf_link_reading;

/// A joint while its children are read.
typedef struct atemi_urdf_joint_reading {
    atemi_joint_description description;
    bool                    has_limit;
} atemi_urdf_joint_reading;

/// A transmission while its children are read.
typedef struct atemi_urdf_transmission_reading {
    atemi_urdf_rotor rotor;
    double           rotor_inertia, gear_ratio;
} atemi_urdf_transmission_reading;

typedef struct atemi_urdf_reader {
    const char          *file; ///< for messages, or NULL
    atemi_urdf_document *document;
    atemi_error         *error;

    atemi_urdf_level levels[ATEMI_URDF_MAX_LEVELS];
    uint64_t         seen[ATEMI_URDF_MAX_LEVELS]; ///< rules that had their element there
    int              depth;                       ///< index of the innermost level
    int              skipped;                     ///< open elements below, of no interest
    int              unknown_count;               ///< elements and attributes that URDF has not

    const char *owner_kind; ///< "link", "joint", ... that messages name, or NULL
    const char *owner_name;

    atemi_urdf_link_reading         link;
    atemi_urdf_joint_reading        joint;
    atemi_urdf_material             material;
    atemi_urdf_transmission_reading transmission;
} atemi_urdf_reader;

/// Reads a whole file into `document`, which is to be destroyed whatever the result.
atemi_status atemi_urdf_read(const char *text, size_t size, const char *file,
                             atemi_urdf_document *document, atemi_error *error);

// ---- Complaints (urdf_attribute.c)

/// Makes an error that begins with "<element> of link 'arm': " and points at the element.
atemi_status atemi_urdf_complain(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                 const char *format, ...) ATEMI_PRINTF(3, 4);

/// Same as atemi_urdf_complain() for an element whose end has been reached.
atemi_status atemi_urdf_complain_at(const atemi_urdf_reader *reader, const char *element,
                                    atemi_place place, const char *format, ...) ATEMI_PRINTF(4, 5);

/// The error of a document that did not take a part; ATEMI_OK where it did.
atemi_status atemi_urdf_check_added(const atemi_urdf_reader *reader, atemi_status status,
                                    const char *parts, atemi_place place);

// ---- Attributes (urdf_attribute.c). What is absent leaves the value as it is.

/// A name that must be there; it is copied into the document.
atemi_status atemi_urdf_read_name(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                  const char *attribute, const char **name);
atemi_status atemi_urdf_read_numbers(const atemi_urdf_reader *reader,
                                     const atemi_xml_element *element, const char *attribute,
                                     int count, double *values);
atemi_status atemi_urdf_read_vector(const atemi_urdf_reader *reader,
                                    const atemi_xml_element *element, const char *attribute,
                                    atemi_vec3 *vector);
atemi_status atemi_urdf_read_number(const atemi_urdf_reader *reader,
                                    const atemi_xml_element *element, const char *attribute,
                                    double *value);
/// Zero or more; `quantity` is for the message, e.g. "a mass of 0 or more in kg".
atemi_status atemi_urdf_read_size(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                  const char *attribute, const char *quantity, double *value);
/// Fails where the attribute is absent.
atemi_status atemi_urdf_require(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                const char *attribute, const char *example);
/// xyz and rpy.
atemi_status atemi_urdf_read_pose(const atemi_urdf_reader *reader, const atemi_xml_element *element,
                                  atemi_transform *pose);

// ---- Elements. One function for each opening tag, and for each closing tag that completes a part.

typedef atemi_status (*atemi_urdf_start)(atemi_urdf_reader       *reader,
                                         const atemi_xml_element *element);

// urdf_link.c
atemi_status atemi_urdf_start_link(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_inertial(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_inertial_origin(atemi_urdf_reader       *reader,
                                              const atemi_xml_element *element);
atemi_status atemi_urdf_start_mass(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_inertia(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_site(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_end_inertial(atemi_urdf_reader *reader);
atemi_status atemi_urdf_end_link(atemi_urdf_reader *reader);

// urdf_shape.c
atemi_status atemi_urdf_start_visual(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_collision(atemi_urdf_reader       *reader,
                                        const atemi_xml_element *element);
atemi_status atemi_urdf_start_shape_origin(atemi_urdf_reader       *reader,
                                           const atemi_xml_element *element);
atemi_status atemi_urdf_start_box(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_cylinder(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_sphere(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_capsule(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_mesh(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_material(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_color(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_end_material(atemi_urdf_reader *reader);
atemi_status atemi_urdf_end_shape(atemi_urdf_reader *reader);

// urdf_joint.c
atemi_status atemi_urdf_start_joint(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_parent(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_child(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_joint_origin(atemi_urdf_reader       *reader,
                                           const atemi_xml_element *element);
atemi_status atemi_urdf_start_axis(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_limit(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_dynamics(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_mimic(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_end_joint(atemi_urdf_reader *reader);

// urdf_extension.c
atemi_status atemi_urdf_start_transmission(atemi_urdf_reader       *reader,
                                           const atemi_xml_element *element);
atemi_status atemi_urdf_start_transmission_joint(atemi_urdf_reader       *reader,
                                                 const atemi_xml_element *element);
atemi_status atemi_urdf_start_actuator(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_rotor_inertia(atemi_urdf_reader       *reader,
                                            const atemi_xml_element *element);
atemi_status atemi_urdf_start_gear_ratio(atemi_urdf_reader       *reader,
                                         const atemi_xml_element *element);
atemi_status atemi_urdf_end_actuator(atemi_urdf_reader *reader);
atemi_status atemi_urdf_end_transmission(atemi_urdf_reader *reader);
atemi_status atemi_urdf_start_posture(atemi_urdf_reader *reader, const atemi_xml_element *element);
atemi_status atemi_urdf_start_apart(atemi_urdf_reader *reader, const atemi_xml_element *element);

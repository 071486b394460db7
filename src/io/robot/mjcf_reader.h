// SPDX-License-Identifier: Apache-2.0

/// @file
/// From a tree of MJCF elements to a document of links and joints, the same that URDF becomes. The
/// state of the reading, what reads each element, and what they all share: attributes, classes,
/// complaints and notes.

#pragma once

#include "io/robot/mesh_search.h"
#include "io/robot/mjcf_tree.h"
#include "io/robot/urdf_document.h"

/// The elements whose attributes are read. Those up to ATEMI_MJCF_CLASSED take what they do not
/// say themselves from their default class.
typedef enum atemi_mjcf_kind {
    ATEMI_MJCF_JOINT,
    ATEMI_MJCF_GEOM,
    ATEMI_MJCF_SITE,
    ATEMI_MJCF_MESH,
    ATEMI_MJCF_MATERIAL,
    ATEMI_MJCF_ACTUATOR,
    ATEMI_MJCF_EQUALITY,
    ATEMI_MJCF_CLASSED, ///< their number
    ATEMI_MJCF_COMPILER = ATEMI_MJCF_CLASSED,
    ATEMI_MJCF_OPTION,
    ATEMI_MJCF_MODEL,
    ATEMI_MJCF_DEFAULT,
    ATEMI_MJCF_SECTION,
    ATEMI_MJCF_BODY,
    ATEMI_MJCF_FRAME,
    ATEMI_MJCF_INERTIAL,
    ATEMI_MJCF_FREE,
    ATEMI_MJCF_KEY,
    ATEMI_MJCF_EXCLUDE,
    ATEMI_MJCF_KINDS
} atemi_mjcf_kind;

/// The longest list of attributes in mjcf_part.c, which checks it. And no more classes are read.
enum { ATEMI_MJCF_MAX_KNOWN = 40, ATEMI_MJCF_MAX_CLASSES = 2000 };

/// An element with the values that hold for it: its own, or those of its class.
typedef struct atemi_mjcf_part {
    const atemi_mjcf_element *element;
    atemi_mjcf_kind           kind;
    const char               *values[ATEMI_MJCF_MAX_KNOWN]; ///< by attribute; NULL where none
} atemi_mjcf_part;

/// A default class, with all that it inherits.
typedef struct atemi_mjcf_class {
    const char *name;
    const char *values[ATEMI_MJCF_CLASSED][ATEMI_MJCF_MAX_KNOWN];
} atemi_mjcf_class;

typedef enum atemi_mjcf_switch {
    ATEMI_MJCF_FALSE,
    ATEMI_MJCF_TRUE,
    ATEMI_MJCF_AUTO
} atemi_mjcf_switch;

/// <compiler> and <option>.
typedef struct atemi_mjcf_settings {
    double            angle; ///< rad for each unit of the file's angles
    char              euler[4];
    bool              autolimits, balance_inertia, strip_path, exact_meshes;
    atemi_mjcf_switch inertia_from_geom;
    double            bound_mass, bound_inertia, total_mass;
    int               inertia_groups[2];
    const char       *mesh_folder; ///< or NULL
} atemi_mjcf_settings;

/// What the robot does without. Each kind is reported once, however often it occurs.
typedef struct atemi_mjcf_note {
    const char *text; ///< what it is about, in the document
    const char *file;
    atemi_place place;
    int         count;
    bool        unused; ///< an element or attribute that is not read at all
} atemi_mjcf_note;

typedef struct atemi_mjcf_reader {
    atemi_mjcf_tree     *tree;
    atemi_urdf_document *document;
    atemi_mesh_search   *search;
    atemi_error         *error;
    atemi_mjcf_settings  settings;
    atemi_mjcf_class    *classes; ///< the first is that of elements without one
    int                  class_count, class_capacity;
    atemi_mjcf_note     *notes;
    int                  note_count, note_capacity;
    bool                *noted;  ///< elements whose attributes have been looked through
    atemi_transform     *frames; ///< of every <frame>, in its body
    int                  frame_count, frame_capacity;
    atemi_mjcf_element **meshes;
    atemi_name          *mesh_names; ///< sorted
    int                  mesh_count;
    atemi_mjcf_element **joints; ///< with coordinates, in the order of MuJoCo's qpos
    int                  joint_count, joint_capacity;
    int                  coordinate_count; ///< of MuJoCo's qpos
    atemi_name          *joint_names;      ///< of the joints, sorted
    bool                 coupled;          ///< mimic joints have no coordinate of their own
    atemi_mjcf_element  *root; ///< the free body that is the robot's root; NULL: the world
    atemi_vec3           gravity;
    bool                 has_gravity;
    int                  unnamed_count;
} atemi_mjcf_reader;

/// Reads a file into `document`, which is to be destroyed whatever the result.
/// @param coupled mimic joints have no coordinate, and so no value in postures
atemi_status atemi_mjcf_read(const char *text, size_t size, const char *name,
                             atemi_mesh_search *search, bool coupled, atemi_urdf_document *document,
                             atemi_error *error);

// ---- Complaints and notes (mjcf_note.c)

/// Makes an error that begins with "<element> 'name': " and points at the element.
atemi_status atemi_mjcf_complain(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                 const char *format, ...) ATEMI_PRINTF(3, 4);
atemi_status atemi_mjcf_no_memory(const atemi_mjcf_reader *reader);

/// The place of an element, where the model builder's file is its own; else none.
atemi_place atemi_mjcf_place(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element);

/// The error of a document that did not take a part; ATEMI_OK where it did.
atemi_status atemi_mjcf_check_added(const atemi_mjcf_reader  *reader,
                                    const atemi_mjcf_element *element, atemi_status status);

/// Notes that something is understood, but not part of the model: "joint 'knee': text".
atemi_status atemi_mjcf_note_loss(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                  const char *text);

/// Notes an element, or an attribute of it, that is not read.
atemi_status atemi_mjcf_note_unused(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                    const char *attribute);

/// Reports all notes to the log hook.
void atemi_mjcf_report(const atemi_mjcf_reader *reader);

// ---- Parts and classes (mjcf_part.c)

/// The kind of an element inside <default>, or ATEMI_MJCF_CLASSED.
atemi_mjcf_kind atemi_mjcf_kind_in_class(const atemi_mjcf_element *element);

/// Reads <default>.
atemi_status atemi_mjcf_read_classes(atemi_mjcf_reader *reader);

/// The element with what its class gives it; attributes that are not read are noted.
atemi_status atemi_mjcf_part_of(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                atemi_mjcf_kind kind, atemi_mjcf_part *part);

/// The value of an attribute that the kind has, or NULL.
const char *atemi_mjcf_value(const atemi_mjcf_part *part, const char *attribute);

// ---- Attributes (mjcf_attribute.c). What is absent leaves the value as it is.

atemi_status atemi_mjcf_numbers(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                const char *attribute, int count, double *values);
/// Up to `most` numbers; `found` may be NULL.
atemi_status atemi_mjcf_some_numbers(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                     const char *attribute, int most, double *values, int *found);
atemi_status atemi_mjcf_number(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               const char *attribute, double *value);
/// Zero or more.
atemi_status atemi_mjcf_size(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             const char *attribute, double *value);
atemi_status atemi_mjcf_vector(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               const char *attribute, atemi_vec3 *value);
/// true, false, and auto where `*value` is a switch with that.
atemi_status atemi_mjcf_read_switch(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                    const char *attribute, bool has_auto, atemi_mjcf_switch *value);
atemi_status atemi_mjcf_flag(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             const char *attribute, bool *value);
/// The index of the attribute's word among `words`, which end in NULL.
atemi_status atemi_mjcf_choice(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                               const char *attribute, const char *const *words, int *index);
/// Whether a range of two numbers holds: as its switch says, or by itself with autolimits.
atemi_status atemi_mjcf_range(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                              const char *attribute, const char *switch_attribute, bool *limited,
                              double range[2]);
/// rgba, each between 0 and 1.
atemi_status atemi_mjcf_color(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                              double color[4]);
/// A copy in the document; the element's name, or one made of `stem` and a number.
atemi_status atemi_mjcf_name(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                             const char *stem, const char **name);
atemi_status atemi_mjcf_copy(const atemi_mjcf_reader *reader, const char *text, const char **copy);

// ---- Poses (mjcf_pose.c)

/// pos and quat, axisangle, xyaxes, zaxis or euler, as the element says.
atemi_status atemi_mjcf_pose(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                             atemi_transform *pose);
/// The rotation that turns z into the direction of `axis` the shortest way.
atemi_mat3 atemi_mjcf_turn_to(atemi_vec3 axis);
/// Reads every <frame>; then what the frames around an element do to it, up to its body or the
/// world.
atemi_status    atemi_mjcf_read_frames(atemi_mjcf_reader *reader);
atemi_transform atemi_mjcf_frame(const atemi_mjcf_reader  *reader,
                                 const atemi_mjcf_element *element);
/// The body around an element, or NULL in the world.
atemi_mjcf_element *atemi_mjcf_body_of(const atemi_mjcf_element *element);

// ---- Elements

/// <compiler> and <option> (mjcf_settings.c).
atemi_status atemi_mjcf_read_settings(atemi_mjcf_reader *reader);

/// Assets (mjcf_asset.c).
atemi_status atemi_mjcf_read_assets(atemi_mjcf_reader *reader);
/// The mesh of that name, or NULL.
const atemi_mjcf_element *atemi_mjcf_find_mesh(const atemi_mjcf_reader *reader, const char *name);
/// The address of a mesh's file, from the folder of the first file.
atemi_status atemi_mjcf_mesh_address(const atemi_mjcf_reader *reader, const atemi_mjcf_part *mesh,
                                     char address[ATEMI_PATH_SIZE]);
/// Where the mesh's vertices are: x = turn S v + shift.
typedef struct atemi_mjcf_mesh_frame {
    atemi_mat3 matrix; ///< scale and rotation of <mesh>
    atemi_vec3 shift;
} atemi_mjcf_mesh_frame;
atemi_status atemi_mjcf_read_mesh_frame(const atemi_mjcf_reader *reader,
                                        const atemi_mjcf_part *mesh, atemi_mjcf_mesh_frame *frame,
                                        atemi_vec3 *scale);

/// The inertia of a mesh's volume for density 1, in its own frame (mjcf_mesh.c). Its mass is the
/// volume, or the area of a shell.
atemi_status atemi_mjcf_mesh_inertia(atemi_mjcf_reader *reader, const atemi_mjcf_element *geom,
                                     const atemi_mjcf_element *mesh, bool shell,
                                     atemi_inertia *inertia);

/// Geoms as shapes and as mass (mjcf_geom.c, mjcf_geom_inertia.c).
typedef enum atemi_mjcf_geom_type {
    ATEMI_MJCF_PLANE,
    ATEMI_MJCF_HFIELD,
    ATEMI_MJCF_SPHERE,
    ATEMI_MJCF_CAPSULE,
    ATEMI_MJCF_ELLIPSOID,
    ATEMI_MJCF_CYLINDER,
    ATEMI_MJCF_BOX,
    ATEMI_MJCF_GEOM_MESH,
    ATEMI_MJCF_SDF,
} atemi_mjcf_geom_type;

typedef struct atemi_mjcf_geom {
    const atemi_mjcf_element *element;
    atemi_mjcf_part           part;
    atemi_mjcf_geom_type      type;
    atemi_transform           pose;   ///< in the body's frame
    atemi_vec3                size;   ///< as MuJoCo has it: radii and half lengths
    const atemi_mjcf_element *mesh;   ///< or NULL
    bool                      fitted; ///< a simple shape around a mesh
} atemi_mjcf_geom;

atemi_status atemi_mjcf_read_geom(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                  atemi_mjcf_geom *geom);
atemi_status atemi_mjcf_add_geom(atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                                 const char *link);
/// In the body's frame.
atemi_status atemi_mjcf_geom_inertia(atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                                     atemi_inertia *inertia);

/// <inertial>, or the inertia of the geoms, within the compiler's bounds (mjcf_inertia.c).
atemi_status atemi_mjcf_body_inertia(atemi_mjcf_reader *reader, const atemi_mjcf_element *body,
                                     atemi_inertia *inertia);
/// Gives the robot the total mass that the compiler asks for.
void atemi_mjcf_set_total_mass(const atemi_mjcf_reader *reader);

/// Sites (mjcf_site.c).
atemi_status atemi_mjcf_read_site(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                  const char *link);

/// Bodies (mjcf_body.c) and their joints (mjcf_joint.c).
atemi_status atemi_mjcf_read_bodies(atemi_mjcf_reader *reader);
/// Joins the body's link to `parent` by all its joints.
atemi_status atemi_mjcf_add_joints(atemi_mjcf_reader *reader, atemi_mjcf_element *body,
                                   const char *parent, const char *link);
/// Whether the body has a free joint.
bool atemi_mjcf_is_free(const atemi_mjcf_element *body);

/// MuJoCo's qpos (mjcf_qpos.c). The coordinates of a joint begin behind those that are known.
atemi_status atemi_mjcf_count_coordinates(atemi_mjcf_reader *reader, atemi_mjcf_element *element,
                                          int count);
/// How many coordinates in qpos the reader's joint of that index has.
int atemi_mjcf_coordinates_of(const atemi_mjcf_reader *reader, int index);
/// Sorts the joints by name; then the one of that name in the file, if it has one coordinate, as an
/// index into the document's joints; or ATEMI_NONE.
atemi_status atemi_mjcf_list_joints(atemi_mjcf_reader *reader);
int          atemi_mjcf_find_joint(const atemi_mjcf_reader *reader, const char *name,
                                   const atemi_mjcf_element **element);

/// The body of that name, or NULL (mjcf_loop.c).
const atemi_mjcf_element *atemi_mjcf_find_body(const atemi_mjcf_reader *reader, const char *name);

/// The <connect> or <weld> of an <equality> (mjcf_loop.c).
atemi_status atemi_mjcf_read_loop(atemi_mjcf_reader *reader, const atemi_mjcf_part *part);

/// <equality>, <contact>, <actuator> and <keyframe>.
atemi_status atemi_mjcf_read_equalities(atemi_mjcf_reader *reader);
atemi_status atemi_mjcf_read_contacts(atemi_mjcf_reader *reader);
atemi_status atemi_mjcf_read_actuators(atemi_mjcf_reader *reader);
atemi_status atemi_mjcf_read_keys(atemi_mjcf_reader *reader);

// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mesh_dae.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/bytes/number.h"
#include "io/bytes/text.h"
#include "io/syntax/xml_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// COLLADA: the triangles of a file, in metres. What counts of it:
//
//   <unit meter=>                                                     the size of everything
//   <geometry> <source> <float_array>, <accessor stride=>              numbers
//              <vertices> <input semantic="POSITION" source=>          which of them are places
//              <triangles>, <polylist> with <vcount>, <polygons>       corners: <input semantic=
//                  "VERTEX" offset=>, and <p> with one index for each input
//   <node> with <matrix>, <translate>, <rotate>, <scale>               where things stand
//       <instance_geometry url=>, <instance_node url=>
//
// <up_axis> is passed over, as by ROS: the axes of a mesh are those of the link.

enum { MOST_INSTANCES = 100000, MOST_DEPTH = ATEMI_XML_MAX_DEPTH + 1 };

typedef enum dae_element {
    DAE_OTHER,
    DAE_GEOMETRY,
    DAE_SOURCE,
    DAE_FLOATS,
    DAE_VERTICES,
    DAE_TRIANGLES,
    DAE_POLYLIST,
    DAE_POLYGONS,
    DAE_COUNTS,
    DAE_INDICES,
    DAE_NODE,
    DAE_LIBRARY_NODES,
    DAE_MATRIX,
    DAE_TRANSLATE,
    DAE_ROTATE,
    DAE_SCALE,
} dae_element;

// Corners of faces while they are read.
typedef struct dae_faces {
    int  vertex_offset, stride; ///< in <p>; offset ATEMI_NONE where no input has vertices
    int *counts;                ///< of <vcount>
    int  count_count, count_capacity;
} dae_faces;

typedef struct dae_reading {
    atemi_error    *error;
    atemi_dae_parts parts;

    dae_element         open[MOST_DEPTH];  ///< the reader goes no deeper
    atemi_dae_transform poses[MOST_DEPTH]; ///< of the node around, at each depth
    int                 depth;
    const char         *library; ///< the outermost node of a library that is open, or NULL
    int                 library_depth;

    atemi_text text; ///< of the element that is open
    bool       keeps_text;
    dae_faces  faces;
} dae_reading;

static atemi_status no_memory(const dae_reading *reading)
{
    return atemi_fail(reading->error, ATEMI_ERROR_MEMORY, "no memory for a mesh");
}

static atemi_status refuse(const dae_reading *reading, const char *what)
{
    return atemi_fail(reading->error, ATEMI_ERROR_INPUT, "%s", what);
}

static atemi_status grow(const dae_reading *reading, void **entries, size_t size, int count,
                         int *capacity)
{
    void *grown = atemi_grown(*entries, size, count, capacity);
    *entries = grown ? grown : *entries;
    return grown ? ATEMI_OK : no_memory(reading);
}

// A copy of an attribute, without the '#' of an address; "" where it is missing.
static const char *copied(dae_reading *reading, const atemi_xml_element *element,
                          const char *attribute)
{
    const char *value = atemi_xml_attribute(element, attribute);
    value = value ? value : "";
    return atemi_string_pool_copy(&reading->parts.names, value[0] == '#' ? value + 1 : value);
}

static bool has_value(const atemi_xml_element *element, const char *attribute, const char *wanted)
{
    const char *value = atemi_xml_attribute(element, attribute);
    return value && strcmp(value, wanted) == 0;
}

static int integer_of(const atemi_xml_element *element, const char *attribute, int otherwise,
                      int most)
{
    const char *value = atemi_xml_attribute(element, attribute);
    const long  number = value ? strtol(value, NULL, 10) : otherwise;
    return number < 0 ? 0 : number > most ? most : (int)number;
}

static bool is_inside(const dae_reading *reading, dae_element element)
{
    bool found = false;
    for (int i = 0; i < reading->depth; ++i) {
        found = found || reading->open[i] == element;
    }
    return found;
}

static atemi_dae_geometry *current_geometry(const dae_reading *reading)
{
    return is_inside(reading, DAE_GEOMETRY) && reading->parts.geometry_count > 0
               ? &reading->parts.geometries[reading->parts.geometry_count - 1]
               : NULL;
}

static atemi_dae_source *current_source(const dae_reading *reading)
{
    return is_inside(reading, DAE_SOURCE) && reading->parts.source_count > 0
               ? &reading->parts.sources[reading->parts.source_count - 1]
               : NULL;
}

// ---- Openings

static atemi_status start_geometry(dae_reading *reading, const atemi_xml_element *element)
{
    atemi_dae_parts         *parts = &reading->parts;
    const atemi_dae_geometry geometry = {.id = copied(reading, element, "id")};
    atemi_dae_forget_sources(parts);
    const atemi_status status = grow(reading, (void **)&parts->geometries, sizeof geometry,
                                     parts->geometry_count, &parts->geometry_capacity);
    if (!status && geometry.id) {
        parts->geometries[parts->geometry_count++] = geometry;
    }
    return status ? status : geometry.id ? ATEMI_OK : no_memory(reading);
}

static atemi_status start_source(dae_reading *reading, const atemi_xml_element *element)
{
    atemi_dae_parts       *parts = &reading->parts;
    const atemi_dae_source source = {.id = copied(reading, element, "id"), .stride = 3};
    const atemi_status     status = grow(reading, (void **)&parts->sources, sizeof source,
                                         parts->source_count, &parts->source_capacity);
    if (!status && source.id) {
        parts->sources[parts->source_count++] = source;
    }
    return status ? status : source.id ? ATEMI_OK : no_memory(reading);
}

// The places of a geometry become its vertices, once.
static atemi_status put_places(dae_reading *reading, const char *id)
{
    atemi_dae_geometry *geometry = current_geometry(reading);
    atemi_status        status = ATEMI_OK;
    for (int i = 0; geometry && i < reading->parts.source_count; ++i) {
        const atemi_dae_source *source = &reading->parts.sources[i];
        const bool              wanted =
            strcmp(source->id, id) == 0 && source->stride >= 3 && geometry->mesh.vertex_count == 0;
        for (int k = 0; wanted && k + 3 <= source->count && !status; k += source->stride) {
            status = atemi_mesh_add_vertex(&geometry->mesh, source->values + k, reading->error);
        }
    }
    return status;
}

static atemi_status start_input(dae_reading *reading, const atemi_xml_element *element)
{
    const dae_element around = reading->depth > 0 ? reading->open[reading->depth - 1] : DAE_OTHER;
    const int         offset = integer_of(element, "offset", 0, 1000);
    if (around == DAE_VERTICES && has_value(element, "semantic", "POSITION")) {
        const char *id = copied(reading, element, "source");
        return id ? put_places(reading, id) : no_memory(reading);
    }
    if (around == DAE_TRIANGLES || around == DAE_POLYLIST || around == DAE_POLYGONS) {
        dae_faces *faces = &reading->faces;
        faces->stride = offset + 1 > faces->stride ? offset + 1 : faces->stride;
        faces->vertex_offset =
            has_value(element, "semantic", "VERTEX") ? offset : faces->vertex_offset;
    }
    return ATEMI_OK;
}

static atemi_status start_faces(dae_reading *reading)
{
    reading->faces.vertex_offset = ATEMI_NONE;
    reading->faces.stride = 1;
    reading->faces.count_count = 0;
    return ATEMI_OK;
}

static atemi_status start_instance(dae_reading *reading, const atemi_xml_element *element,
                                   bool is_node)
{
    atemi_dae_parts         *parts = &reading->parts;
    const atemi_dae_instance instance = {.of = copied(reading, element, "url"),
                                         .library = reading->library,
                                         .is_node = is_node,
                                         .pose = reading->poses[reading->depth]};
    if (parts->instance_count >= MOST_INSTANCES) {
        return refuse(reading, "more than 100000 things stand in it; make the mesh simpler");
    }
    const atemi_status status = grow(reading, (void **)&parts->instances, sizeof instance,
                                     parts->instance_count, &parts->instance_capacity);
    if (!status && instance.of) {
        parts->instances[parts->instance_count++] = instance;
    }
    return status ? status : instance.of ? ATEMI_OK : no_memory(reading);
}

static atemi_status start_node(dae_reading *reading, const atemi_xml_element *element)
{
    if (is_inside(reading, DAE_LIBRARY_NODES) && !reading->library) {
        reading->library = copied(reading, element, "id");
        reading->library_depth = reading->depth;
        reading->poses[reading->depth] = atemi_dae_identity();
        return reading->library ? ATEMI_OK : no_memory(reading);
    }
    return ATEMI_OK;
}

static atemi_status start_unit(dae_reading *reading, const atemi_xml_element *element)
{
    const char *text = atemi_xml_attribute(element, "meter");
    atemi_word  word;
    double      unit;
    if (text && atemi_word_next(&text, &word) && !atemi_number_parse(word, &unit) && unit > 0.0) {
        reading->parts.unit = unit;
    }
    return ATEMI_OK;
}

static dae_element element_of(const char *name)
{
    static const struct {
        const char *name;
        dae_element element;
    } known[] = {{"geometry", DAE_GEOMETRY},
                 {"source", DAE_SOURCE},
                 {"float_array", DAE_FLOATS},
                 {"vertices", DAE_VERTICES},
                 {"triangles", DAE_TRIANGLES},
                 {"polylist", DAE_POLYLIST},
                 {"polygons", DAE_POLYGONS},
                 {"vcount", DAE_COUNTS},
                 {"p", DAE_INDICES},
                 {"node", DAE_NODE},
                 {"matrix", DAE_MATRIX},
                 {"translate", DAE_TRANSLATE},
                 {"rotate", DAE_ROTATE},
                 {"scale", DAE_SCALE},
                 {"library_nodes", DAE_LIBRARY_NODES}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (strcmp(known[i].name, name) == 0) {
            return known[i].element;
        }
    }
    return DAE_OTHER;
}

static bool has_numbers(const dae_reading *reading, dae_element element)
{
    const bool in_node = reading->depth > 0 && reading->open[reading->depth - 1] == DAE_NODE;
    switch (element) {
    case DAE_FLOATS:
    case DAE_COUNTS:
    case DAE_INDICES:
        return current_geometry(reading) != NULL;
    case DAE_MATRIX:
    case DAE_TRANSLATE:
    case DAE_ROTATE:
    case DAE_SCALE:
        return in_node;
    default:
        return false;
    }
}

static atemi_status start_part(dae_reading *reading, const atemi_xml_element *element,
                               dae_element kind)
{
    switch (kind) {
    case DAE_GEOMETRY:
        return start_geometry(reading, element);
    case DAE_SOURCE:
        return current_geometry(reading) ? start_source(reading, element) : ATEMI_OK;
    case DAE_TRIANGLES:
    case DAE_POLYLIST:
    case DAE_POLYGONS:
        return start_faces(reading);
    case DAE_NODE:
        return start_node(reading, element);
    default:
        break;
    }
    if (strcmp(element->name, "accessor") == 0 && current_source(reading)) {
        current_source(reading)->stride = integer_of(element, "stride", 1, 1000);
    }
    return strcmp(element->name, "input") == 0 ? start_input(reading, element)
           : strcmp(element->name, "instance_geometry") == 0
               ? start_instance(reading, element, false)
           : strcmp(element->name, "instance_node") == 0 ? start_instance(reading, element, true)
           : strcmp(element->name, "unit") == 0          ? start_unit(reading, element)
                                                         : ATEMI_OK;
}

static atemi_status on_start(void *context, const atemi_xml_element *element)
{
    dae_reading      *reading = (dae_reading *)context;
    const dae_element kind = element_of(element->name);
    if (reading->depth == 0 && strcmp(element->name, "COLLADA") != 0) {
        return refuse(reading, "this is no COLLADA file: its outermost element is not <COLLADA>");
    }
    const atemi_status status = start_part(reading, element, kind);
    reading->keeps_text = has_numbers(reading, kind);
    reading->text.size = 0;
    reading->open[reading->depth] = kind;
    reading->poses[reading->depth + 1] = reading->poses[reading->depth];
    ++reading->depth;
    return status;
}

static void on_text(void *context, const char *text, int length)
{
    dae_reading *reading = (dae_reading *)context;
    if (reading->keeps_text) {
        atemi_text_put(&reading->text, text, (size_t)length);
    }
}

// ---- Numbers

static atemi_status read_floats(dae_reading *reading, const char *text)
{
    atemi_dae_source *source = current_source(reading);
    atemi_word        word;
    atemi_status      status = ATEMI_OK;
    while (source && !status && atemi_word_next(&text, &word)) {
        double value;
        if (atemi_number_parse(word, &value)) {
            return refuse(reading, "a <float_array> has something that is not a finite number");
        }
        status =
            grow(reading, (void **)&source->values, sizeof value, source->count, &source->capacity);
        if (!status) {
            source->values[source->count++] = value;
        }
    }
    return status;
}

// A whole number of 0 or more; a negative one for anything else.
static long whole(atemi_word word)
{
    char      *end;
    const long number = strtol(word.start, &end, 10);
    return end == word.start + word.length ? number : -1;
}

static atemi_status read_counts(dae_reading *reading, const char *text)
{
    dae_faces   *faces = &reading->faces;
    atemi_word   word;
    atemi_status status = ATEMI_OK;
    while (!status && atemi_word_next(&text, &word)) {
        const long count = whole(word);
        if (count < 0 || count > ATEMI_MESH_MAX_VERTICES) {
            return refuse(reading, "a <vcount> has something that is no number of corners");
        }
        status = grow(reading, (void **)&faces->counts, sizeof *faces->counts, faces->count_count,
                      &faces->count_capacity);
        if (!status) {
            faces->counts[faces->count_count++] = (int)count;
        }
    }
    return status;
}

// The next corner of <p>: false at its end.
static bool next_corner(const dae_reading *reading, const char **text, long *corner)
{
    atemi_word word;
    bool       found = false;
    for (int i = 0; i < reading->faces.stride; ++i) {
        if (!atemi_word_next(text, &word)) {
            return false;
        }
        if (i == reading->faces.vertex_offset) {
            *corner = whole(word);
            found = true;
        }
    }
    return found;
}

// A fan about the first corner, right for faces that are convex.
static atemi_status read_face(dae_reading *reading, const char **text, int count, bool *ended)
{
    atemi_mesh  *mesh = &current_geometry(reading)->mesh;
    uint32_t     corners[3] = {0, 0, 0};
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < count && !status; ++i) {
        long corner;
        if (!next_corner(reading, text, &corner)) {
            *ended = true;
            return ATEMI_OK;
        }
        if (corner < 0 || corner >= mesh->vertex_count) {
            return refuse(reading, "a face of the mesh has a corner that is not there");
        }
        corners[1] = corners[2];
        corners[i == 0 ? 0 : 2] = (uint32_t)corner;
        if (i >= 2) {
            status = atemi_mesh_add_triangle(mesh, corners, reading->error);
        }
    }
    return status;
}

static atemi_status read_indices(dae_reading *reading, const char *text)
{
    const dae_element kind = reading->open[reading->depth - 2];
    const dae_faces  *faces = &reading->faces;
    bool              ended = false;
    atemi_status      status = ATEMI_OK;
    if (faces->vertex_offset == ATEMI_NONE) {
        return ATEMI_OK;
    }
    if (kind == DAE_POLYGONS) {
        return read_face(reading, &text, ATEMI_MESH_MAX_VERTICES, &ended);
    }
    for (int i = 0; kind == DAE_POLYLIST && i < faces->count_count && !ended && !status; ++i) {
        status = read_face(reading, &text, faces->counts[i], &ended);
    }
    while (kind == DAE_TRIANGLES && !ended && !status) {
        status = read_face(reading, &text, 3, &ended);
    }
    return status;
}

// ---- Poses

static atemi_dae_transform transform_of(dae_element element, const double *x)
{
    atemi_dae_transform made = atemi_dae_identity();
    const atemi_vec3    axis = {x[0], x[1], x[2]};
    const double        length = atemi_vec3_norm(axis);
    switch (element) {
    case DAE_MATRIX: // its rows one after the other
        made.matrix = (atemi_mat3){{x[0], x[4], x[8]}, {x[1], x[5], x[9]}, {x[2], x[6], x[10]}};
        made.shift = (atemi_vec3){x[3], x[7], x[11]};
        break;
    case DAE_TRANSLATE:
        made.shift = axis;
        break;
    case DAE_SCALE:
        made.matrix.x.x = x[0];
        made.matrix.y.y = x[1];
        made.matrix.z.z = x[2];
        break;
    default: // <rotate>, in degrees
        if (length > 0.0) {
            const double angle = x[3] * acos(-1.0) / 180.0;
            made.matrix = atemi_quaternion_matrix(
                atemi_quaternion_exp(atemi_vec3_scale(angle / length, axis)));
        }
        break;
    }
    return made;
}

// The node's own pose is the product of its transforms, as they come.
static atemi_status read_pose(dae_reading *reading, dae_element element, const char *text)
{
    static const int counts[] = {
        [DAE_MATRIX] = 16, [DAE_TRANSLATE] = 3, [DAE_ROTATE] = 4, [DAE_SCALE] = 3};
    double                     x[16];
    const atemi_numbers_result result = atemi_numbers_parse(text, counts[element], x);
    if (result.fault) {
        return refuse(reading, "a <matrix>, <translate>, <rotate> or <scale> has not the numbers "
                               "that it needs");
    }
    atemi_dae_transform      *pose = &reading->poses[reading->depth - 1];
    const atemi_dae_transform own = transform_of(element, x);
    *pose = atemi_dae_compose(pose, &own);
    return ATEMI_OK;
}

// ---- Ends

static atemi_status read_numbers(dae_reading *reading, dae_element element)
{
    const char *text = reading->text.bytes ? reading->text.bytes : "";
    switch (element) {
    case DAE_FLOATS:
        return read_floats(reading, text);
    case DAE_COUNTS:
        return read_counts(reading, text);
    case DAE_INDICES:
        return read_indices(reading, text);
    default:
        return read_pose(reading, element, text);
    }
}

static atemi_status on_end(void *context)
{
    dae_reading      *reading = (dae_reading *)context;
    const dae_element element = reading->open[reading->depth - 1];
    atemi_status      status = ATEMI_OK;
    if (reading->text.failed) {
        return no_memory(reading);
    }
    if (reading->keeps_text && reading->text.size > 0) {
        status = read_numbers(reading, element);
    }
    reading->keeps_text = false;
    --reading->depth;
    if (reading->library && reading->depth == reading->library_depth) {
        reading->library = NULL;
    }
    return status;
}

atemi_status atemi_mesh_parse_dae(const char *bytes, size_t size, atemi_mesh *mesh,
                                  atemi_error *error)
{
    dae_reading *reading = (dae_reading *)atemi_allocate(sizeof *reading);
    if (!reading) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a mesh");
    }
    memset(reading, 0, sizeof *reading);
    reading->error = error;
    reading->parts.unit = 1.0;
    reading->poses[0] = atemi_dae_identity();
    const atemi_xml_handler handler = {
        .start = on_start, .end = on_end, .text = on_text, .context = reading};
    atemi_status status = atemi_xml_read(bytes, size, NULL, &handler, error);
    if (!status) {
        status = atemi_dae_assemble(&reading->parts, mesh, error);
    }
    atemi_text_destroy(&reading->text);
    atemi_release(reading->faces.counts);
    atemi_dae_parts_destroy(&reading->parts);
    atemi_release(reading);
    return status;
}

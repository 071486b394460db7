// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "io/robot/mjcf_reader.h"

#include <string.h>

// Which attributes are read, of which elements, and what the default classes say of them. A class
// has the values of the class around it, and its own over them. Of the ways to say one thing
// (orientation) the innermost counts, whichever it is.

static const char *const known[ATEMI_MJCF_KINDS][ATEMI_MJCF_MAX_KNOWN] = {
    [ATEMI_MJCF_JOINT] = {"name", "class", "type", "pos", "axis", "ref", "range", "limited",
                          "damping", "frictionloss", "armature", "stiffness", "springdamper",
                          "actuatorfrcrange", "actuatorfrclimited"},
    [ATEMI_MJCF_GEOM] = {"name",      "class",   "type",        "pos",   "quat",
                         "axisangle", "xyaxes",  "zaxis",       "euler", "fromto",
                         "size",      "mass",    "density",     "mesh",  "material",
                         "rgba",      "contype", "conaffinity", "group", "shellinertia"},
    [ATEMI_MJCF_SITE] = {"name", "class", "type", "pos", "quat", "axisangle", "xyaxes", "zaxis",
                         "euler", "fromto", "size"},
    [ATEMI_MJCF_MESH] = {"name", "class", "file", "scale", "refpos", "refquat", "inertia"},
    [ATEMI_MJCF_MATERIAL] = {"name", "class", "rgba"},
    [ATEMI_MJCF_ACTUATOR] = {"name", "class", "joint", "jointinparent", "gear", "ctrlrange",
                             "ctrllimited", "forcerange", "forcelimited", "gaintype", "biastype",
                             "gainprm", "biasprm", "kp", "kv", "armature", "damping"},
    [ATEMI_MJCF_EXCLUDE] = {"name", "body1", "body2"},
    [ATEMI_MJCF_EQUALITY] = {"name", "class", "active", "joint1", "joint2", "polycoef", "body1",
                             "body2", "anchor", "relpose", "site1", "site2"},
    [ATEMI_MJCF_COMPILER] = {"angle", "eulerseq", "autolimits", "meshdir", "assetdir",
                             "inertiafromgeom", "balanceinertia", "boundmass", "boundinertia",
                             "settotalmass", "coordinate", "inertiagrouprange", "strippath",
                             "exactmeshinertia"},
    [ATEMI_MJCF_OPTION] = {"gravity"},
    [ATEMI_MJCF_MODEL] = {"model"},
    [ATEMI_MJCF_DEFAULT] = {"class"},
    [ATEMI_MJCF_BODY] = {"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis",
                         "euler"},
    [ATEMI_MJCF_FRAME] = {"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis",
                          "euler"},
    [ATEMI_MJCF_INERTIAL] = {"mass", "diaginertia", "fullinertia", "pos", "quat", "axisangle",
                             "xyaxes", "zaxis", "euler"},
    [ATEMI_MJCF_FREE] = {"name"},
    [ATEMI_MJCF_KEY] = {"name", "qpos"},
};

static const char *const orientations[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

enum { ORIENTATIONS = sizeof orientations / sizeof orientations[0] };

static int find_known(atemi_mjcf_kind kind, const char *attribute)
{
    for (int i = 0; i < ATEMI_MJCF_MAX_KNOWN && known[kind][i]; ++i) {
        if (strcmp(known[kind][i], attribute) == 0) {
            return i;
        }
    }
    return ATEMI_NONE;
}

// ---- Values

static bool is_orientation(const char *attribute)
{
    for (int i = 0; i < ORIENTATIONS; ++i) {
        if (strcmp(orientations[i], attribute) == 0) {
            return true;
        }
    }
    return false;
}

static void forget_orientation(atemi_mjcf_kind kind, const char **values)
{
    for (int i = 0; i < ORIENTATIONS; ++i) {
        const int index = find_known(kind, orientations[i]);
        if (index != ATEMI_NONE) {
            values[index] = NULL;
        }
    }
}

static void forget_overruled(const atemi_mjcf_element *element, atemi_mjcf_kind kind,
                             const char **values)
{
    for (const char **at = element->attributes; *at; at += 2) {
        if (is_orientation(at[0])) {
            forget_orientation(kind, values);
        }
    }
}

// Lays the element's own values over those that are there.
static atemi_status overlay(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                            atemi_mjcf_kind kind, const char **values)
{
    atemi_status status = ATEMI_OK;
    forget_overruled(element, kind, values);
    for (const char **at = element->attributes; *at && !status; at += 2) {
        const int index = find_known(kind, at[0]);
        if (index != ATEMI_NONE) {
            values[index] = at[1];
        } else if (!reader->noted[element->number]) {
            status = atemi_mjcf_note_unused(reader, element, at[0]);
        }
    }
    reader->noted[element->number] = true;
    return status;
}

const char *atemi_mjcf_value(const atemi_mjcf_part *part, const char *attribute)
{
    const int index = find_known(part->kind, attribute);
    return index == ATEMI_NONE ? NULL : part->values[index];
}

// ---- Classes

atemi_mjcf_kind atemi_mjcf_kind_in_class(const atemi_mjcf_element *element)
{
    static const struct {
        const char     *name;
        atemi_mjcf_kind kind;
    } kinds[] = {
        {"joint", ATEMI_MJCF_JOINT},       {"geom", ATEMI_MJCF_GEOM},
        {"site", ATEMI_MJCF_SITE},         {"mesh", ATEMI_MJCF_MESH},
        {"material", ATEMI_MJCF_MATERIAL}, {"general", ATEMI_MJCF_ACTUATOR},
        {"motor", ATEMI_MJCF_ACTUATOR},    {"position", ATEMI_MJCF_ACTUATOR},
        {"velocity", ATEMI_MJCF_ACTUATOR}, {"intvelocity", ATEMI_MJCF_ACTUATOR},
        {"damper", ATEMI_MJCF_ACTUATOR},   {"cylinder", ATEMI_MJCF_ACTUATOR},
        {"muscle", ATEMI_MJCF_ACTUATOR},   {"adhesion", ATEMI_MJCF_ACTUATOR},
        {"equality", ATEMI_MJCF_EQUALITY},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (atemi_mjcf_is_named(element, kinds[i].name)) {
            return kinds[i].kind;
        }
    }
    return ATEMI_MJCF_CLASSED;
}

static int find_class(const atemi_mjcf_reader *reader, const char *name)
{
    for (int i = 0; i < reader->class_count; ++i) {
        if (strcmp(reader->classes[i].name, name) == 0) {
            return i;
        }
    }
    return ATEMI_NONE;
}

// The class of that name; a new one begins as a copy of `parent`.
static atemi_status find_or_add_class(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                      const char *name, int parent, int *index)
{
    *index = find_class(reader, name);
    if (*index != ATEMI_NONE) {
        return ATEMI_OK;
    }
    if (reader->class_count == ATEMI_MJCF_MAX_CLASSES) {
        return atemi_mjcf_complain(reader, element, "more than %d classes; use fewer",
                                   ATEMI_MJCF_MAX_CLASSES);
    }
    atemi_mjcf_class *classes = (atemi_mjcf_class *)atemi_grown(
        reader->classes, sizeof *classes, reader->class_count, &reader->class_capacity);
    if (!classes) {
        return atemi_mjcf_no_memory(reader);
    }
    reader->classes = classes;
    *index = reader->class_count++;
    classes[*index] = parent == ATEMI_NONE ? (atemi_mjcf_class){0} : classes[parent];
    classes[*index].name = name;
    return ATEMI_OK;
}

// The outermost <default> is the class of all elements without one, whatever its name.
static atemi_status open_class(atemi_mjcf_reader *reader, atemi_mjcf_element *element, int *index)
{
    const char *name = atemi_mjcf_own(element, "class");
    const bool  outermost = !atemi_mjcf_is_named(element->parent, "default");
    if (!outermost && (!name || !name[0])) {
        return atemi_mjcf_complain(reader, element, "attribute class is missing; give a name");
    }
    if (outermost) {
        *index = 0;
        if (name && find_class(reader, name) == ATEMI_NONE) {
            reader->classes[0].name = name;
        }
        return ATEMI_OK;
    }
    return find_or_add_class(reader, element, name, element->parent->link, index);
}

// A class's own values hold for the classes inside it, also for those that come first.
static atemi_status read_class(atemi_mjcf_reader *reader, atemi_mjcf_element *element)
{
    int          index = 0;
    atemi_status status = open_class(reader, element, &index);
    element->link = index;
    for (const atemi_mjcf_element *at = element->first; at && !status; at = at->next) {
        const atemi_mjcf_kind kind = atemi_mjcf_kind_in_class(at);
        if (atemi_mjcf_is_named(at, "default")) {
            continue;
        }
        status = kind == ATEMI_MJCF_CLASSED
                     ? atemi_mjcf_note_unused(reader, at, NULL)
                     : overlay(reader, at, kind, reader->classes[index].values[kind]);
    }
    return status;
}

atemi_status atemi_mjcf_read_classes(atemi_mjcf_reader *reader)
{
    const atemi_mjcf_element *root = reader->tree->root;
    int                       main_class;
    atemi_status        status = find_or_add_class(reader, root, "main", ATEMI_NONE, &main_class);
    atemi_mjcf_element *at = root->first;
    while (at && !status) {
        const bool is_class = atemi_mjcf_is_named(at, "default");
        if (is_class) {
            status = read_class(reader, at);
        }
        at = atemi_mjcf_next(root, at, is_class);
    }
    return status;
}

// ---- Parts

// The class of an element: its own, or the nearest childclass around it.
static atemi_status class_of(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                             int *index)
{
    const char *name = atemi_mjcf_own(element, "class");
    for (const atemi_mjcf_element *at = element->parent; at && !name; at = at->parent) {
        name = atemi_mjcf_own(at, "childclass");
    }
    *index = name ? find_class(reader, name) : 0;
    return *index == ATEMI_NONE
               ? atemi_mjcf_complain(reader, element,
                                     "there is no class '%.60s'; add <default class=\"...\"> or "
                                     "correct the name",
                                     name)
               : ATEMI_OK;
}

atemi_status atemi_mjcf_part_of(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                atemi_mjcf_kind kind, atemi_mjcf_part *part)
{
    *part = (atemi_mjcf_part){.element = element, .kind = kind};
    if (kind < ATEMI_MJCF_CLASSED) {
        int                index;
        const atemi_status status = class_of(reader, element, &index);
        if (status) {
            return status;
        }
        memcpy((void *)part->values, (const void *)reader->classes[index].values[kind],
               sizeof part->values);
    }
    return overlay(reader, element, kind, part->values);
}

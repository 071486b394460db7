// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

#include <string.h>

// <compiler> and <option>. Several of them, as includes bring them, are read one over the other.

static const double degree = 3.14159265358979323846 / 180.0;

static atemi_status read_angle(atemi_mjcf_reader *reader, const atemi_mjcf_part *part)
{
    static const char *const words[] = {"degree", "radian", NULL};
    int                      index = reader->settings.angle == 1.0;
    const atemi_status       status = atemi_mjcf_choice(reader, part, "angle", words, &index);
    reader->settings.angle = index ? 1.0 : degree;
    return status;
}

static atemi_status read_sequence(atemi_mjcf_reader *reader, const atemi_mjcf_part *part)
{
    const char *text = atemi_mjcf_value(part, "eulerseq");
    if (!text) {
        return ATEMI_OK;
    }
    if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3) {
        return atemi_mjcf_complain(reader, part->element,
                                   "eulerseq \"%.20s\" is unknown; give three of x, y, z, X, Y, Z",
                                   text);
    }
    memcpy(reader->settings.euler, text, sizeof reader->settings.euler);
    return ATEMI_OK;
}

static atemi_status refuse_global(atemi_mjcf_reader *reader, const atemi_mjcf_part *part)
{
    const char *text = atemi_mjcf_value(part, "coordinate");
    return text && strcmp(text, "local") != 0
               ? atemi_mjcf_complain(reader, part->element,
                                     "coordinate \"%.20s\" is not read, nor by MuJoCo since 2.3.4; "
                                     "convert the file with an older MuJoCo (save it as XML)",
                                     text)
               : ATEMI_OK;
}

static atemi_status read_flags(atemi_mjcf_reader *reader, const atemi_mjcf_part *part)
{
    atemi_mjcf_settings *settings = &reader->settings;
    atemi_status status = atemi_mjcf_flag(reader, part, "autolimits", &settings->autolimits);
    if (!status) {
        status = atemi_mjcf_flag(reader, part, "balanceinertia", &settings->balance_inertia);
    }
    if (!status) {
        status = atemi_mjcf_flag(reader, part, "strippath", &settings->strip_path);
    }
    if (!status) {
        status = atemi_mjcf_flag(reader, part, "exactmeshinertia", &settings->exact_meshes);
    }
    if (!status) {
        status = atemi_mjcf_read_switch(reader, part, "inertiafromgeom", true,
                                        &settings->inertia_from_geom);
    }
    return status;
}

static int group_of(double value)
{
    return value < -1e6 ? -1000000 : value > 1e6 ? 1000000 : (int)value;
}

static atemi_status read_masses(atemi_mjcf_reader *reader, const atemi_mjcf_part *part)
{
    atemi_mjcf_settings *settings = &reader->settings;
    double               groups[2] = {settings->inertia_groups[0], settings->inertia_groups[1]};
    atemi_status         status = atemi_mjcf_size(reader, part, "boundmass", &settings->bound_mass);
    if (!status) {
        status = atemi_mjcf_size(reader, part, "boundinertia", &settings->bound_inertia);
    }
    if (!status) {
        status = atemi_mjcf_number(reader, part, "settotalmass", &settings->total_mass);
    }
    if (!status) {
        status = atemi_mjcf_numbers(reader, part, "inertiagrouprange", 2, groups);
    }
    settings->inertia_groups[0] = group_of(groups[0]);
    settings->inertia_groups[1] = group_of(groups[1]);
    return status;
}

static void read_folders(atemi_mjcf_reader *reader, const atemi_mjcf_part *part)
{
    const char *assets = atemi_mjcf_value(part, "assetdir");
    const char *meshes = atemi_mjcf_value(part, "meshdir");
    reader->settings.mesh_folder = meshes ? meshes : assets ? assets : reader->settings.mesh_folder;
}

static atemi_status note_children(atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    atemi_status status = ATEMI_OK;
    for (const atemi_mjcf_element *at = element->first; at && !status; at = at->next) {
        status = atemi_mjcf_note_unused(reader, at, NULL);
    }
    return status;
}

static atemi_status read_compiler(atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    atemi_mjcf_part part;
    atemi_status    status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_COMPILER, &part);
    if (!status) {
        status = refuse_global(reader, &part);
    }
    if (!status) {
        status = read_angle(reader, &part);
    }
    if (!status) {
        status = read_sequence(reader, &part);
    }
    if (!status) {
        status = read_flags(reader, &part);
    }
    if (!status) {
        status = read_masses(reader, &part);
    }
    read_folders(reader, &part);
    return status ? status : note_children(reader, element);
}

static atemi_status read_option(atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    atemi_mjcf_part part;
    atemi_status    status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_OPTION, &part);
    if (!status) {
        reader->has_gravity = reader->has_gravity || atemi_mjcf_value(&part, "gravity");
        status = atemi_mjcf_vector(reader, &part, "gravity", &reader->gravity);
    }
    return status ? status : note_children(reader, element);
}

atemi_status atemi_mjcf_read_settings(atemi_mjcf_reader *reader)
{
    reader->settings = (atemi_mjcf_settings){.angle = degree,
                                             .euler = "xyz",
                                             .autolimits = true,
                                             .inertia_from_geom = ATEMI_MJCF_AUTO,
                                             .total_mass = -1.0,
                                             .inertia_groups = {0, 5}};
    atemi_status status = ATEMI_OK;
    for (const atemi_mjcf_element *at = reader->tree->root->first; at && !status; at = at->next) {
        if (atemi_mjcf_is_named(at, "compiler")) {
            status = read_compiler(reader, at);
        } else if (atemi_mjcf_is_named(at, "option")) {
            status = read_option(reader, at);
        }
    }
    return status;
}

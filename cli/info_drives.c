// SPDX-License-Identifier: Apache-2.0

#include "info_drives.h"

#include "json_output.h"
#include "output.h"
#include "table.h"

#include "atemi/coordination.h"

#include <stdio.h>
#include <string.h>

typedef struct drive_figure {
    const char *name; ///< in JSON
    const char *word; ///< in the list of what is estimated
    double      value;
    const char *source; ///< NULL: stated
} drive_figure;

enum { FIGURES = ATEMI_DRIVE_SPRING_DAMPING + 1 };

// Joints of several coordinates are not driven.
static bool is_driven(const void *context, int row)
{
    const atemi_joint *joint = atemi_model_joint((const atemi_model *)context, row);
    return joint->v_count == 1 && joint->first_v != ATEMI_NONE;
}

static atemi_joint_rating find(const atemi_model *model, int index, drive_figure figures[FIGURES])
{
    const int i =
        atemi_model_joint(model, index)->first_v - atemi_base_v_count(atemi_model_base(model));
    const atemi_joint_rating r = atemi_joint_rating_of(model, i);
    const atemi_joint_drive  d = atemi_joint_drive_of(model, i);
    const drive_figure       all[FIGURES] = {
        {"effort", "effort", r.effort, NULL},
        {"velocity", "speed", r.velocity, NULL},
        {"rotor", "rotor", r.rotor, NULL},
        {"spring", "spring", d.spring, NULL},
        {"spring_damping", "damping", d.spring_damping, NULL},
    };
    for (int f = 0; f < FIGURES; ++f) {
        figures[f] = all[f];
        figures[f].source = atemi_drive_figure_estimate(&r, (atemi_drive_figure)f);
    }
    return r;
}

// ---- For people

enum { NAME, INERTIA, FIRST_FIGURE, ESTIMATED = FIRST_FIGURE + FIGURES, COLUMNS };

static const table_column columns[COLUMNS] = {
    {"joint", NULL, false},         {"moves", "kg m^2", true}, {"effort", "N m", true},
    {"speed", "rad/s", true},       {"rotor", "kg m^2", true}, {"spring", "N m/rad", true},
    {"damping", "N m s/rad", true}, {"estimated", NULL, false}};

static void write_estimated(char text[TABLE_CELL_SIZE], const drive_figure figures[FIGURES])
{
    size_t size = 0;
    text[0] = '\0';
    for (int f = 0; f < FIGURES; ++f) {
        if (figures[f].source) {
            size += (size_t)snprintf(text + size, TABLE_CELL_SIZE - size, "%s%s", size ? " " : "",
                                     figures[f].word);
        }
    }
}

static void write_cell(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    const atemi_model       *model = (const atemi_model *)context;
    drive_figure             figures[FIGURES];
    const atemi_joint_rating rating = find(model, row, figures);
    if (column == NAME) {
        snprintf(text, TABLE_CELL_SIZE, "%s", atemi_model_joint(model, row)->name);
    } else if (column == INERTIA) {
        snprintf(text, TABLE_CELL_SIZE, "%.3g", rating.inertia);
    } else if (column == ESTIMATED) {
        write_estimated(text, figures);
    } else {
        snprintf(text, TABLE_CELL_SIZE, "%.4g", figures[column - FIRST_FIGURE].value);
    }
}

void info_drives_print(const atemi_model *model)
{
    const int        count = atemi_model_joint_count(model);
    const text_table table = {columns, COLUMNS, count, write_cell, model, is_driven};
    int              driven = 0, prismatic = 0;
    for (int i = 0; i < count; ++i) {
        driven += is_driven(model, i);
        prismatic +=
            is_driven(model, i) && atemi_model_joint(model, i)->type == ATEMI_JOINT_PRISMATIC;
    }
    if (driven == 0) {
        return;
    }
    putchar('\n');
    output_heading("Drives (what compliant control takes where a scenario gives nothing else)");
    table_print(&table);
    puts("  Estimated: effort from the inertia that moves; speed from effort and inertia;\n"
         "  rotor from effort and speed; spring from effort; its damping from spring and rotor.");
    if (prismatic > 0) {
        puts("  Prismatic joints: kg, N, m/s, N/m, N s/m.");
    }
}

// ---- JSON

static json_t *drive_json(const atemi_model *model, int index)
{
    drive_figure             figures[FIGURES];
    const atemi_joint_rating rating = find(model, index, figures);
    json_t *drive = json_pack("{s:s, s:f}", "joint", atemi_model_joint(model, index)->name,
                              "inertia", rating.inertia);
    json_t *estimated = json_object();
    for (int f = 0; f < FIGURES; ++f) {
        drive = json_with_key(drive, figures[f].name, json_from_number(figures[f].value));
        if (figures[f].source) {
            estimated = json_with_key(estimated, figures[f].name, json_string(figures[f].source));
        }
    }
    return json_with_key(drive, "estimated", estimated);
}

json_t *info_drives_json(const atemi_model *model)
{
    json_t *list = json_array();
    for (int i = 0; i < atemi_model_joint_count(model) && list; ++i) {
        if (is_driven(model, i)) {
            list = json_with_item(list, drive_json(model, i));
        }
    }
    return list;
}

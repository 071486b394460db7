// SPDX-License-Identifier: Apache-2.0

#include "atemi/allocator.h"
#include "io/figures/figure_plot.h"
#include "io/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Plots of columns over time.

enum { NAME_SIZE = 64 };

static atemi_figure_series over_time(const atemi_figure_source *source, const double *values,
                                     const char *label, int label_length, double limit)
{
    return (atemi_figure_series){.count = source->rows,
                                 .x = source->t,
                                 .y = values,
                                 .label = label,
                                 .label_length = label_length,
                                 .limit = limit};
}

static void plot_over_time(const atemi_figure_source *source, int count,
                           const atemi_figure_panel *panels, atemi_figure *figure)
{
    const atemi_figure_abscissa time = {"time [s]", source->t[0], source->t[source->rows - 1], 0.0};
    atemi_figure_plot(figure, &time, count, panels);
}

// ---- Quantities of the joints: a panel for each unit, in it the columns that vary most

typedef struct joint_plot {
    const char *group;  ///< of columns
    const char *name;   ///< for people
    bool        limits; ///< those of the joints' efforts are drawn
} joint_plot;

typedef struct joint_panel {
    char               name[NAME_SIZE];
    const char        *unit;
    atemi_figure_panel panel;
    double             ranges[ATEMI_FIGURE_COLORS]; ///< of its series
} joint_panel;

static bool is_of_base(const char *column)
{
    const char *dot = strchr(column, '.');
    return dot && strncmp(dot, ".base.", strlen(".base.")) == 0;
}

static bool has_joints(const atemi_recording *recording, const char *group)
{
    bool found = false;
    for (int i = 0; i < atemi_recording_channel_count(recording) && !found; ++i) {
        const atemi_channel *channel = atemi_recording_channel(recording, i);
        found = strcmp(channel->group, group) == 0 && !is_of_base(channel->name);
    }
    return found;
}

static double effort_limit(const atemi_model *model, const char *joint)
{
    const int index = model ? atemi_model_find_joint(model, joint) : ATEMI_NONE;
    return index == ATEMI_NONE ? (double)NAN : atemi_model_joint(model, index)->limits.effort;
}

// Enters a series at its place among those that vary most; the last one may fall out.
static void enter(joint_panel *panel, atemi_figure_series series, double range)
{
    atemi_figure_panel *drawn = &panel->panel;
    int                 at = drawn->count;
    while (at > 0 && panel->ranges[at - 1] < range) {
        --at;
    }
    const bool is_full = drawn->count == ATEMI_FIGURE_COLORS;
    drawn->left_out += is_full;
    if (at == ATEMI_FIGURE_COLORS) {
        return;
    }
    for (int i = drawn->count - is_full; i > at; --i) {
        drawn->series[i] = drawn->series[i - 1];
        panel->ranges[i] = panel->ranges[i - 1];
    }
    drawn->series[at] = series;
    panel->ranges[at] = range;
    drawn->count += !is_full;
}

static joint_panel *panel_of(joint_panel *panels, int *count, const joint_plot *plot,
                             const char *unit)
{
    for (int i = 0; i < *count; ++i) {
        if (strcmp(panels[i].unit, unit) == 0) {
            return &panels[i];
        }
    }
    if (*count == ATEMI_FIGURE_PANELS) {
        return NULL;
    }
    joint_panel *panel = &panels[(*count)++];
    panel->unit = unit;
    snprintf(panel->name, sizeof panel->name, "%s [%s]", plot->name, unit);
    return panel;
}

static void enter_column(const atemi_figure_source *source, const joint_plot *plot, int column,
                         joint_panel *panel)
{
    double        least = INFINITY, largest = -INFINITY;
    const char   *name = atemi_recording_channel(source->recording, column)->name;
    const double *values = atemi_recording_values(source->recording, column);
    const char   *owner = name + strlen(plot->group) + 1;
    atemi_figure_widen(values, source->rows, &least, &largest);
    if (least <= largest) {
        const double limit = plot->limits ? effort_limit(source->robot->model, owner) : (double)NAN;
        enter(panel, over_time(source, values, owner, -1, limit), largest - least);
    }
}

static void draw_joint_panels(const atemi_figure_source *source, joint_panel *panels, int count,
                              atemi_figure *figure)
{
    atemi_figure_panel drawn[ATEMI_FIGURE_PANELS];
    int                kept = 0;
    for (int i = 0; i < count; ++i) {
        if (panels[i].panel.count > 0) {
            panels[i].panel.name = panels[i].name;
            panels[i].panel.chosen = "which vary most";
            drawn[kept++] = panels[i].panel;
        }
    }
    if (kept > 0) {
        plot_over_time(source, kept, drawn, figure);
    }
}

static atemi_status plot_joints(const atemi_figure_source *source, const joint_plot *plot,
                                atemi_figure *figure)
{
    const atemi_recording *recording = source->recording;
    const bool             skips_base = has_joints(recording, plot->group);
    joint_panel            panels[ATEMI_FIGURE_PANELS] = {0};
    int                    count = 0;
    for (int i = 0; i < atemi_recording_channel_count(recording); ++i) {
        const atemi_channel *channel = atemi_recording_channel(recording, i);
        if (strcmp(channel->group, plot->group) == 0 && strchr(channel->name, '.') &&
            !(skips_base && is_of_base(channel->name))) {
            joint_panel *panel = panel_of(panels, &count, plot, channel->unit);
            if (panel) {
                enter_column(source, plot, i, panel);
            }
        }
    }
    draw_joint_panels(source, panels, count, figure);
    return ATEMI_OK;
}

atemi_status atemi_figure_positions(const atemi_figure_source *source, atemi_figure *figure,
                                    atemi_error *error)
{
    (void)error;
    return plot_joints(source, &(joint_plot){"q", "position", false}, figure);
}

atemi_status atemi_figure_velocities(const atemi_figure_source *source, atemi_figure *figure,
                                     atemi_error *error)
{
    (void)error;
    return plot_joints(source, &(joint_plot){"v", "velocity", false}, figure);
}

atemi_status atemi_figure_torques(const atemi_figure_source *source, atemi_figure *figure,
                                  atemi_error *error)
{
    (void)error;
    return plot_joints(source, &(joint_plot){"tau", "torque", true}, figure);
}

// ---- Energy and forces: sums of columns

static double *take_sums(const atemi_figure_source *source, int count, atemi_error *error)
{
    const size_t size = (size_t)count * (size_t)source->rows * sizeof(double);
    double      *sums = (double *)atemi_allocate(size ? size : 1);
    if (!sums) {
        (void)atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a figure");
        return NULL;
    }
    memset(sums, 0, size);
    return sums;
}

atemi_status atemi_figure_energy(const atemi_figure_source *source, atemi_figure *figure,
                                 atemi_error *error)
{
    const atemi_recording *recording = source->recording;
    const int              kinetic = atemi_recording_find_channel(recording, "energy.kinetic");
    const int              potential = atemi_recording_find_channel(recording, "energy.potential");
    if (kinetic == ATEMI_NONE || potential == ATEMI_NONE) {
        return ATEMI_OK;
    }
    double *total = take_sums(source, 1, error);
    if (!total) {
        return ATEMI_ERROR_MEMORY;
    }
    const double *T = atemi_recording_values(recording, kinetic);
    const double *V = atemi_recording_values(recording, potential);
    for (int i = 0; i < source->rows; ++i) {
        total[i] = T[i] + V[i];
    }
    const atemi_figure_panel panel = {.name = "energy [J]",
                                      .count = 3,
                                      .series = {over_time(source, T, "kinetic", -1, NAN),
                                                 over_time(source, V, "potential", -1, NAN),
                                                 over_time(source, total, "total", -1, NAN)}};
    plot_over_time(source, 1, &panel, figure);
    atemi_release(total);
    return ATEMI_OK;
}

// For each site the sums of x, y and z, of which y is then the horizontal size.
static void sum_forces(const atemi_figure_source *source, int sites, double *sums)
{
    const ptrdiff_t rows = source->rows;
    for (int i = 0; i < source->contacts->count; ++i) {
        const atemi_report_contact *contact = &source->contacts->contacts[i];
        for (int axis = 0; axis < 3 && contact->site < sites; ++axis) {
            const double *f = atemi_recording_values(source->recording, contact->force[axis]);
            for (ptrdiff_t k = 0; k < rows; ++k) {
                sums[(3 * contact->site + axis) * rows + k] += f[k];
            }
        }
    }
    for (int i = 0; i < sites; ++i) {
        const double *x = sums + 3 * i * rows;
        double       *y = sums + (3 * i + 1) * rows;
        for (ptrdiff_t k = 0; k < rows; ++k) {
            y[k] = hypot(x[k], y[k]);
        }
    }
}

static bool have_forces(const atemi_report_contacts *contacts)
{
    bool have = contacts->count > 0;
    for (int i = 0; i < contacts->count; ++i) {
        have = have && contacts->contacts[i].force[0] != ATEMI_NONE;
    }
    return have;
}

static const atemi_report_contact *first_of_site(const atemi_report_contacts *contacts, int site)
{
    const atemi_report_contact *contact = contacts->contacts;
    while (contact->site != site) {
        ++contact;
    }
    return contact;
}

static void draw_forces(const atemi_figure_source *source, int sites, const double *sums,
                        atemi_figure *figure)
{
    const int          left_out = source->contacts->site_count - sites;
    atemi_figure_panel panels[] = {
        {.name = "vertical contact force [N]", .count = sites, .left_out = left_out},
        {.name = "horizontal contact force [N]", .count = sites, .left_out = left_out}};
    panels[0].chosen = panels[1].chosen = "the first";
    for (int i = 0; i < sites; ++i) {
        const atemi_report_contact *contact = first_of_site(source->contacts, i);
        const double               *x = sums + 3 * (ptrdiff_t)i * source->rows;
        panels[0].series[i] = over_time(source, x + 2 * (ptrdiff_t)source->rows, contact->name,
                                        contact->site_length, NAN);
        panels[1].series[i] =
            over_time(source, x + source->rows, contact->name, contact->site_length, NAN);
    }
    plot_over_time(source, 2, panels, figure);
}

atemi_status atemi_figure_forces(const atemi_figure_source *source, atemi_figure *figure,
                                 atemi_error *error)
{
    if (!have_forces(source->contacts)) {
        return ATEMI_OK;
    }
    const int all = source->contacts->site_count;
    const int sites = all < ATEMI_FIGURE_COLORS ? all : ATEMI_FIGURE_COLORS;
    double   *sums = take_sums(source, 3 * sites, error);
    if (!sums) {
        return ATEMI_ERROR_MEMORY;
    }
    sum_forces(source, sites, sums);
    draw_forces(source, sites, sums, figure);
    atemi_release(sums);
    return ATEMI_OK;
}

// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/figures/figure_bars.h"
#include "io/figures/figure_plot.h"

#include <math.h>
#include <string.h>

// Plots of columns over time, as the recording describes them (report_plots.h).

// A panel to be, with the numbers and texts that are made for it.
typedef struct line_panel {
    atemi_figure_panel panel;
    double             ranges[ATEMI_FIGURE_COLORS]; ///< of its series
    double            *values;                      ///< sums, or the edges of a band; or NULL
    double            *scaled;                      ///< of all lines, in the plot's unit; or NULL
    atemi_text         name;
} line_panel;

static atemi_figure_series over_time(const atemi_figure_source *source, const double *values,
                                     const char *label, int label_length)
{
    return (atemi_figure_series){.count = source->rows,
                                 .x = source->t,
                                 .y = values,
                                 .label = label,
                                 .label_length = label_length,
                                 .lower = NAN,
                                 .upper = NAN};
}

static double *take_values(const atemi_figure_source *source, int count, atemi_error *error)
{
    const size_t size = (size_t)count * (size_t)source->rows * sizeof(double);
    double      *values = (double *)atemi_allocate(size ? size : 1);
    if (!values) {
        (void)atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a figure");
        return NULL;
    }
    memset(values, 0, size);
    return values;
}

// ---- Lines

// Enters a series before those of a smaller range; the last one may fall out.
static void enter(line_panel *panel, atemi_figure_series series, double range)
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

static const atemi_joint *joint_of(const atemi_model *model, const atemi_report_line *line)
{
    for (int i = 0; model && i < atemi_model_joint_count(model); ++i) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (strlen(joint->name) == (size_t)line->label_length &&
            memcmp(joint->name, line->label, (size_t)line->label_length) == 0) {
            return joint;
        }
    }
    return NULL;
}

// Limits of positions are two for each joint: only those are drawn that a joint comes close to.
static void set_position_limits(const atemi_joint *joint, double least, double largest,
                                atemi_figure_series *series)
{
    const double close = 0.1 * (joint->limits.upper - joint->limits.lower);
    series->lower = least - joint->limits.lower < close ? joint->limits.lower : (double)NAN;
    series->upper = joint->limits.upper - largest < close ? joint->limits.upper : (double)NAN;
}

static void set_limits(const atemi_joint *joint, atemi_plot_limits limits, double least,
                       double largest, atemi_figure_series *series)
{
    switch (limits) {
    case ATEMI_PLOT_NO_LIMITS:
        break;
    case ATEMI_PLOT_POSITION_LIMITS:
        set_position_limits(joint, least, largest, series);
        break;
    case ATEMI_PLOT_VELOCITY_LIMITS:
        series->upper = joint->limits.velocity;
        series->lower = -series->upper;
        break;
    case ATEMI_PLOT_EFFORT_LIMITS:
        series->upper = joint->limits.effort;
        series->lower = -series->upper;
        break;
    }
}

// Times which the values of a line have the unit of its plot.
static double scale_of(const atemi_report_plot *plot, const atemi_joint *joint)
{
    const double limit = !joint                                           ? (double)INFINITY
                         : plot->about.limits == ATEMI_PLOT_EFFORT_LIMITS ? joint->limits.effort
                                                                          : joint->limits.velocity;
    return plot->about.of_limits ? plot->scale / limit : plot->scale;
}

// The values of the line `index` in the unit of its plot.
static const double *values_of(const atemi_figure_source *source, const atemi_report_line *line,
                               int index, double scale, double *scaled)
{
    const double *values = atemi_recording_values(source->recording, line->column);
    double       *own = scaled ? scaled + (ptrdiff_t)index * source->rows : NULL;
    for (int i = 0; i < source->rows && own; ++i) {
        own[i] = scale * values[i];
    }
    return own ? own : values;
}

// Of joints, those that vary most; of others, the first.
static void enter_line(const atemi_figure_source *source, const atemi_report_plot *plot, int index,
                       line_panel *panel)
{
    double                   least = INFINITY, largest = -INFINITY;
    const atemi_report_line *line = &source->plots->lines[plot->first_line + index];
    const atemi_joint       *joint = joint_of(source->robot->model, line);
    const double             scale = scale_of(plot, joint);
    const double            *values = values_of(source, line, index, scale, panel->scaled);
    atemi_figure_series      series = over_time(source, values, line->label, line->label_length);
    series.is_reference = line->is_reference;
    atemi_figure_widen(values, source->rows, &least, &largest);
    if (joint) {
        set_limits(joint, plot->about.limits, least / scale, largest / scale, &series);
        series.lower *= scale;
        series.upper *= scale;
    }
    enter(panel, series, plot->about.of_joints ? largest - least : 0.0);
}

static void add_sum(const atemi_figure_source *source, const atemi_report_plot *plot,
                    const atemi_report_line *lines, line_panel *panel)
{
    for (int i = 0; i < plot->line_count; ++i) {
        const double *values = atemi_recording_values(source->recording, lines[i].column);
        for (int k = 0; k < source->rows; ++k) {
            panel->values[k] += values[k];
        }
    }
    enter(panel, over_time(source, panel->values, plot->about.sum, -1), 0.0);
}

// A sum of one line, or with a band, is none.
static atemi_status make_lines(const atemi_figure_source *source, const atemi_report_plot *plot,
                               line_panel *panel, atemi_error *error)
{
    const atemi_report_line *lines = source->plots->lines + plot->first_line;
    const bool               has_band = plot->about.band != ATEMI_PLOT_NO_BAND;
    const bool               has_sum = plot->about.sum && plot->line_count > 1 && !has_band;
    panel->panel.chosen = plot->about.of_joints ? "which vary most" : "the first";
    panel->scaled = plot->scale == 1.0 ? NULL : take_values(source, plot->line_count, error);
    if (plot->scale != 1.0 && !panel->scaled) {
        return ATEMI_ERROR_MEMORY;
    }
    for (int i = 0; i < plot->line_count; ++i) {
        enter_line(source, plot, i, panel);
    }
    if (!has_band && !has_sum) {
        return ATEMI_OK;
    }
    panel->values = take_values(source, has_sum ? 1 : 2, error);
    if (!panel->values) {
        return ATEMI_ERROR_MEMORY;
    }
    if (has_sum) {
        add_sum(source, plot, lines, panel);
        return ATEMI_OK;
    }
    atemi_figure_support(source, plot->about.band == ATEMI_PLOT_SUPPORT_X ? 0 : 1, panel->values,
                         panel->values + source->rows);
    panel->panel.band[0] = panel->values;
    panel->panel.band[1] = panel->values + source->rows;
    panel->panel.band_label = "support";
    return ATEMI_OK;
}

// ---- Contact forces

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

static const atemi_report_contact *first_of_site(const atemi_report_contacts *contacts, int site)
{
    const atemi_report_contact *contact = contacts->contacts;
    while (contact->site != site) {
        ++contact;
    }
    return contact;
}

static atemi_status make_forces(const atemi_figure_source *source, const atemi_report_plot *plot,
                                line_panel *panel, atemi_error *error)
{
    const int all = source->contacts->site_count;
    const int sites = all < ATEMI_FIGURE_COLORS ? all : ATEMI_FIGURE_COLORS;
    const int axis = plot->about.kind == ATEMI_PLOT_VERTICAL_FORCES ? 2 : 1;
    panel->values = take_values(source, 3 * sites, error);
    if (!panel->values) {
        return ATEMI_ERROR_MEMORY;
    }
    sum_forces(source, sites, panel->values);
    for (int i = 0; i < sites; ++i) {
        const atemi_report_contact *contact = first_of_site(source->contacts, i);
        const double *values = panel->values + (ptrdiff_t)(3 * i + axis) * source->rows;
        panel->panel.series[i] = over_time(source, values, contact->name, contact->site_length);
    }
    panel->panel.count = sites;
    panel->panel.left_out = all - sites;
    panel->panel.chosen = "the first";
    return ATEMI_OK;
}

// ---- Pictures

static void put_name(atemi_text *name, const atemi_recorded_plot *about)
{
    const bool has_unit = strcmp(about->unit, "-") != 0;
    atemi_text_put_string(name, about->axis);
    atemi_text_put_string(name, has_unit ? " [" : "");
    atemi_text_put_string(name, has_unit ? about->unit : "");
    atemi_text_put_string(name, has_unit ? "]" : "");
}

// The title stands above the first of the plots that share it.
static atemi_status draw_lines(const atemi_figure_source *source, const atemi_report_plot *plot,
                               bool has_title, double top, bool is_last, atemi_figure *figure,
                               atemi_error *error)
{
    const atemi_figure_abscissa time = {"time [s]", source->t[0], source->t[source->rows - 1], 0.0};
    line_panel                  panel = {0};
    atemi_status                status = plot->about.kind == ATEMI_PLOT_LINES
                                             ? make_lines(source, plot, &panel, error)
                                             : make_forces(source, plot, &panel, error);
    put_name(&panel.name, &plot->about);
    panel.panel.title = has_title ? plot->about.title : NULL;
    panel.panel.name = panel.name.bytes;
    if (!status && panel.name.failed) {
        status = atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a figure");
    }
    if (!status) {
        atemi_figure_panel_draw(figure, &time, top, is_last, &panel.panel);
    }
    atemi_text_destroy(&panel.name);
    atemi_release(panel.values);
    atemi_release(panel.scaled);
    return status;
}

static bool is_bars(const atemi_report_plot *plot)
{
    return plot->about.kind == ATEMI_PLOT_STATES;
}

// The index of the next plot of the same figure, or the number of plots.
static int next_of_figure(const atemi_report_plots *plots, int index)
{
    int next = index + 1;
    while (next < plots->count &&
           strcmp(plots->plots[next].about.figure, plots->plots[index].about.figure) != 0) {
        ++next;
    }
    return next;
}

static bool has_title(const atemi_report_plot *plot, const atemi_report_plot *before)
{
    return !before || is_bars(before) || strcmp(before->about.title, plot->about.title) != 0;
}

static double height_of(const atemi_report_plot *plot, const atemi_report_plot *before)
{
    const atemi_figure_panel panel = {.title = has_title(plot, before) ? plot->about.title : NULL};
    return is_bars(plot) ? atemi_figure_bars_height(plot) : atemi_figure_panel_height(&panel);
}

static double whole_height(const atemi_report_plots *plots, int first)
{
    const atemi_report_plot *before = NULL;
    double                   height = atemi_figure_foot;
    for (int i = first; i < plots->count; i = next_of_figure(plots, i)) {
        height += height_of(&plots->plots[i], before);
        before = &plots->plots[i];
    }
    return height;
}

atemi_status atemi_figure_over_time(const atemi_figure_source *source, int first,
                                    atemi_figure *figure, atemi_error *error)
{
    const atemi_report_plots *plots = source->plots;
    const atemi_report_plot  *before = NULL;
    double                    top = 0.0;
    atemi_status              status = ATEMI_OK;
    atemi_figure_begin(figure, atemi_figure_width, whole_height(plots, first));
    for (int i = first; i < plots->count && !status; i = next_of_figure(plots, i)) {
        const atemi_report_plot *plot = &plots->plots[i];
        const bool               is_last = next_of_figure(plots, i) == plots->count;
        if (is_bars(plot)) {
            atemi_figure_bars_draw(source, plot, top, is_last, figure);
        } else {
            status = draw_lines(source, plot, has_title(plot, before), top, is_last, figure, error);
        }
        top += height_of(plot, before);
        before = plot;
    }
    atemi_figure_end(figure);
    return status;
}

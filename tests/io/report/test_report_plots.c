// SPDX-License-Identifier: Apache-2.0

#include "io/report/report_plots.h"

#include "allocations.h"
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static atemi_recording *create(int count, const atemi_channel *channels, const double *row)
{
    atemi_recording *recording;
    CHECK_STATUS(atemi_recording_create(count, channels, &recording, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_append(recording, row, NULL), ATEMI_OK);
    return recording;
}

static void add(atemi_recording *recording, const char *title, const char *unit,
                const atemi_plot_column *columns)
{
    const atemi_recorded_plot plot = {
        .figure = "a", .title = title, .axis = "y", .unit = unit, .columns = columns};
    CHECK_STATUS(atemi_recording_add_plot(recording, &plot, NULL), ATEMI_OK);
}

// All plots as "title [unit]: column=label ...; ".
static const char *describe(const atemi_recording *recording)
{
    static char           text[2048];
    size_t                used = 0;
    atemi_report_contacts contacts;
    atemi_report_plots    plots;
    CHECK_STATUS(atemi_report_contacts_find(recording, &contacts, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_report_plots_find(recording, &contacts, &plots, NULL), ATEMI_OK);
    text[0] = '\0';
    for (int i = 0; i < plots.count; ++i) {
        const atemi_report_plot *plot = &plots.plots[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s [%s]:", plot->about.title,
                                 plot->about.unit);
        for (int k = 0; k < plot->line_count; ++k) {
            const atemi_report_line *line = &plots.lines[plot->first_line + k];
            used += (size_t)snprintf(text + used, sizeof text - used, " %d=%.*s", line->column,
                                     line->label_length, line->label);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "; ");
    }
    atemi_report_plots_destroy(&plots);
    atemi_report_contacts_destroy(&contacts);
    return text;
}

static const atemi_channel joints[] = {
    {"t", "s", NULL},       {"q.base.x", "m", NULL}, {"q.arm.upper", "rad", NULL},
    {"q.slide", "m", NULL}, {"q.knee", "rad", NULL}, {"energy.kinetic", "J", NULL},
    {"load", "N", NULL}};
static const double row[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0};

TEST(report_plots, have_one_unit_each_in_the_order_of_the_description)
{
    atemi_recording *recording = create(7, joints, row);
    add(recording, "Load", NULL, (const atemi_plot_column[]){{"load", NULL}, {NULL, NULL}});
    add(recording, "Joints", NULL,
        (const atemi_plot_column[]){{"q.*", NULL}, {"!q.base.*", NULL}, {NULL, NULL}});
    CHECK_EQUAL_STRING(
        describe(recording),
        "Load [N]: 6=load; Joints [\u00b0]: 2=arm.upper 4=knee; Joints [m]: 3=slide; ");
    atemi_recording_destroy(recording);
}

TEST(report_plots, show_a_column_by_the_first_entry_that_means_it)
{
    atemi_recording *recording = create(7, joints, row);
    add(recording, "A", "rad",
        (const atemi_plot_column[]){
            {"q.knee", "left knee"}, {"q.a*r", NULL}, {"*", NULL}, {NULL, NULL}});
    CHECK_EQUAL_STRING(describe(recording), "A [\u00b0]: 4=left knee 2=rm.uppe; ");
    atemi_recording_destroy(recording);
}

TEST(report_plots, leave_out_what_is_missing_or_has_no_value)
{
    double           absent[7];
    atemi_recording *recording;
    memcpy(absent, row, sizeof absent);
    absent[4] = absent[6] = NAN;
    recording = create(7, joints, absent);
    add(recording, "Knee", NULL,
        (const atemi_plot_column[]){{"q.knee", NULL}, {"q.slide", NULL}, {NULL, NULL}});
    add(recording, "Load", NULL, (const atemi_plot_column[]){{"load", NULL}, {NULL, NULL}});
    add(recording, "None", NULL, (const atemi_plot_column[]){{"q.hip", NULL}, {NULL, NULL}});
    CHECK_EQUAL_STRING(describe(recording), "Knee [m]: 3=slide; ");
    atemi_recording_destroy(recording);
}

TEST(report_plots, mark_what_was_commanded_and_leave_out_what_is_zero)
{
    static const atemi_channel channels[] = {{"t", "s", NULL},
                                             {"q.knee", "rad", NULL},
                                             {"target.knee", "rad", NULL},
                                             {"stop", "N", NULL}};
    atemi_recording          *recording = create(4, channels, (const double[]){0.0, 1.0, 2.0, 0.0});
    const atemi_recorded_plot stop = {.figure = "a",
                                      .title = "Stop",
                                      .axis = "y",
                                      .columns =
                                          (const atemi_plot_column[]){{"stop", NULL}, {NULL, NULL}},
                                      .skips_zero = true};
    atemi_report_contacts     contacts;
    atemi_report_plots        plots;
    add(recording, "Knee", NULL,
        (const atemi_plot_column[]){{"q.*", NULL}, {"~target.*", NULL}, {NULL, NULL}});
    CHECK_STATUS(atemi_recording_add_plot(recording, &stop, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_report_contacts_find(recording, &contacts, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_report_plots_find(recording, &contacts, &plots, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(plots.count, 1);
    CHECK_EQUAL_INT(plots.plots[0].line_count, 2);
    CHECK(!plots.lines[0].is_reference && plots.lines[1].is_reference);
    CHECK_NEAR(plots.plots[0].scale, 57.29577951308232, 1e-13);
    atemi_report_plots_destroy(&plots);
    atemi_report_contacts_destroy(&contacts);
    atemi_recording_destroy(recording);
}

// An arm that is fixed to the world has a centre of mass, and no ZMP.
TEST(report_plots, of_balance_need_a_zmp)
{
    static const atemi_channel channels[] = {
        {"t", "s", NULL}, {"com.x", "m", NULL}, {"zmp.x", "m", NULL}};
    const atemi_recorded_plot balance = {
        .figure = "a",
        .title = "Balance",
        .axis = "x",
        .columns = (const atemi_plot_column[]){{"zmp.x", NULL}, {"com.x", NULL}, {NULL, NULL}},
        .band = ATEMI_PLOT_SUPPORT_X};
    for (int known = 0; known < 2; ++known) {
        atemi_recording *recording =
            create(3, channels, (const double[]){0.0, 1.0, known ? 0.5 : (double)NAN});
        CHECK_STATUS(atemi_recording_add_plot(recording, &balance, NULL), ATEMI_OK);
        CHECK_EQUAL_STRING(describe(recording), known ? "Balance [m]: 2=x 1=x; " : "");
        atemi_recording_destroy(recording);
    }
}

TEST(report_plots, of_contact_forces_need_all_three_components)
{
    static const atemi_channel channels[] = {{"t", "s", NULL},
                                             {"contact.a.0.mode", NULL, NULL},
                                             {"contact.a.0.force_x", "N", NULL},
                                             {"contact.a.0.force_y", "N", NULL},
                                             {"contact.a.0.force_z", "N", NULL}};
    const atemi_recorded_plot  plot = {
         .figure = "a", .title = "F", .axis = "f", .kind = ATEMI_PLOT_VERTICAL_FORCES};
    for (int count = 4; count <= 5; ++count) {
        atemi_recording *recording = create(count, channels, row);
        CHECK_STATUS(atemi_recording_add_plot(recording, &plot, NULL), ATEMI_OK);
        CHECK_EQUAL_STRING(describe(recording), count == 5 ? "F [N]:; " : "");
        atemi_recording_destroy(recording);
    }
}

// Recordings of other tools, and those of atemi before plots were described.
TEST(report_plots, without_a_description_follow_groups_and_units)
{
    static const atemi_channel channels[] = {{"t", "s", NULL},           {"walk.x", "m", NULL},
                                             {"q.knee", "rad", NULL},    {"walk.mu", NULL, NULL},
                                             {"lamp*.on", "-", NULL},    {"walk.y", "m", NULL},
                                             {"a.knee", "rad/s^2", NULL}};
    atemi_recording           *recording = create(7, channels, row);
    CHECK_EQUAL_STRING(describe(recording), "Joint positions [\u00b0]: 2=knee; walk [m]: 1=x 5=y; "
                                            "walk [-]: 3=mu; lamp* [-]: 4=on; ");
    atemi_recording_destroy(recording);
}

// A unit for each column would be as many plots as columns.
TEST(report_plots, are_limited_in_number)
{
    enum { COLUMNS = 3000 };
    static char           names[COLUMNS][16], units[COLUMNS][16];
    static atemi_channel  channels[COLUMNS] = {{"t", "s", NULL}};
    static double         zeros[COLUMNS];
    atemi_report_contacts contacts = {0};
    atemi_report_plots    plots;
    for (int i = 1; i < COLUMNS; ++i) {
        snprintf(names[i], sizeof names[i], "g%d.x", i / 2);
        snprintf(units[i], sizeof units[i], "u%d", i);
        channels[i] = (atemi_channel){names[i], units[i], NULL};
        names[i][strlen(names[i]) - 1] = i % 2 ? 'a' : 'b';
    }
    atemi_recording *recording = create(COLUMNS, channels, zeros);
    CHECK_STATUS(atemi_report_plots_find(recording, &contacts, &plots, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(plots.count, 1000);
    atemi_report_plots_destroy(&plots);
    atemi_recording_destroy(recording);
}

TEST(report_plots, without_memory_lose_none)
{
    atemi_recording *recording = create(7, joints, row);
    bool             failed = true;
    for (int calls = 1; failed; ++calls) {
        atemi_report_contacts contacts = {0};
        atemi_report_plots    plots;
        failing_allocator_install(calls);
        const atemi_status status = atemi_report_plots_find(recording, &contacts, &plots, NULL);
        atemi_report_plots_destroy(&plots);
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK((status == ATEMI_OK) == !failed);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    atemi_recording_destroy(recording);
}

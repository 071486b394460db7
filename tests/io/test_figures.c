// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/report.h"
#include "atemi/simulate.h"
#include "check.h"
#include "folder.h"
#include "io/figure_axis.h"
#include "io/figure_plot.h"

#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const files[] = {"strip.svg", "forces.svg", "contacts.svg", "q.svg",
                                    "v.svg",     "tau.svg",    "energy.svg",   "zmp.svg"};

enum { FILES = sizeof files / sizeof files[0] };

static atemi_recording *simulate(const char *text)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    CHECK_STATUS(atemi_simulate_text(text, strlen(text), NULL, NULL, &recording, &error), ATEMI_OK);
    return recording;
}

// Numbers of elements by their names.
typedef struct drawing {
    int polygons, paths, texts, rectangles, all;
} drawing;

static void on_element(void *context, const XML_Char *name, const XML_Char **attributes)
{
    drawing *found = (drawing *)context;
    (void)attributes;
    found->polygons += strcmp(name, "polygon") == 0;
    found->paths += strcmp(name, "path") == 0;
    found->texts += strcmp(name, "text") == 0;
    found->rectangles += strcmp(name, "rect") == 0;
    ++found->all;
}

static drawing parse(const char *svg, size_t size)
{
    drawing    found = {0};
    XML_Parser parser = XML_ParserCreate("UTF-8");
    XML_SetUserData(parser, &found);
    XML_SetStartElementHandler(parser, on_element);
    CHECK_EQUAL_INT(XML_Parse(parser, svg, (int)size, true), XML_STATUS_OK);
    XML_ParserFree(parser);
    CHECK(!strstr(svg, "nan") && !strstr(svg, "inf"));
    return found;
}

static drawing read_drawing(const char *path)
{
    static char text[1 << 22];
    FILE       *file = fopen(path, "rb");
    CHECK(file != NULL);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    return parse(text, size);
}

static bool exists(const char *path)
{
    return folder_get(path) != NULL;
}

static int draw(const atemi_recording *recording, folder home)
{
    atemi_error error = {0};
    CHECK_STATUS(atemi_report_write_figures(recording, folder_path(home.path, "new"), &error),
                 ATEMI_OK);
    return folder_count(folder_path(home.path, "new"));
}

TEST(figures, of_a_humanoid_are_all_there_and_well_formed)
{
    folder           home = folder_create();
    atemi_recording *recording = simulate("robot: hrp2_like\n"
                                          "start: {posture: half_sitting, on: floor}\n"
                                          "contacts: [{site: right_sole}, {site: left_sole}]\n"
                                          "duration: 100 ms\n");
    CHECK_EQUAL_INT(draw(recording, home), FILES);
    for (int i = 0; i < FILES; ++i) {
        char name[64];
        snprintf(name, sizeof name, "new/%s", files[i]);
        CHECK(read_drawing(folder_path(home.path, name)).all > 10);
    }
    const drawing strip = read_drawing(folder_path(home.path, "new/strip.svg"));
    CHECK(strip.polygons > 5 * 30); // parts and floors, five postures at least
    CHECK(read_drawing(folder_path(home.path, "new/tau.svg")).paths == 8);
    CHECK(read_drawing(folder_path(home.path, "new/forces.svg")).paths == 4);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(figures, leave_out_what_is_not_recorded)
{
    const atemi_channel channels[] = {{"t", "s", NULL}, {"q.<&'\">", "rad", NULL}};
    folder              home = folder_create();
    atemi_error         error = {0};
    atemi_recording    *recording;
    CHECK_STATUS(atemi_recording_create(2, channels, &recording, &error), ATEMI_OK);
    CHECK_STATUS(atemi_report_write_figures(recording, folder_path(home.path, "new"), &error),
                 ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "no rows");
    CHECK_STATUS(atemi_recording_append(recording, (double[]){0.0, 1.0}, &error), ATEMI_OK);
    CHECK_EQUAL_INT(draw(recording, home), 1);
    CHECK(exists(folder_path(home.path, "new/q.svg")));
    read_drawing(folder_path(home.path, "new/q.svg"));
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(figures, stand_any_numbers)
{
    const atemi_channel channels[] = {{"t", "s", NULL},     {"q.a", "rad", NULL},
                                      {"q.b", "rad", NULL}, {"q.c", "m", NULL},
                                      {"zmp.x", "m", NULL}, {"zmp.y", "m", NULL},
                                      {"com.x", "m", NULL}, {"contact.a.0.mode", "-", NULL}};
    folder              home = folder_create();
    atemi_error         error = {0};
    atemi_recording    *recording;
    CHECK_STATUS(atemi_recording_create(8, channels, &recording, &error), ATEMI_OK);
    for (int i = 0; i < 100; ++i) {
        const double row[] = {i / 10 * 1e-9,
                              i % 2 ? 1.7e308 : -1.7e308,
                              i % 3 ? 5e-324 : 0.0,
                              i % 5 ? (double)NAN : 1e15 + i,
                              i % 7 ? 1e300 : (double)NAN,
                              1e-300 * i,
                              NAN,
                              2.5 * i - 100.0};
        CHECK_STATUS(atemi_recording_append(recording, row, &error), ATEMI_OK);
    }
    CHECK_EQUAL_INT(draw(recording, home), 3);
    read_drawing(folder_path(home.path, "new/q.svg"));
    read_drawing(folder_path(home.path, "new/zmp.svg"));
    read_drawing(folder_path(home.path, "new/contacts.svg"));
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(figures, have_ticks_at_round_numbers)
{
    const atemi_figure_axis  axis = atemi_figure_axis_make(-0.13, 0.72, 0.0, 0.0, 400.0);
    const atemi_figure_ticks ticks = atemi_figure_ticks_make(&axis, 50.0);
    CHECK_EQUAL_INT(ticks.last - ticks.first, 3);
    CHECK(atemi_figure_tick_value(&ticks, ticks.first) == 0.0);
    CHECK(atemi_figure_tick_value(&ticks, ticks.first + 3) == 0.6);
    CHECK_NEAR(atemi_figure_axis_at(&axis, 0.295), 200.0, 1e-9);
}

TEST(figures, keep_the_extremes_of_a_long_line)
{
    enum { ROWS = 100000 };
    static double      t[ROWS], y[ROWS];
    atemi_figure       figure;
    atemi_figure_panel panel = {.name = "y", .count = 1, .series = {{y, "y", -1, NAN}}};
    for (int i = 0; i < ROWS; ++i) {
        t[i] = i;
        y[i] = i == 77777 ? 100.0 : sin(0.1 * i);
    }
    atemi_figure_plot(&figure, ROWS, t, 1, &panel);
    parse(figure.text.bytes, figure.text.size);
    CHECK(figure.text.size < 150000);
    // With 6 % of air above it, the spike stands 1/9.3 of 200 pixels below the top, at 34.
    CHECK_CONTAINS(figure.text.bytes, " 44.7");
    atemi_text_destroy(&figure.text);
}

TEST(figures, without_memory_lose_none)
{
    folder           home = folder_create();
    atemi_recording *recording = simulate("robot: two_link\nduration: 20 ms\n");
    bool             failed = true;
    for (int calls = 1; failed; ++calls) {
        atemi_error error = {0};
        failing_allocator_install(calls);
        const atemi_status status = atemi_report_write_figures(recording, home.path, &error);
        failing_allocator_remove();
        failed = failing_allocator_failed();
        CHECK((status == ATEMI_OK) == !failed);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
    }
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

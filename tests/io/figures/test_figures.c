// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/recording.h"
#include "atemi/robots.h"
#include "check.h"
#include "folder.h"
#include "io/figures/figure_axis.h"
#include "io/figures/figure_plot.h"
#include "job_runs.h"
#include "texts.h"

#include <expat.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[] = {"strip.svg",   "zmp.svg", "contacts.svg", "forces.svg",
                                    "balance.svg", "q.svg",   "v.svg",        "tau.svg",
                                    "energy.svg",  "base.svg"};

enum { FILES = sizeof files / sizeof files[0] };

static atemi_recording *simulate(const char *text)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    CHECK_STATUS(job_simulate_text(text, strlen(text), NULL, NULL, &recording, &error), ATEMI_OK);
    return recording;
}

// Numbers of elements by their names.
typedef struct drawing {
    int polygons, paths, texts, rectangles, circles, all;
} drawing;

static void on_element(void *context, const XML_Char *name, const XML_Char **attributes)
{
    drawing *found = (drawing *)context;
    (void)attributes;
    found->polygons += strcmp(name, "polygon") == 0;
    found->paths += strcmp(name, "path") == 0;
    found->texts += strcmp(name, "text") == 0;
    found->rectangles += strcmp(name, "rect") == 0;
    found->circles += strcmp(name, "circle") == 0;
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

// Its text, until the next one is read.
static const char *read_svg(const char *path, size_t *size)
{
    static char text[1 << 22];
    FILE       *file = fopen(path, "rb");
    CHECK(file != NULL);
    *size = fread(text, 1, sizeof text - 1, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

static drawing read_drawing(const char *path)
{
    size_t      size;
    const char *text = read_svg(path, &size);
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
                                          "start: {posture: half_sitting, place_on: floor}\n"
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

// When each picture of a motion is seen, as parts of the period.
typedef struct frame_times {
    int    count, shown; ///< shown: without animation
    double from[64], until[64];
} frame_times;

static frame_times read_frames(const char *svg)
{
    frame_times found = {0};
    for (const char *at = strstr(svg, "<g visibility='"); at;
         at = strstr(at + 1, "<g visibility='")) {
        const char *values = strstr(at, "values='") + strlen("values='");
        const char *times = strstr(at, "keyTimes='0") + strlen("keyTimes='0");
        const bool  waits = strncmp(values, "hidden", 6) == 0;
        char       *next = (char *)(uintptr_t)times;
        CHECK(found.count < 64);
        found.shown += strncmp(at, "<g visibility='visible'", 23) == 0;
        found.from[found.count] = waits ? strtod(next + 1, &next) : 0.0;
        found.until[found.count] = *next == ';' ? strtod(next + 1, NULL) : 1.0;
        ++found.count;
    }
    return found;
}

// One picture ends where the next begins, the first at 0 and the last at 1.
TEST(figures, of_a_motion_show_one_picture_at_a_time)
{
    folder           home = folder_create();
    atemi_recording *recording = simulate("robot: hrp2_like\n"
                                          "contacts: []\n"
                                          "record: {every: 5 ms}\n"
                                          "duration: 150 ms\n");
    draw(recording, home);
    CHECK(read_drawing(folder_path(home.path, "new/motion.svg")).polygons > 28 * 20);
    size_t            size;
    const frame_times frames =
        read_frames(read_svg(folder_path(home.path, "new/motion.svg"), &size));
    CHECK_EQUAL_INT(frames.count, 28);
    CHECK_EQUAL_INT(frames.shown, 1);
    double end = 0.0;
    for (int i = 0; i < frames.count; ++i) {
        CHECK(frames.from[i] == end && frames.until[i] > frames.from[i]);
        end = frames.until[i];
    }
    CHECK(end == 1.0);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

// Two rows of a robot that stands still, with a block of 0.2 m at two places.
static atemi_recording *record_target(atemi_vec3 direction, atemi_vec3 first, atemi_vec3 last)
{
    static const atemi_channel  channels[] = {{"t", "s", NULL},
                                              {"target.position_x", "m", NULL},
                                              {"target.position_y", "m", NULL},
                                              {"target.position_z", "m", NULL}};
    const atemi_recorded_result results[] = {{.name = "direction_x", .value = direction.x},
                                             {.name = "direction_y", .value = direction.y},
                                             {.name = "direction_z", .value = direction.z},
                                             {.name = "target_width", .value = 0.2}};
    atemi_recorded_job          job = {.name = "strike"};
    atemi_recording            *recording;
    atemi_model                *robot;
    job.urdf = atemi_robots_urdf("two_link", &job.urdf_size);
    CHECK_STATUS(atemi_robots_load("two_link", NULL, &robot, NULL), ATEMI_OK);
    job.robot = robot;
    CHECK_STATUS(atemi_recording_create(4, channels, &recording, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_describe(recording, &job, NULL), ATEMI_OK);
    for (int i = 0; i < 4; ++i) {
        CHECK_STATUS(atemi_recording_add_result(recording, &results[i], NULL), ATEMI_OK);
    }
    const double rows[2][4] = {{0.0, first.x, first.y, first.z}, {1.0, last.x, last.y, last.z}};
    CHECK_STATUS(atemi_recording_append(recording, rows[0], NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_append(recording, rows[1], NULL), ATEMI_OK);
    atemi_model_destroy(robot);
    return recording;
}

static int count_between(const char *begin, const char *end, char character)
{
    int count = 0;
    for (const char *at = begin; at < end; ++at) {
        count += *at == character;
    }
    return count;
}

// How many blocks its strip has, and of how many corners the last is; the width of the picture.
static int count_blocks(atemi_recording *recording, int *corners, double *width)
{
    folder home = folder_create();
    int    count = 0;
    draw(recording, home);
    read_drawing(folder_path(home.path, "new/strip.svg"));
    const char *svg = folder_get(folder_path(home.path, "new/strip.svg"));
    *width = strtod(strstr(svg, "width='") + strlen("width='"), NULL);
    *corners = 0;
    for (const char *at = strstr(svg, "<polygon"); at; at = strstr(at + 1, "<polygon")) {
        const char *end = strchr(at, '>');
        const char *fill = strstr(at, "#c9a26b");
        if (fill && fill < end) {
            ++count;
            *corners = count_between(at, end, ',');
        }
    }
    atemi_recording_destroy(recording);
    folder_remove(home.path);
    return count;
}

TEST(figures, show_what_is_hit)
{
    const atemi_vec3 ahead = {1.0, 0.0, 0.0}, oblique = {1.0, 1.0, -1.0}, down = {0.0, 0.0, -3.0};
    const atemi_vec3 near = {0.3, 0.0, 0.5}, far = {9.0, 0.0, 0.5}, unknown = {NAN, NAN, NAN};
    double           width, other_width;
    int              corners;
    CHECK_EQUAL_INT(count_blocks(record_target(ahead, near, near), &corners, &width), 9);
    CHECK_EQUAL_INT(corners, 4);
    CHECK_EQUAL_INT(count_blocks(record_target(ahead, near, far), &corners, &other_width), 9);
    CHECK_NEAR(other_width, width, 1e-9); // what has flown away takes no room
    CHECK(count_blocks(record_target(oblique, near, near), &corners, &width) >= 5);
    CHECK_EQUAL_INT(corners, 6);
    CHECK(count_blocks(record_target(down, near, near), &corners, &width) >= 5);
    CHECK_EQUAL_INT(corners, 4);
    CHECK_EQUAL_INT(count_blocks(record_target(ahead, unknown, unknown), &corners, &width), 0);
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
    CHECK_EQUAL_INT(draw(recording, home), 4);
    read_drawing(folder_path(home.path, "new/q.svg"));
    read_drawing(folder_path(home.path, "new/balance.svg"));
    read_drawing(folder_path(home.path, "new/zmp.svg"));
    read_drawing(folder_path(home.path, "new/contacts.svg"));
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

// Points one behind the other, of which only the last four span the support: a recording has the
// ZMP in their middle, and the figure is as wide as they are.
TEST(figures, show_a_support_of_any_number_of_points)
{
    enum { POINTS = 300, CHANNELS = 3 + 7 * POINTS };
    static char          names[CHANNELS][32];
    static atemi_channel channels[CHANNELS] = {
        {"t", "s", NULL}, {"zmp.x", "m", NULL}, {"zmp.y", "m", NULL}};
    static double            row[CHANNELS];
    static const char *const parts[] = {"mode",    "position_x", "position_y", "position_z",
                                        "force_x", "force_y",    "force_z"};
    for (int i = 0; i < POINTS; ++i) {
        const double far = i >= POINTS - 4 ? 5.0 : 1e-3;
        double      *at = &row[3 + 7 * i];
        for (int k = 0; k < 7; ++k) {
            snprintf(names[3 + 7 * i + k], sizeof names[0], "contact.p.%d.%s", i, parts[k]);
            channels[3 + 7 * i + k] = (atemi_channel){names[3 + 7 * i + k], "-", NULL};
        }
        at[0] = 1.0;
        at[1] = i % 2 ? far : -far;
        at[2] = i % 4 / 2 ? far : -far;
    }
    folder           home = folder_create();
    atemi_recording *recording;
    CHECK_STATUS(atemi_recording_create(CHANNELS, channels, &recording, NULL), ATEMI_OK);
    for (int i = 0; i < 2; ++i) {
        row[0] = i;
        CHECK_STATUS(atemi_recording_append(recording, row, NULL), ATEMI_OK);
    }
    draw(recording, home);
    const char *svg = folder_get(folder_path(home.path, "new/zmp.svg"));
    CHECK(svg != NULL);
    CHECK_CONTAINS(svg, ">4<"); // a tick of the axis, in m
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

// The extent of the support is shaded: a heel at x = -0.1 carries the robot for 2 s, then a toe at
// 0.2 too, until the foot is in the air. A hand on a table, far above the floor, carries nothing.
TEST(figures, shade_the_extent_of_the_support)
{
    static const atemi_channel   channels[] = {{"t", "s", NULL},
                                               {"zmp.x", "m", NULL},
                                               {"contact.heel.mode", NULL, NULL},
                                               {"contact.heel.position_x", "m", NULL},
                                               {"contact.heel.position_y", "m", NULL},
                                               {"contact.heel.position_z", "m", NULL},
                                               {"contact.toe.mode", NULL, NULL},
                                               {"contact.toe.position_x", "m", NULL},
                                               {"contact.toe.position_y", "m", NULL},
                                               {"contact.toe.position_z", "m", NULL},
                                               {"contact.hand.mode", NULL, NULL},
                                               {"contact.hand.position_x", "m", NULL},
                                               {"contact.hand.position_y", "m", NULL},
                                               {"contact.hand.position_z", "m", NULL}};
    const atemi_recorded_surface floor = {"floor",
                                          {.kind = ATEMI_SURFACE_PLANE, .axis = {0.0, 0.0, 1.0}}};
    folder                       home = folder_create();
    atemi_recording             *recording;
    CHECK_STATUS(atemi_recording_create(14, channels, &recording, NULL), ATEMI_OK);
    CHECK_STATUS(atemi_recording_add_surface(recording, &floor, NULL), ATEMI_OK);
    for (int i = 0; i < 5; ++i) {
        const double row[] = {i,   0.0, i < 4, -0.1, 0.0, 0.0, i == 2 || i == 3,
                              0.2, 0.0, 0.0,   1.0,  5.0, 0.0, 0.8};
        CHECK_STATUS(atemi_recording_append(recording, row, NULL), ATEMI_OK);
    }
    draw(recording, home);
    // Paper, two stretches of the band, its key. The first is a line: as low as it is high.
    CHECK_EQUAL_INT(read_drawing(folder_path(home.path, "new/balance.svg")).rectangles, 1 + 2 + 1);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

// The paper, a piece for each state of a foot, a key for each of the four states.
TEST(figures, show_the_states_of_both_feet)
{
    static const double states[][2] = {{5, 0}, {5, 0}, {3, 1}, {0, 5}, {0, 5}};
    const atemi_channel channels[] = {
        {"t", "s", NULL}, {"gait.left", NULL, NULL}, {"gait.right", NULL, NULL}};
    folder           home = folder_create();
    atemi_recording *recording;
    CHECK_STATUS(atemi_recording_create(3, channels, &recording, NULL), ATEMI_OK);
    for (int i = 0; i < 5; ++i) {
        const double row[] = {0.1 * i, states[i][0], states[i][1]};
        CHECK_STATUS(atemi_recording_append(recording, row, NULL), ATEMI_OK);
    }
    CHECK_EQUAL_INT(draw(recording, home), 1);
    CHECK_EQUAL_INT(read_drawing(folder_path(home.path, "new/gait.svg")).rectangles, 1 + 3 + 3 + 4);
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
    atemi_figure_panel panel = {
        .name = "y", .count = 1, .series = {{ROWS, t, y, "y", -1, NAN, NAN, false, false}}};
    for (int i = 0; i < ROWS; ++i) {
        t[i] = i;
        y[i] = i == 77777 ? 100.0 : sin(0.1 * i);
    }
    const atemi_figure_abscissa x = {"t", t[0], t[ROWS - 1], 0.0};
    atemi_figure_plot(&figure, &x, 1, &panel);
    parse(figure.text.bytes, figure.text.size);
    CHECK(figure.text.size < 150000);
    // With 6 % of air above it, the spike stands 1/9.3 of 200 pixels below the top, at 34.
    CHECK_CONTAINS(figure.text.bytes, " 44.7");
    atemi_text_destroy(&figure.text);
}

// ---- Tables

static const atemi_recorded_column sweep_columns[] = {
    {"speed", "m/s"}, {"friction", NULL}, {"force & <moment>", "N"}, {"limit", "N"}, {"time", "s"}};
static const int sweep_y[] = {2, 3, 4};

// Two curves for each of three y: 0.4 first, and within a curve no order of the speed.
static const double sweep_values[][5] = {
    {0.3, 0.8, 30.0, 40.0, 0.1}, {0.1, 0.8, 10.0, 40.0, 0.2}, {0.2, 0.8, NAN, 40.0, 0.3},
    {0.1, 0.4, 12.0, 40.0, 0.1}, {0.2, 0.4, 22.0, 40.0, 0.2}, {NAN, 0.4, 99.0, 99.0, 99.0},
    {0.1, NAN, 99.0, 99.0, 99.},
};

static atemi_recorded_table make_sweep(const char *name, int x, int series)
{
    return (atemi_recorded_table){
        .name = name,
        .row_count = (int)(sizeof sweep_values / sizeof sweep_values[0]),
        .column_count = 5,
        .columns = sweep_columns,
        .values = sweep_values[0],
        .plot = {.y_count = 3, .y = sweep_y, .x = x, .series = series},
    };
}

static atemi_recording *record_tables(int count, const atemi_recorded_table *tables)
{
    const atemi_channel channel = {"t", "s", NULL};
    atemi_error         error = {0};
    atemi_recording    *recording;
    CHECK_STATUS(atemi_recording_create(1, &channel, &recording, &error), ATEMI_OK);
    for (int i = 0; i < count; ++i) {
        CHECK_STATUS(atemi_recording_add_table(recording, &tables[i], &error), ATEMI_OK);
    }
    return recording;
}

TEST(figures, of_tables_have_a_curve_for_each_series_and_a_panel_for_each_unit)
{
    folder                     home = folder_create();
    const atemi_recorded_table tables[] = {make_sweep("sweep", 0, 1),
                                           make_sweep("rows", ATEMI_NONE, ATEMI_NONE)};
    atemi_recording           *recording = record_tables(2, tables);
    CHECK_EQUAL_INT(draw(recording, home), 2);
    const drawing series = read_drawing(folder_path(home.path, "new/table-sweep.svg"));
    CHECK_EQUAL_INT(series.paths, 6);
    CHECK_EQUAL_INT(series.circles, 2 + 2 + 5 + 5); // force is absent once
    const char *svg = folder_get(folder_path(home.path, "new/table-sweep.svg"));
    // All curves begin at the least speed, 0.1 of 0.094 to 0.306 on the pixels 62 to 560.
    CHECK_EQUAL_INT(count_of(svg, "<path d='M76.09 "), 6);
    CHECK_CONTAINS(svg, ">speed [m/s]</text>");
    CHECK_CONTAINS(svg, ">[N]</text>");
    CHECK_CONTAINS(svg, ">time [s]</text>");
    CHECK_CONTAINS(svg, ">force &amp; &lt;moment&gt;, friction = 0.4</text>");
    const drawing rows = read_drawing(folder_path(home.path, "new/table-rows.svg"));
    CHECK_EQUAL_INT(rows.paths, 3);
    CHECK_EQUAL_INT(rows.circles, 6 + 7 + 7);
    CHECK_CONTAINS(folder_get(folder_path(home.path, "new/table-rows.svg")), ">row</text>");
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

// That of friction 0.8 begins at its first row, the speed 0.3.
TEST(figures, of_paths_keep_the_order_of_the_rows)
{
    folder               home = folder_create();
    atemi_recorded_table path = make_sweep("path", 0, 1);
    path.plot.by_rows = true;
    atemi_recording *recording = record_tables(1, &path);
    CHECK_EQUAL_INT(draw(recording, home), 1);
    const char *svg = folder_get(folder_path(home.path, "new/table-path.svg"));
    CHECK_EQUAL_INT(count_of(svg, "<path d='M76.09 "), 3);
    CHECK_EQUAL_INT(count_of(svg, "<path d='M545.91 "), 3);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(figures, of_tables_with_hostile_names_stay_in_their_folder)
{
    folder               home = folder_create();
    atemi_recorded_table tables[] = {make_sweep("../../etc/passwd", 0, 1),
                                     make_sweep("a.b", 0, ATEMI_NONE),
                                     make_sweep("1", ATEMI_NONE, 1), make_sweep("no plot", 0, 1)};
    tables[3].plot.y_count = 0;
    atemi_recording *recording = record_tables(4, tables);
    CHECK_EQUAL_INT(draw(recording, home), 3);
    CHECK(exists(folder_path(home.path, "new/table.1.svg")));
    CHECK(exists(folder_path(home.path, "new/table.2.svg")));
    CHECK(exists(folder_path(home.path, "new/table-1.svg")));
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(figures, of_tables_stand_any_numbers_and_many_curves)
{
    enum { ROWS = 400 };
    static double              values[ROWS][5];
    folder                     home = folder_create();
    atemi_recorded_table       table = make_sweep("wild", 0, 1);
    const atemi_recorded_table none = {
        .name = "none",
        .column_count = 5,
        .columns = sweep_columns,
        .plot = {.y_count = 3, .y = sweep_y, .x = 0, .series = ATEMI_NONE}};
    for (int i = 0; i < ROWS; ++i) {
        const double row[] = {i % 2 ? 1.7e308 : -1.7e308, i % 20 * 1e-310, i % 3 ? 5e-324 : 1e300,
                              NAN, 1e15 + i};
        memcpy(values[i], row, sizeof row);
    }
    table.row_count = ROWS;
    table.values = values[0];
    atemi_recording *recording = record_tables(2, (atemi_recorded_table[]){table, none});
    CHECK_EQUAL_INT(draw(recording, home), 2);
    CHECK_EQUAL_INT(read_drawing(folder_path(home.path, "new/table-wild.svg")).paths, 16);
    CHECK_CONTAINS(folder_get(folder_path(home.path, "new/table-wild.svg")), "8 of 20, the first");
    CHECK_EQUAL_INT(read_drawing(folder_path(home.path, "new/table-none.svg")).paths, 0);
    atemi_recording_destroy(recording);
    folder_remove(home.path);
}

TEST(figures, without_memory_lose_none)
{
    folder                     home = folder_create();
    atemi_recording           *recording = simulate("robot: two_link\nduration: 20 ms\n");
    bool                       failed = true;
    const atemi_recorded_table sweep = make_sweep("sweep", 0, 1);
    CHECK_STATUS(atemi_recording_add_table(recording, &sweep, NULL), ATEMI_OK);
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

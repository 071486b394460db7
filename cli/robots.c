// SPDX-License-Identifier: Apache-2.0

#include "arguments.h"
#include "command.h"
#include "json_output.h"
#include "output.h"
#include "robot_source.h"
#include "table.h"

#include "atemi/robots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIPTION_SIZE = 128, HEAD_SIZE = 512 };

typedef struct shipped_robot {
    const char *name;
    int         joints; ///< that move
    int         v_count;
    double      mass;
    atemi_base  base;
    char        description[DESCRIPTION_SIZE];
} shipped_robot;

// What the file says of itself: its first comment begins with "NAME: WHAT IT IS, ...".
static void describe(const char *name, char description[DESCRIPTION_SIZE])
{
    char         head[HEAD_SIZE];
    size_t       size;
    const char  *text = atemi_robots_urdf(name, &size);
    const size_t length = strlen(name);
    snprintf(head, sizeof head, "%.*s", size < HEAD_SIZE ? (int)size : HEAD_SIZE, text);
    const char *comment = strstr(head, name);
    description[0] = '\0';
    if (comment && strncmp(comment + length, ": ", 2) == 0) {
        const char *begin = comment + length + 2;
        snprintf(description, DESCRIPTION_SIZE, "%.*s", (int)strcspn(begin, ",\n"), begin);
    }
}

static int moving_joints(const atemi_model *model)
{
    int count = 0;
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        count += atemi_model_joint(model, i)->type != ATEMI_JOINT_FIXED;
    }
    return count;
}

static int look_at(const char *name, shipped_robot *about)
{
    const robot_request request = {.source = name, .shipped = true};
    loaded_robot        robot;
    const int           code = robot_open(&request, &robot);
    if (code == EXIT_DONE) {
        about->name = name;
        about->joints = moving_joints(robot.model);
        about->v_count = atemi_model_v_count(robot.model);
        about->mass = atemi_model_mass(robot.model);
        about->base = atemi_model_base(robot.model);
        describe(name, about->description);
    }
    robot_close(&robot);
    return code;
}

typedef enum robot_column {
    COLUMN_NAME,
    COLUMN_JOINTS,
    COLUMN_VELOCITIES,
    COLUMN_MASS,
    COLUMN_BASE,
    COLUMN_DESCRIPTION,
    COLUMN_COUNT
} robot_column;

static const table_column columns[COLUMN_COUNT] = {
    {"robot", NULL, false}, {"joints", NULL, true}, {"nv", NULL, true},
    {"mass", "kg", true},   {"base", NULL, false},  {"description", NULL, false}};

static void write_cell(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    const shipped_robot *about = &((const shipped_robot *)context)[row];
    switch ((robot_column)column) {
    case COLUMN_NAME:
        snprintf(text, TABLE_CELL_SIZE, "%s", about->name);
        break;
    case COLUMN_JOINTS:
        snprintf(text, TABLE_CELL_SIZE, "%d", about->joints);
        break;
    case COLUMN_VELOCITIES:
        snprintf(text, TABLE_CELL_SIZE, "%d", about->v_count);
        break;
    case COLUMN_MASS:
        snprintf(text, TABLE_CELL_SIZE, "%.2f", about->mass);
        break;
    case COLUMN_BASE:
        snprintf(text, TABLE_CELL_SIZE, "%s", atemi_base_text(about->base));
        break;
    case COLUMN_DESCRIPTION:
        snprintf(text, TABLE_CELL_SIZE, "%s", about->description);
        break;
    case COLUMN_COUNT:
        break;
    }
}

static void print_table(const shipped_robot *robots, int count)
{
    const text_table table = {columns, COLUMN_COUNT, count, write_cell, robots, NULL};
    table_print(&table);
    puts("\n  joints: those that move. nv: velocities, of the joints and of the base.\n"
         "  'atemi info ROBOT' shows more.");
}

static json_t *robot_json(const shipped_robot *about)
{
    return json_pack("{s:s, s:i, s:i, s:f, s:s, s:s}", "name", about->name, "joints", about->joints,
                     "nv", about->v_count, "mass", about->mass, "base",
                     atemi_base_text(about->base), "description", about->description);
}

static json_t *list_json(const shipped_robot *robots, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count && list; ++i) {
        list = json_with_item(list, robot_json(&robots[i]));
    }
    return json_pack("{s:o}", "robots", list);
}

static int show(shipped_robot *robots, int count, bool json)
{
    int code = EXIT_DONE;
    for (int i = 0; i < count && !code; ++i) {
        code = look_at(atemi_robots_name(i), &robots[i]);
    }
    if (code) {
        return code;
    }
    if (json) {
        return json_print(list_json(robots, count), EXIT_DONE);
    }
    print_table(robots, count);
    return EXIT_DONE;
}

int command_robots(int argc, char **argv)
{
    bool           json = false;
    const argument none[] = {{0}};
    const argument options[] = {{.name = "json", .help = "print one JSON object", .flag = &json},
                                {0}};
    const command_usage usage = {.command = "robots",
                                 .purpose =
                                     "Lists the robots that ship with atemi. They need no files.\n",
                                 .positionals = none,
                                 .options = options,
                                 .notes = "example:\n  atemi robots --json\n"};
    const int           code = arguments_read(&usage, argc, argv);
    if (code != ARGUMENTS_READY) {
        return code;
    }
    const int      count = atemi_robots_count();
    shipped_robot *robots = (shipped_robot *)calloc((size_t)count + 1, sizeof *robots);
    const int      result = robots ? show(robots, count, json) : output_fail("no memory");
    free(robots);
    return result;
}

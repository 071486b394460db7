// SPDX-License-Identifier: Apache-2.0

#include "info.h"

#include "info_drives.h"
#include "output.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double degrees_per_radian = 57.295779513082320877;

// ---- Cells

static void write_text(char text[TABLE_CELL_SIZE], const char *value)
{
    snprintf(text, TABLE_CELL_SIZE, "%s", value);
}

// Numbers that are not known are infinite; their cells stay empty.
static void write_number(char text[TABLE_CELL_SIZE], const char *format, double value)
{
    text[0] = '\0';
    if (isfinite(value)) {
        // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of those below
        snprintf(text, TABLE_CELL_SIZE, format, value + 0.0);
    }
}

static void write_index(char text[TABLE_CELL_SIZE], int index)
{
    text[0] = '\0';
    if (index != ATEMI_NONE) {
        snprintf(text, TABLE_CELL_SIZE, "%d", index);
    }
}

// ---- Joints

typedef enum joint_column {
    JOINT_NAME,
    JOINT_TYPE,
    JOINT_Q,
    JOINT_V,
    JOINT_LOWER,
    JOINT_UPPER,
    JOINT_SPEED,
    JOINT_EFFORT,
    JOINT_ARMATURE,
    JOINT_DAMPING,
    JOINT_FRICTION,
    JOINT_MIMIC,
    JOINT_COLUMNS
} joint_column;

static const table_column joint_columns[JOINT_COLUMNS] = {
    {"joint", NULL, false},    {"type", NULL, false},
    {"q", NULL, true},         {"v", NULL, true},
    {"from", "deg", true},     {"to", "deg", true},
    {"speed", "rad/s", true},  {"effort", "N m", true},
    {"rotor", "kg m^2", true}, {"damping", "N m s/rad", true},
    {"friction", "N m", true}, {"mimics", NULL, false}};

static void write_bound(char text[TABLE_CELL_SIZE], const atemi_joint *joint, double bound)
{
    if (joint->type == ATEMI_JOINT_PRISMATIC) {
        write_number(text, "%.4g m", bound);
    } else {
        write_number(text, "%.1f", degrees_per_radian * bound);
    }
}

static void write_mimic(char text[TABLE_CELL_SIZE], const atemi_model *model,
                        const atemi_mimic *mimic)
{
    text[0] = '\0';
    if (mimic->joint != ATEMI_NONE) {
        snprintf(text, TABLE_CELL_SIZE, "%.4g %s %+.4g", mimic->multiplier,
                 atemi_model_joint(model, mimic->joint)->name, mimic->offset);
    }
}

static void write_joint(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    const atemi_model *model = (const atemi_model *)context;
    const atemi_joint *joint = atemi_model_joint(model, row);
    switch ((joint_column)column) {
    case JOINT_NAME:
        write_text(text, joint->name);
        break;
    case JOINT_TYPE:
        write_text(text, atemi_joint_type_text(joint->type));
        break;
    case JOINT_Q:
        write_index(text, joint->first_q);
        break;
    case JOINT_V:
        write_index(text, joint->first_v);
        break;
    case JOINT_LOWER:
        write_bound(text, joint, joint->limits.lower);
        break;
    case JOINT_UPPER:
        write_bound(text, joint, joint->limits.upper);
        break;
    case JOINT_SPEED:
        write_number(text, "%.4g", joint->limits.velocity);
        break;
    case JOINT_EFFORT:
        write_number(text, "%.4g", joint->limits.effort);
        break;
    case JOINT_ARMATURE:
        write_number(text, "%.4g", joint->armature);
        break;
    case JOINT_DAMPING:
        write_number(text, "%.4g", joint->damping);
        break;
    case JOINT_FRICTION:
        write_number(text, "%.4g", joint->friction);
        break;
    case JOINT_MIMIC:
        write_mimic(text, model, &joint->mimic);
        break;
    case JOINT_COLUMNS:
        break;
    }
}

static bool moves(const void *context, int row)
{
    return atemi_model_joint((const atemi_model *)context, row)->type != ATEMI_JOINT_FIXED;
}

static int count_joints(const atemi_model *model, atemi_joint_type type)
{
    int count = 0;
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        count += atemi_model_joint(model, i)->type == type;
    }
    return count;
}

static void print_joints(const atemi_model *model)
{
    const int        count = atemi_model_joint_count(model);
    const text_table table = {joint_columns, JOINT_COLUMNS, count, write_joint, model, moves};
    if (count_joints(model, ATEMI_JOINT_FIXED) == count) {
        return;
    }
    putchar('\n');
    output_heading("Joints that move (q, v: where their coordinates begin)");
    table_print(&table);
    if (count_joints(model, ATEMI_JOINT_PRISMATIC) > 0) {
        puts("  Prismatic joints: m/s, N, kg, N s/m.");
    }
}

// ---- Links

typedef enum link_column {
    LINK_NAME,
    LINK_JOINT,
    LINK_MASS,
    LINK_X,
    LINK_Y,
    LINK_Z,
    LINK_COLUMNS
} link_column;

static const table_column link_columns[LINK_COLUMNS] = {
    {"link", NULL, false}, {"held by", NULL, false}, {"mass", "kg", true},
    {"com x", "m", true},  {"com y", "m", true},     {"com z", "m", true}};

static void write_com(char text[TABLE_CELL_SIZE], const atemi_inertia *inertia, double value)
{
    write_number(text, "%.4f", inertia->mass > 0.0 ? value : HUGE_VAL);
}

static void write_holder(char text[TABLE_CELL_SIZE], const atemi_model *model,
                         const atemi_link *link)
{
    if (link->parent_joint == ATEMI_NONE) {
        snprintf(text, TABLE_CELL_SIZE, "%s base", atemi_base_text(atemi_model_base(model)));
        return;
    }
    const atemi_joint *joint = atemi_model_joint(model, link->parent_joint);
    snprintf(text, TABLE_CELL_SIZE, "%s%s", joint->name,
             joint->type == ATEMI_JOINT_FIXED ? " (fixed)" : "");
}

static void write_link(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    const atemi_model   *model = (const atemi_model *)context;
    const atemi_link    *link = atemi_model_link(model, row);
    const atemi_inertia *inertia = &link->inertia;
    switch ((link_column)column) {
    case LINK_NAME:
        write_text(text, link->name);
        break;
    case LINK_JOINT:
        write_holder(text, model, link);
        break;
    case LINK_MASS:
        write_number(text, "%.4g", inertia->mass);
        break;
    case LINK_X:
        write_com(text, inertia, inertia->com.x);
        break;
    case LINK_Y:
        write_com(text, inertia, inertia->com.y);
        break;
    case LINK_Z:
        write_com(text, inertia, inertia->com.z);
        break;
    case LINK_COLUMNS:
        break;
    }
}

static void print_links(const atemi_model *model)
{
    const text_table table = {link_columns, LINK_COLUMNS, atemi_model_link_count(model),
                              write_link,   model,        NULL};
    putchar('\n');
    output_heading("Links (com: centre of mass in the link's frame)");
    table_print(&table);
}

// ---- Sites

typedef enum site_column {
    SITE_NAME,
    SITE_LINK,
    SITE_SIZE,
    SITE_X,
    SITE_Y,
    SITE_Z,
    SITE_COLUMNS
} site_column;

static const table_column site_columns[SITE_COLUMNS] = {
    {"site", NULL, false}, {"link", NULL, false}, {"size", "m", false},
    {"x", "m", true},      {"y", "m", true},      {"z", "m", true}};

static atemi_vec3 site_position(const robot_info *info, const atemi_site *site)
{
    const atemi_transform pose = atemi_link_pose(info->data, site->link);
    return atemi_transform_apply(&pose, site->pose.position);
}

static void write_size(char text[TABLE_CELL_SIZE], const atemi_site *site)
{
    write_text(text, "point");
    if (site->size_x > 0.0 || site->size_y > 0.0) {
        snprintf(text, TABLE_CELL_SIZE, "%.4g x %.4g", site->size_x, site->size_y);
    }
}

static void write_site(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    const robot_info *info = (const robot_info *)context;
    const atemi_site *site = atemi_model_site(info->model, row);
    switch ((site_column)column) {
    case SITE_NAME:
        write_text(text, site->name);
        break;
    case SITE_LINK:
        write_text(text, atemi_model_link(info->model, site->link)->name);
        break;
    case SITE_SIZE:
        write_size(text, site);
        break;
    case SITE_X:
        write_number(text, "%.4f", site_position(info, site).x);
        break;
    case SITE_Y:
        write_number(text, "%.4f", site_position(info, site).y);
        break;
    case SITE_Z:
        write_number(text, "%.4f", site_position(info, site).z);
        break;
    case SITE_COLUMNS:
        break;
    }
}

static void print_sites(const robot_info *info)
{
    const text_table table = {site_columns, SITE_COLUMNS, atemi_model_site_count(info->model),
                              write_site,   info,         NULL};
    if (table.row_count == 0) {
        return;
    }
    char heading[TABLE_CELL_SIZE];
    snprintf(heading, sizeof heading, "Contact sites (in the world, posture %s)", info->posture);
    putchar('\n');
    output_heading(heading);
    table_print(&table);
}

// ---- The whole robot

static void print_label(const char *label)
{
    printf("  %-18s", label);
}

static void print_counts(const atemi_model *model)
{
    const int joints = atemi_model_joint_count(model);
    const int fixed = count_joints(model, ATEMI_JOINT_FIXED);
    print_label("links, joints");
    printf("%d links, %d joints of which %d fixed\n", atemi_model_link_count(model), joints, fixed);
    print_label("coordinates");
    printf("q has %d, v has %d (base %d and %d)\n", atemi_model_q_count(model),
           atemi_model_v_count(model), atemi_base_q_count(atemi_model_base(model)),
           atemi_base_v_count(atemi_model_base(model)));
}

static void print_postures(const atemi_model *model)
{
    print_label("postures");
    fputs("neutral", stdout);
    for (int i = 0; i < atemi_model_posture_count(model); ++i) {
        fputs(", ", stdout);
        output_text(atemi_model_posture_name(model, i));
    }
    putchar('\n');
}

static void print_robot(const robot_info *info)
{
    const atemi_vec3 gravity = atemi_model_gravity(info->model);
    output_heading(atemi_model_name(info->model));
    print_label("mass");
    printf("%.6g kg\n", atemi_model_mass(info->model));
    print_label("base");
    printf("%s (", atemi_base_text(atemi_model_base(info->model)));
    output_text(info->base_reason);
    puts(")");
    print_counts(info->model);
    print_postures(info->model);
    print_label("gravity");
    printf("%.6g %.6g %.6g m/s^2\n", gravity.x, gravity.y, gravity.z);
}

// No "-0.0000" in columns of four decimals.
static double rounded(double x)
{
    return fabs(x) < 5e-5 ? 0.0 : x;
}

static void print_three(const char *label, const char *names, const double values[3],
                        const char *unit)
{
    print_label(label);
    for (int i = 0; i < 3; ++i) {
        printf("%.2s %9.4f  ", names + 2 * i, rounded(values[i]));
    }
    printf(" %s\n", unit);
}

static void print_body(const robot_info *info)
{
    const atemi_symmetric3 *I = &info->body.rotational;
    const atemi_vec3        com = info->body.com;
    const atemi_vec3        principal = atemi_symmetric3_eigenvalues(I);
    char                    heading[TABLE_CELL_SIZE];
    snprintf(heading, sizeof heading, "In posture %s, the base at the origin", info->posture);
    putchar('\n');
    output_heading(heading);
    print_three("centre of mass", "x y z ", (const double[3]){com.x, com.y, com.z}, "m");
    print_three("inertia about it", "xxyyzz", (const double[3]){I->xx, I->yy, I->zz}, "kg m^2");
    print_three("", "xyxzyz", (const double[3]){I->xy, I->xz, I->yz}, "kg m^2");
    print_three("principal inertia", "1 2 3 ",
                (const double[3]){principal.x, principal.y, principal.z}, "kg m^2");
}

static void print_check(const robot_info *info)
{
    putchar('\n');
    output_heading("Forward dynamics check");
    printf("  forward(inverse(a)) = a within %.1e of |a|, in %d random states: %s\n",
           info->check.deviation, info->check.states, info->passed ? "ok" : "FAILED");
    if (info->check.cause[0]) {
        printf("  The mass matrix is singular: ");
        output_text(info->check.cause);
        putchar('\n');
    } else if (!info->passed) {
        puts("  The mass matrix is singular or nearly so: a part of the robot moves without\n"
             "  inertia. Look for a massless link, or for another --base.");
    }
}

void info_print_text(const robot_info *info)
{
    print_robot(info);
    print_body(info);
    print_joints(info->model);
    info_drives_print(info->model);
    print_links(info->model);
    print_sites(info);
    print_check(info);
}

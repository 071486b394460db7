// SPDX-License-Identifier: Apache-2.0

#include "jobs/columns.h"

#include "atemi/base.h"
#include "base/message.h"
#include "model/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A table is walked through in one way, whether its columns are counted, named or filled: a sink
// does with each what it is for.

// An owner's name and words of ours; longer ones are cut.
enum { NAME_SIZE = 512 };

// ---- Sinks

// Columns to be; without an array they are only counted. With `next`, values of a row.
typedef struct column_list {
    int               count;
    atemi_channel    *channels;
    atemi_string_pool names;
    bool              failed;
    double           *next; ///< where the next value goes
} column_list;

static void add(column_list *list, const char *unit, const char *format, ...) ATEMI_PRINTF(3, 4);

static void add(column_list *list, const char *unit, const char *format, ...)
{
    if (list->channels) {
        char    name[NAME_SIZE];
        va_list arguments;
        va_start(arguments, format);
        message_format(name, sizeof name, format, arguments);
        va_end(arguments);
        const char *kept = atemi_string_pool_copy(&list->names, name);
        list->failed = list->failed || !kept;
        list->channels[list->count] = (atemi_channel){.name = kept, .unit = unit};
    }
    ++list->count;
}

static void add_vector(column_list *list, const char *unit, const char *prefix, const char *name)
{
    add(list, unit, "%s%s_x", prefix, name);
    add(list, unit, "%s%s_y", prefix, name);
    add(list, unit, "%s%s_z", prefix, name);
}

// "PREFIX.OWNER." with those parts that there are; a column without a name ends without the dot.
static void write_prefix(char prefix[NAME_SIZE], const char *group, const char *owner,
                         const char *name)
{
    const bool last = owner[0] && !name[0];
    snprintf(prefix, NAME_SIZE, "%s%s%s%s", group ? group : "", group ? "." : "", owner,
             owner[0] && !last ? "." : "");
}

// ---- Columns of a table

static void name_columns(column_list *list, const char *group, const char *owner,
                         const atemi_column *columns, int count)
{
    for (int i = 0; i < count; ++i) {
        char prefix[NAME_SIZE];
        write_prefix(prefix, group, owner, columns[i].name);
        if (columns[i].vector) {
            add_vector(list, columns[i].unit, prefix, columns[i].name);
        } else {
            add(list, columns[i].unit, "%s%s", prefix, columns[i].name);
        }
    }
}

static void put_columns(column_list *list, const atemi_column *columns, int count, const void *row,
                        int owner)
{
    for (int i = 0; i < count; ++i) {
        if (columns[i].vector) {
            const atemi_vec3 x = columns[i].vector(row, owner);
            *list->next++ = x.x;
            *list->next++ = x.y;
            *list->next++ = x.z;
        } else {
            *list->next++ = columns[i].get(row, owner);
        }
    }
}

// ---- Contacts and wrenches: the same for every job

static atemi_vec3 contact_position(const void *row, int owner)
{
    (void)owner;
    return ((const atemi_column_contact *)row)->position;
}

static atemi_vec3 contact_force(const void *row, int owner)
{
    (void)owner;
    return ((const atemi_column_contact *)row)->force;
}

static double contact_mode(const void *row, int owner)
{
    (void)owner;
    return ((const atemi_column_contact *)row)->mode;
}

static double contact_gap(const void *row, int owner)
{
    (void)owner;
    return ((const atemi_column_contact *)row)->gap;
}

static const char *mode_label(int value)
{
    return value >= ATEMI_CONTACT_OPEN && value <= ATEMI_CONTACT_SOFT
               ? atemi_contact_mode_text((atemi_contact_mode)value)
               : NULL;
}

static const atemi_column contact_columns[] = {
    {.name = "position",
     .unit = "m",
     .help = "where the point is, world axes",
     .vector = contact_position},
    {.name = "force", .unit = "N", .help = "on the robot, world axes", .vector = contact_force},
    {.name = "mode", .help = "of the contact", .get = contact_mode, .label = mode_label},
    {.name = "gap", .unit = "m", .help = "above its surface", .get = contact_gap}};

static atemi_vec3 wrench_force(const void *row, int owner)
{
    (void)owner;
    return ((const atemi_force *)row)->linear;
}

static atemi_vec3 wrench_moment(const void *row, int owner)
{
    (void)owner;
    return ((const atemi_force *)row)->angular;
}

static const atemi_column wrench_columns[] = {
    {.name = "force", .unit = "N", .help = "of the wrench", .vector = wrench_force},
    {.name = "moment", .unit = "N m", .help = "of the wrench", .vector = wrench_moment}};

enum {
    CONTACT_COLUMNS = sizeof contact_columns / sizeof *contact_columns,
    WRENCH_COLUMNS = sizeof wrench_columns / sizeof *wrench_columns
};

bool atemi_columns_has_wrench(const atemi_model *model, int joint)
{
    return atemi_model_joint(model, joint)->type != ATEMI_JOINT_FIXED;
}

bool atemi_columns_wrench_owner(const atemi_model *model, int joint, char name[ATEMI_COLUMN_OWNER])
{
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", atemi_model_joint(model, joint)->name);
    return atemi_columns_has_wrench(model, joint);
}

bool atemi_columns_contact_owner(const atemi_scenario_contacts *contacts, int index,
                                 char name[ATEMI_COLUMN_OWNER])
{
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", contacts->about[index].name);
    return true;
}

// ---- Motions

// A quantity of the joints, with the units of what slides and of what turns.
typedef struct joint_quantity {
    const char *group, *slide_unit, *turn_unit;
    bool        is_q; ///< a position, not a rate or torque
} joint_quantity;

static void add_plane(column_list *list, const joint_quantity *quantity, const char *owner,
                      const char *second)
{
    add(list, quantity->slide_unit, "%s.%s.x", quantity->group, owner);
    add(list, quantity->slide_unit, "%s.%s.%s", quantity->group, owner, second);
    add(list, quantity->turn_unit, "%s.%s.turn", quantity->group, owner);
}

static void add_space(column_list *list, const joint_quantity *quantity, const char *owner)
{
    char prefix[NAME_SIZE];
    snprintf(prefix, sizeof prefix, "%s.%s.", quantity->group, owner);
    if (!quantity->is_q) {
        add_vector(list, quantity->slide_unit, prefix, "linear");
        add_vector(list, quantity->turn_unit, prefix, "angular");
        return;
    }
    add(list, quantity->slide_unit, "%sx", prefix);
    add(list, quantity->slide_unit, "%sy", prefix);
    add(list, quantity->slide_unit, "%sz", prefix);
    add_vector(list, NULL, prefix, "quaternion");
    add(list, NULL, "%squaternion_w", prefix);
}

static void add_base(column_list *list, const joint_quantity *quantity, atemi_base base)
{
    if (base == ATEMI_BASE_FLOATING) {
        add_space(list, quantity, "base");
    } else if (base != ATEMI_BASE_FIXED) {
        add_plane(list, quantity, "base", base == ATEMI_BASE_PLANAR ? "y" : "z");
    }
}

static void add_joints(column_list *list, const joint_quantity *quantity, const atemi_model *model)
{
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->q_count == 1) {
            const bool slides = joint->type == ATEMI_JOINT_PRISMATIC;
            add(list, slides ? quantity->slide_unit : quantity->turn_unit, "%s.%s", quantity->group,
                joint->name);
        } else if (joint->type == ATEMI_JOINT_PLANAR && joint->q_count > 0) {
            add_plane(list, quantity, joint->name, "y");
        } else if (joint->type == ATEMI_JOINT_FLOATING && joint->q_count > 0) {
            add_space(list, quantity, joint->name);
        }
    }
}

static const joint_quantity quantities[] = {{"q", "m", "rad", true},
                                            {"v", "m/s", "rad/s", false},
                                            {"a", "m/s^2", "rad/s^2", false},
                                            {"tau", "N", "N m", false}};

enum { QUANTITIES = sizeof quantities / sizeof *quantities };

static void visit_motion(column_list *list, const atemi_column_group *group, const void *row)
{
    const atemi_model *model = group->model(row);
    for (int i = 0; i < QUANTITIES; ++i) {
        if (list->next) {
            const int count =
                i == ATEMI_COLUMN_Q ? atemi_model_q_count(model) : atemi_model_v_count(model);
            memcpy(list->next, group->motion(row, (atemi_column_quantity)i),
                   (size_t)count * sizeof *list->next);
            list->next += count;
        } else {
            add_base(list, &quantities[i], atemi_model_base(model));
            add_joints(list, &quantities[i], model);
        }
    }
}

// ---- Tables

static void name_owner(column_list *list, const atemi_column_group *group, const char *owner)
{
    if (group->contact) {
        name_columns(list, "contact", owner, contact_columns, CONTACT_COLUMNS);
    } else if (group->wrench) {
        name_columns(list, group->prefix, owner, wrench_columns, WRENCH_COLUMNS);
    } else {
        name_columns(list, group->prefix, owner, group->columns, group->count);
    }
}

static void put_owner(column_list *list, const atemi_column_group *group, const void *row,
                      int owner)
{
    if (group->contact) {
        const atemi_column_contact contact = group->contact(row, owner);
        put_columns(list, contact_columns, CONTACT_COLUMNS, &contact, 0);
    } else if (group->wrench) {
        const atemi_force wrench = group->wrench(row, owner);
        put_columns(list, wrench_columns, WRENCH_COLUMNS, &wrench, 0);
    } else {
        put_columns(list, group->columns, group->count, row, owner);
    }
}

static void visit_owners(column_list *list, const atemi_column_group *group, const void *row)
{
    const int count = group->owners ? group->owners(row) : 1;
    for (int i = 0; i < count; ++i) {
        char name[ATEMI_COLUMN_OWNER] = "";
        if (group->owner && !group->owner(row, i, name)) {
            continue;
        }
        if (list->next) {
            put_owner(list, group, row, i);
        } else {
            name_owner(list, group, name);
        }
    }
}

static void visit(column_list *list, const atemi_column_table *table, const void *row)
{
    for (int i = 0; i < table->count; ++i) {
        const atemi_column_group *group = &table->groups[i];
        if (group->has && !group->has(row)) {
            continue;
        }
        if (group->prepare && list->next) {
            group->prepare(row);
        }
        if (group->model) {
            visit_motion(list, group, row);
        } else {
            visit_owners(list, group, row);
        }
    }
}

int atemi_columns_count(const atemi_column_table *table, const void *row)
{
    column_list list = {0};
    visit(&list, table, row);
    return list.count;
}

void atemi_columns_fill(const atemi_column_table *table, const void *row, double *values)
{
    column_list list = {.next = values};
    visit(&list, table, row);
}

atemi_status atemi_columns_create(const atemi_column_table *table, const void *row,
                                  atemi_recording **recording, atemi_error *error)
{
    atemi_status status = ATEMI_ERROR_MEMORY;
    column_list  list = {0};
    const int    count = atemi_columns_count(table, row);
    list.channels = (atemi_channel *)atemi_allocate((size_t)count * sizeof *list.channels);
    if (list.channels) {
        visit(&list, table, row);
    }
    if (!list.channels || list.failed) {
        (void)atemi_fail(error, status, "no memory for the columns of a recording");
    } else {
        status = atemi_recording_create(count, list.channels, recording, error);
    }
    atemi_string_pool_destroy(&list.names);
    atemi_release(list.channels);
    return status;
}

// ---- Descriptions

typedef void column_teller(void *context, const char *pattern, const atemi_column *column);

static void describe_columns(const atemi_column_group *group, const char *prefix,
                             const atemi_column *columns, int count, column_teller *tell,
                             void *context)
{
    for (int i = 0; i < count; ++i) {
        char        start[NAME_SIZE], pattern[2 * NAME_SIZE];
        const char *owner = group->owner ? "NAME" : "";
        write_prefix(start, prefix, owner, columns[i].name);
        snprintf(pattern, sizeof pattern, "%s%s%s", start, columns[i].name,
                 columns[i].vector ? "_x, _y, _z" : "");
        tell(context, pattern, &columns[i]);
    }
}

static void describe_motion(column_teller *tell, void *context)
{
    static const atemi_column columns[] = {
        {.name = "q", .unit = "rad or m", .help = "positions of the base and of all joints"},
        {.name = "v", .unit = "rad/s or m/s", .help = "their velocities"},
        {.name = "a", .unit = "rad/s^2 or m/s^2", .help = "their accelerations"},
        {.name = "tau", .unit = "N m or N", .help = "their torques and forces"}};
    for (int i = 0; i < QUANTITIES; ++i) {
        char pattern[NAME_SIZE];
        snprintf(pattern, sizeof pattern, "%s.NAME", columns[i].name);
        tell(context, pattern, &columns[i]);
    }
}

void atemi_columns_describe(const atemi_column_table *table, column_teller *tell, void *context)
{
    for (int i = 0; i < table->count; ++i) {
        const atemi_column_group *group = &table->groups[i];
        if (group->model) {
            describe_motion(tell, context);
        } else if (group->contact) {
            describe_columns(group, "contact", contact_columns, CONTACT_COLUMNS, tell, context);
        } else if (group->wrench) {
            describe_columns(group, group->prefix, wrench_columns, WRENCH_COLUMNS, tell, context);
        } else {
            describe_columns(group, group->prefix, group->columns, group->count, tell, context);
        }
    }
}

const double *atemi_columns_of_simulation(const atemi_simulation *simulation,
                                          atemi_column_quantity   quantity)
{
    switch (quantity) {
    case ATEMI_COLUMN_Q:
        return atemi_simulation_q(simulation);
    case ATEMI_COLUMN_V:
        return atemi_simulation_v(simulation);
    case ATEMI_COLUMN_A:
        return atemi_simulation_a(simulation);
    case ATEMI_COLUMN_TAU:
        break;
    }
    return atemi_simulation_tau(simulation);
}

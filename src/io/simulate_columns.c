// SPDX-License-Identifier: Apache-2.0

#include "io/simulate_columns.h"

#include "atemi/allocator.h"
#include "atemi/kinematics.h"
#include "base/message.h"
#include "model/names.h"

#include <math.h>
#include <string.h>

// The columns are named and filled in the same order, by the two parts of this file.

enum { NAME_SIZE = 512 };

// ---- Names

// Channels to be; without an array they are only counted.
typedef struct channel_list {
    int               count;
    atemi_channel    *channels;
    atemi_string_pool names;
    bool              failed;
} channel_list;

static void add(channel_list *list, const char *unit, const char *format, ...) ATEMI_PRINTF(3, 4);

static void add(channel_list *list, const char *unit, const char *format, ...)
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

static void add_vector(channel_list *list, const char *unit, const char *prefix, const char *name)
{
    add(list, unit, "%s%s_x", prefix, name);
    add(list, unit, "%s%s_y", prefix, name);
    add(list, unit, "%s%s_z", prefix, name);
}

// A quantity of the joints, with the units of what slides and of what turns.
typedef struct joint_quantity {
    const char *group, *slide_unit, *turn_unit;
    bool        is_q; ///< a position, not a rate or torque
} joint_quantity;

static void add_plane(channel_list *list, const joint_quantity *quantity, const char *owner,
                      const char *second)
{
    add(list, quantity->slide_unit, "%s.%s.x", quantity->group, owner);
    add(list, quantity->slide_unit, "%s.%s.%s", quantity->group, owner, second);
    add(list, quantity->turn_unit, "%s.%s.turn", quantity->group, owner);
}

static void add_space(channel_list *list, const joint_quantity *quantity, const char *owner)
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

static void add_base(channel_list *list, const joint_quantity *quantity, atemi_base base)
{
    if (base == ATEMI_BASE_FLOATING) {
        add_space(list, quantity, "base");
    } else if (base != ATEMI_BASE_FIXED) {
        add_plane(list, quantity, "base", base == ATEMI_BASE_PLANAR ? "y" : "z");
    }
}

static void add_joints(channel_list *list, const joint_quantity *quantity, const atemi_model *model)
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

static void add_contacts(channel_list *list, const atemi_scenario_contacts *contacts)
{
    for (int i = 0; i < contacts->count; ++i) {
        char prefix[NAME_SIZE];
        snprintf(prefix, sizeof prefix, "contact.%s.", contacts->about[i].name);
        add_vector(list, "m", prefix, "position");
        add_vector(list, "N", prefix, "force");
        add(list, NULL, "%smode", prefix);
        add(list, "m", "%sgap", prefix);
    }
}

static bool has_wrench(const atemi_model *model, int joint)
{
    return atemi_model_joint(model, joint)->type != ATEMI_JOINT_FIXED;
}

static void add_wrenches(channel_list *list, const atemi_model *model)
{
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        char prefix[NAME_SIZE];
        if (has_wrench(model, i)) {
            snprintf(prefix, sizeof prefix, "wrench.%s.", atemi_model_joint(model, i)->name);
            add_vector(list, "N", prefix, "force");
            add_vector(list, "N m", prefix, "moment");
        }
    }
}

static void add_all(channel_list *list, const atemi_simulate_scenario *scenario)
{
    static const joint_quantity quantities[] = {{"q", "m", "rad", true},
                                                {"v", "m/s", "rad/s", false},
                                                {"a", "m/s^2", "rad/s^2", false},
                                                {"tau", "N", "N m", false}};
    const atemi_model          *model = scenario->robot.model;
    add(list, "s", "t");
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; ++i) {
        add_base(list, &quantities[i], atemi_model_base(model));
        add_joints(list, &quantities[i], model);
    }
    add_contacts(list, &scenario->contacts);
    if (scenario->wrenches) {
        add_wrenches(list, model);
    }
    add(list, "J", "energy.kinetic");
    add(list, "J", "energy.potential");
    add(list, "m", "com.x");
    add(list, "m", "com.y");
    add(list, "m", "com.z");
    add(list, "m", "zmp.x");
    add(list, "m", "zmp.y");
    add(list, "m", "zmp.margin");
}

int atemi_simulate_columns_count(const atemi_simulate_scenario *scenario)
{
    channel_list list = {0};
    add_all(&list, scenario);
    return list.count;
}

static atemi_status create_recording(const atemi_simulate_scenario *scenario, int count,
                                     atemi_recording **recording, atemi_error *error)
{
    atemi_status status = ATEMI_ERROR_MEMORY;
    channel_list list = {0};
    list.channels = (atemi_channel *)atemi_allocate((size_t)count * sizeof *list.channels);
    if (list.channels) {
        add_all(&list, scenario);
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

static bool is_touchable(const atemi_scenario_contacts *contacts, int surface)
{
    bool found = false;
    for (int i = 0; i < contacts->count && !found; ++i) {
        found = contacts->points[i].surface == surface;
    }
    return found;
}

static atemi_status add_surfaces(const atemi_simulate_scenario *scenario,
                                 atemi_recording *recording, atemi_error *error)
{
    const atemi_scenario_surfaces *surfaces = &scenario->surfaces;
    atemi_status                   status = ATEMI_OK;
    for (int i = 0; i < surfaces->count && !status; ++i) {
        if (is_touchable(&scenario->contacts, i)) {
            const atemi_recorded_surface surface = {surfaces->names[i], surfaces->surfaces[i]};
            status = atemi_recording_add_surface(recording, &surface, error);
        }
    }
    return status;
}

// ---- The ground

// The ZMP is on the first plane that a contact may touch; without one, on z = 0.
static void find_ground(atemi_simulate_columns *columns)
{
    const atemi_simulate_scenario *scenario = columns->scenario;
    columns->plane = atemi_support_plane_floor();
    columns->ground = ATEMI_NONE;
    for (int i = 0; i < scenario->contacts.count && columns->ground == ATEMI_NONE; ++i) {
        const int            index = scenario->contacts.points[i].surface;
        const atemi_surface *surface = &scenario->surfaces.surfaces[index];
        if (surface->kind == ATEMI_SURFACE_PLANE) {
            columns->ground = index;
            columns->plane = (atemi_support_plane){surface->position, surface->axis};
        }
    }
}

static int find_feet(atemi_simulate_columns *columns, const atemi_simulation *simulation)
{
    const atemi_scenario_contacts *contacts = &columns->scenario->contacts;
    int                            count = 0;
    for (int i = 0; i < contacts->count; ++i) {
        const atemi_vec3 force = atemi_simulation_force(simulation, i);
        const bool       on_ground =
            columns->ground == ATEMI_NONE || contacts->points[i].surface == columns->ground;
        if (on_ground && (atemi_simulation_mode(simulation, i) != ATEMI_CONTACT_OPEN ||
                          atemi_vec3_norm(force) > 0.0)) {
            columns->feet[count] = atemi_simulation_position(simulation, i);
            columns->forces[count++] = (atemi_force){.linear = force};
        }
    }
    return count;
}

// ---- Rows

static double *put(double *next, int count, const double *values)
{
    memcpy(next, values, (size_t)count * sizeof *values);
    return next + count;
}

static double *put_vector(double *next, atemi_vec3 x)
{
    next[0] = x.x;
    next[1] = x.y;
    next[2] = x.z;
    return next + 3;
}

static double *put_contacts(double *next, const atemi_scenario_contacts *contacts,
                            const atemi_simulation *simulation)
{
    for (int i = 0; i < contacts->count; ++i) {
        next = put_vector(next, atemi_simulation_position(simulation, i));
        next = put_vector(next, atemi_simulation_force(simulation, i));
        *next++ = atemi_simulation_mode(simulation, i);
        *next++ = atemi_simulation_gap(simulation, i);
    }
    return next;
}

static double *put_wrenches(double *next, atemi_simulate_columns *columns,
                            atemi_simulation *simulation)
{
    const atemi_model *model = columns->scenario->robot.model;
    atemi_simulation_wrenches(simulation, columns->wrenches);
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        if (has_wrench(model, i)) {
            next = put_vector(next, columns->wrenches[i].linear);
            next = put_vector(next, columns->wrenches[i].angular);
        }
    }
    return next;
}

static double *put_whole_body(double *next, atemi_simulate_columns *columns, const double *q,
                              const double *v)
{
    const atemi_model *model = columns->scenario->robot.model;
    atemi_kinematics_update(model, q, v, NULL, &columns->kinematics);
    *next++ = atemi_kinetic_energy(model, &columns->kinematics);
    *next++ = atemi_potential_energy(model, &columns->kinematics);
    return put_vector(next, atemi_center_of_mass(model, &columns->kinematics));
}

static void put_zmp(double *next, atemi_simulate_columns *columns,
                    const atemi_simulation *simulation)
{
    const int  count = find_feet(columns, simulation);
    atemi_vec3 zmp = {NAN, NAN, NAN};
    double     margin = NAN;
    if (atemi_center_of_pressure(&columns->plane, columns->feet, columns->forces, count, &zmp)) {
        const atemi_support support =
            atemi_support_polygon(&columns->plane, columns->feet, count, columns->feet);
        margin = atemi_support_distance(&support, zmp).distance;
        columns->margin = fmin(columns->margin, margin);
    }
    next[0] = zmp.x;
    next[1] = zmp.y;
    next[2] = margin;
}

atemi_status atemi_simulate_columns_append(atemi_simulate_columns *columns,
                                           atemi_simulation *simulation, atemi_recording *recording,
                                           atemi_error *error)
{
    const atemi_simulate_scenario *scenario = columns->scenario;
    const int                      nq = atemi_model_q_count(scenario->robot.model);
    const int                      nv = atemi_model_v_count(scenario->robot.model);
    const double *q = atemi_simulation_q(simulation), *v = atemi_simulation_v(simulation);
    double       *next = columns->row;
    *next++ = atemi_simulation_time(simulation);
    next = put(next, nq, q);
    next = put(next, nv, v);
    next = put(next, nv, atemi_simulation_a(simulation));
    next = put(next, nv, atemi_simulation_tau(simulation));
    next = put_contacts(next, &scenario->contacts, simulation);
    if (scenario->wrenches) {
        next = put_wrenches(next, columns, simulation);
    }
    next = put_whole_body(next, columns, q, v);
    put_zmp(next, columns, simulation);
    return atemi_recording_append(recording, columns->row, error);
}

double atemi_simulate_columns_energy(const atemi_simulate_columns *columns)
{
    const atemi_model *model = columns->scenario->robot.model;
    return atemi_kinetic_energy(model, &columns->kinematics) +
           atemi_potential_energy(model, &columns->kinematics);
}

// ---- Creation

static void take(atemi_arena *arena, atemi_simulate_columns *columns)
{
    const atemi_model *model = columns->scenario->robot.model;
    const int          points = columns->scenario->contacts.count;
    columns->row = atemi_arena_array(arena, double, columns->count);
    columns->kinematics = atemi_kinematics_take(arena, model);
    columns->wrenches = atemi_arena_array(arena, atemi_force, atemi_model_joint_count(model));
    columns->feet = atemi_arena_array(arena, atemi_vec3, points);
    columns->forces = atemi_arena_array(arena, atemi_force, points);
}

atemi_status atemi_simulate_columns_create(const atemi_simulate_scenario *scenario,
                                           atemi_simulate_columns        *columns,
                                           atemi_recording **recording, atemi_error *error)
{
    *recording = NULL;
    *columns = (atemi_simulate_columns){.scenario = scenario, .margin = INFINITY};
    columns->count = atemi_simulate_columns_count(scenario);
    find_ground(columns);
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, columns);
    atemi_status status = atemi_arena_create(&columns->arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&columns->arena, columns);
    status = create_recording(scenario, columns->count, recording, error);
    return status ? status : add_surfaces(scenario, *recording, error);
}

void atemi_simulate_columns_destroy(atemi_simulate_columns *columns)
{
    atemi_arena_destroy(&columns->arena);
}

// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_columns.h"

#include "atemi/kinematics.h"
#include "jobs/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Where values come from

static const atemi_simulate_columns *of(const void *row)
{
    return (const atemi_simulate_columns *)row;
}

static const atemi_model *model_of(const void *row)
{
    return of(row)->scenario->robot.model;
}

static double time_now(const void *row, int owner)
{
    (void)owner;
    return atemi_simulation_time(of(row)->simulation);
}

static const double *motion(const void *row, atemi_column_quantity quantity)
{
    return atemi_columns_of_simulation(of(row)->simulation, quantity);
}

static int contact_count(const void *row)
{
    return of(row)->scenario->contacts.count;
}

static bool contact_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    return atemi_columns_contact_owner(&of(row)->scenario->contacts, i, name);
}

static atemi_column_contact contact(const void *row, int i)
{
    const atemi_simulation *simulation = of(row)->simulation;
    return (atemi_column_contact){
        atemi_simulation_position(simulation, i), atemi_simulation_force(simulation, i),
        atemi_simulation_mode(simulation, i), atemi_simulation_gap(simulation, i)};
}

// ---- Shapes

// Of all shapes of a link that touch.
typedef struct atemi_link_touch {
    int        places;
    atemi_vec3 force; ///< on the link
} atemi_link_touch;

static bool has_shapes(const void *row)
{
    return of(row)->scenario->shapes.touch;
}

static int link_count(const void *row)
{
    return atemi_model_link_count(model_of(row));
}

static bool touch_name(const void *row, int link, char name[ATEMI_COLUMN_OWNER])
{
    const atemi_simulation_shapes *shapes = &of(row)->scenario->shapes.shapes;
    bool                           has_shape = false;
    for (int i = 0; i < shapes->count; ++i) {
        has_shape = has_shape || shapes->shapes[i].link == link;
    }
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", atemi_model_link(model_of(row), link)->name);
    return has_shape;
}

static void add_touch(const atemi_simulate_columns *columns, int shape, double sign,
                      const atemi_touch_report *touch)
{
    atemi_link_touch *of_link =
        &columns->touches[columns->scenario->shapes.shapes.shapes[shape].link];
    of_link->places += touch->mode != ATEMI_CONTACT_OPEN;
    of_link->force = atemi_vec3_add(of_link->force, atemi_vec3_scale(sign, touch->force));
}

static void find_touches(const void *row)
{
    const atemi_simulate_columns *columns = of(row);
    memset(columns->touches, 0, (size_t)link_count(row) * sizeof *columns->touches);
    for (int i = 0; i < atemi_simulation_touch_count(columns->simulation); ++i) {
        const atemi_touch_report touch = atemi_simulation_touch(columns->simulation, i);
        add_touch(columns, touch.first, 1.0, &touch);
        if (touch.second != ATEMI_NONE) {
            add_touch(columns, touch.second, -1.0, &touch);
        }
    }
}

static atemi_vec3 touch_force(const void *row, int link)
{
    return of(row)->touches[link].force;
}

static double touch_places(const void *row, int link)
{
    return of(row)->touches[link].places;
}

// ---- Stops and dry friction of joints

static bool has_stops(const void *row)
{
    return of(row)->scenario->options.joint_stops;
}

static bool has_friction(const void *row)
{
    return of(row)->scenario->options.joint_friction;
}

static bool stop_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    const atemi_joint *joint = atemi_model_joint(model_of(row), i);
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", joint->name);
    return joint->v_count == 1 && (isfinite(joint->limits.lower) || isfinite(joint->limits.upper));
}

static bool friction_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    const atemi_joint *joint = atemi_model_joint(model_of(row), i);
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", joint->name);
    return joint->v_count == 1 && joint->friction > 0.0;
}

static double stop_torque(const void *row, int i)
{
    const atemi_joint *joint = atemi_model_joint(model_of(row), i);
    return atemi_simulation_stop_torques(of(row)->simulation)[joint->first_v];
}

static double friction_torque(const void *row, int i)
{
    const atemi_joint *joint = atemi_model_joint(model_of(row), i);
    return atemi_simulation_friction_torques(of(row)->simulation)[joint->first_v];
}

static bool has_wrenches(const void *row)
{
    return of(row)->scenario->wrenches;
}

static int joint_count(const void *row)
{
    return atemi_model_joint_count(model_of(row));
}

static bool joint_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    return atemi_columns_wrench_owner(model_of(row), i, name);
}

// Wrenches evaluate the state anew: after the accelerations of the row, before its ZMP.
static void find_wrenches(const void *row)
{
    atemi_simulation_wrenches(of(row)->simulation, of(row)->wrenches);
}

static atemi_force wrench(const void *row, int i)
{
    return of(row)->wrenches[i];
}

// ---- Closed loops

static int loop_count(const void *row)
{
    const atemi_model *model = model_of(row);
    return (model ? atemi_model_loop_count(model) : 0) + of(row)->scenario->loops.count;
}

static bool loop_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    const int         own = atemi_model_loop_count(model_of(row));
    const atemi_loop *loop =
        i < own ? atemi_model_loop(model_of(row), i) : &of(row)->scenario->loops.loops[i - own];
    snprintf(name, ATEMI_COLUMN_OWNER, "%s", loop->name);
    return true;
}

static atemi_force loop_force(const void *row, int i)
{
    return atemi_simulation_loop(of(row)->simulation, i).force;
}

static double kinetic(const void *row, int owner)
{
    (void)owner;
    return atemi_kinetic_energy_in(model_of(row), &of(row)->kinematics);
}

static double potential(const void *row, int owner)
{
    (void)owner;
    return atemi_potential_energy_in(model_of(row), &of(row)->kinematics);
}

static double com_x(const void *row, int owner)
{
    (void)owner;
    return of(row)->com.x;
}

static double com_y(const void *row, int owner)
{
    (void)owner;
    return of(row)->com.y;
}

static double com_z(const void *row, int owner)
{
    (void)owner;
    return of(row)->com.z;
}

static void find_hold(const void *row)
{
    *of(row)->hold = atemi_footing_look(&of(row)->footing, of(row)->scenario->contacts.points,
                                        of(row)->simulation);
}

static double zmp_x(const void *row, int owner)
{
    (void)owner;
    return of(row)->hold->zmp.x;
}

static double zmp_y(const void *row, int owner)
{
    (void)owner;
    return of(row)->hold->zmp.y;
}

static double zmp_margin(const void *row, int owner)
{
    (void)owner;
    return of(row)->hold->margin;
}

// ---- The columns

static const atemi_column times[] = {{.name = "t", .unit = "s", .help = "time", .get = time_now}};

static const atemi_column energies[] = {
    {.name = "kinetic", .unit = "J", .help = "energy of the robot", .get = kinetic},
    {.name = "potential", .unit = "J", .help = "energy of the robot", .get = potential}};

static const atemi_column coms[] = {
    {.name = "x", .unit = "m", .help = "center of mass, world axes", .get = com_x},
    {.name = "y", .unit = "m", .help = "center of mass, world axes", .get = com_y},
    {.name = "z", .unit = "m", .help = "center of mass, world axes", .get = com_z}};

static const atemi_column stops[] = {
    {.name = "torque",
     .unit = "N m or N",
     .help = "of the joint's stop; by the method steps, on average over the step",
     .get = stop_torque}};

static const atemi_column touches[] = {
    {.name = "force",
     .unit = "N",
     .help = "on the link, of all that its shapes touch, on average over the last step",
     .vector = touch_force},
    {.name = "places", .help = "at which its shapes are in touch", .get = touch_places}};

static const atemi_column frictions[] = {
    {.name = "torque",
     .unit = "N m or N",
     .help = "of the joint's dry friction; by the method steps, on average over the "
             "step",
     .get = friction_torque}};

static const atemi_column zmps[] = {
    {.name = "x", .unit = "m", .help = "ZMP, world axes; absent without contact", .get = zmp_x},
    {.name = "y", .unit = "m", .help = "ZMP, world axes; absent without contact", .get = zmp_y},
    {.name = "margin",
     .unit = "m",
     .help = "from the ZMP to the edge of the support polygon, positive inside",
     .get = zmp_margin}};

static const atemi_column_group groups[] = {
    {ATEMI_COLUMNS(times)},
    {.model = model_of, .motion = motion},
    {.contact = contact, .owners = contact_count, .owner = contact_name},
    {.prefix = "touch",
     ATEMI_COLUMNS(touches),
     .owners = link_count,
     .owner = touch_name,
     .has = has_shapes,
     .prepare = find_touches},
    {.prefix = "wrench",
     .wrench = wrench,
     .owners = joint_count,
     .owner = joint_name,
     .has = has_wrenches,
     .prepare = find_wrenches},
    {.prefix = "stop",
     ATEMI_COLUMNS(stops),
     .owners = joint_count,
     .owner = stop_name,
     .has = has_stops},
    {.prefix = "joint_friction",
     ATEMI_COLUMNS(frictions),
     .owners = joint_count,
     .owner = friction_name,
     .has = has_friction},
    {.prefix = "loop", .wrench = loop_force, .owners = loop_count, .owner = loop_name},
    {.prefix = "energy", ATEMI_COLUMNS(energies)},
    {.prefix = "com", ATEMI_COLUMNS(coms)},
    {.prefix = "zmp", ATEMI_COLUMNS(zmps), .prepare = find_hold}};

const atemi_column_table atemi_simulate_column_table = {groups, sizeof groups / sizeof *groups};

int atemi_simulate_columns_count(const atemi_simulate_scenario *scenario)
{
    const atemi_simulate_columns columns = {.scenario = scenario};
    return atemi_columns_count(&atemi_simulate_column_table, &columns);
}

// ---- Rows

static void look(atemi_simulate_columns *columns, const atemi_simulation *simulation)
{
    const atemi_model *model = columns->scenario->robot.model;
    atemi_kinematics_update(model, atemi_simulation_q(simulation), atemi_simulation_v(simulation),
                            NULL, &columns->kinematics);
    columns->com = atemi_center_of_mass_in(model, &columns->kinematics);
}

atemi_status atemi_simulate_columns_append(atemi_simulate_columns *columns,
                                           atemi_simulation *simulation, atemi_recording *recording,
                                           atemi_error *error)
{
    columns->simulation = simulation;
    look(columns, simulation);
    atemi_columns_fill(&atemi_simulate_column_table, columns, columns->row);
    columns->margin = fmin(columns->margin, columns->hold->margin);
    return atemi_recording_append(recording, columns->row, error);
}

double atemi_simulate_columns_energy(const atemi_simulate_columns *columns)
{
    const atemi_model *model = columns->scenario->robot.model;
    return atemi_kinetic_energy_in(model, &columns->kinematics) +
           atemi_potential_energy_in(model, &columns->kinematics);
}

// ---- Creation

static void take(atemi_arena *arena, atemi_simulate_columns *columns)
{
    const atemi_model             *model = columns->scenario->robot.model;
    const atemi_scenario_contacts *contacts = &columns->scenario->contacts;
    columns->row = atemi_arena_array(arena, double, columns->count);
    columns->hold = atemi_arena_array(arena, atemi_foothold, 1);
    columns->kinematics = atemi_kinematics_take(arena, model);
    columns->wrenches = atemi_arena_array(arena, atemi_force, atemi_model_joint_count(model));
    columns->touches = atemi_arena_array(arena, atemi_link_touch, atemi_model_link_count(model));
    columns->footing = atemi_footing_take(arena, columns->scenario->surfaces.surfaces,
                                          contacts->points, contacts->count);
}

atemi_status atemi_simulate_columns_create(const atemi_simulate_scenario *scenario,
                                           atemi_simulate_columns        *columns,
                                           atemi_recording **recording, atemi_error *error)
{
    *recording = NULL;
    *columns = (atemi_simulate_columns){.scenario = scenario, .margin = INFINITY};
    columns->count = atemi_simulate_columns_count(scenario);
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, columns);
    atemi_status status = atemi_arena_create(&columns->arena, arena.used, error);
    if (status) {
        return status;
    }
    take(&columns->arena, columns);
    status = atemi_columns_create(&atemi_simulate_column_table, columns, recording, error);
    return status ? status
                  : atemi_job_add_surfaces(*recording, &scenario->surfaces, &scenario->contacts,
                                           error);
}

void atemi_simulate_columns_destroy(atemi_simulate_columns *columns)
{
    atemi_arena_destroy(&columns->arena);
}

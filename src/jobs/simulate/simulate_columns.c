// SPDX-License-Identifier: Apache-2.0

#include "jobs/simulate/simulate_columns.h"

#include "dynamics/kinematics.h"
#include "jobs/columns.h"
#include "jobs/job.h"
#include "jobs/row.h"

#include <math.h>

// The columns are named and filled in the same order, by the two parts of this file.

// ---- Names

static void add_all(atemi_column_list *list, const void *context)
{
    const atemi_simulate_scenario *scenario = (const atemi_simulate_scenario *)context;
    const atemi_model             *model = scenario->robot.model;
    atemi_columns_add(list, "s", "t");
    atemi_columns_add_motion(list, model);
    atemi_columns_add_contacts(list, &scenario->contacts);
    if (scenario->wrenches) {
        atemi_columns_add_wrenches(list, model);
    }
    atemi_columns_add(list, "J", "energy.kinetic");
    atemi_columns_add(list, "J", "energy.potential");
    atemi_columns_add(list, "m", "com.x");
    atemi_columns_add(list, "m", "com.y");
    atemi_columns_add(list, "m", "com.z");
    atemi_columns_add_zmp(list);
}

int atemi_simulate_columns_count(const atemi_simulate_scenario *scenario)
{
    return atemi_columns_count(add_all, scenario);
}

// ---- Rows

static double *put_contacts(double *next, const atemi_scenario_contacts *contacts,
                            const atemi_simulation *simulation)
{
    for (int i = 0; i < contacts->count; ++i) {
        next = row_put_vector(next, atemi_simulation_position(simulation, i));
        next = row_put_vector(next, atemi_simulation_force(simulation, i));
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
        if (atemi_columns_has_wrench(model, i)) {
            next = row_put_vector(next, columns->wrenches[i].linear);
            next = row_put_vector(next, columns->wrenches[i].angular);
        }
    }
    return next;
}

static double *put_whole_body(double *next, atemi_simulate_columns *columns, const double *q,
                              const double *v)
{
    const atemi_model *model = columns->scenario->robot.model;
    atemi_kinematics_update(model, q, v, NULL, &columns->kinematics);
    *next++ = atemi_kinetic_energy_in(model, &columns->kinematics);
    *next++ = atemi_potential_energy_in(model, &columns->kinematics);
    return row_put_vector(next, atemi_center_of_mass_in(model, &columns->kinematics));
}

static void put_zmp(double *next, atemi_simulate_columns *columns,
                    const atemi_simulation *simulation)
{
    const atemi_foothold hold =
        atemi_footing_look(&columns->footing, columns->scenario->contacts.points, simulation);
    next[0] = hold.zmp.x;
    next[1] = hold.zmp.y;
    next[2] = hold.margin;
    columns->margin = fmin(columns->margin, hold.margin);
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
    next = row_put(next, nq, q);
    next = row_put(next, nv, v);
    next = row_put(next, nv, atemi_simulation_a(simulation));
    next = row_put(next, nv, atemi_simulation_tau(simulation));
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
    return atemi_kinetic_energy_in(model, &columns->kinematics) +
           atemi_potential_energy_in(model, &columns->kinematics);
}

// ---- Creation

static void take(atemi_arena *arena, atemi_simulate_columns *columns)
{
    const atemi_model             *model = columns->scenario->robot.model;
    const atemi_scenario_contacts *contacts = &columns->scenario->contacts;
    columns->row = atemi_arena_array(arena, double, columns->count);
    columns->kinematics = atemi_kinematics_take(arena, model);
    columns->wrenches = atemi_arena_array(arena, atemi_force, atemi_model_joint_count(model));
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
    status = atemi_columns_create(add_all, scenario, recording, error);
    return status ? status
                  : atemi_job_add_surfaces(*recording, &scenario->surfaces, &scenario->contacts,
                                           error);
}

void atemi_simulate_columns_destroy(atemi_simulate_columns *columns)
{
    atemi_arena_destroy(&columns->arena);
}

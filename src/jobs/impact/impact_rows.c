// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_rows.h"

#include "atemi/model.h"
#include "contact/distribution.h"
#include "jobs/job.h"

#include <math.h>
#include <string.h>

// ---- Other methods

void atemi_impact_series_take(void *context, const atemi_impact_sample *sample)
{
    atemi_impact_series *series = (atemi_impact_series *)context;
    const int            i = series->count++;
    series->force[i] = sample->blow->force;
    if (series->compression) {
        series->compression[i] = sample->blow->compression;
        series->hand_speed[i] = sample->blow->hand_speed;
        series->target_speed[i] = sample->blow->target_speed;
        series->zmp_x[i] = sample->zmp.x;
        series->zmp_y[i] = sample->zmp.y;
        series->margin[i] = sample->margin;
    }
}

// ---- Torques, ground and joints

static void find_torques(atemi_impact_rows *rows, const atemi_blow_sample *blow)
{
    const atemi_impact_trial *trial = rows->trial;
    const atemi_blow_servo servo = atemi_scenario_blow_servo(&rows->scenario->servo, trial->model);
    const double           slide = atemi_blow_options_default().slowest_slide;
    memset(rows->tau, 0, (size_t)trial->base.count * sizeof *rows->tau);
    for (int i = trial->base.base_count; i < trial->base.count; ++i) {
        rows->tau[i] = trial->held[i] + blow->torques[i] -
                       atemi_blow_friction(&servo, i, blow->rates[i], slide);
        rows->peak_torques[i] = fmax(rows->peak_torques[i], fabs(blow->torques[i]));
    }
}

// What the ground and the joints bear.
static void find_wrenches(atemi_impact_rows *rows, const atemi_blow_sample *blow)
{
    atemi_impact_trial *trial = rows->trial;
    memset(rows->loads, 0, (size_t)atemi_model_link_count(trial->model) * sizeof *rows->loads);
    atemi_striking_point_add_force(trial->data, &rows->scenario->hand.point, blow->force,
                                   rows->loads);
    atemi_ground_wrenches(rows->data, trial->now.q, blow->rates, blow->accelerations, rows->tau,
                          rows->loads, trial->ground.links, trial->ground.count, rows->wrenches);
    for (int j = 0; j < atemi_model_joint_count(trial->model); ++j) {
        if (atemi_columns_has_wrench(trial->model, j)) {
            const atemi_force wrench = atemi_joint_wrench(rows->data, j);
            rows->peak_forces[j] = fmax(rows->peak_forces[j], atemi_vec3_norm(wrench.linear));
            rows->peak_moments[j] = fmax(rows->peak_moments[j], atemi_vec3_norm(wrench.angular));
        }
    }
}

// ---- Rows

static bool touches(const atemi_impact_trial *trial, int contact)
{
    for (int i = 0; i < trial->touching.count; ++i) {
        if (trial->touching.points[i] == contact) {
            return true;
        }
    }
    return false;
}

static atemi_vec3 place_of(const atemi_impact_trial *trial, const atemi_simulation_point *point)
{
    const atemi_transform pose = atemi_link_pose(trial->data, point->link);
    return atemi_transform_apply(&pose, point->point);
}

// The forces of one link's points, in the order of the contacts, into `places`.
static void add_to_link(atemi_impact_rows *rows, int link, atemi_force wrench)
{
    const atemi_impact_trial      *trial = rows->trial;
    const atemi_scenario_contacts *contacts = &rows->scenario->contacts;
    int                            count = 0;
    for (int i = 0; i < contacts->count; ++i) {
        if (contacts->points[i].link == link && touches(trial, i)) {
            rows->places[count++] = place_of(trial, &contacts->points[i]);
        }
    }
    if (count > 0) {
        atemi_distribute(wrench, atemi_link_pose(trial->data, link).position, rows->places, count,
                         rows->places);
    }
}

// The forces of all contacts; those that do not touch have none.
static void find_forces(atemi_impact_rows *rows)
{
    const atemi_impact_trial      *trial = rows->trial;
    const atemi_scenario_contacts *contacts = &rows->scenario->contacts;
    for (int i = 0; i < contacts->count; ++i) {
        rows->forces[i] = (atemi_vec3){0.0, 0.0, 0.0};
    }
    for (int k = 0; k < trial->ground.count; ++k) {
        int given = 0;
        add_to_link(rows, trial->touching.links[k], rows->wrenches[k]);
        for (int i = 0; i < contacts->count; ++i) {
            if (contacts->points[i].link == trial->touching.links[k] && touches(trial, i)) {
                rows->forces[i] = rows->places[given++];
            }
        }
    }
}

atemi_column_contact atemi_impact_rows_contact(const atemi_impact_rows *rows, int i)
{
    const atemi_simulation_point *point = &rows->scenario->contacts.points[i];
    const atemi_vec3              at = place_of(rows->trial, point);
    const atemi_surface          *surface = &rows->scenario->surfaces.surfaces[point->surface];
    return (atemi_column_contact){
        at, rows->forces[i], touches(rows->trial, i) ? ATEMI_CONTACT_STICK : ATEMI_CONTACT_OPEN,
        atemi_surface_look(surface, at).gap - point->radius};
}

// Posture and target go on with their rates, for looking at; the estimate itself keeps the posture.
static void move(atemi_impact_rows *rows, const atemi_blow_sample *blow)
{
    const int n = rows->trial->base.count;
    if (isnan(rows->time)) {
        rows->face = atemi_striking_point_place(rows->trial->data, &rows->scenario->hand.point, 0);
        memcpy(rows->q, rows->trial->now.q,
               (size_t)atemi_model_q_count(rows->trial->model) * sizeof *rows->q);
    } else {
        for (int i = 0; i < n; ++i) {
            rows->v_last[i] = 0.5 * (rows->v_last[i] + blow->rates[i]);
        }
        atemi_configuration_integrate(rows->trial->model, rows->q, rows->v_last,
                                      blow->time - rows->time, rows->q);
        rows->travel += 0.5 * (rows->target_speed + blow->target_speed) * (blow->time - rows->time);
    }
    rows->target_speed = blow->target_speed;
    memcpy(rows->v_last, blow->rates, (size_t)n * sizeof *rows->v_last);
    rows->time = blow->time;
}

void atemi_impact_rows_take(void *context, const atemi_impact_sample *sample)
{
    atemi_impact_rows       *rows = (atemi_impact_rows *)context;
    const atemi_blow_sample *blow = sample->blow;
    atemi_impact_trial      *trial = rows->trial;
    if (rows->status) {
        return;
    }
    atemi_update_kinematics(trial->data, trial->now.q, NULL, NULL);
    move(rows, blow);
    find_torques(rows, blow);
    find_wrenches(rows, blow);
    find_forces(rows);
    rows->sample = sample;
    rows->index = atemi_recording_row_count(rows->recording);
    atemi_columns_fill(&atemi_impact_column_table, rows, rows->row);
    rows->status = atemi_recording_append(rows->recording, rows->row, &rows->error);
}

// ---- Creation

static void take_series(atemi_impact_series *series, atemi_arena *arena, int rows, bool whole)
{
    double **const lists[] = {&series->compression, &series->hand_speed, &series->target_speed,
                              &series->zmp_x,       &series->zmp_y,      &series->margin};
    series->force = atemi_arena_array(arena, double, rows);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && whole; ++i) {
        *lists[i] = atemi_arena_array(arena, double, rows);
    }
}

static void take(atemi_impact_rows *rows, atemi_arena *arena)
{
    const atemi_model *model = rows->trial->model;
    const int          n = atemi_model_v_count(model), joints = atemi_model_joint_count(model);
    rows->times = atemi_arena_array(arena, double, rows->count);
    for (int i = 0; i < ATEMI_IMPACT_METHODS; ++i) {
        take_series(&rows->series[i], arena, rows->count, i == ATEMI_IMPACT_FULL);
    }
    rows->row = atemi_arena_array(arena, double, rows->columns);
    rows->q = atemi_arena_array(arena, double, atemi_model_q_count(model));
    rows->v_last = atemi_arena_array(arena, double, n);
    rows->tau = atemi_arena_array(arena, double, n);
    rows->peak_torques = atemi_arena_array(arena, double, n);
    rows->peak_forces = atemi_arena_array(arena, double, joints);
    rows->peak_moments = atemi_arena_array(arena, double, joints);
    rows->loads = atemi_arena_array(arena, atemi_force, atemi_model_link_count(model));
    rows->wrenches = atemi_arena_array(arena, atemi_force, atemi_model_link_count(model));
    rows->places = atemi_arena_array(arena, atemi_vec3, rows->scenario->contacts.count);
    rows->forces = atemi_arena_array(arena, atemi_vec3, rows->scenario->contacts.count);
    rows->data = atemi_data_take(arena, model,
                                 &(atemi_data_options){.max_contacts = rows->trial->ground.count});
}

atemi_status atemi_impact_rows_create(atemi_impact_trial *trial, atemi_impact_rows *rows,
                                      atemi_error *error)
{
    const atemi_impact_scenario *scenario = trial->scenario;
    *rows = (atemi_impact_rows){.scenario = scenario, .trial = trial, .time = NAN};
    rows->count = 1 + (int)floor(scenario->duration / scenario->every * (1.0 + 1e-12));
    rows->columns = atemi_columns_count(&atemi_impact_column_table, rows);
    atemi_arena arena = atemi_arena_measuring();
    take(rows, &arena);
    atemi_status status = atemi_arena_create(&rows->arena, arena.used, error);
    if (status) {
        return status;
    }
    take(rows, &rows->arena);
    for (int i = 0; i < rows->count; ++i) {
        rows->times[i] = i * scenario->every;
    }
    status = atemi_columns_create(&atemi_impact_column_table, rows, &rows->recording, error);
    return status ? status
                  : atemi_job_add_surfaces(rows->recording, &scenario->surfaces, NULL, error);
}

void atemi_impact_rows_destroy(atemi_impact_rows *rows)
{
    atemi_recording_destroy(rows->recording);
    atemi_arena_destroy(&rows->arena);
}

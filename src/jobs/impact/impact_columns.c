// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_rows.h"

#include <math.h>

// The columns of an impact, each once: name, unit, help and where its value comes from.

// ---- Where values come from

static const atemi_impact_rows *of(const void *row)
{
    return (const atemi_impact_rows *)row;
}

static const atemi_model *model_of(const void *row)
{
    return of(row)->scenario->robot.model;
}

static const double *motion(const void *row, atemi_column_quantity quantity)
{
    const atemi_blow_sample *blow = of(row)->sample->blow;
    switch (quantity) {
    case ATEMI_COLUMN_Q:
        return of(row)->q;
    case ATEMI_COLUMN_V:
        return blow->rates;
    case ATEMI_COLUMN_A:
        return blow->accelerations;
    case ATEMI_COLUMN_TAU:
        break;
    }
    return of(row)->tau;
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
    return atemi_impact_rows_contact(of(row), i);
}

static bool has_wrenches(const void *row)
{
    return of(row)->scenario->wrenches;
}

static bool has_full(const void *row)
{
    return of(row)->scenario->full;
}

static int joint_count(const void *row)
{
    return atemi_model_joint_count(model_of(row));
}

static bool joint_name(const void *row, int i, char name[ATEMI_COLUMN_OWNER])
{
    return atemi_columns_wrench_owner(model_of(row), i, name);
}

static atemi_force wrench(const void *row, int i)
{
    return atemi_joint_wrench(of(row)->data, i);
}

static atemi_vec3 target_position(const void *row, int owner)
{
    (void)owner;
    const atemi_impact_rows *rows = of(row);
    return atemi_vec3_add(rows->face,
                          atemi_vec3_scale(rows->travel, rows->scenario->hand.point.direction));
}

// ---- Other methods, which may end before the estimate does

static const atemi_impact_series *full_series(const void *row)
{
    return &of(row)->series[ATEMI_IMPACT_FULL];
}

static double value_of(const double *values, const atemi_impact_series *series, int i)
{
    return i < series->count ? values[i] : (double)NAN;
}

static double value_at(const void *row, const double *values)
{
    return value_of(values, full_series(row), of(row)->index);
}

static double force_at(const void *row, int method)
{
    const atemi_impact_series *series = &of(row)->series[method];
    const int                  i = of(row)->index;
    return i >= series->count && series->released ? 0.0 : value_of(series->force, series, i);
}

static double time_now(const void *row, int owner)
{
    (void)owner;
    return of(row)->sample->blow->time;
}

static double zmp_x(const void *row, int owner)
{
    (void)owner;
    return of(row)->sample->zmp.x;
}

static double zmp_y(const void *row, int owner)
{
    (void)owner;
    return of(row)->sample->zmp.y;
}

static double zmp_margin(const void *row, int owner)
{
    (void)owner;
    return of(row)->sample->margin;
}

static double force(const void *row, int owner)
{
    (void)owner;
    return of(row)->sample->blow->force;
}

static double compression(const void *row, int owner)
{
    (void)owner;
    return of(row)->sample->blow->compression;
}

static double hand_speed(const void *row, int owner)
{
    (void)owner;
    return of(row)->sample->blow->hand_speed;
}

static double target_speed(const void *row, int owner)
{
    (void)owner;
    return of(row)->sample->blow->target_speed;
}

static double published_force(const void *row, int owner)
{
    (void)owner;
    return force_at(row, ATEMI_IMPACT_PUBLISHED);
}

static double masses_force(const void *row, int owner)
{
    (void)owner;
    return force_at(row, ATEMI_IMPACT_TWO_MASSES);
}

static double full_force(const void *row, int owner)
{
    (void)owner;
    return force_at(row, ATEMI_IMPACT_FULL);
}

static double full_compression(const void *row, int owner)
{
    (void)owner;
    return value_at(row, full_series(row)->compression);
}

static double full_hand_speed(const void *row, int owner)
{
    (void)owner;
    return value_at(row, full_series(row)->hand_speed);
}

static double full_target_speed(const void *row, int owner)
{
    (void)owner;
    return value_at(row, full_series(row)->target_speed);
}

static double full_zmp_x(const void *row, int owner)
{
    (void)owner;
    return value_at(row, full_series(row)->zmp_x);
}

static double full_zmp_y(const void *row, int owner)
{
    (void)owner;
    return value_at(row, full_series(row)->zmp_y);
}

static double full_margin(const void *row, int owner)
{
    (void)owner;
    return value_at(row, full_series(row)->margin);
}

// ---- The columns

#define ALONG "along the blow"
#define BY_FULL "by full dynamics, at the end of the step that is nearest"

static const atemi_column times[] = {
    {.name = "t", .unit = "s", .help = "time since first touch", .get = time_now}};

static const atemi_column zmps[] = {
    {.name = "x", .unit = "m", .help = "ZMP, world axes; absent without contact", .get = zmp_x},
    {.name = "y", .unit = "m", .help = "ZMP, world axes; absent without contact", .get = zmp_y},
    {.name = "margin",
     .unit = "m",
     .help = "from the ZMP to the edge of the support polygon, positive inside",
     .get = zmp_margin}};

static const atemi_column estimates[] = {
    {.name = "force.estimate", .unit = "N", .help = ALONG, .get = force},
    {.name = "compression.estimate", .unit = "m", .help = ALONG, .get = compression},
    {.name = "hand_speed.estimate", .unit = "m/s", .help = ALONG, .get = hand_speed},
    {.name = "target_speed.estimate", .unit = "m/s", .help = ALONG, .get = target_speed},
    {.name = "target.position",
     .unit = "m",
     .help = "of the target's face, by the estimate",
     .vector = target_position},
    {.name = "force.published",
     .unit = "N",
     .help = "as [SDC] computes it: RK4 of 0.1 ms, no stiffness of the servo, heavy feet",
     .get = published_force},
    {.name = "force.virtual_mass",
     .unit = "N",
     .help = "of two point masses; absent with hunt_crossley",
     .get = masses_force}};

static const atemi_column fulls[] = {
    {.name = "force.full", .unit = "N", .help = BY_FULL, .get = full_force},
    {.name = "compression.full", .unit = "m", .help = BY_FULL, .get = full_compression},
    {.name = "hand_speed.full", .unit = "m/s", .help = BY_FULL, .get = full_hand_speed},
    {.name = "target_speed.full", .unit = "m/s", .help = BY_FULL, .get = full_target_speed},
    {.name = "zmp.full_x", .unit = "m", .help = "ZMP by full dynamics", .get = full_zmp_x},
    {.name = "zmp.full_y", .unit = "m", .help = "ZMP by full dynamics", .get = full_zmp_y},
    {.name = "zmp.full_margin",
     .unit = "m",
     .help = "of the ZMP by full dynamics",
     .get = full_margin}};

static const atemi_column_group groups[] = {
    {ATEMI_COLUMNS(times)},
    {.model = model_of, .motion = motion},
    {.contact = contact, .owners = contact_count, .owner = contact_name},
    {.prefix = "wrench",
     .wrench = wrench,
     .owners = joint_count,
     .owner = joint_name,
     .has = has_wrenches},
    {.prefix = "zmp", ATEMI_COLUMNS(zmps)},
    {ATEMI_COLUMNS(estimates)},
    {ATEMI_COLUMNS(fulls), .has = has_full}};

const atemi_column_table atemi_impact_column_table = {groups, sizeof groups / sizeof *groups};

// SPDX-License-Identifier: Apache-2.0

#include "atemi/data.h"

#include "atemi/base.h"
#include "contact/cone_problem.h"
#include "contact/data_contact.h"

#include <math.h>

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static atemi_contact_parts take_contact(atemi_arena *arena, const atemi_model *model, int max)
{
    const size_t n = (size_t)model->v_count, rows = (size_t)ATEMI_CONTACT_MAX_ROWS * (size_t)max;
    const size_t points = atemi_cone_problem_scratch_size(max, 0, model->v_count);
    const size_t intervals = atemi_cone_problem_scratch_size(0, 3 * max, model->v_count);
    const size_t work = larger(rows * (rows + 2) + n, larger(points, intervals));

    atemi_contact_parts parts = {.max_contacts = max};
    parts.work = atemi_arena_array(arena, double, work);
    parts.collision = atemi_collision_scratch_take_at(arena, model, max, max, (int)rows);
    parts.collision.scratch = parts.work;
    parts.loads = atemi_arena_array(arena, atemi_force, model->link_count);
    parts.M = max > 0 ? atemi_arena_array(arena, double, n *n) : NULL;
    parts.jacobian = atemi_arena_array(arena, double, 6 * n);
    parts.motion = atemi_arena_array(arena, double, rows *n);
    parts.force = atemi_arena_array(arena, double, rows *n);
    parts.weighted = atemi_arena_array(arena, double, rows *n);
    parts.row = atemi_arena_array(arena, double, rows);
    return parts;
}

static atemi_data *take(atemi_arena *arena, const atemi_model *model, int max_contacts)
{
    atemi_data               *data = atemi_arena_array(arena, atemi_data, 1);
    atemi_contact_parts      *contact = atemi_arena_array(arena, atemi_contact_parts, 1);
    const atemi_data          own = atemi_data_parts_take(arena, model);
    const atemi_contact_parts parts = take_contact(arena, model, max_contacts);
    if (data && contact) {
        *contact = parts;
        *data = own;
        data->contact = contact;
    }
    return data;
}

// Measuring counts an alignment in advance, which an arena with memory has behind it.
static bool fits(const atemi_arena *arena, const atemi_model *model, int max_contacts)
{
    const size_t unit = ATEMI_ARENA_ALIGNMENT, start = (arena->used + unit - 1) / unit * unit;
    atemi_arena  need = atemi_arena_measuring();
    take(&need, model, max_contacts);
    return start <= arena->capacity && need.used - unit <= arena->capacity - start;
}

static bool is_possible(const atemi_data_options *options)
{
    return !options ||
           (options->max_contacts >= 0 && options->max_contacts <= ATEMI_CONTACT_MAX_COUNT);
}

static int contacts_of(const atemi_data_options *options)
{
    return (options ? *options : atemi_data_options_default()).max_contacts;
}

atemi_data_options atemi_data_options_default(void)
{
    return (atemi_data_options){.max_contacts = 16};
}

atemi_data *atemi_data_take(atemi_arena *arena, const atemi_model *model,
                            const atemi_data_options *options)
{
    ATEMI_REQUIRE_OR(arena && model && is_possible(options), NULL);
    ATEMI_REQUIRE_OR(!arena->memory || fits(arena, model, contacts_of(options)), NULL);
    return take(arena, model, contacts_of(options));
}

atemi_status atemi_data_create(const atemi_model *model, const atemi_data_options *options,
                               atemi_data **data, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && data && is_possible(options), ATEMI_ERROR_CONTRACT);
    *data = NULL;
    atemi_arena arena = atemi_arena_measuring();
    take(&arena, model, contacts_of(options));
    const atemi_status status = atemi_arena_create(&arena, arena.used, error);
    if (status) {
        return status;
    }
    *data = take(&arena, model, contacts_of(options));
    (*data)->owned = arena.owned;
    return ATEMI_OK;
}

void atemi_data_destroy(atemi_data *data)
{
    if (data && data->owned) {
        atemi_release(data->owned);
    }
}

const atemi_model *atemi_data_model(const atemi_data *data)
{
    ATEMI_REQUIRE_OR(data, NULL);
    return data->model;
}

bool atemi_contact_set_fits(const atemi_data *data, const atemi_contact_set *set,
                            const void *results)
{
    return !set ||
           (set->count >= 0 && set->hold_count >= 0 && set->loop_count >= 0 &&
            set->count + set->hold_count + 2 * set->loop_count <= data->contact->max_contacts &&
            (set->loop_count == 0 || set->loops) &&
            (set->count == 0 || (set->contacts && results)) &&
            (set->hold_count == 0 || set->holds));
}

atemi_contact_report atemi_contact_report_singular(void)
{
    return (atemi_contact_report){.condition = (double)INFINITY, .jamming = 1.0};
}

// SPDX-License-Identifier: Apache-2.0

#include "contact/row_group.h"

#include <string.h>

// A row is a force f at the common origin: direction and place x direction, or a moment alone. A
// unit rate of node i moves the row's point by S_i . f, so that a column of J^T is found for a pack
// of rows at once, with one row a lane. Of L^-T only the elements between entries on the way from
// the tip to the root are needed [Featherstone08, 6.5]:
//
//   W_i -= L_ki W_k    for i from the tip to the root, and k from the tip to before i
//
// Two groups meet at the entries of v that move both.

static int pack_count(int rows)
{
    return (rows + ATEMI_LANES - 1) / ATEMI_LANES;
}

static size_t width_of(const atemi_row_group *group)
{
    return (size_t)group->packs * ATEMI_LANES;
}

// ---- Grouping -------------------------------------------------------------------------------

static int tip_of(const atemi_model *model, int node)
{
    int tip = ATEMI_NONE;
    for (int i = node; i != ATEMI_NONE; i = model->parents[i]) {
        tip = model->drives[i].v > tip ? model->drives[i].v : tip;
    }
    return tip;
}

static int neighbours_of(const atemi_contact_row *rows, int first, int row_count)
{
    int end = first + 1;
    while (end < row_count && rows[first].rate == ATEMI_NONE && rows[end].rate == ATEMI_NONE &&
           rows[end].node == rows[first].node) {
        ++end;
    }
    return end - first;
}

static bool any_tied(const atemi_contact_row *rows, int count)
{
    for (int r = 0; r < count; ++r) {
        if (rows[r].tied) {
            return true;
        }
    }
    return false;
}

int atemi_row_groups_find(const atemi_model *model, const atemi_contact_row *rows, int row_count,
                          double *columns, atemi_row_group *groups)
{
    int found = 0, column = 0;
    for (int first = 0; first < row_count; first += groups[found++].count) {
        atemi_row_group *group = &groups[found];
        const int        count = neighbours_of(rows, first, row_count);
        *group = (atemi_row_group){.first = first, .count = count, .column = column};
        group->node = rows[first].node;
        group->rate = rows[first].rate;
        group->tip = group->rate != ATEMI_NONE ? group->rate : tip_of(model, group->node);
        group->tied = any_tied(rows + first, count);
        group->packs = pack_count(count);
        group->motion = columns;
        columns += width_of(group) * (size_t)model->v_count;
        group->force = group->tied ? columns : group->motion;
        columns += group->tied ? width_of(group) * (size_t)model->v_count : 0;
        column += (int)width_of(group);
    }
    return found;
}

size_t atemi_row_group_padded(int max_contacts)
{
    return (size_t)(pack_count(ATEMI_CONTACT_MAX_ROWS) * ATEMI_LANES) * (size_t)max_contacts;
}

size_t atemi_row_group_room(const atemi_model *model, int max_contacts)
{
    return (size_t)model->v_count * 2 * atemi_row_group_padded(max_contacts);
}

// ---- Projection -----------------------------------------------------------------------------

// Up to a pack of rows, each as its force at the common origin.
static void spread(const atemi_contact_row *rows, int count, bool pushes, lanes3 *linear,
                   lanes3 *angular)
{
    memset(linear, 0, sizeof *linear);
    memset(angular, 0, sizeof *angular);
    for (int r = 0; r < count && r < ATEMI_LANES; ++r) {
        const atemi_vec3 along = pushes ? rows[r].push : rows[r].direction;
        if (rows[r].angular) {
            atemi_set_lane3(angular, r, along);
        } else {
            atemi_set_lane3(linear, r, along);
            atemi_set_lane3(angular, r, atemi_vec3_cross(rows[r].place, along));
        }
    }
}

static void clear_columns(const atemi_model *model, const atemi_row_group *group, double *W)
{
    for (int i = group->tip; i != ATEMI_NONE; i = model->factor_parents[i]) {
        for (size_t r = 0; r < width_of(group); r += ATEMI_LANES) {
            pack_put(W + (size_t)i * width_of(group) + r, (pack){0});
        }
    }
}

// The columns of J^T (or G^T) of one pack of rows.
static void fill_pack(const atemi_model *model, const atemi_kinematics *k, int node, size_t width,
                      const lanes3 *linear, const lanes3 *angular, double *W)
{
    const pack3 f = pack3_load(linear), n = pack3_load(angular);
    for (int i = node; i != ATEMI_NONE; i = model->parents[i]) {
        const atemi_kinematics_block *block = &k->blocks[atemi_block(i)];
        const atemi_node_drive       *drive = &model->drives[i];
        const pack3 slide = pack3_of(atemi_lane3(&block->axis_linear, atemi_lane(i)));
        const pack3 turn = pack3_of(atemi_lane3(&block->axis_angular, atemi_lane(i)));
        double     *to = W + (size_t)drive->v * width;
        pack_put(to, pack_at(to) + drive->scale * (pack3_dot(f, slide) + pack3_dot(n, turn)));
    }
}

static void fill_columns(const atemi_model *model, const atemi_kinematics *k,
                         const atemi_contact_row *rows, const atemi_row_group *group, bool pushes,
                         double *W)
{
    clear_columns(model, group, W);
    if (group->rate != ATEMI_NONE) {
        W[(size_t)group->rate * width_of(group)] = 1.0;
        return;
    }
    for (int r = 0; r < group->count; r += ATEMI_LANES) {
        lanes3 linear, angular;
        spread(rows + group->first + r, group->count - r, pushes, &linear, &angular);
        fill_pack(model, k, group->node, width_of(group), &linear, &angular, W + r);
    }
}

// W <- L^-T W
static void sweep_inward(const atemi_model *model, const atemi_mass_factor *factor,
                         const atemi_row_group *group, double *W)
{
    const size_t width = width_of(group), stride = atemi_mass_factor_stride(model);
    const int   *parents = model->factor_parents;
    for (int i = group->tip; i != ATEMI_NONE; i = parents[i]) {
        const double *l = factor->columns + (size_t)i * stride;
        for (size_t r = 0; r < width; r += ATEMI_LANES) {
            pack rest = pack_at(W + (size_t)i * width + r);
            for (int k = group->tip; k != i; k = parents[k]) {
                rest -= l[k] * pack_at(W + (size_t)k * width + r);
            }
            pack_put(W + (size_t)i * width + r, rest);
        }
    }
}

void atemi_row_group_project(const atemi_model *model, const atemi_kinematics *k,
                             const atemi_mass_factor *factor, const atemi_contact_row *rows,
                             const atemi_row_group *group)
{
    fill_columns(model, k, rows, group, false, group->motion);
    sweep_inward(model, factor, group, group->motion);
    if (group->tied) {
        fill_columns(model, k, rows, group, true, group->force);
        sweep_inward(model, factor, group, group->force);
    }
}

// ---- Products -------------------------------------------------------------------------------

// A pack of rows by a pack of columns.
typedef struct tile {
    pack of[ATEMI_LANES];
} tile;

static tile multiply_tile(const atemi_model *model, const double *inverse, int from,
                          const double *left, size_t left_width, const double *right,
                          size_t right_width)
{
    tile sum = {0};
    for (int k = from; k != ATEMI_NONE; k = model->factor_parents[k]) {
        const double *l = left + (size_t)k * left_width;
        const pack    r = inverse[k] * pack_at(right + (size_t)k * right_width);
        for (int i = 0; i < ATEMI_LANES; ++i) {
            sum.of[i] += l[i] * r;
        }
    }
    return sum;
}

// The last entry of v that moves both.
static int meet(const int *parents, int a, int b)
{
    while (a != b) {
        if (a > b) {
            a = parents[a];
        } else {
            b = parents[b];
        }
    }
    return a;
}

// A strip's columns of one group.
static void multiply_strip(const atemi_model *model, const atemi_mass_factor *factor,
                           const atemi_row_group *moved, int row, const atemi_row_group *pushed,
                           size_t stride, double *strip)
{
    const int from = meet(model->factor_parents, moved->tip, pushed->tip);
    for (int c = 0; c < pushed->count; c += ATEMI_LANES) {
        const tile product = multiply_tile(model, factor->inverse, from, moved->motion + row,
                                           width_of(moved), pushed->force + c, width_of(pushed));
        for (int i = 0; i < ATEMI_LANES; ++i) {
            pack_put(strip + (size_t)i * stride + pushed->column + c, product.of[i]);
        }
    }
}

// A row of A from one of a strip: what a pack has too much, the next one overwrites.
static void close_up(const double *strip, const atemi_row_group *groups, int group_count, double *A)
{
    for (int g = 0; g < group_count; ++g) {
        for (int c = 0; c < groups[g].count; c += ATEMI_LANES) {
            pack_put(A + groups[g].first + c, pack_at(strip + groups[g].column + c));
        }
    }
}

void atemi_row_group_multiply(const atemi_model *model, const atemi_mass_factor *factor,
                              const atemi_row_group *moved, const atemi_row_group *groups,
                              int group_count, double *strip, int stride, double *A)
{
    const atemi_row_group *last = &groups[group_count - 1];
    const size_t           padded = (size_t)last->column + width_of(last);
    for (int r = 0; r < moved->count; r += ATEMI_LANES) {
        for (int g = 0; g < group_count; ++g) {
            multiply_strip(model, factor, moved, r, &groups[g], padded, strip);
        }
        for (int i = 0; i < ATEMI_LANES && r + i < moved->count; ++i) {
            close_up(strip + (size_t)i * padded, groups, group_count,
                     A + (moved->first + r + i) * stride);
        }
    }
}

void atemi_row_group_relieve(const atemi_model *model, const atemi_mass_factor *factor,
                             const double *w, const atemi_row_group *group, double *target)
{
    for (int r = 0; r < group->count; r += ATEMI_LANES) {
        pack sum = {0};
        for (int k = group->tip; k != ATEMI_NONE; k = model->factor_parents[k]) {
            sum += factor->inverse[k] * w[k] *
                   pack_at(group->motion + (size_t)k * width_of(group) + r);
        }
        for (int l = 0; l < ATEMI_LANES && r + l < group->count; ++l) {
            target[group->first + r + l] -= sum[l];
        }
    }
}

double atemi_row_group_mobility(const atemi_model *model, const atemi_mass_factor *factor,
                                const atemi_row_group *group, int index)
{
    double sum = 0.0;
    for (int k = group->tip; k != ATEMI_NONE; k = model->factor_parents[k]) {
        const double moved = group->motion[(size_t)k * width_of(group) + (size_t)index];
        sum += factor->inverse[k] * moved * moved;
    }
    return sum;
}

void atemi_row_group_push(const atemi_model *model, const atemi_row_group *group,
                          const double *multipliers, double *w)
{
    for (int r = 0; r < group->count; r += ATEMI_LANES) {
        lanes f = {0};
        for (int l = 0; l < ATEMI_LANES && r + l < group->count; ++l) {
            f.of[l] = multipliers[group->first + r + l];
        }
        for (int k = group->tip; k != ATEMI_NONE; k = model->factor_parents[k]) {
            w[k] +=
                pack_sum(pack_load(&f) * pack_at(group->force + (size_t)k * width_of(group) + r));
        }
    }
}

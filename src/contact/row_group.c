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
// Where two nodes touch, J is that of the one less that of the other, and there are two tips: each
// branch is swept on its own until they meet, and then both together. Two groups meet at the
// entries of v that move both.

static int pack_count(int rows)
{
    return (rows + ATEMI_LANES - 1) / ATEMI_LANES;
}

static size_t width_of(const atemi_row_group *group)
{
    return (size_t)group->packs * ATEMI_LANES;
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

// A walk along both branches of a group, from the tips to the root.
typedef struct walk {
    int a, b;
} walk;

static walk walk_of(const atemi_row_group *group)
{
    return (walk){group->tip, group->other_tip};
}

static int here(walk w)
{
    return w.a > w.b ? w.a : w.b;
}

static walk onward(const int *parents, walk w)
{
    const int k = here(w);
    return (walk){w.a == k ? parents[k] : w.a, w.b == k ? parents[k] : w.b};
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
           rows[end].node == rows[first].node && rows[end].other == rows[first].other) {
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
        group->other = rows[first].other;
        group->other_tip = tip_of(model, group->other);
        group->meet = meet(model->factor_parents, group->tip, group->other_tip);
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

size_t atemi_row_group_scratch_size(const atemi_model *model, int max_contacts)
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
    const int *parents = model->factor_parents;
    for (walk w = walk_of(group); here(w) != ATEMI_NONE; w = onward(parents, w)) {
        for (size_t r = 0; r < width_of(group); r += ATEMI_LANES) {
            pack_put(W + (size_t)here(w) * width_of(group) + r, (pack){0});
        }
    }
}

// Adds what moves a node, by its sign, to the columns of J^T (or G^T) of one pack of rows.
static void fill_pack(const atemi_model *model, const atemi_kinematics *k, int node, double sign,
                      size_t width, const lanes3 *linear, const lanes3 *angular, double *W)
{
    const pack3 f = pack3_load(linear), n = pack3_load(angular);
    for (int i = node; i != ATEMI_NONE; i = model->parents[i]) {
        const atemi_kinematics_block *block = &k->blocks[atemi_block(i)];
        const atemi_node_drive       *drive = &model->drives[i];
        const pack3 slide = pack3_of(atemi_lane3(&block->axis_linear, atemi_lane(i)));
        const pack3 turn = pack3_of(atemi_lane3(&block->axis_angular, atemi_lane(i)));
        double     *to = W + (size_t)drive->v * width;
        pack_put(to,
                 pack_at(to) + sign * drive->scale * (pack3_dot(f, slide) + pack3_dot(n, turn)));
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
        fill_pack(model, k, group->node, 1.0, width_of(group), &linear, &angular, W + r);
        fill_pack(model, k, group->other, -1.0, width_of(group), &linear, &angular, W + r);
    }
}

// What the entries of a branch, from one to before another, leave of an entry's pack.
static pack swept(const int *parents, const double *l, int from, int before, const double *W,
                  size_t width, pack rest)
{
    for (int k = from; k != before; k = parents[k]) {
        rest -= l[k] * pack_at(W + (size_t)k * width);
    }
    return rest;
}

// W <- L^-T W of the entries of a branch from one to before another; below are the first branch,
// from `tip`, and the second one, from `other`, until they meet.
static void sweep_branch(const atemi_model *model, const atemi_mass_factor *factor, int from,
                         int before, int tip, int other, int met, size_t width, double *W)
{
    const size_t stride = atemi_mass_factor_stride(model);
    const int   *parents = model->factor_parents;
    for (int i = from; i != before; i = parents[i]) {
        const double *l = factor->columns + (size_t)i * stride;
        for (size_t r = 0; r < width; r += ATEMI_LANES) {
            double    *to = W + (size_t)i * width + r;
            const pack rest = swept(parents, l, tip, i, W + r, width, pack_at(to));
            pack_put(to, swept(parents, l, other, met, W + r, width, rest));
        }
    }
}

// W <- L^-T W
static void sweep_inward(const atemi_model *model, const atemi_mass_factor *factor,
                         const atemi_row_group *group, double *W)
{
    const size_t width = width_of(group);
    const int    tip = group->tip, other = group->other_tip, met = group->meet;
    if (other == ATEMI_NONE) {
        sweep_branch(model, factor, tip, ATEMI_NONE, tip, ATEMI_NONE, ATEMI_NONE, width, W);
        return;
    }
    sweep_branch(model, factor, tip, met, tip, met, met, width, W);
    sweep_branch(model, factor, other, met, other, met, met, width, W);
    sweep_branch(model, factor, met, ATEMI_NONE, tip, other, met, width, W);
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

// The same where either is between two nodes.
static tile multiply_branches(const atemi_model *model, const double *inverse, walk on,
                              const double *left, size_t left_width, walk by, const double *right,
                              size_t right_width)
{
    const int *parents = model->factor_parents;
    tile       sum = {0};
    while (here(on) != ATEMI_NONE && here(by) != ATEMI_NONE) {
        const int k = here(on), other = here(by);
        if (k == other) {
            const double *l = left + (size_t)k * left_width;
            const pack    r = inverse[k] * pack_at(right + (size_t)k * right_width);
            for (int i = 0; i < ATEMI_LANES; ++i) {
                sum.of[i] += l[i] * r;
            }
        }
        on = k >= other ? onward(parents, on) : on;
        by = other >= k ? onward(parents, by) : by;
    }
    return sum;
}

// A strip's columns of one group.
static void multiply_strip(const atemi_model *model, const atemi_mass_factor *factor,
                           const atemi_row_group *moved, int row, const atemi_row_group *pushed,
                           size_t stride, double *strip)
{
    const int  from = meet(model->factor_parents, moved->tip, pushed->tip);
    const bool branches = moved->other_tip != ATEMI_NONE || pushed->other_tip != ATEMI_NONE;
    for (int c = 0; c < pushed->count; c += ATEMI_LANES) {
        const double *left = moved->motion + row, *right = pushed->force + c;
        const tile    product =
            branches ? multiply_branches(model, factor->inverse, walk_of(moved), left,
                                            width_of(moved), walk_of(pushed), right, width_of(pushed))
                        : multiply_tile(model, factor->inverse, from, left, width_of(moved), right,
                                        width_of(pushed));
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

int atemi_row_group_entries(const atemi_model *model, const atemi_mass_factor *factor,
                            const atemi_row_group *group, int row, int rows, int *entries,
                            double *moved, double *pushed)
{
    int count = 0;
    for (walk at = walk_of(group); here(at) != ATEMI_NONE; at = onward(model->factor_parents, at)) {
        const int    k = here(at);
        const size_t from = (size_t)k * width_of(group) + (size_t)row;
        for (int i = 0; i < rows; ++i) {
            moved[3 * count + i] = group->motion[from + (size_t)i];
            pushed[3 * count + i] = factor->inverse[k] * group->force[from + (size_t)i];
        }
        entries[count++] = k;
    }
    return count;
}

void atemi_row_group_relieve(const atemi_model *model, const atemi_mass_factor *factor,
                             const double *w, const atemi_row_group *group, double *target)
{
    for (int r = 0; r < group->count; r += ATEMI_LANES) {
        pack sum = {0};
        for (walk at = walk_of(group); here(at) != ATEMI_NONE;
             at = onward(model->factor_parents, at)) {
            const int k = here(at);
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
    for (walk at = walk_of(group); here(at) != ATEMI_NONE; at = onward(model->factor_parents, at)) {
        const int    k = here(at);
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
        for (walk at = walk_of(group); here(at) != ATEMI_NONE;
             at = onward(model->factor_parents, at)) {
            const int k = here(at);
            w[k] +=
                pack_sum(pack_load(&f) * pack_at(group->force + (size_t)k * width_of(group) + r));
        }
    }
}

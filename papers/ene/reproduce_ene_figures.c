// SPDX-License-Identifier: Apache-2.0

#include "papers/ene/reproduce_ene_figures.h"

#include <stdio.h>

// A row of a figure: the time, a curve of each link, and one of the hand.
enum { MAX_COLUMNS = ATEMI_ENE_MAX_LINKS + 2, ROWS = 501, NAME_SIZE = 24, TITLE_SIZE = 128 };

static const double row_time = 0.02; // s, two of the paper's steps

typedef struct curves {
    atemi_ene_quantity quantity;
    int                columns;
    double             values[ROWS * MAX_COLUMNS];
} curves;

static const atemi_recorded_column *columns_of(atemi_ene_quantity quantity, int links)
{
    static const atemi_recorded_column columns[][2][MAX_COLUMNS] = {
        [ATEMI_ENE_ANGLES] =
            {{{"t", "s"}, {"q_1", "rad"}, {"q_2", "rad"}, {"hand height", "m"}},
             {{"t", "s"}, {"q_1", "rad"}, {"q_2", "rad"}, {"q_3", "rad"}, {"hand height", "m"}}},
        [ATEMI_ENE_FORCES_Y] =
            {{{"t", "s"}, {"f_1y", "N"}, {"f_2y", "N"}, {"f_t", "N"}},
             {{"t", "s"}, {"f_1y", "N"}, {"f_2y", "N"}, {"f_3y", "N"}, {"f_t", "N"}}},
        [ATEMI_ENE_FORCES_Z] =
            {{{"t", "s"}, {"f_1z", "N"}, {"f_2z", "N"}, {"f_n", "N"}},
             {{"t", "s"}, {"f_1z", "N"}, {"f_2z", "N"}, {"f_3z", "N"}, {"f_n", "N"}}},
    };
    return columns[quantity][links - 2];
}

static void fill_row(atemi_ene_motion *motion, atemi_ene_quantity quantity, double *row)
{
    const atemi_ene_loads loads = atemi_ene_motion_loads(motion);
    const atemi_vec3      hand = motion->hand_force.linear;
    const int             links = motion->links;
    row[0] = atemi_ene_motion_time(motion);
    for (int i = 0; i < links; ++i) {
        row[i + 1] = quantity == ATEMI_ENE_ANGLES     ? motion->state.q[i]
                     : quantity == ATEMI_ENE_FORCES_Y ? loads.joint_force[i].y
                                                      : loads.joint_force[i].z;
    }
    row[links + 1] = quantity == ATEMI_ENE_ANGLES     ? atemi_ene_motion_hand_height(motion)
                     : quantity == ATEMI_ENE_FORCES_Y ? hand.y
                                                      : hand.z;
}

static atemi_status fill(atemi_ene_motion *motion, curves *drawn, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < ROWS && !status; ++i) {
        status = atemi_ene_motion_run(motion, i * row_time, error);
        if (!status) {
            fill_row(motion, drawn->quantity, drawn->values + (size_t)(i * drawn->columns));
        }
    }
    return status;
}

static atemi_status add(atemi_reproduction *reproduction, const atemi_ene_figure *figure,
                        const curves *drawn, atemi_error *error)
{
    static const int y[] = {1, 2, 3, 4};
    char             name[NAME_SIZE], title[TITLE_SIZE];
    snprintf(name, sizeof name, "ene-fig%d", figure->number);
    snprintf(title, sizeof title, "[ENE] Fig. %d: %s", figure->number, figure->title);
    const atemi_recorded_table table = {
        .name = name,
        .title = title,
        .row_count = ROWS,
        .column_count = drawn->columns,
        .columns = columns_of(drawn->quantity, drawn->columns - 2),
        .values = drawn->values,
        .plot = {.y_count = drawn->columns - 1, .y = y, .x = 0, .series = ATEMI_NONE}};
    return atemi_reproduction_add_figure(reproduction, &table, error);
}

atemi_status atemi_reproduce_ene_figure(atemi_reproduction      *reproduction,
                                        const atemi_ene_figure  *figure,
                                        const atemi_ene_setting *setting, atemi_error *error)
{
    curves           drawn = {.quantity = figure->quantity};
    atemi_ene_motion motion;
    atemi_status     status = atemi_ene_motion_begin(setting, &motion, error);
    if (status) {
        return status;
    }
    drawn.columns = motion.links + 2;
    status = fill(&motion, &drawn, error);
    atemi_ene_motion_end(&motion);
    return status ? status : add(reproduction, figure, &drawn, error);
}

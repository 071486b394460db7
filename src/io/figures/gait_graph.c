// SPDX-License-Identifier: Apache-2.0

#include "io/figures/gait_graph.h"

#include "atemi/walk.h"

#include <math.h>
#include <stdio.h>

// Of its three motions in the sagittal plane, a foot in this state cannot make so many.
static const int held[ATEMI_FOOT_STATES] = {0, 2, 1, 2, 1, 3, 2};

static atemi_gait_arrow arrow_of(int from, int to)
{
    return atemi_gait_arrow_between((atemi_foot_state)from, (atemi_foot_state)to);
}

// ---- Text

static void print_states(atemi_text *text)
{
    atemi_text_put_string(text, "States of a foot, and how many of its three motions they hold:\n");
    for (int state = 0; state < ATEMI_FOOT_STATES; ++state) {
        atemi_text_append(text, "  %-11s %d\n", atemi_foot_state_text((atemi_foot_state)state),
                          held[state]);
    }
}

static void print_arrow(int from, int to, atemi_text *text)
{
    const atemi_gait_arrow arrow = arrow_of(from, to);
    const bool both = arrow.touch != ATEMI_GUARD_NONE && arrow.slide != ATEMI_GUARD_NONE;
    atemi_text_append(text, "  %-11s -> %-11s %s%s%s\n", atemi_foot_state_text(arrow.from),
                      atemi_foot_state_text(arrow.to), atemi_gait_guard_text(arrow.touch),
                      both ? "; " : "", atemi_gait_guard_text(arrow.slide));
}

static void print_arrows(atemi_text *text)
{
    atemi_text_put_string(text, "\nArrows, and what happens on them:\n");
    for (int from = 0; from < ATEMI_FOOT_STATES; ++from) {
        for (int to = 0; to < ATEMI_FOOT_STATES; ++to) {
            if (from != to) {
                print_arrow(from, to, text);
            }
        }
    }
}

void atemi_gait_graph_print(atemi_text *text)
{
    print_states(text);
    print_arrows(text);
    atemi_text_append(
        text,
        "\nThe gait is the pair of both feet, %d states: the supporting one, and the "
        "other one.\nThe supporting foot stays so until it is in the air while the "
        "other one is not;\nthen that one supports. Where a point reaches the floor, "
        "a collision changes the\nvelocities of all joints, and may end other states in "
        "the same instant.\n",
        ATEMI_FOOT_STATES * ATEMI_FOOT_STATES);
}

// ---- The picture

enum { CURVE = 40, LABEL_SIZE = 16 };

static const double width = 800.0, graph_height = 516.0, line = 17.0;
static const double half_width = 55.0, half_height = 18.0; // of a box

static const atemi_figure_point boxes[ATEMI_FOOT_STATES] = {
    [ATEMI_FOOT_AIR] = {400.0, 50.0},        [ATEMI_FOOT_HEEL_STICK] = {140.0, 240.0},
    [ATEMI_FOOT_HEEL_SLIP] = {140.0, 430.0}, [ATEMI_FOOT_TOE_STICK] = {660.0, 240.0},
    [ATEMI_FOOT_TOE_SLIP] = {660.0, 430.0},  [ATEMI_FOOT_SOLE_STICK] = {400.0, 240.0},
    [ATEMI_FOOT_SOLE_SLIP] = {400.0, 430.0},
};

static void draw_box(atemi_figure *figure, int state)
{
    const atemi_figure_point at = boxes[state];
    atemi_figure_rectangle(figure, (atemi_figure_point){at.x - half_width, at.y - half_height},
                           2.0 * half_width, 2.0 * half_height,
                           "rx='6' fill='#f4f4f4' stroke='#444'");
    atemi_figure_text(figure, (atemi_figure_point){at.x, at.y + 4.0}, ATEMI_FIGURE_MIDDLE,
                      "fill='#222'", atemi_foot_state_text((atemi_foot_state)state), -1);
}

static bool is_in_box(atemi_figure_point p, int state)
{
    const double margin = 3.0;
    return fabs(p.x - boxes[state].x) < half_width + margin &&
           fabs(p.y - boxes[state].y) < half_height + margin;
}

// How far an arrow bends to its left: more where a box is in its way.
static double bend_of(int from, int to)
{
    bool is_blocked = false;
    for (int state = 0; state < ATEMI_FOOT_STATES; ++state) {
        const atemi_figure_point middle = {0.5 * (boxes[from].x + boxes[to].x),
                                           0.5 * (boxes[from].y + boxes[to].y)};
        is_blocked = is_blocked || is_in_box(middle, state);
    }
    return is_blocked ? (boxes[from].x == boxes[to].x ? 190.0 : 110.0) : 34.0;
}

// A point of the arrow's curve, s from 0 to 1.
static atemi_figure_point curve_at(int from, int to, double s)
{
    const atemi_figure_point a = boxes[from], b = boxes[to];
    const double             x = b.x - a.x, y = b.y - a.y;
    const double             bend = bend_of(from, to) * 2.0 * s * (1.0 - s) / hypot(x, y);
    return (atemi_figure_point){a.x + s * x + bend * y, a.y + s * y - bend * x};
}

static void draw_head(atemi_figure *figure, atemi_figure_point before, atemi_figure_point tip,
                      const char *style)
{
    const double             length = hypot(tip.x - before.x, tip.y - before.y);
    const double             x = (tip.x - before.x) / length, y = (tip.y - before.y) / length;
    const atemi_figure_point head[] = {
        tip,
        {tip.x - 8.0 * x + 3.5 * y, tip.y - 8.0 * y - 3.5 * x},
        {tip.x - 8.0 * x - 3.5 * y, tip.y - 8.0 * y + 3.5 * x},
    };
    atemi_figure_polygon(figure, 3, head, style);
}

static const char *color_of(const atemi_gait_arrow *arrow)
{
    if (arrow->touch == ATEMI_GUARD_NONE) {
        return atemi_figure_colors[2];
    }
    return atemi_figure_colors[arrow->touch > ATEMI_GUARD_SOLE_GAP];
}

static void label(const atemi_gait_arrow *arrow, char text[LABEL_SIZE])
{
    if (arrow->touch != ATEMI_GUARD_NONE && arrow->slide != ATEMI_GUARD_NONE) {
        snprintf(text, LABEL_SIZE, "%d %d", (int)arrow->touch, (int)arrow->slide);
    } else {
        snprintf(text, LABEL_SIZE, "%d", (int)arrow->touch + (int)arrow->slide);
    }
}

static void draw_curve(atemi_figure *figure, int from, int to, const char *color)
{
    char               style[64];
    atemi_figure_point last = boxes[from], before = last;
    bool               begins = true;
    atemi_figure_path_begin(figure);
    for (int i = 0; i <= CURVE; ++i) {
        const atemi_figure_point p = curve_at(from, to, i / (double)CURVE);
        if (!is_in_box(p, from) && !is_in_box(p, to)) {
            atemi_figure_path_add(figure, p, begins);
            begins = false;
            before = last;
            last = p;
        }
    }
    snprintf(style, sizeof style, "stroke='%s'", color);
    atemi_figure_path_end(figure, style);
    snprintf(style, sizeof style, "fill='%s'", color);
    draw_head(figure, before, last, style);
}

static void draw_arrow(atemi_figure *figure, int from, int to)
{
    const atemi_gait_arrow arrow = arrow_of(from, to);
    char                   text[LABEL_SIZE], style[128];
    draw_curve(figure, from, to, color_of(&arrow));
    label(&arrow, text);
    snprintf(style, sizeof style,
             "fill='%s' stroke='#fff' stroke-width='4' paint-order='stroke' font-weight='bold'",
             color_of(&arrow));
    const atemi_figure_point at = curve_at(from, to, from == ATEMI_FOOT_AIR ? 0.3 : 0.38);
    atemi_figure_text(figure, (atemi_figure_point){at.x, at.y + 4.0}, ATEMI_FIGURE_MIDDLE, style,
                      text, -1);
}

// One thing changes: how it touches, or whether it slips. What lands from the air has both.
static bool is_drawn(int from, int to)
{
    const atemi_gait_arrow arrow = arrow_of(from, to);
    return from != to && (from == ATEMI_FOOT_AIR || arrow.touch == ATEMI_GUARD_NONE ||
                          arrow.slide == ATEMI_GUARD_NONE);
}

static void draw_legend(atemi_figure *figure)
{
    atemi_figure_point at = {40.0, graph_height};
    for (int guard = ATEMI_GUARD_HEEL_GAP; guard <= ATEMI_GUARD_SPEED; ++guard) {
        char text[64];
        snprintf(text, sizeof text, "%d  %s", guard,
                 atemi_gait_guard_text((atemi_gait_guard)guard));
        atemi_figure_text(figure, at, ATEMI_FIGURE_START, "fill='#222'", text, -1);
        at.y += line;
        if (guard == ATEMI_GUARD_SPEED / 2) {
            at = (atemi_figure_point){420.0, graph_height};
        }
    }
    atemi_figure_text(
        figure, (atemi_figure_point){40.0, at.y + 0.5 * line}, ATEMI_FIGURE_START, "fill='#666'",
        "Blue: a point lands, with a collision. Orange: a point leaves. Green: friction. In "
        "a collision several may happen at once.",
        -1);
}

void atemi_gait_graph_draw(atemi_figure *figure)
{
    atemi_figure_begin(figure, width, graph_height + 7.0 * line);
    for (int from = 0; from < ATEMI_FOOT_STATES; ++from) {
        for (int to = 0; to < ATEMI_FOOT_STATES; ++to) {
            if (is_drawn(from, to)) {
                draw_arrow(figure, from, to);
            }
        }
    }
    for (int state = 0; state < ATEMI_FOOT_STATES; ++state) {
        draw_box(figure, state);
    }
    draw_legend(figure);
    atemi_figure_end(figure);
}

// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figure_postures.h"

#include "atemi/support.h"
#include "contact/height_field.h"
#include "dynamics/kinematics.h"

#include <math.h>
#include <stdio.h>

// Of a longer outline every second, third ... point is kept; a block has the corners of a box.
enum { PROFILE = 60, MAX_OUTLINE = 256, BLOCK = 8 };

static const double overlap = 0.7, top = 14.0; // pixels

static const double longest_arrow = 0.45; // by the height of the robot

static const double deepest = 0.25; // m: of a wall, a slab is drawn

// ---- What is hit

static atemi_vec3 resize(atemi_vec3 a, double length)
{
    return atemi_vec3_scale(length / atemi_vec3_norm(a), a);
}

// The outline of the block as it is seen along y; 0 where there is none.
static int target_outline(const atemi_figure_postures *postures, int row, atemi_vec3 outline[BLOCK])
{
    const atemi_support_plane  view = {{0.0, 0.0, 0.0}, {0.0, -1.0, 0.0}};
    const atemi_report_target *target = &postures->target;
    const atemi_vec3           up = {0.0, 0.0, 1.0}, ahead = {1.0, 0.0, 0.0};
    if (!postures->has_target) {
        return 0;
    }
    const atemi_vec3 face = atemi_report_vector(postures->source->recording, target->position, row);
    const atemi_vec3 along = resize(target->direction, target->width);
    const bool is_upright = atemi_vec3_norm(atemi_vec3_cross(up, along)) < 1e-6 * target->width;
    const atemi_vec3 side = resize(atemi_vec3_cross(is_upright ? ahead : up, along), target->width);
    const atemi_vec3 rise = resize(atemi_vec3_cross(along, side), target->width);
    const double     depth = fmin(deepest / target->width, 1.0); // by its width
    for (int i = 0; i < BLOCK; ++i) {
        const atemi_vec3 across = atemi_vec3_add(atemi_vec3_scale(i & 1 ? 0.5 : -0.5, side),
                                                 atemi_vec3_scale(i & 2 ? 0.5 : -0.5, rise));
        const atemi_vec3 behind = atemi_vec3_scale(i & 4 ? depth : 0.0, along);
        outline[i] = atemi_vec3_add(face, atemi_vec3_add(across, behind));
    }
    return atemi_vec3_is_finite(face) ? atemi_support_polygon(&view, outline, BLOCK, outline).count
                                      : 0;
}

// ---- Where everything is

static void widen(atemi_figure_box *box, double x, double z)
{
    box->left = fmin(box->left, x);
    box->right = fmax(box->right, x);
    box->low = fmin(box->low, z);
    box->high = fmax(box->high, z);
}

static const atemi_figure_box nothing = {INFINITY, -INFINITY, INFINITY, -INFINITY};

// What is hit belongs to the posture while it is near; what flies away is cut off.
static void widen_by_target(const atemi_figure_postures *postures, int row, atemi_figure_box *box)
{
    const double     near = 0.2 * (box->high - box->low);
    atemi_figure_box block = nothing;
    atemi_vec3       outline[BLOCK];
    const int        count = target_outline(postures, row, outline);
    for (int i = 0; i < count; ++i) {
        widen(&block, outline[i].x, outline[i].z);
    }
    if (block.left < box->right + near && block.right > box->left - near) {
        widen(box, block.left, block.low);
        widen(box, block.right, block.high);
    }
}

static atemi_figure_box box_of(atemi_figure_postures *postures, int row)
{
    atemi_figure_box box = nothing;
    atemi_figure_robot_pose(&postures->robot, row);
    for (int i = 0; i < postures->source->robot->part_count; ++i) {
        const atemi_vec3 *outline;
        const int         count = atemi_figure_robot_outline(&postures->robot, i, &outline);
        for (int k = 0; k < count; ++k) {
            widen(&box, outline[k].x, outline[k].z);
        }
    }
    widen_by_target(postures, row, &box);
    return box;
}

void atemi_figure_postures_look(atemi_figure_postures *postures, int count)
{
    double width = 0.0;
    postures->count = count;
    postures->all = (atemi_figure_box){0.0, 0.0, INFINITY, -INFINITY};
    for (int i = 0; i < count; ++i) {
        postures->rows[i] = atemi_figure_row(postures->source, count > 1 ? i / (count - 1.0) : 0.0);
        postures->boxes[i] = box_of(postures, postures->rows[i]);
        width = fmax(width, postures->boxes[i].right - postures->boxes[i].left);
        postures->all.low = fmin(postures->all.low, postures->boxes[i].low);
        postures->all.high = fmax(postures->all.high, postures->boxes[i].high);
    }
    const double air = 0.06 * (postures->all.high - postures->all.low);
    postures->all.right = width + 2.0 * air;
    postures->all.low -= air;
    postures->all.high += air;
}

// ---- From the world to the picture

typedef struct posture_cell {
    const atemi_figure_postures *postures;
    int                          index;
    double                       left;  ///< pixels
    double                       start; ///< x of its left edge, m
} posture_cell;

static atemi_figure_point place(const posture_cell *cell, double x, double z)
{
    return (atemi_figure_point){cell->left + cell->postures->scale * (x - cell->start),
                                top + cell->postures->scale * (cell->postures->all.high - z)};
}

// ---- What is drawn

static double height_of(const atemi_surface *surface, double x, double y)
{
    const atemi_vec3 at = surface->position;
    if (surface->kind == ATEMI_SURFACE_HEIGHTS) {
        return at.z + atemi_height_field_height(&surface->table, x - at.x, y - at.y);
    }
    const atemi_surface_view view = atemi_surface_look(surface, (atemi_vec3){x, y, 0.0});
    return -view.gap / view.normal.z;
}

// Planes that are not too steep, and tables of heights, cut by the plane y = 0 of the robot.
static bool has_profile(const atemi_surface *surface)
{
    return surface->kind == ATEMI_SURFACE_HEIGHTS ||
           (surface->kind == ATEMI_SURFACE_PLANE && surface->axis.z > 0.1);
}

// A little more than the cell, so that nothing shines through between two of them.
static void draw_ground(atemi_figure *figure, const posture_cell *cell,
                        const atemi_surface *surface)
{
    atemi_figure_point points[PROFILE + 3];
    const double       width = 1.05 * cell->postures->all.right;
    const double       bottom = cell->postures->all.low - width;
    for (int i = 0; i <= PROFILE; ++i) {
        const double x = cell->start + width * i / (double)PROFILE;
        points[i] = place(cell, x, height_of(surface, x, 0.0));
    }
    points[PROFILE + 1] = place(cell, cell->start + width, bottom);
    points[PROFILE + 2] = place(cell, cell->start, bottom);
    atemi_figure_polygon(figure, PROFILE + 3, points, "fill='#e9e9e9'");
    atemi_figure_path_begin(figure);
    for (int i = 0; i <= PROFILE; ++i) {
        atemi_figure_path_add(figure, points[i], i == 0);
    }
    atemi_figure_path_end(figure, "stroke='#999'");
}

static void draw_surfaces(atemi_figure *figure, const posture_cell *cell)
{
    const atemi_recording *recording = cell->postures->source->recording;
    for (int i = 0; i < atemi_recording_surface_count(recording); ++i) {
        const atemi_surface *surface = &atemi_recording_surface(recording, i)->surface;
        if (has_profile(surface)) {
            draw_ground(figure, cell, surface);
        }
    }
}

static int shade(double part, double by)
{
    return (int)round(255.0 * fmin(fmax(part * by, 0.0), 1.0));
}

static void part_style(const atemi_report_part *part, char style[96])
{
    static const double plain[] = {0.72, 0.77, 0.83};
    const double       *color = part->color[3] > 0.0 ? part->color : plain;
    snprintf(style, 96,
             "fill='#%02x%02x%02x' stroke='#%02x%02x%02x' stroke-width='0.7' "
             "stroke-linejoin='round'",
             shade(color[0], 1.0), shade(color[1], 1.0), shade(color[2], 1.0),
             shade(color[0], 0.55), shade(color[1], 0.55), shade(color[2], 0.55));
}

static void draw_part(atemi_figure *figure, const posture_cell *cell, atemi_figure_robot *robot,
                      int index)
{
    char               style[96];
    const atemi_vec3  *outline;
    atemi_figure_point points[MAX_OUTLINE];
    const int          count = atemi_figure_robot_outline(robot, index, &outline);
    const int          stride = 1 + count / MAX_OUTLINE;
    int                kept = 0;
    for (int i = 0; i < count; i += stride) {
        points[kept++] = place(cell, outline[i].x, outline[i].z);
    }
    if (kept > 1) {
        part_style(atemi_figure_robot_part(robot, index), style);
        atemi_figure_polygon(figure, kept, points, style);
    }
}

// The hand shines through.
static void draw_target(atemi_figure *figure, const posture_cell *cell)
{
    atemi_vec3         outline[BLOCK];
    atemi_figure_point points[BLOCK];
    const int count = target_outline(cell->postures, cell->postures->rows[cell->index], outline);
    for (int i = 0; i < count; ++i) {
        points[i] = place(cell, outline[i].x, outline[i].z);
    }
    if (count > 2) {
        atemi_figure_polygon(
            figure, count, points,
            "fill='#c9a26b' fill-opacity='0.7' stroke='#7a5f36' stroke-width='0.7'");
    }
}

static void draw_com(atemi_figure *figure, const posture_cell *cell)
{
    const atemi_figure_postures *postures = cell->postures;
    const atemi_vec3 com = atemi_report_vector(postures->source->recording, postures->com,
                                               postures->rows[cell->index]);
    if (isfinite(com.x) && isfinite(com.z)) {
        const atemi_figure_point at = place(cell, com.x, com.z);
        atemi_figure_circle(figure, at, 4.0, "fill='#fff' stroke='#000' stroke-width='1.2'");
        atemi_figure_circle(figure, at, 1.4, "fill='#000'");
    }
}

// ---- Forces: one arrow for each site, at the centre of its points' forces

typedef struct site_force {
    double x, z;   ///< of the force, N
    double px, pz; ///< where it acts, m
    double weight;
} site_force;

static site_force force_of_site(const atemi_figure_postures *postures, int site, int row)
{
    const atemi_report_contacts *contacts = postures->source->contacts;
    site_force                   sum = {0};
    for (int i = 0; i < contacts->count; ++i) {
        const atemi_report_contact *contact = &contacts->contacts[i];
        if (contact->site != site) {
            continue;
        }
        const atemi_vec3 f = atemi_report_vector(postures->source->recording, contact->force, row);
        const atemi_vec3 p =
            atemi_report_vector(postures->source->recording, contact->position, row);
        const double size = atemi_vec3_norm(f);
        if (size > 0.0 && isfinite(size) && isfinite(p.x) && isfinite(p.z)) {
            sum.x += f.x;
            sum.z += f.z;
            sum.px += size * p.x;
            sum.pz += size * p.z;
            sum.weight += size;
        }
    }
    return sum;
}

static void choose_arrows(atemi_figure_postures *postures)
{
    double largest = 0.0;
    for (int i = 0; i < postures->count; ++i) {
        for (int k = 0; k < postures->source->contacts->site_count; ++k) {
            const site_force force = force_of_site(postures, k, postures->rows[i]);
            largest = fmax(largest, hypot(force.x, force.z));
        }
    }
    const double height = postures->all.high - postures->all.low;
    postures->arrow = largest > 0.0 ? longest_arrow * height / largest : 0.0;
}

// The tips of all arrows are to be seen.
static void set_edge_for_arrows(atemi_figure_postures *postures)
{
    for (int i = 0; i < postures->count; ++i) {
        for (int k = 0; k < postures->source->contacts->site_count; ++k) {
            const site_force force = force_of_site(postures, k, postures->rows[i]);
            if (force.weight > 0.0) {
                const double tip = force.pz / force.weight + postures->arrow * force.z;
                postures->all.high = fmax(postures->all.high, tip);
            }
        }
    }
}

static void draw_arrow(atemi_figure *figure, atemi_figure_point from, atemi_figure_point to)
{
    const double length = hypot(to.x - from.x, to.y - from.y);
    if (length < 3.0) {
        return;
    }
    const double             ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;
    const double             tip = fmin(8.0, 0.6 * length);
    const atemi_figure_point neck = {to.x - tip * ux, to.y - tip * uy};
    const atemi_figure_point head[] = {to,
                                       {neck.x - 0.45 * tip * uy, neck.y + 0.45 * tip * ux},
                                       {neck.x + 0.45 * tip * uy, neck.y - 0.45 * tip * ux}};
    atemi_figure_line(figure, from, neck, "stroke='#d55e00' stroke-width='2'");
    atemi_figure_polygon(figure, 3, head, "fill='#d55e00'");
}

static void draw_forces(atemi_figure *figure, const posture_cell *cell)
{
    const atemi_figure_postures *postures = cell->postures;
    for (int i = 0; i < postures->source->contacts->site_count; ++i) {
        const site_force force = force_of_site(postures, i, postures->rows[cell->index]);
        if (force.weight > 0.0) {
            const double x = force.px / force.weight, z = force.pz / force.weight;
            draw_arrow(figure, place(cell, x, z),
                       place(cell, x + postures->arrow * force.x, z + postures->arrow * force.z));
        }
    }
}

void atemi_figure_postures_fit_arrows(atemi_figure_postures *postures)
{
    choose_arrows(postures);
    set_edge_for_arrows(postures);
}

double atemi_figure_postures_start(const atemi_figure_postures *postures, int index)
{
    const atemi_figure_box *box = &postures->boxes[index];
    return 0.5 * (box->left + box->right - postures->all.right);
}

double atemi_figure_postures_width(const atemi_figure_postures *postures)
{
    return postures->scale * postures->all.right;
}

double atemi_figure_postures_height(const atemi_figure_postures *postures)
{
    return postures->scale * (postures->all.high - postures->all.low);
}

// ---- All of it

void atemi_figure_posture_draw(atemi_figure *figure, atemi_figure_postures *postures, int index,
                               double left, double start)
{
    const double       width = atemi_figure_postures_width(postures);
    const double       height = atemi_figure_postures_height(postures) + 2.0 * top;
    const posture_cell cell = {postures, index, left, start};
    atemi_figure_clip_begin(figure, index, (atemi_figure_point){left, 0.0}, width + overlap,
                            height);
    draw_surfaces(figure, &cell);
    atemi_figure_robot_pose(&postures->robot, postures->rows[index]);
    for (int i = 0; i < postures->source->robot->part_count; ++i) {
        draw_part(figure, &cell, &postures->robot, i);
    }
    draw_target(figure, &cell);
    draw_forces(figure, &cell);
    draw_com(figure, &cell);
    atemi_figure_clip_end(figure);

    const double t = round(1e3 * postures->source->t[postures->rows[index]]) / 1e3;
    atemi_figure_number(figure, (atemi_figure_point){left + 0.5 * width, height + 16.0},
                        ATEMI_FIGURE_MIDDLE, "fill='#222'", t, " s");
}

atemi_status atemi_figure_postures_create(const atemi_figure_source *source,
                                          atemi_figure_postures *postures, atemi_error *error)
{
    *postures = (atemi_figure_postures){.source = source};
    atemi_report_vector_columns(source->recording, "com", '.', postures->com);
    postures->has_target = atemi_report_target_find(source->recording, &postures->target);
    return atemi_figure_robot_create(source->recording, source->robot, &postures->robot, error);
}

void atemi_figure_postures_destroy(atemi_figure_postures *postures)
{
    atemi_figure_robot_destroy(&postures->robot);
}

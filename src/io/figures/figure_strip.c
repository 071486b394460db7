// SPDX-License-Identifier: Apache-2.0

#include "atemi/support.h"
#include "contact/height_field.h"
#include "dynamics/kinematics.h"
#include "io/figures/figure_robot.h"
#include "io/figures/figures.h"
#include "io/report/report_target.h"

#include <math.h>
#include <stdio.h>

// The robot at several times, side by side, each in a cell of its own with the world under it. All
// cells have one scale and one height; a cell moves along x with the robot.

// choose_postures() begins with the most and takes fewer; of a longer outline every second, third
// ... point is kept; a block has the corners of a box.
enum { MOST_POSTURES = 9, LEAST_POSTURES = 5, PROFILE = 60, MOST_OUTLINE = 256, BLOCK = 8 };

static const double widest = 1080.0, highest = 320.0, margin = 14.0, foot = 30.0,
                    overlap = 0.7; // pixels

static const double longest_arrow = 0.45; // by the height of the robot

static const double deepest = 0.25; // m: of a wall, a slab is drawn

typedef struct posture_box {
    double left, right, low, high; ///< m
} posture_box;

typedef struct posture_strip {
    const atemi_figure_source *source;
    atemi_figure_robot         robot;
    int                        count; ///< of postures
    int                        rows[MOST_POSTURES];
    posture_box                boxes[MOST_POSTURES];
    posture_box                all;   ///< width and height that every posture fits in
    double                     scale; ///< pixels by m
    double                     arrow; ///< m by N
    int                        com[3];
    bool                       has_target;
    atemi_report_target        target;
} posture_strip;

// ---- What is hit

static atemi_vec3 resize(atemi_vec3 a, double length)
{
    return atemi_vec3_scale(length / atemi_vec3_norm(a), a);
}

// The outline of the block as it is seen along y; 0 where there is none.
static int target_outline(const posture_strip *strip, int row, atemi_vec3 outline[BLOCK])
{
    const atemi_support_plane  view = {{0.0, 0.0, 0.0}, {0.0, -1.0, 0.0}};
    const atemi_report_target *target = &strip->target;
    const atemi_vec3           up = {0.0, 0.0, 1.0}, ahead = {1.0, 0.0, 0.0};
    if (!strip->has_target) {
        return 0;
    }
    const atemi_vec3 face = atemi_report_vector(strip->source->recording, target->position, row);
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

static void widen(posture_box *box, double x, double z)
{
    box->left = fmin(box->left, x);
    box->right = fmax(box->right, x);
    box->low = fmin(box->low, z);
    box->high = fmax(box->high, z);
}

static const posture_box nothing = {INFINITY, -INFINITY, INFINITY, -INFINITY};

// What is hit belongs to the posture while it is near; what flies away is cut off.
static void widen_by_target(const posture_strip *strip, int row, posture_box *box)
{
    const double near = 0.2 * (box->high - box->low);
    posture_box  block = nothing;
    atemi_vec3   outline[BLOCK];
    const int    count = target_outline(strip, row, outline);
    for (int i = 0; i < count; ++i) {
        widen(&block, outline[i].x, outline[i].z);
    }
    if (block.left < box->right + near && block.right > box->left - near) {
        widen(box, block.left, block.low);
        widen(box, block.right, block.high);
    }
}

static posture_box box_of(posture_strip *strip, int row)
{
    posture_box box = nothing;
    atemi_figure_robot_pose(&strip->robot, row);
    for (int i = 0; i < strip->source->robot->part_count; ++i) {
        const atemi_vec3 *outline;
        const int         count = atemi_figure_robot_outline(&strip->robot, i, &outline);
        for (int k = 0; k < count; ++k) {
            widen(&box, outline[k].x, outline[k].z);
        }
    }
    widen_by_target(strip, row, &box);
    return box;
}

static void look(posture_strip *strip, int count)
{
    double width = 0.0;
    strip->count = count;
    strip->all = (posture_box){0.0, 0.0, INFINITY, -INFINITY};
    for (int i = 0; i < count; ++i) {
        strip->rows[i] = atemi_figure_row(strip->source, count > 1 ? i / (count - 1.0) : 0.0);
        strip->boxes[i] = box_of(strip, strip->rows[i]);
        width = fmax(width, strip->boxes[i].right - strip->boxes[i].left);
        strip->all.low = fmin(strip->all.low, strip->boxes[i].low);
        strip->all.high = fmax(strip->all.high, strip->boxes[i].high);
    }
    const double air = 0.06 * (strip->all.high - strip->all.low);
    strip->all.right = width + 2.0 * air;
    strip->all.low -= air;
    strip->all.high += air;
}

// As many postures as fit side by side at full height.
static void choose_postures(posture_strip *strip)
{
    int count = MOST_POSTURES;
    look(strip, count);
    while (count > LEAST_POSTURES &&
           count * strip->all.right * highest > widest * (strip->all.high - strip->all.low)) {
        look(strip, --count);
    }
}

// ---- From the world to the picture

typedef struct strip_cell {
    const posture_strip *strip;
    int                  index;
    double               left;  ///< pixels
    double               start; ///< x of its left edge, m
} strip_cell;

static atemi_figure_point place(const strip_cell *cell, double x, double z)
{
    return (atemi_figure_point){cell->left + cell->strip->scale * (x - cell->start),
                                margin + cell->strip->scale * (cell->strip->all.high - z)};
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
static void draw_ground(atemi_figure *figure, const strip_cell *cell, const atemi_surface *surface)
{
    atemi_figure_point points[PROFILE + 3];
    const double       width = 1.05 * cell->strip->all.right;
    const double       bottom = cell->strip->all.low - width;
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

static void draw_surfaces(atemi_figure *figure, const strip_cell *cell)
{
    const atemi_recording *recording = cell->strip->source->recording;
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

static void draw_part(atemi_figure *figure, const strip_cell *cell, atemi_figure_robot *robot,
                      int index)
{
    char               style[96];
    const atemi_vec3  *outline;
    atemi_figure_point points[MOST_OUTLINE];
    const int          count = atemi_figure_robot_outline(robot, index, &outline);
    const int          stride = 1 + count / MOST_OUTLINE;
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
static void draw_target(atemi_figure *figure, const strip_cell *cell)
{
    atemi_vec3         outline[BLOCK];
    atemi_figure_point points[BLOCK];
    const int          count = target_outline(cell->strip, cell->strip->rows[cell->index], outline);
    for (int i = 0; i < count; ++i) {
        points[i] = place(cell, outline[i].x, outline[i].z);
    }
    if (count > 2) {
        atemi_figure_polygon(
            figure, count, points,
            "fill='#c9a26b' fill-opacity='0.7' stroke='#7a5f36' stroke-width='0.7'");
    }
}

static void draw_com(atemi_figure *figure, const strip_cell *cell)
{
    const posture_strip *strip = cell->strip;
    const atemi_vec3     com =
        atemi_report_vector(strip->source->recording, strip->com, strip->rows[cell->index]);
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

static site_force force_of_site(const posture_strip *strip, int site, int row)
{
    const atemi_report_contacts *contacts = strip->source->contacts;
    site_force                   sum = {0};
    for (int i = 0; i < contacts->count; ++i) {
        const atemi_report_contact *contact = &contacts->contacts[i];
        if (contact->site != site) {
            continue;
        }
        const atemi_vec3 f = atemi_report_vector(strip->source->recording, contact->force, row);
        const atemi_vec3 p = atemi_report_vector(strip->source->recording, contact->position, row);
        const double     size = atemi_vec3_norm(f);
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

static void choose_arrows(posture_strip *strip)
{
    double largest = 0.0;
    for (int i = 0; i < strip->count; ++i) {
        for (int k = 0; k < strip->source->contacts->site_count; ++k) {
            const site_force force = force_of_site(strip, k, strip->rows[i]);
            largest = fmax(largest, hypot(force.x, force.z));
        }
    }
    const double height = strip->all.high - strip->all.low;
    strip->arrow = largest > 0.0 ? longest_arrow * height / largest : 0.0;
}

// The tips of all arrows are to be seen.
static void make_room_for_arrows(posture_strip *strip)
{
    for (int i = 0; i < strip->count; ++i) {
        for (int k = 0; k < strip->source->contacts->site_count; ++k) {
            const site_force force = force_of_site(strip, k, strip->rows[i]);
            if (force.weight > 0.0) {
                const double tip = force.pz / force.weight + strip->arrow * force.z;
                strip->all.high = fmax(strip->all.high, tip);
            }
        }
    }
}

static void choose_scale(posture_strip *strip)
{
    strip->scale = fmin(highest / (strip->all.high - strip->all.low),
                        widest / (strip->count * strip->all.right));
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

static void draw_forces(atemi_figure *figure, const strip_cell *cell)
{
    const posture_strip *strip = cell->strip;
    for (int i = 0; i < strip->source->contacts->site_count; ++i) {
        const site_force force = force_of_site(strip, i, strip->rows[cell->index]);
        if (force.weight > 0.0) {
            const double x = force.px / force.weight, z = force.pz / force.weight;
            draw_arrow(figure, place(cell, x, z),
                       place(cell, x + strip->arrow * force.x, z + strip->arrow * force.z));
        }
    }
}

// ---- All of it

static void draw_cell(atemi_figure *figure, posture_strip *strip, int index)
{
    const double       width = strip->scale * strip->all.right;
    const double       height = strip->scale * (strip->all.high - strip->all.low);
    const posture_box *box = &strip->boxes[index];
    const strip_cell   cell = {.strip = strip,
                               .index = index,
                               .left = margin + index * width,
                               .start = 0.5 * (box->left + box->right - strip->all.right)};
    atemi_figure_clip_begin(figure, index, (atemi_figure_point){cell.left, 0.0}, width + overlap,
                            height + 2.0 * margin);
    draw_surfaces(figure, &cell);
    atemi_figure_robot_pose(&strip->robot, strip->rows[index]);
    for (int i = 0; i < strip->source->robot->part_count; ++i) {
        draw_part(figure, &cell, &strip->robot, i);
    }
    draw_target(figure, &cell);
    draw_forces(figure, &cell);
    draw_com(figure, &cell);
    atemi_figure_clip_end(figure);

    const double t = round(1e3 * strip->source->t[strip->rows[index]]) / 1e3;
    atemi_figure_number(figure,
                        (atemi_figure_point){cell.left + 0.5 * width, height + 2.0 * margin + 16.0},
                        ATEMI_FIGURE_MIDDLE, "fill='#222'", t, " s");
}

static void draw_strip(atemi_figure *figure, posture_strip *strip)
{
    const double width = strip->count * strip->scale * strip->all.right;
    const double height = strip->scale * (strip->all.high - strip->all.low);
    atemi_figure_begin(figure, width + 2.0 * margin, height + 2.0 * margin + foot);
    for (int i = 0; i < strip->count; ++i) {
        draw_cell(figure, strip, i);
    }
    atemi_figure_end(figure);
}

atemi_status atemi_figure_strip(const atemi_figure_source *source, atemi_figure *figure,
                                atemi_error *error)
{
    posture_strip strip = {.source = source};
    if (!source->robot->model || source->robot->part_count == 0) {
        return ATEMI_OK;
    }
    const atemi_status status =
        atemi_figure_robot_create(source->recording, source->robot, &strip.robot, error);
    if (!status) {
        atemi_report_vector_columns(source->recording, "com", '.', strip.com);
        strip.has_target = atemi_report_target_find(source->recording, &strip.target);
        choose_postures(&strip);
        choose_arrows(&strip);
        make_room_for_arrows(&strip);
        choose_scale(&strip);
        if (isfinite(strip.scale) && strip.scale > 0.0) {
            draw_strip(figure, &strip);
        }
    }
    atemi_figure_robot_destroy(&strip.robot);
    return status;
}

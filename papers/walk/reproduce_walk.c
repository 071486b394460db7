// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"
#include "papers/reproduction_parts.h"
#include "papers/walk/free_fall.h"
#include "papers/walk/reproduce_walk_steps.h"
#include "papers/walk/support_foot.h"

#include <math.h>
#include <string.h>

// [WALK]: X. Li, H. Imanishi, M. Minami, T. Matsuno, A. Yanou, 2015. A humanoid of 17 links in the
// sagittal plane, its Table 1; and that it falls freely as it should, whichever way its supporting
// foot stands: energy stays, and where the foot slides, so does the centre of mass along the floor.
// Its walks are in io/reproduce_walk_steps.c.

// Of humanoid17 in the plane: 19 coordinates, one more with a foot that slides; what falls has no
// more points than it is given room for.
enum { SAMPLES = 101, MAX_Q = 24, MAX_POINTS = 64 };

static const double duration = 1.0;        // s, longer than it takes to fall
static const double falls_fraction = 0.05; // of the time that the paper takes
static const double gravity = 9.8;
static const double hip_height = 0.9; // m, of the fall to the floor: 6 cm under the sole

static const char OUR_POSTURE[] =
    "from the posture standing, left leg lifted, at rest: the paper's is lost; as there, links go "
    "through the floor";
static const char CAPTION[] = "the caption says stopped, the text that it slips";
static const char BEYOND[] =
    "beyond the paper: every link lands on the floor and slides there without friction";

// ---- Table 1

typedef struct printed_link {
    const char *name, *link, *joint;
    double      length, mass, friction;
    bool        stands; ///< its length is part of the height
} printed_link;

static const printed_link table_1[] = {
    {"head", "head", "neck", 0.24, 4.5, 0.5, true},
    {"upper body", "upper_body", "upper_body_pitch", 0.41, 21.5, 10.0, true},
    {"middle body", "middle_body", "middle_body_pitch", 0.1, 2.0, 10.0, true},
    {"lower body", "lower_body", "lower_body_pitch", 0.1, 2.0, 10.0, true},
    {"upper arm", "right_upper_arm", "right_shoulder", 0.31, 2.3, 0.03, false},
    {"lower arm", "right_lower_arm", "right_elbow", 0.24, 1.4, 1.0, false},
    {"hand", "right_hand", "right_wrist", 0.18, 0.4, 2.0, false},
    {"waist", "waist", "left_hip", 0.27, 2.0, 10.0, false},
    {"upper leg", "right_thigh", "right_hip", 0.38, 7.3, 10.0, true},
    {"lower leg", "right_shin", "right_knee", 0.4, 3.4, 10.0, true},
    {"foot", "right_foot", "right_ankle", 0.07, 1.3, 10.0, true},
};

static const double rounding = 1e-12;

// The centre of mass is at mid-length, eq. 22; the waist lies across, from hip to hip.
static double length_of(const atemi_model *robot, const printed_link *row)
{
    const int link = atemi_model_find_link(robot, row->link);
    const int joint = atemi_model_find_joint(robot, row->joint);
    return atemi_model_link(robot, link)->parent_joint == ATEMI_NONE
               ? 2.0 * atemi_model_joint(robot, joint)->origin.position.y
               : 2.0 * fabs(atemi_model_link(robot, link)->inertia.com.z);
}

static void add_link(atemi_reproduction *reproduction, const atemi_model *robot,
                     const printed_link *row)
{
    const int link = atemi_model_find_link(robot, row->link);
    const int joint = atemi_model_find_joint(robot, row->joint);
    atemi_reproduction_add(
        reproduction, (atemi_printed){ATEMI_REPRODUCED_INPUT, row->length, rounding, "m", NULL, 0},
        length_of(robot, row), "Table 1: %s, l_i", row->name);
    atemi_reproduction_add(
        reproduction, (atemi_printed){ATEMI_REPRODUCED_INPUT, row->mass, rounding, "kg", NULL, 0},
        atemi_model_link(robot, link)->inertia.mass, "Table 1: %s, m_i", row->name);
    atemi_reproduction_add(
        reproduction,
        (atemi_printed){ATEMI_REPRODUCED_INPUT, row->friction, rounding, "N m s/rad", NULL, 0},
        atemi_model_joint(robot, joint)->damping, "Table 1: %s, d_i", row->name);
}

static void add_table_1(atemi_reproduction *reproduction, const atemi_model *robot)
{
    double height = 0.0;
    for (size_t i = 0; i < sizeof table_1 / sizeof table_1[0]; ++i) {
        add_link(reproduction, robot, &table_1[i]);
        height += table_1[i].stands ? length_of(robot, &table_1[i]) : 0.0;
    }
    atemi_reproduction_add(reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_INPUT, 1.7, rounding, "m", NULL, 0},
                           height, "Table 1: total length");
    atemi_reproduction_add(reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_INPUT, 64.2, rounding, "kg", NULL, 0},
                           atemi_model_mass(robot), "Table 1: total mass");
}

// ---- A fall

/// A sample: the columns of the figures.
enum { TIME, POTENTIAL, ROTATIONAL, TRANSLATIONAL, TOTAL, ENERGY_COLUMNS };

typedef struct fall_course {
    double energies[SAMPLES * ENERGY_COLUMNS];
    double places[SAMPLES * 2]; ///< time, x of the centre of mass
} fall_course;

static void note(const atemi_free_fall *fall, int row, fall_course *course)
{
    const atemi_fall_energy energy = atemi_free_fall_energy(fall);
    const double            time = atemi_simulation_time(fall->simulation);
    double                 *at = &course->energies[row * ENERGY_COLUMNS];
    at[TIME] = course->places[2 * row] = time;
    at[POTENTIAL] = energy.potential;
    at[ROTATIONAL] = energy.rotational;
    at[TRANSLATIONAL] = energy.translational;
    at[TOTAL] = atemi_fall_energy_total(energy);
    course->places[2 * row + 1] = atemi_free_fall_center(fall).x;
}

static atemi_status let_fall(const atemi_model *model, const atemi_simulation_point *points,
                             int count, const double *q, fall_course *course, atemi_error *error)
{
    const double    v[MAX_Q] = {0};
    atemi_free_fall fall;
    atemi_status    status = atemi_free_fall_begin(model, points, count, NULL, q, v, &fall, error);
    if (status) {
        return status;
    }
    for (int i = 0; i < SAMPLES && !status; ++i) {
        status = atemi_free_fall_run(&fall, duration * i / (SAMPLES - 1), error);
        note(&fall, i, course);
    }
    atemi_free_fall_end(&fall);
    return status;
}

// NaN counts as largest.
static double larger(double a, double b)
{
    return b <= a ? a : b;
}

// Of the sum of energies, relative to the first one: either way, or as it grows from one sample to
// the next.
static double largest_change(const fall_course *course)
{
    const double first = course->energies[TOTAL];
    double       largest = 0.0;
    for (int i = 1; i < SAMPLES; ++i) {
        const double now = course->energies[i * ENERGY_COLUMNS + TOTAL];
        largest = larger(largest, fabs(now - first) / first);
    }
    return largest;
}

static double largest_growth(const fall_course *course)
{
    const double first = course->energies[TOTAL];
    double       largest = 0.0;
    for (int i = 1; i < SAMPLES; ++i) {
        const double *now = &course->energies[i * ENERGY_COLUMNS + TOTAL];
        largest = larger(largest, (now[0] - now[-ENERGY_COLUMNS]) / first);
    }
    return largest;
}

static double largest_path(const fall_course *course)
{
    double largest = 0.0;
    for (int i = 1; i < SAMPLES; ++i) {
        largest = larger(largest, fabs(course->places[2 * i + 1] - course->places[1]));
    }
    return largest;
}

// ---- Figures

static atemi_status add_energy_figure(atemi_reproduction *reproduction, const char *name,
                                      const char *title, const fall_course *course,
                                      atemi_error *error)
{
    static const atemi_recorded_column columns[ENERGY_COLUMNS] = {{"t", "s"},
                                                                  {"potential E_p", "J"},
                                                                  {"rotational E_k", "J"},
                                                                  {"translational E_v", "J"},
                                                                  {"mechanical E_Q", "J"}};
    static const int                   y[] = {POTENTIAL, ROTATIONAL, TRANSLATIONAL, TOTAL};
    const atemi_recorded_table         figure = {
                .name = name,
                .title = title,
                .row_count = SAMPLES,
                .column_count = ENERGY_COLUMNS,
                .columns = columns,
                .values = course->energies,
                .plot = {.y_count = 4, .y = y, .x = TIME, .series = ATEMI_NONE}};
    return atemi_reproduction_add_figure(reproduction, &figure, error);
}

static atemi_status add_place_figure(atemi_reproduction *reproduction, const char *name,
                                     const char *title, const fall_course *course,
                                     atemi_error *error)
{
    static const atemi_recorded_column columns[] = {{"t", "s"}, {"centre of mass, x", "m"}};
    static const int                   y[] = {1};
    const atemi_recorded_table         figure = {
                .name = name,
                .title = title,
                .row_count = SAMPLES,
                .column_count = 2,
                .columns = columns,
                .values = course->places,
                .plot = {.y_count = 1, .y = y, .x = TIME, .series = ATEMI_NONE}};
    return atemi_reproduction_add_figure(reproduction, &figure, error);
}

// ---- The four states of Fig. 2

typedef struct printed_fall {
    bool        rotates, slips;
    int         figure; ///< of the energies
    const char *foot;
    const char *name, *title;
    int         place_figure; ///< of the centre of mass, in the states that slip
    const char *place_name, *place_title;
} printed_fall;

static const printed_fall falls[] = {
    {false, false, 4, "sole sticks", "walk-fig4",
     "[WALK] Fig. 4: free fall on a foot that stands on its sole", 0, NULL, NULL},
    {true, false, 5, "toe sticks", "walk-fig5",
     "[WALK] Fig. 5: free fall on a foot that stands on its toe", 0, NULL, NULL},
    {false, true, 6, "sole slips", "walk-fig6",
     "[WALK] Fig. 6: free fall on a foot that slides on its sole", 8, "walk-fig8",
     "[WALK] Fig. 8: the centre of mass over a foot that slides on its sole"},
    {true, true, 7, "toe slips", "walk-fig7",
     "[WALK] Fig. 7: free fall on a foot that slides on its toe", 9, "walk-fig9",
     "[WALK] Fig. 9: the centre of mass over a foot that slides on its toe"},
};

enum { FALL_COUNT = sizeof falls / sizeof falls[0] };

static atemi_support_foot support_of(const atemi_model *robot, const printed_fall *printed)
{
    const atemi_site *toe = atemi_model_site(robot, atemi_model_find_site(robot, "right_toe"));
    return (atemi_support_foot){.link = toe->link,
                                .edge = toe->pose.position,
                                .rotates = printed->rotates,
                                .slips = printed->slips};
}

static void set_joint(const atemi_model *robot, const char *name, double value, double *q)
{
    q[atemi_model_joint(robot, atemi_model_find_joint(robot, name))->first_q] = value;
}

// Standing, the left leg lifted.
static void choose_posture(const atemi_model *robot, double *q)
{
    const int standing = atemi_model_find_posture(robot, "standing");
    memcpy(q, atemi_model_posture(robot, standing), (size_t)atemi_model_q_count(robot) * sizeof *q);
    set_joint(robot, "left_hip", -0.6, q);
    set_joint(robot, "left_knee", 0.8, q);
}

static atemi_status fall_rooted(const atemi_model *robot, const printed_fall *printed,
                                fall_course *course, atemi_error *error)
{
    const atemi_support_foot foot = support_of(robot, printed);
    double                   q[MAX_Q], rooted_q[MAX_Q];
    atemi_model             *rooted;
    atemi_status             status = atemi_support_foot_model(&foot, robot, &rooted, error);
    if (status) {
        return status;
    }
    choose_posture(robot, q);
    atemi_support_foot_root(robot, rooted, q, rooted_q);
    status = let_fall(rooted, NULL, 0, rooted_q, course, error);
    atemi_model_destroy(rooted);
    return status;
}

static atemi_status add_fall(atemi_reproduction *reproduction, const atemi_model *robot,
                             const printed_fall *printed, atemi_error *error)
{
    const char  *remark = printed->slips ? CAPTION : OUR_POSTURE;
    fall_course  course;
    atemi_status status = fall_rooted(robot, printed, &course, error);
    if (status) {
        return status;
    }
    atemi_reproduction_add(
        reproduction, (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 0.0, 1e-9, "-", remark, 0},
        largest_change(&course), "Fig. %d: %s: largest change of the energy, relative",
        printed->figure, printed->foot);
    status = add_energy_figure(reproduction, printed->name, printed->title, &course, error);
    if (!status && printed->slips) {
        atemi_reproduction_add(
            reproduction, (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 0.0, 1e-9, "m", NULL, 0},
            largest_path(&course), "Fig. %d: %s: largest way of the centre of mass along the floor",
            printed->place_figure, printed->foot);
        status = add_place_figure(reproduction, printed->place_name, printed->place_title, &course,
                                  error);
    }
    return status;
}

// ---- Through collisions and changes of mode

static atemi_status fall_to_floor(const atemi_model *robot, fall_course *course, atemi_error *error)
{
    atemi_simulation_point points[MAX_POINTS];
    const int              count = atemi_free_fall_points(robot, MAX_POINTS, points);
    double                 q[MAX_Q];
    choose_posture(robot, q);
    q[1] = hip_height;
    return let_fall(robot, points, count, q, course, error);
}

static atemi_status add_fall_to_floor(atemi_reproduction *reproduction, const atemi_model *robot,
                                      atemi_error *error)
{
    fall_course        course;
    const atemi_status status = fall_to_floor(robot, &course, error);
    if (status) {
        return status;
    }
    atemi_reproduction_add(reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 1e-9, 0.0, "-", BEYOND,
                                           ATEMI_REPRODUCED_AT_MOST},
                           largest_growth(&course),
                           "fall to the floor: largest growth of the energy, relative");
    atemi_reproduction_add(
        reproduction, (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 0.0, 1e-9, "m", BEYOND, 0},
        largest_path(&course), "fall to the floor: largest way of the centre of mass along it");
    return add_energy_figure(reproduction, "walk-fall",
                             "[WALK] free fall to a floor without friction, with its collisions",
                             &course, error);
}

// ---- The paper

static atemi_status load_robot(atemi_model **robot, atemi_error *error)
{
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = ATEMI_BASE_SAGITTAL;
    options.model.gravity.z = -gravity;
    return atemi_robots_load("humanoid17", &options, robot, error);
}

static atemi_status add_falls(atemi_reproduction *reproduction, const atemi_model *robot,
                              atemi_error *error)
{
    const double fraction = falls_fraction / (FALL_COUNT + 1);
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < FALL_COUNT && !status; ++i) {
        if (!atemi_reproduction_goes_on(reproduction, i * fraction)) {
            return ATEMI_OK;
        }
        status = add_fall(reproduction, robot, &falls[i], error);
    }
    return status || !atemi_reproduction_goes_on(reproduction, (double)FALL_COUNT * fraction)
               ? status
               : add_fall_to_floor(reproduction, robot, error);
}

atemi_status atemi_reproduce_walk(atemi_reproduction *reproduction, atemi_error *error)
{
    const atemi_walk_lengths lengths = {.thousand = 1000, .other = 20};
    atemi_model             *robot;
    atemi_status             status = load_robot(&robot, error);
    if (status) {
        return status;
    }
    add_table_1(reproduction, robot);
    status = add_falls(reproduction, robot, error);
    status = status || reproduction->stopped
                 ? status
                 : atemi_reproduce_walk_steps(reproduction, robot, &lengths, falls_fraction, error);
    atemi_model_destroy(robot);
    return status;
}

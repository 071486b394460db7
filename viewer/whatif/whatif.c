// SPDX-License-Identifier: Apache-2.0

// The estimate of a blow inside a page of reports: libatemi_core for WebAssembly, and what hands it
// the robot and the moment of first touch. Everything comes as numbers, in the order of
// viewer/src/whatif_input.ts:
//
//     counts   links, joints, q, v, base, loops; gravity (3)
//     links    mass, centre of mass (3), inertia about it xx yy zz xy xz yz
//     joints   type, parent, child, origin (3), quaternion (4), axis (3), armature, damping,
//              friction, mimic joint or -1, multiplier, offset, lower and upper limit
//     touch    speed or NaN, duration, every, whether the ZMP is one of rest; grounding, mass, inertia; grounded links (count first);
//              rotors; locked joints, 1 or 0; support: count of corners, plane (6), corners (3 each); direction (3); hands:
//              count, then link and point (3) each; law, stiffness, damping; target: mass, friction;
//              drift; q; rates; accelerations; servo: stiffness, damping, limits, viscous, coulomb,
//              held. Arrays over v have 1 in front, or 0 where they are none.

#include "atemi/base.h"
#include "atemi/blow.h"
#include "atemi/data.h"
#include "atemi/kinematics.h"
#include "atemi/model_builder.h"
#include "atemi/inverse_kinematics.h"
#include "atemi/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))

enum { MOST_GROUND = 64, MOST_CORNERS = 256, SERVOS = 6, RESULTS = 13, SAMPLE = 4 };

// What whatif_run() may be asked for.
enum { MOST_SAMPLES = 100000 };

typedef struct whatif {
    const double *next, *end; ///< of the input
    bool          is_short;   ///< the input ended too early

    atemi_model *model;
    atemi_data  *data;
    int          nq, nv;

    double               speed, first_speed, duration, every, drift;
    bool                 rests; ///< the ZMP is one without rates
    atemi_ground         ground;
    int                  ground_links[MOST_GROUND];
    atemi_support        support;
    atemi_vec3           corners[MOST_CORNERS];
    atemi_striking_point point;
    atemi_blow_surface   surface;
    atemi_blow_target    target;
    const double        *touch_locked, *touch_q, *rates, *accelerations, *servo[SERVOS];

    atemi_arena              arena;
    atemi_virtual_base       base;
    atemi_straight_reference reference;
    atemi_blow_scratch       scratch;
    double                  *q; ///< touch_q, or where the hand was put
    bool                     is_moved;
    bool                    *locked; ///< [nv]
    bool                    *moving; ///< [nv] joints from the hand to the root that move no foot
    double                  *v, *a, *rest, *stiffness, *damping, *times;
    atemi_inverse_kinematics_scratch *posture;
    int                      sample_count, time_count;
    double                   margin;
    double                  *output; ///< [RESULTS + 1 + SAMPLE * time_count]
} whatif;

static whatif      self;
static double     *input;
static atemi_error error;

// ---- Reading numbers

static double take(whatif *w)
{
    if (w->next < w->end) {
        return *w->next++;
    }
    w->is_short = true;
    return 0.0;
}

// A whole number from `least` to below `limit`; what is none ends the reading.
static int take_index(whatif *w, int least, int limit)
{
    const double value = take(w);
    if (value >= least && value < limit && value == floor(value)) {
        return (int)value;
    }
    w->is_short = true;
    return least;
}

static atemi_vec3 take_vector(whatif *w)
{
    const double x = take(w), y = take(w), z = take(w);
    return (atemi_vec3){x, y, z};
}

static const double *take_all(whatif *w, int count)
{
    const double *at = w->next;
    if (count > w->end - w->next) {
        w->is_short = true;
        return NULL;
    }
    w->next += count;
    return at;
}

static const double *take_optional(whatif *w)
{
    return take_index(w, 0, 2) ? take_all(w, w->nv) : NULL;
}

// ---- The robot

static atemi_status add_link(whatif *w, atemi_model_builder *builder, int index)
{
    char                   name[16];
    atemi_link_description link = {.name = name};
    snprintf(name, sizeof name, "l%d", index);
    link.inertia.mass = take(w);
    link.inertia.com = take_vector(w);
    const atemi_vec3 own = take_vector(w), mixed = take_vector(w);
    link.inertia.rotational = (atemi_symmetric3){own.x, own.y, own.z, mixed.x, mixed.y, mixed.z};
    return atemi_model_builder_add_link(builder, &link, &error);
}

static atemi_status add_joint(whatif *w, atemi_model_builder *builder, int index, int links,
                              int joints)
{
    char                    names[4][16];
    atemi_joint_description joint = atemi_joint_description_default();
    joint.type = (atemi_joint_type)take_index(w, 0, ATEMI_JOINT_FLOATING + 1);
    snprintf(names[0], sizeof names[0], "j%d", index);
    snprintf(names[1], sizeof names[1], "l%d", take_index(w, 0, links));
    snprintf(names[2], sizeof names[2], "l%d", take_index(w, 0, links));
    joint.name = names[0];
    joint.parent = names[1];
    joint.child = names[2];
    joint.origin.position = take_vector(w);
    const atemi_vec3       part = take_vector(w);
    const atemi_quaternion turn = {part.x, part.y, part.z, take(w)};
    joint.origin.rotation = atemi_quaternion_matrix(turn);
    joint.axis = take_vector(w);
    joint.armature = take(w);
    joint.damping = take(w);
    joint.friction = take(w);
    const int mimic = take_index(w, -1, joints);
    snprintf(names[3], sizeof names[3], "j%d", mimic);
    joint.mimic = mimic < 0 ? NULL : names[3];
    joint.mimic_multiplier = take(w);
    joint.mimic_offset = take(w);
    joint.limits.lower = take(w);
    joint.limits.upper = take(w);
    return atemi_model_builder_add_joint(builder, &joint, &error);
}

static atemi_status read_robot(whatif *w)
{
    atemi_model_builder *builder;
    atemi_model_options  options = atemi_model_options_default();
    const int            links = take_index(w, 1, ATEMI_MAX_LINKS);
    const int            joints = take_index(w, 0, ATEMI_MAX_LINKS);
    w->nq = take_index(w, 1, ATEMI_MAX_LINKS);
    w->nv = take_index(w, 1, ATEMI_MAX_LINKS);
    options.base = (atemi_base)take_index(w, 0, ATEMI_BASE_FLOATING + 1);
    options.gravity = take_vector(w);
    atemi_status status = atemi_model_builder_create("robot", NULL, &builder, &error);
    for (int i = 0; i < links && !status && !w->is_short; ++i) {
        status = add_link(w, builder, i);
    }
    for (int i = 0; i < joints && !status && !w->is_short; ++i) {
        status = add_joint(w, builder, i, links, joints);
    }
    if (!status && !w->is_short) {
        status = atemi_model_builder_finish(builder, &options, &w->model, &error);
    }
    atemi_model_builder_destroy(builder);
    return status;
}

// ---- The moment of first touch

static void read_ground(whatif *w)
{
    const int links = atemi_model_link_count(w->model);
    w->ground.grounding = (atemi_grounding)take_index(w, 0, ATEMI_GROUNDING_HEAVY + 1);
    w->ground.mass = take(w);
    w->ground.inertia = take(w);
    w->ground.count = take_index(w, 0, MOST_GROUND + 1);
    w->ground.links = w->ground_links;
    for (int i = 0; i < w->ground.count; ++i) {
        w->ground_links[i] = take_index(w, 0, links);
    }
    w->ground.rotors = take_optional(w);
    w->touch_locked = take_optional(w);
    w->support.count = take_index(w, 0, MOST_CORNERS + 1);
    w->support.plane.point = take_vector(w);
    w->support.plane.normal = take_vector(w);
    w->support.vertices = w->corners;
    for (int i = 0; i < w->support.count; ++i) {
        w->corners[i] = take_vector(w);
    }
}

static void read_hands(whatif *w)
{
    const int links = atemi_model_link_count(w->model);
    w->point.direction = take_vector(w);
    w->point.more = take_index(w, 1, ATEMI_STRIKE_MAX_HANDS + 1) - 1;
    w->point.link = take_index(w, 0, links);
    w->point.point = take_vector(w);
    for (int i = 0; i < w->point.more; ++i) {
        w->point.others[i].link = take_index(w, 0, links);
        w->point.others[i].point = take_vector(w);
    }
}

static void read_touch(whatif *w)
{
    w->speed = take(w);
    w->duration = take(w);
    w->every = take(w);
    w->rests = take_index(w, 0, 2) == 1;
    read_ground(w);
    read_hands(w);
    w->surface.law = (atemi_blow_law)take_index(w, 0, ATEMI_BLOW_KELVIN_VOIGT + 1);
    w->surface.spring.stiffness = take(w);
    w->surface.spring.damping = take(w);
    w->target.mass = take(w);
    w->target.friction = take(w);
    w->drift = take(w);
    w->touch_q = take_all(w, w->nq);
    w->rates = take_optional(w);
    w->accelerations = take_optional(w);
    for (int i = 0; i < SERVOS; ++i) {
        w->servo[i] = take_optional(w);
    }
}

// ---- The posture

static void mark_chain(whatif *w, int link, bool moves)
{
    for (int i = atemi_model_link(w->model, link)->parent_joint; i != ATEMI_NONE;
         i = atemi_model_link(w->model, atemi_model_joint(w->model, i)->parent_link)->parent_joint) {
        const atemi_joint *joint = atemi_model_joint(w->model, i);
        for (int k = 0; k < joint->v_count; ++k) {
            w->moving[joint->first_v + k] = moves;
        }
    }
}

static void find_locked(whatif *w)
{
    for (int i = 0; w->touch_locked && i < w->nv; ++i) {
        w->locked[i] = w->touch_locked[i] != 0.0;
    }
    w->ground.locked = w->touch_locked ? w->locked : NULL;
}

static void find_moving(whatif *w)
{
    memset(w->moving, 0, (size_t)w->nv * sizeof *w->moving);
    mark_chain(w, w->point.link, true);
    for (int i = 0; i < w->ground.count; ++i) {
        mark_chain(w, w->ground_links[i], false);
    }
}

// From the posture of first touch to one whose hand is elsewhere.
static atemi_status find_posture(whatif *w, const atemi_transform *hand, bool aims,
                                 atemi_posture_report *found)
{
    atemi_inverse_kinematics_options options = atemi_inverse_kinematics_options_default();
    atemi_posture_goal               goal = atemi_posture_goal_default();
    options.moving = w->moving;
    goal.link = w->point.link;
    goal.frame.position = w->point.point;
    goal.target = *hand;
    for (int i = 3; i < 6; ++i) {
        goal.weight[i] = aims ? 1.0 : 0.0;
    }
    memcpy(w->q, w->touch_q, (size_t)w->nq * sizeof *w->q);
    return atemi_inverse_kinematics(w->model, &goal, 1, &options, w->posture, w->q, found, &error);
}

// ---- Memory

static void lay_out(whatif *w, atemi_arena *arena)
{
    w->base = atemi_virtual_base_take(arena, w->model);
    w->reference = atemi_straight_reference_take(arena, w->model, w->duration);
    w->scratch = atemi_blow_scratch_take(arena, w->model);
    w->q = atemi_arena_array(arena, double, w->nq);
    w->locked = atemi_arena_array(arena, bool, w->nv);
    w->moving = atemi_arena_array(arena, bool, w->nv);
    w->posture = atemi_inverse_kinematics_scratch_take(arena, w->model, 1);
    w->v = atemi_arena_array(arena, double, w->nv);
    w->a = atemi_arena_array(arena, double, w->nv);
    w->rest = atemi_arena_array(arena, double, w->nv);
    w->stiffness = atemi_arena_array(arena, double, w->nv);
    w->damping = atemi_arena_array(arena, double, w->nv);
    w->times = atemi_arena_array(arena, double, w->time_count);
    w->output = atemi_arena_array(arena, double, RESULTS + 1 + SAMPLE * w->time_count);
}

static atemi_status allocate(whatif *w)
{
    const double count = w->duration / w->every;
    if (!(w->duration > 0.0 && w->every > 0.0 && count < MOST_SAMPLES)) {
        return atemi_fail(&error, ATEMI_ERROR_INPUT, "the blow has no duration to look at");
    }
    w->time_count = 1 + (int)floor(count * (1.0 + 1e-12)); // as the job impact counts
    atemi_arena arena = atemi_arena_measuring();
    lay_out(w, &arena);
    atemi_status status = atemi_arena_create(&w->arena, arena.used, &error);
    if (!status) {
        lay_out(w, &w->arena);
        status = atemi_data_create(w->model, NULL, &w->data, &error);
    }
    for (int i = 0; i < w->time_count && !status; ++i) {
        w->times[i] = i * w->every;
    }
    if (!status) {
        memset(w->rest, 0, (size_t)w->nv * sizeof *w->rest);
        memcpy(w->q, w->touch_q, (size_t)w->nq * sizeof *w->q);
        find_locked(w);
        find_moving(w);
    }
    return status;
}

// ---- The blow

static void on_sample(void *context, const atemi_blow_sample *sample)
{
    whatif    *w = (whatif *)context;
    atemi_vec3 zmp;
    double     margin = NAN;
    double    *row = w->output + RESULTS + 1 + SAMPLE * w->sample_count++;
    if (w->support.count > 0 &&
        atemi_blow_zmp(w->data, w->q, w->rests ? w->rest : sample->rates, sample->accelerations,
                       &w->point, sample->force, &w->support.plane, &zmp)) {
        margin = atemi_support_distance(&w->support, zmp).distance;
        w->margin = fmin(w->margin, margin);
    }
    row[0] = sample->time;
    row[1] = sample->force;
    row[2] = sample->compression;
    row[3] = margin;
}

static const double *scaled(const double *values, double factor, int count, double *result)
{
    for (int i = 0; i < count && values; ++i) {
        result[i] = factor * values[i];
    }
    return values ? result : NULL;
}

static atemi_ground fixed_ground(const whatif *w)
{
    atemi_ground fixed = w->ground;
    fixed.grounding = ATEMI_GROUNDING_FIXED;
    return fixed;
}

// Of the hand, as recorded.
static atemi_status find_first_speed(whatif *w)
{
    const atemi_ground fixed = fixed_ground(w);
    w->first_speed = w->speed;
    if (!isnan(w->speed)) {
        return ATEMI_OK;
    }
    const atemi_status status =
        atemi_virtual_base_update(w->model, w->touch_q, &fixed, &w->point, &w->base, &error);
    w->first_speed = 0.0;
    for (int i = 0; i < w->nv && !status && w->rates; ++i) {
        w->first_speed += w->base.jacobian[i] * w->rates[i];
    }
    return status;
}

// The reference of a straight line is found anew.
static atemi_status find_straight(whatif *w, double speed, const atemi_ground *fixed)
{
    atemi_virtual_base_rates(&w->base, speed, w->v);
    return atemi_straight_reference_start(&w->reference, w->q, w->v, speed, fixed, &w->point, w->a,
                                          &error);
}

// Other velocities grow with the speed. Where the hand was put elsewhere, they are those of least
// energy.
static void find_scaled(whatif *w, double speed, double factor, atemi_blow_setting *setting)
{
    setting->drift *= factor;
    setting->accelerations = scaled(w->accelerations, factor, w->nv, w->a);
    if (w->is_moved) {
        atemi_virtual_base_rates(&w->base, speed, w->v);
    } else {
        scaled(w->rates, factor, w->nv, w->v);
    }
}

static atemi_status find_motion(whatif *w, double speed, atemi_blow_setting *setting)
{
    const atemi_ground fixed = fixed_ground(w);
    const atemi_status status =
        atemi_virtual_base_update(w->model, w->q, &fixed, &w->point, &w->base, &error);
    setting->rates = w->v;
    setting->drift = w->drift;
    if (status) {
        return status;
    }
    if (!isnan(w->speed)) {
        setting->accelerations = w->a;
        return find_straight(w, speed, &fixed);
    }
    find_scaled(w, speed, speed / w->first_speed, setting);
    return ATEMI_OK;
}

static void report(whatif *w, const atemi_blow_result *r, double speed)
{
    const double results[RESULTS] = {r->peak_force,
                                     r->peak_time,
                                     r->impulse,
                                     r->contact_time,
                                     r->compression,
                                     r->hand_speed,
                                     r->target_speed,
                                     r->target_travel,
                                     r->released,
                                     r->saturated,
                                     w->margin,
                                     atemi_virtual_mass(&w->base),
                                     speed};
    memcpy(w->output, results, sizeof results);
    w->output[RESULTS] = w->sample_count;
}

// ---- What the page calls

EXPORT("whatif_input") double *whatif_input(int count)
{
    atemi_release(input);
    input = (double *)atemi_allocate((size_t)count * sizeof *input);
    self.next = input;
    self.end = input ? input + count : NULL;
    return input;
}

EXPORT("whatif_create") int whatif_create(void)
{
    whatif *w = &self;
    *w = (whatif){.next = w->next, .end = w->end};
    atemi_status status = read_robot(w);
    if (!status && !w->is_short && (atemi_model_q_count(w->model) != w->nq || atemi_model_v_count(w->model) != w->nv)) {
        status = atemi_fail(&error, ATEMI_ERROR_INPUT, "the robot has another number of joints");
    }
    if (!status && !w->is_short) {
        read_touch(w);
    }
    if (!status && w->is_short) {
        status = atemi_fail(&error, ATEMI_ERROR_INPUT, "the numbers of the robot are not whole");
    }
    if (!status) {
        status = allocate(w);
    }
    return status ? status : find_first_speed(w);
}

EXPORT("whatif_run")
int whatif_run(double speed, double mass, double stiffness, double damping, double gain,
               double servo_damping)
{
    whatif            *w = &self;
    atemi_blow_options options = atemi_blow_options_default();
    atemi_blow_setting setting = {0};
    atemi_blow_result  result;
    speed = isnan(speed) ? w->first_speed : speed;
    atemi_status status = find_motion(w, speed, &setting);
    setting.servo = (atemi_blow_servo){.stiffness = scaled(w->servo[0], gain, w->nv, w->stiffness),
                                       .damping = scaled(w->servo[1], servo_damping, w->nv, w->damping),
                                       .limits = w->servo[2],
                                       .viscous = w->servo[3],
                                       .coulomb = w->servo[4],
                                       .held = w->servo[5]};
    setting.surface = w->surface;
    setting.surface.spring = (atemi_spring_damper){stiffness, damping};
    setting.target = (atemi_blow_target){.mass = mass, .friction = w->target.friction};
    options.duration = w->duration;
    const atemi_blow_watch watch = {
        .times = w->times, .count = w->time_count, .take = on_sample, .context = w};
    w->sample_count = 0;
    w->margin = NAN;
    if (!status && w->ground.grounding == ATEMI_GROUNDING_HEAVY) {
        status = atemi_virtual_base_update(w->model, w->q, &w->ground, &w->point, &w->base, &error);
    }
    if (!status) {
        status = atemi_blow(&w->base, &setting, &options, &watch, &w->scratch, &result, &error);
    }
    if (!status) {
        report(w, &result, speed);
    }
    return status;
}

// Puts the hand elsewhere: by a vector from where it was at first touch. Its aim is kept where it
// can be.
// @return 2, or 1 without the aim, or 0 where it does not reach; the posture is then the nearest
EXPORT("whatif_place") int whatif_place(double x, double y, double z)
{
    whatif              *w = &self;
    atemi_posture_report found;
    const atemi_vec3     by = {x, y, z};
    atemi_update_kinematics(w->data, w->touch_q, NULL, NULL);
    atemi_transform hand = atemi_link_pose(w->data, w->point.link);
    hand.position = atemi_vec3_add(atemi_transform_apply(&hand, w->point.point), by);
    w->is_moved = x != 0.0 || y != 0.0 || z != 0.0;
    if (!w->is_moved) {
        memcpy(w->q, w->touch_q, (size_t)w->nq * sizeof *w->q);
        return 2;
    }
    for (int aims = 1; aims >= 0; --aims) {
        if (!find_posture(w, &hand, aims == 1, &found) && found.outcome == ATEMI_POSTURE_REACHED) {
            return 1 + aims;
        }
    }
    return 0;
}

// [nq] of the hand's place.
EXPORT("whatif_posture") const double *whatif_posture(void)
{
    return self.q;
}

EXPORT("whatif_output") const double *whatif_output(void)
{
    return self.output;
}

EXPORT("whatif_message") const char *whatif_message(void)
{
    return error.message;
}

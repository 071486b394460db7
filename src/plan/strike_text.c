// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_plan.h"
#include "base/message.h"

#include <math.h>
#include <string.h>

// Names for people: nobody reads them back.

static const char axes[] = "xyz";

static void write(char *text, size_t size, const char *format, ...) ATEMI_PRINTF(3, 4);

// What does not fit is cut.
static void write(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_format(text, size, format, arguments);
    va_end(arguments);
}

// ---- Constraints

// "the hand" if there is one.
static const char *hand_name(const atemi_strike_task *task, int hand)
{
    const int link = atemi_striking_point_hand(&task->point, hand).link;
    return task->point.more > 0 ? atemi_model_link(task->model, link)->name : "the hand";
}

static const char *foot_name(const atemi_strike_task *task, int foot)
{
    return atemi_model_site(task->model, task->feet[foot])->name;
}

static const char *joint_name(const atemi_strike_task *task, int joint)
{
    return atemi_model_joint(task->model, joint)->name;
}

static const char *phase_name(const atemi_strike_constraint *c)
{
    return c->phase == ATEMI_PHASE_BEFORE ? "gathering speed" : "slowing down";
}

static const char *mover_name(const atemi_strike_constraint *c)
{
    const bool before = c->phase == ATEMI_PHASE_BEFORE;
    return c->with_hand ? (before ? "hand gathers speed" : "hand slows down")
                        : (before ? "body gathers speed" : "body slows down");
}

enum { DOUBT_SIZE = 120 };

// A deviation of a case, in words: "2 cm nearer".
typedef struct off {
    double      value;
    const char *unit, *before, *less, *more;
} off;

static void append(char *text, size_t size, const char *separator, const off *o)
{
    const size_t length = strlen(text);
    if (o->value != 0.0) {
        write(text + length, size - length, "%s%s%.3g %s %s", separator, o->before, fabs(o->value),
              o->unit, o->value < 0.0 ? o->less : o->more);
    }
}

// Such as ", target 2 cm nearer and 10 % lighter, touched 10 ms later, gains 20 % lower".
static void write_doubt(const atemi_strike_constraint *c, char text[DOUBT_SIZE])
{
    const atemi_strike_deviation *d = &c->deviation;
    const off                     target[] = {{1e2 * d->distance, "cm", "", "nearer", "farther"},
                                              {1e2 * d->mass, "%", "", "lighter", "heavier"},
                                              {1e2 * d->friction, "%", "held ", "less", "more"}};
    const off others[] = {{1e3 * d->timing, "ms", "touched ", "earlier", "later"},
                          {1e2 * d->gains, "%", "gains ", "lower", "higher"}};
    *text = '\0';
    for (int i = 0, named = 0; i < 3; ++i) {
        append(text, DOUBT_SIZE, named ? " and " : ", target ", &target[i]);
        named += target[i].value != 0.0;
    }
    for (int i = 0; i < 2; ++i) {
        append(text, DOUBT_SIZE, ", ", &others[i]);
    }
}

// In one of the four parts that the kinds come in.
static void write_hand(const atemi_strike_task *task, const atemi_strike_constraint *c, char *text)
{
    const size_t size = ATEMI_STRIKE_NAME;
    const char  *hand = hand_name(task, c->index);
    switch (c->kind) {
    case ATEMI_CONSTRAIN_HAND_PLACE:
        write(text, size, "place of %.60s, %c", hand, axes[c->axis]);
        break;
    case ATEMI_CONSTRAIN_HAND_AIM:
        write(text, size, "aim of %.60s", hand);
        break;
    case ATEMI_CONSTRAIN_HAND_SIDE_SPEED:
        write(text, size, "speed of %.60s across, %c", hand, axes[c->axis]);
        break;
    case ATEMI_CONSTRAIN_HAND_ROTATION:
        write(text, size, "angular velocity of %.50s about %c", hand, axes[c->axis]);
        break;
    default:
        write(text, size, "lead of %.60s", hand);
    }
}

static void write_stance(const atemi_strike_task *task, const atemi_strike_constraint *c,
                         char *text)
{
    const size_t size = ATEMI_STRIKE_NAME;
    switch (c->kind) {
    case ATEMI_CONSTRAIN_FOOT_PLACE:
        write(text, size, "place of %.60s", foot_name(task, c->index));
        break;
    case ATEMI_CONSTRAIN_FOOT_ORIENTATION:
        write(text, size, "rotation of %.60s", foot_name(task, c->index));
        break;
    case ATEMI_CONSTRAIN_FOOT_SPEED:
        write(text, size, "speed of %.60s", foot_name(task, c->index));
        break;
    case ATEMI_CONSTRAIN_JOINT_POSITION:
        write(text, size, "range of %.60s", joint_name(task, c->index));
        break;
    case ATEMI_CONSTRAIN_JOINT_SPEED:
        write(text, size, "speed of %.60s", joint_name(task, c->index));
        break;
    case ATEMI_CONSTRAIN_MOMENTUM:
        write(text, size, "P_%c", axes[c->axis]);
        break;
    default:
        write(text, size, "L_%c", axes[c->axis]);
    }
}

static void write_motion(const atemi_strike_task *task, const atemi_strike_constraint *c,
                         char *text)
{
    const size_t size = ATEMI_STRIKE_NAME;
    const bool   before = c->phase == ATEMI_PHASE_BEFORE;
    switch (c->kind) {
    case ATEMI_CONSTRAIN_DURATION:
        write(text, size, "time of the body minus time of the hand %s",
              before ? "before" : "after");
        break;
    case ATEMI_CONSTRAIN_MOTION_ZMP:
        write(text, size, "ZMP while %s (%d/%d)", phase_name(c), c->sample, c->last_sample);
        break;
    case ATEMI_CONSTRAIN_MOTION_MARGIN:
        write(text, size, "margin of %.50s while the %s", joint_name(task, c->index),
              mover_name(c));
        break;
    case ATEMI_CONSTRAIN_MOTION_SPEED:
        write(text, size, "speed of %.50s while the %s", joint_name(task, c->index), mover_name(c));
        break;
    case ATEMI_CONSTRAIN_MOTION_EFFORT:
        write(text, size, "torque of %.50s %s (%d/%d)", joint_name(task, c->index), phase_name(c),
              c->sample, c->last_sample);
        break;
    case ATEMI_CONSTRAIN_MOTION_FRICTION:
        write(text, size, "friction of %.40s %s (%d/%d)", foot_name(task, c->index), phase_name(c),
              c->sample, c->last_sample);
        break;
    case ATEMI_CONSTRAIN_MOTION_EDGE:
        write(text, size, "edge of %.40s %s (%d/%d)", foot_name(task, c->index), phase_name(c),
              c->sample, c->last_sample);
        break;
    case ATEMI_CONSTRAIN_SELF:
        write(text, size, "distance of %.50s to %.50s %s",
              atemi_model_link(task->model, c->index)->name,
              atemi_model_link(task->model, c->other)->name,
              before ? "before the blow" : "after it");
        break;
    default:
        write(text, size, "distance of %.40s to the target %s",
              atemi_model_link(task->model, c->index)->name,
              before ? "before the blow" : "after it");
    }
}

static void write_blow(const atemi_strike_task *task, const atemi_strike_constraint *c, char *text)
{
    const size_t size = ATEMI_STRIKE_NAME;
    const double at = 1e3 * c->time;
    char         doubt[DOUBT_SIZE];
    write_doubt(c, doubt);
    if (c->kind == ATEMI_CONSTRAIN_BLOW_ZMP) {
        write(text, size, "ZMP in the blow at %.3g ms%s", at, doubt);
    } else {
        write(text, size, "%s of %.30s at %.3g ms%s",
              c->kind == ATEMI_CONSTRAIN_BLOW_EDGE ? "edge" : "friction", foot_name(task, c->index),
              at, doubt);
    }
}

void atemi_strike_constraint_text(const atemi_strike_task *task, const atemi_strike_constraint *c,
                                  char text[ATEMI_STRIKE_NAME])
{
    if (c->kind <= ATEMI_CONSTRAIN_HAND_LEAD) {
        write_hand(task, c, text);
    } else if (c->kind <= ATEMI_CONSTRAIN_ANGULAR_MOMENTUM) {
        write_stance(task, c, text);
    } else if (c->kind <= ATEMI_CONSTRAIN_SELF) {
        write_motion(task, c, text);
    } else {
        write_blow(task, c, text);
    }
}

// ---- Variables

static void write_foot(const atemi_strike_variable *v, char *text)
{
    static const char *const others[ATEMI_STRIKE_MAX_FEET] = {"", "second ", "third ", "fourth "};
    const char              *about = v->kind == ATEMI_DECIDE_FOOT_ROTATION ? "about " : "";
    write(text, ATEMI_STRIKE_NAME, "%sfoot %s%c", others[v->index], about, axes[v->axis]);
}

void atemi_strike_variable_text(const atemi_strike_task *task, const atemi_strike_variable *v,
                                char text[ATEMI_STRIKE_NAME])
{
    const size_t size = ATEMI_STRIKE_NAME;
    switch (v->kind) {
    case ATEMI_DECIDE_FOOT_POSITION:
    case ATEMI_DECIDE_FOOT_ROTATION:
        write_foot(v, text);
        break;
    case ATEMI_DECIDE_JOINT:
        write(text, size, "%s", joint_name(task, v->index));
        break;
    case ATEMI_DECIDE_HAND_SPEED:
        write(text, size, "speed of the hand");
        break;
    case ATEMI_DECIDE_MOMENTUM:
        write(text, size, "P_%c", axes[v->axis]);
        break;
    case ATEMI_DECIDE_ANGULAR_MOMENTUM:
        write(text, size, "L_%c", axes[v->axis]);
        break;
    case ATEMI_DECIDE_CENTER_OF_MASS:
        write(text, size, "centre of mass %c", axes[v->axis]);
        break;
    case ATEMI_DECIDE_HAND_RISE:
    case ATEMI_DECIDE_HAND_FALL:
        write(text, size, "time of the hand %s",
              v->kind == ATEMI_DECIDE_HAND_RISE ? "before" : "after");
        break;
    case ATEMI_DECIDE_BODY_RISE:
    case ATEMI_DECIDE_BODY_FALL:
        write(text, size, "time of the body %s",
              v->kind == ATEMI_DECIDE_BODY_RISE ? "before" : "after");
    }
}

// ---- Conflicts

void atemi_strike_conflict_text(const atemi_strike_task *task, const atemi_strike_plan *plan,
                                const atemi_strike_conflict *conflict, char text[ATEMI_STRIKE_NAME])
{
    if (conflict->is_variable) {
        atemi_strike_variable_text(task, atemi_strike_plan_variable(plan, conflict->index), text);
    } else {
        atemi_strike_constraint_text(task, atemi_strike_plan_constraint(plan, conflict->index),
                                     text);
    }
}

const char *atemi_strike_conflict_unit(const atemi_strike_plan     *plan,
                                       const atemi_strike_conflict *conflict)
{
    return conflict->is_variable ? atemi_strike_plan_variable(plan, conflict->index)->unit
                                 : atemi_strike_plan_constraint(plan, conflict->index)->unit;
}

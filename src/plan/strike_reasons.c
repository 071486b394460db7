// SPDX-License-Identifier: Apache-2.0

#include "atemi/strike_verification.h"

#include "atemi/base.h"
#include "atemi/model.h"
#include "base/message.h"

#include <math.h>
#include <string.h>

// With the multiplier m of a constraint, loosening its bound by a small d adds m d to the
// objective. One limit, such as the friction under a foot, bounds a constraint at each instant and
// in each case of doubt: loosened, it adds the sum of them. A bound that is a cosine, c = cos(t),
// is loosened by the angle: dc = sin(t) dt.

static const double degree = 3.14159265358979323846 / 180.0;

// ---- Words

static void write(char *text, size_t size, const char *format, ...) ATEMI_PRINTF(3, 4);

// What does not fit is cut.
static void write(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_format(text, size, format, arguments);
    va_end(arguments);
}

enum { AMOUNT = 32, NAME = 64 };

// A number with a unit that people use: mm, degrees, percent.
static void write_amount(double value, const char *unit, char text[AMOUNT])
{
    const struct {
        const char *unit, *shown;
        double      factor;
    } units[] = {{"m", "mm", 1e3},
                 {"rad", "degrees", 1.0 / degree},
                 {"rad/s", "degrees/s", 1.0 / degree},
                 {"m/s", "mm/s", 1e3},
                 {"s", "ms", 1e3}};
    const char *shown = unit ? unit : "%";
    double      factor = unit ? 1.0 : 1e2;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
        if (unit && strcmp(unit, units[i].unit) == 0) {
            shown = units[i].shown;
            factor = units[i].factor;
        }
    }
    if (unit && strcmp(unit, "m") == 0 && fabs(value) >= 1.0) {
        factor = 1.0;
        shown = unit;
    }
    write(text, AMOUNT, "%.3g %s", factor * value, shown);
}

static const char *name_of(const atemi_strike_task *task, const atemi_strike_constraint *c)
{
    const atemi_model *model = task->model;
    switch (c->kind) {
    case ATEMI_CONSTRAIN_HAND_PLACE:
    case ATEMI_CONSTRAIN_HAND_AIM:
    case ATEMI_CONSTRAIN_HAND_SIDE_SPEED:
    case ATEMI_CONSTRAIN_HAND_ROTATION:
    case ATEMI_CONSTRAIN_HAND_LEAD:
        return task->point.more > 0
                   ? atemi_model_link(model, atemi_striking_point_hand(&task->point, c->index).link)
                         ->name
                   : "the hand";
    case ATEMI_CONSTRAIN_FOOT_PLACE:
    case ATEMI_CONSTRAIN_FOOT_ORIENTATION:
    case ATEMI_CONSTRAIN_FOOT_SPEED:
    case ATEMI_CONSTRAIN_MOTION_FRICTION:
    case ATEMI_CONSTRAIN_MOTION_EDGE:
    case ATEMI_CONSTRAIN_BLOW_FRICTION:
    case ATEMI_CONSTRAIN_BLOW_EDGE:
        return atemi_model_site(model, task->feet[c->index])->name;
    case ATEMI_CONSTRAIN_JOINT_POSITION:
    case ATEMI_CONSTRAIN_JOINT_SPEED:
    case ATEMI_CONSTRAIN_MOTION_MARGIN:
    case ATEMI_CONSTRAIN_MOTION_SPEED:
    case ATEMI_CONSTRAIN_MOTION_EFFORT:
        return atemi_model_joint(model, c->index)->name;
    case ATEMI_CONSTRAIN_CLEARANCE:
    case ATEMI_CONSTRAIN_SELF:
        return atemi_model_link(model, c->index)->name;
    default:
        return "";
    }
}

static bool is_angle(const char *unit)
{
    return unit && strcmp(unit, "rad") == 0;
}

static const char *phase_text(const atemi_strike_constraint *c)
{
    return c->phase == ATEMI_PHASE_BLOW ? "in the blow" : "before and after the blow";
}

// ---- Limits

// How a limit is named, and loosened by a step that people can picture.
typedef struct step {
    double      size; ///< of the bound, in its unit
    const char *text; ///< "1 cm less margin"
} step;

static step step_of(const atemi_strike_constraint *c)
{
    const double bound =
        isfinite(c->lower) && c->value - c->lower < c->upper - c->value ? c->lower : c->upper;
    switch (c->kind) {
    case ATEMI_CONSTRAIN_HAND_PLACE:
        return (step){0.01, "1 cm more tolerance"};
    case ATEMI_CONSTRAIN_HAND_AIM:
        return (step){sin(acos(fmin(fmax(bound, -1.0), 1.0))) * degree, "1 degree more of play"};
    case ATEMI_CONSTRAIN_HAND_SIDE_SPEED:
        return (step){0.01, "1 cm/s more"};
    case ATEMI_CONSTRAIN_HAND_ROTATION:
        return (step){degree, "1 degree/s more"};
    case ATEMI_CONSTRAIN_HAND_LEAD:
    case ATEMI_CONSTRAIN_FOOT_PLACE:
        return (step){0.001, "1 mm more"};
    case ATEMI_CONSTRAIN_FOOT_ORIENTATION:
    case ATEMI_CONSTRAIN_FOOT_SPEED:
        return (step){0.001, "0.001 more"};
    case ATEMI_CONSTRAIN_JOINT_POSITION:
    case ATEMI_CONSTRAIN_MOTION_MARGIN:
        return is_angle(c->unit) ? (step){degree, "1 degree more of range"}
                                 : (step){0.01, "1 cm more of range"};
    case ATEMI_CONSTRAIN_JOINT_SPEED:
    case ATEMI_CONSTRAIN_MOTION_SPEED:
        return (step){0.1 * fabs(bound), "10 % more speed"};
    case ATEMI_CONSTRAIN_MOMENTUM:
    case ATEMI_CONSTRAIN_ANGULAR_MOMENTUM:
        return (step){0.1 * fabs(bound), "10 % more"};
    case ATEMI_CONSTRAIN_DURATION:
        return (step){0.01, "10 ms less"};
    case ATEMI_CONSTRAIN_MOTION_ZMP:
    case ATEMI_CONSTRAIN_BLOW_ZMP:
        return (step){0.01, "1 cm less margin"};
    case ATEMI_CONSTRAIN_MOTION_EFFORT:
        return (step){0.1, "10 % more torque"};
    case ATEMI_CONSTRAIN_MOTION_FRICTION:
    case ATEMI_CONSTRAIN_BLOW_FRICTION:
        return (step){10.0, "10 N more friction"};
    case ATEMI_CONSTRAIN_MOTION_EDGE:
    case ATEMI_CONSTRAIN_BLOW_EDGE:
        return (step){1.0, "1 N m more on its edge"};
    case ATEMI_CONSTRAIN_CLEARANCE:
    case ATEMI_CONSTRAIN_SELF:
        return (step){0.01, "1 cm less distance"};
    }
    return (step){0.0, ""};
}

static void write_limit(const atemi_strike_task *task, const atemi_strike_constraint *c,
                        char text[ATEMI_STRIKE_REASON])
{
    const size_t size = ATEMI_STRIKE_REASON;
    const char  *name = name_of(task, c);
    char         bound[AMOUNT];
    write_amount(isfinite(c->upper) ? c->upper : c->lower, c->unit, bound);
    switch (c->kind) {
    case ATEMI_CONSTRAIN_HAND_PLACE:
        write(text, size, "where %.60s hits along %c", name, "xyz"[c->axis]);
        break;
    case ATEMI_CONSTRAIN_HAND_AIM:
        write(text, size, "the aim of %.60s, %.3g degrees off the direction", name,
              acos(fmin(c->lower, 1.0)) / degree);
        break;
    case ATEMI_CONSTRAIN_HAND_SIDE_SPEED:
        write(text, size, "the speed of %.60s across, along %c", name, "xyz"[c->axis]);
        break;
    case ATEMI_CONSTRAIN_HAND_ROTATION:
        write(text, size, "the rotation of %.60s about %c", name, "xyz"[c->axis]);
        break;
    case ATEMI_CONSTRAIN_HAND_LEAD:
        write(text, size, "the lead of one hand before the other");
        break;
    case ATEMI_CONSTRAIN_FOOT_PLACE:
        write(text, size, "the reach of the leg of %.60s", name);
        break;
    case ATEMI_CONSTRAIN_FOOT_ORIENTATION:
        write(text, size, "the rotation that the leg of %.60s can give it", name);
        break;
    case ATEMI_CONSTRAIN_FOOT_SPEED:
        write(text, size, "that %.60s stays at rest", name);
        break;
    case ATEMI_CONSTRAIN_JOINT_POSITION:
        write(text, size, "the range of %.60s at first touch", name);
        break;
    case ATEMI_CONSTRAIN_MOTION_MARGIN:
        write(text, size, "the range of %.60s %s", name, phase_text(c));
        break;
    case ATEMI_CONSTRAIN_JOINT_SPEED:
        write(text, size, "the speed of %.60s at first touch, %s", name, bound);
        break;
    case ATEMI_CONSTRAIN_MOTION_SPEED:
        write(text, size, "the speed of %.60s, %s", name, bound);
        break;
    case ATEMI_CONSTRAIN_MOMENTUM:
        write(text, size, "the momentum along %c, %s", "xyz"[c->axis], bound);
        break;
    case ATEMI_CONSTRAIN_ANGULAR_MOMENTUM:
        write(text, size, "the angular momentum about %c, %s", "xyz"[c->axis], bound);
        break;
    case ATEMI_CONSTRAIN_DURATION:
        write(text, size, "that the body takes no less time than the hand");
        break;
    case ATEMI_CONSTRAIN_MOTION_ZMP:
    case ATEMI_CONSTRAIN_BLOW_ZMP:
        write(text, size, "the ZMP %s, %s inside the edge", phase_text(c), bound);
        break;
    case ATEMI_CONSTRAIN_MOTION_EFFORT:
        write(text, size, "the torque of %.60s, %s of its limit", name, bound);
        break;
    case ATEMI_CONSTRAIN_MOTION_FRICTION:
    case ATEMI_CONSTRAIN_BLOW_FRICTION:
        write(text, size, "the friction under %.60s %s", name, phase_text(c));
        break;
    case ATEMI_CONSTRAIN_MOTION_EDGE:
    case ATEMI_CONSTRAIN_BLOW_EDGE:
        write(text, size, "%.60s, which would tip over its edge %s", name, phase_text(c));
        break;
    case ATEMI_CONSTRAIN_CLEARANCE:
        write(text, size, "the distance of %.60s to the target, %s", name, bound);
        break;
    case ATEMI_CONSTRAIN_SELF:
        write(text, size, "the distance of %.60s to %.60s, %s", name,
              atemi_model_link(task->model, c->other)->name, bound);
        break;
    }
}

static step step_of_variable(const atemi_strike_variable *v)
{
    const double bound = fmin(fabs(v->value - v->range.lower), fabs(v->value - v->range.upper)) ==
                                 fabs(v->value - v->range.lower)
                             ? v->range.lower
                             : v->range.upper;
    switch (v->kind) {
    case ATEMI_DECIDE_FOOT_POSITION:
        return (step){0.01, "1 cm more"};
    case ATEMI_DECIDE_FOOT_ROTATION:
        return (step){degree, "1 degree more"};
    case ATEMI_DECIDE_JOINT:
        return is_angle(v->unit) ? (step){degree, "1 degree more"} : (step){0.01, "1 cm more"};
    case ATEMI_DECIDE_HAND_RISE:
    case ATEMI_DECIDE_HAND_FALL:
    case ATEMI_DECIDE_BODY_RISE:
    case ATEMI_DECIDE_BODY_FALL:
        return (step){0.01, "10 ms more"};
    default:
        return (step){0.1 * fabs(bound), "10 % more"};
    }
}

static void write_range(const atemi_strike_task *task, const atemi_strike_variable *v,
                        char text[ATEMI_STRIKE_REASON])
{
    const bool at_lower = fabs(v->value - v->range.lower) < fabs(v->value - v->range.upper);
    char       name[ATEMI_STRIKE_NAME], bound[AMOUNT];
    atemi_strike_variable_text(task, v, name);
    write_amount(at_lower ? v->range.lower : v->range.upper, v->unit, bound);
    write(text, ATEMI_STRIKE_REASON, "the range of %.60s in decide, %s %s", name,
          at_lower ? "from" : "to", bound);
}

// ---- Limits that are one

// What of a constraint names its limit: the instants and cases of it do not, nor whether it is
// before or after the blow.
static bool is_one_limit(const atemi_strike_constraint *a, const atemi_strike_constraint *b)
{
    return a->kind == b->kind && a->index == b->index && a->other == b->other && a->axis == b->axis;
}

typedef struct reason_list {
    const atemi_strike_task       *task;
    atemi_strike_reason           *reasons;
    const atemi_strike_constraint *of[ATEMI_STRIKE_MAX_REASONS]; ///< NULL of a range
    int                            count;
} reason_list;

// Where a reason goes: most gain first, or in turn. Past the last one it is lost.
static atemi_strike_reason *make_place(reason_list *list, int at)
{
    const int kept =
        list->count < ATEMI_STRIKE_MAX_REASONS ? list->count : ATEMI_STRIKE_MAX_REASONS - 1;
    if (at >= ATEMI_STRIKE_MAX_REASONS) {
        return NULL;
    }
    memmove(&list->reasons[at + 1], &list->reasons[at],
            (size_t)(kept - at) * sizeof *list->reasons);
    memmove((void *)&list->of[at + 1], (const void *)&list->of[at],
            (size_t)(kept - at) * sizeof list->of[0]);
    list->count = kept + 1;
    list->reasons[at] = (atemi_strike_reason){0};
    return &list->reasons[at];
}

static atemi_strike_reason *place_of_gain(reason_list *list, double gain,
                                          const atemi_strike_constraint *of)
{
    int at = 0;
    while (at < list->count && list->reasons[at].gain >= gain) {
        ++at;
    }
    atemi_strike_reason *reason = make_place(list, at);
    if (reason) {
        reason->gain = gain;
        list->of[at] = of;
    }
    return reason;
}

// ---- What holds a blow back

static bool is_first_of_limit(const atemi_strike_plan *plan, int index)
{
    const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, index);
    bool                           first = c->multiplier > 0.0;
    for (int i = 0; first && i < index; ++i) {
        const atemi_strike_constraint *other = atemi_strike_plan_constraint(plan, i);
        first = !(other->multiplier > 0.0 && is_one_limit(c, other));
    }
    return first;
}

static double sum_of_limit(const atemi_strike_plan *plan, const atemi_strike_constraint *of)
{
    double sum = 0.0;
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        const atemi_strike_constraint *c = atemi_strike_plan_constraint(plan, i);
        sum += is_one_limit(c, of) ? c->multiplier : 0.0;
    }
    return sum;
}

static void add_limit(reason_list *list, const atemi_strike_plan *plan,
                      const atemi_strike_constraint *c, double unit)
{
    const step           s = step_of(c);
    atemi_strike_reason *reason = place_of_gain(list, sum_of_limit(plan, c) * s.size * unit, c);
    if (reason) {
        write_limit(list->task, c, reason->limit);
        write(reason->remedy, sizeof reason->remedy, "%s", s.text);
    }
}

static void add_range(reason_list *list, const atemi_strike_variable *v, double unit)
{
    const step           s = step_of_variable(v);
    atemi_strike_reason *reason = place_of_gain(list, v->multiplier * s.size * unit, NULL);
    if (reason) {
        write_range(list->task, v, reason->limit);
        write(reason->remedy, sizeof reason->remedy, "%s", s.text);
    }
}

const char *atemi_strike_objective_unit(const atemi_strike_task *task)
{
    return task->impulse_weight == 0.0 ? "N" : task->peak_weight == 0.0 ? "N s" : "";
}

// Of the objective, in its own unit.
static double objective_scale(const atemi_strike_task *task)
{
    return task->impulse_weight == 0.0 ? 1.0 / task->peak_weight
           : task->peak_weight == 0.0  ? 1.0 / task->impulse_weight
                                       : 1.0;
}

int atemi_strike_limits_explain(const atemi_strike_task *task, const atemi_strike_plan *plan,
                                atemi_strike_reason *reasons)
{
    ATEMI_REQUIRE_OR(task && plan && reasons, 0);
    reason_list  list = {.task = task, .reasons = reasons};
    const double unit = objective_scale(task);
    for (int i = 0; i < atemi_strike_plan_constraint_count(plan); ++i) {
        if (is_first_of_limit(plan, i)) {
            add_limit(&list, plan, atemi_strike_plan_constraint(plan, i), unit);
        }
    }
    for (int i = 0; i < atemi_strike_plan_variable_count(plan); ++i) {
        const atemi_strike_variable *v = atemi_strike_plan_variable(plan, i);
        if (v->multiplier > 0.0) {
            add_range(&list, v, unit);
        }
    }
    return list.count;
}

// ---- Why there is no strike

static const atemi_strike_constraint *constraint_of(const atemi_strike_plan     *plan,
                                                    const atemi_strike_conflict *conflict)
{
    return conflict->is_variable ? NULL : atemi_strike_plan_constraint(plan, conflict->index);
}

// A limit that is there already; the larger violation counts.
static bool is_known(reason_list *list, const atemi_strike_constraint *c, double violation)
{
    for (int i = 0; c && i < list->count; ++i) {
        if (list->of[i] && is_one_limit(list->of[i], c)) {
            list->reasons[i].violation = fmax(list->reasons[i].violation, violation);
            return true;
        }
    }
    return false;
}

static void write_violation(const atemi_strike_task *task, const atemi_strike_plan *plan,
                            const atemi_strike_conflict *conflict, double violation, char *text)
{
    const atemi_strike_constraint *c = constraint_of(plan, conflict);
    char                           amount[AMOUNT], limit[ATEMI_STRIKE_REASON];
    const double                   angle =
        acos(fmax(fmin(conflict->bound - violation, 1.0), -1.0)) - acos(fmin(conflict->bound, 1.0));
    const bool is_aim = c && c->kind == ATEMI_CONSTRAIN_HAND_AIM;
    write_amount(is_aim ? angle : violation,
                 is_aim ? "rad" : atemi_strike_conflict_unit(plan, conflict), amount);
    if (c) {
        write_limit(task, c, limit);
    } else {
        write_range(task, atemi_strike_plan_variable(plan, conflict->index), limit);
    }
    if (violation > 0.0) {
        write(text, ATEMI_STRIKE_REASON, "%.150s: %s are missing", limit, amount);
    } else {
        write(text, ATEMI_STRIKE_REASON, "%s", limit);
    }
}

int atemi_strike_conflicts_explain(const atemi_strike_task *task, const atemi_strike_plan *plan,
                                   atemi_strike_reason *reasons)
{
    ATEMI_REQUIRE_OR(task && plan && reasons, 0);
    reason_list list = {.task = task, .reasons = reasons};
    for (int i = 0; i < atemi_strike_plan_conflict_count(plan); ++i) {
        const atemi_strike_conflict   *conflict = atemi_strike_plan_conflict(plan, i);
        const atemi_strike_constraint *c = constraint_of(plan, conflict);
        if (list.count >= ATEMI_STRIKE_MAX_REASONS || is_known(&list, c, conflict->violation)) {
            continue;
        }
        atemi_strike_reason *reason = make_place(&list, list.count);
        list.of[list.count - 1] = c;
        reason->violation = conflict->violation;
        write_violation(task, plan, conflict, conflict->violation, reason->limit);
    }
    return list.count;
}

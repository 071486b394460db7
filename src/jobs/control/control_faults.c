// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_faults.h"

#include "atemi/base.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_forces.h"
#include "io/scenario/scenario_pick.h"
#include "io/scenario/scenario_warning.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Words that walk has too mean the same there.

enum { MAX_FAULTS = 1000 };

static const char poor[] = "no robot is that poor";

typedef struct fault_key {
    const char *name;
    size_t      offset; ///< of a number in the struct
    double      lower, upper;
    const char *unit, *help;
} fault_key;

#define FAULT(name, lower, upper, unit, help)                                                      \
    {#name, offsetof(atemi_injected_fault, name), lower, upper, unit, help}

static const fault_key numbers[] = {
    FAULT(encoder, 0.0, 0.1, NULL, "noise of joint positions, rad or m"),
    FAULT(encoder_offset, -4.0, 4.0, NULL, "of the position that is shown, rad or m"),
    FAULT(encoder_slip, 0.0, 1.0, NULL, "fraction of a motion that is not seen, and stays lost"),
    FAULT(encoder_dropped, 0.0, 1.0, NULL, "fraction of readings that are no number"),
    FAULT(current, 0.0, 1e4, NULL, "noise of the current's sensor, as N m or N at the joint"),
    FAULT(current_offset, -1e4, 1e4, NULL, "of the current's sensor, as N m or N at the joint"),
    FAULT(current_dropped, 0.0, 1.0, NULL, "fraction of its readings that are no number"),
    FAULT(lag, 0.0, 0.1, "s", "time constant of the joint's voltage, and so of its torque"),
    FAULT(dropped, 0.0, 0.9, NULL, "fraction of ticks lost: nothing new is measured or decided"),
    FAULT(bus_delay, 0.0, 10.0, "s", "by which commands reach the joint later"),
};

static const fault_key flags[] = {
    FAULT(encoder_stuck, 0.0, 1.0, NULL, "the reading stays as it was"),
    FAULT(brake, 0.0, 1.0, NULL, "closed, as stiff as the joint's stops"),
};

// ---- An item --------------------------------------------------------------------------------

// So far as there is room.
ATEMI_PRINTF(2, 3)
static void add_text(control_fault *fault, const char *format, ...)
{
    const size_t length = strlen(fault->text);
    va_list      arguments;
    va_start(arguments, format);
    vsnprintf(fault->text + length, sizeof fault->text - length, format, arguments);
    va_end(arguments);
}

static bool read_number(atemi_scenario_reader *reader, const fault_key *key,
                        atemi_injected_fault *injected, control_fault *fault)
{
    double *value = (double *)((char *)injected + key->offset);
    *value = atemi_scenario_number(reader, key->name,
                                   (atemi_number_key){.unit = key->unit,
                                                      .lower = key->lower,
                                                      .upper = key->upper,
                                                      .reason = poor,
                                                      .help = key->help});
    if (*value != 0.0) {
        add_text(fault, "%s%s %g%s%s", fault->text[0] ? ", " : "", key->name, *value,
                 key->unit ? " " : "", key->unit ? key->unit : "");
    }
    return *value != 0.0;
}

static bool read_flag(atemi_scenario_reader *reader, const fault_key *key,
                      atemi_injected_fault *injected, control_fault *fault)
{
    bool *value = (bool *)((char *)injected + key->offset);
    *value = atemi_scenario_boolean(reader, key->name, (atemi_boolean_key){.help = key->help});
    if (*value) {
        add_text(fault, "%s%s", fault->text[0] ? ", " : "", key->name);
    }
    return *value;
}

static void read_times(atemi_scenario_reader *reader, atemi_injected_fault *injected,
                       control_fault *fault)
{
    injected->from = atemi_scenario_number(
        reader, "from", (atemi_number_key){.unit = "s", .help = "when it begins"});
    const atemi_scenario_mark begin = atemi_scenario_last(reader);
    injected->until = atemi_scenario_number(reader, "until",
                                            (atemi_number_key){.unit = "s",
                                                               .fallback = INFINITY,
                                                               .lower = 0.0,
                                                               .upper = INFINITY,
                                                               .infinite = true,
                                                               .help = "when it ends"});
    atemi_scenario_check_order(reader, begin, injected->from, atemi_scenario_last(reader),
                               injected->until, "s", "time");
    fault->from = injected->from;
    fault->until = injected->until;
    fault->mark = atemi_scenario_last(reader);
}

static void read_encoders(atemi_scenario_reader *reader, atemi_injected_fault *injected)
{
    static const char *const words[] = {"both", "motor", "joint", NULL};
    static const unsigned sets[] = {ATEMI_ENCODER_MOTOR | ATEMI_ENCODER_JOINT, ATEMI_ENCODER_MOTOR,
                                    ATEMI_ENCODER_JOINT};
    injected->encoders = sets[atemi_scenario_choice(
        reader, "encoders", (atemi_choice_key){.words = words, .help = "which are meant"})];
}

static void read_what(atemi_scenario_reader *reader, atemi_scenario_mark item,
                      atemi_injected_fault *injected, control_fault *fault)
{
    bool any = false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        any = read_number(reader, &numbers[i], injected, fault) || any;
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
        any = read_flag(reader, &flags[i], injected, fault) || any;
    }
    if (!any) {
        atemi_scenario_warn(reader, item, "has no effect: it says when, but not what goes wrong");
    }
}

// ---- The list -------------------------------------------------------------------------------

// One for each joint that is meant.
static void inject(const atemi_model *model, const bool *joints, atemi_injected_fault injected,
                   control_faults *faults, control_fault *fault)
{
    int         count = 0;
    const char *first = "";
    for (int i = 0; i < atemi_control_joint_count(model) && joints; ++i) {
        if (joints[i]) {
            injected.joint = i;
            faults->injected[faults->injected_count++] = injected;
            first = count++ ? first : atemi_control_joint(model, i)->name;
        }
    }
    add_text(fault, " of %.60s", first);
    if (count > 1) {
        add_text(fault, " and %d more", count - 1);
    }
}

static void read_fault(atemi_scenario_reader *reader, const atemi_model *model,
                       control_faults *faults, control_fault *fault)
{
    const atemi_scenario_mark item = atemi_scenario_last(reader);
    atemi_injected_fault      injected = {0};
    bool                     *joints = atemi_control_read_joints(
        reader, "of", "joints: all, a name, the beginning of names with *, or a list", model);
    read_times(reader, &injected, fault);
    read_encoders(reader, &injected);
    read_what(reader, item, &injected, fault);
    if (faults->injected) {
        inject(model, joints, injected, faults, fault);
    }
    atemi_release(joints);
}

void atemi_control_read_faults(atemi_scenario_reader *reader, const atemi_model *model,
                               control_faults *faults)
{
    *faults = (control_faults){0};
    const int count = atemi_scenario_enter_list(reader, "faults", 0, MAX_FAULTS,
                                                "what goes wrong with joints, that their control "
                                                "is not told");
    faults->faults =
        (control_fault *)atemi_scenario_allocate(reader, sizeof *faults->faults, count);
    faults->injected = (atemi_injected_fault *)atemi_scenario_allocate(
        reader, sizeof *faults->injected, count * atemi_control_joint_count(model));
    while (atemi_scenario_next(reader)) {
        if (faults->faults) {
            read_fault(reader, model, faults, &faults->faults[faults->count++]);
        }
    }
}

void atemi_control_check_faults(atemi_scenario_reader *reader, const control_faults *faults,
                                double end)
{
    for (int i = 0; i < faults->count; ++i) {
        atemi_scenario_check_times(reader, faults->faults[i].mark, "the fault",
                                   faults->faults[i].from, faults->faults[i].until, end);
    }
}

void atemi_control_faults_destroy(control_faults *faults)
{
    atemi_release(faults->faults);
    atemi_release(faults->injected);
    *faults = (control_faults){0};
}

// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_joints.h"

#include "atemi/base.h"
#include "control/coordination_options.h"
#include "control/joint_options.h"
#include "io/scenario/scenario_failure.h"
#include "io/scenario/scenario_pick.h"

#include <math.h>
#include <string.h>

enum { MAX_ITEMS = 1000 };

static const char which[] = "joints: all, a name, the beginning of names with *, or a list";

// ---- Which ----------------------------------------------------------------------------------

int atemi_control_joint_count(const atemi_model *model)
{
    return model ? atemi_model_v_count(model) - atemi_base_v_count(atemi_model_base(model)) : 0;
}

const atemi_joint *atemi_control_joint(const atemi_model *model, int i)
{
    return atemi_coordination_model_joint(model, i);
}

static bool is_meant(const char *pattern, const char *name)
{
    const size_t length = strlen(pattern);
    const bool   is_open = length > 0 && pattern[length - 1] == '*';
    return strcmp(pattern, "all") == 0 || strcmp(pattern, name) == 0 ||
           (is_open && strncmp(pattern, name, length - 1) == 0);
}

static void choose(atemi_scenario_reader *reader, const atemi_model *model, const char *pattern,
                   bool *joints)
{
    bool any = false;
    for (int i = 0; i < atemi_control_joint_count(model) && joints; ++i) {
        const atemi_joint *joint = atemi_control_joint(model, i);
        const bool         meant = joint && is_meant(pattern, joint->name);
        joints[i] = joints[i] || meant;
        any = any || meant;
    }
    if (joints && !any && strchr(pattern, '*')) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "no joint that moves begins as '%s'; see 'atemi info'", pattern);
    } else if (joints && !any &&
               atemi_scenario_pick(reader, atemi_scenario_joints(model), pattern) >= 0) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "the joint '%s' does not move by itself; give one that does", pattern);
    }
}

bool *atemi_control_read_joints(atemi_scenario_reader *reader, const char *key, const char *help,
                                const atemi_model *model)
{
    const int count = atemi_control_joint_count(model);
    bool *joints = model ? (bool *)atemi_scenario_allocate(reader, sizeof *joints, count) : NULL;
    if (atemi_scenario_look(reader, key) != ATEMI_SCENARIO_LIST) {
        choose(
            reader, model,
            atemi_scenario_string(reader, key, (atemi_string_key){.fallback = "all", .help = help}),
            joints);
        return joints;
    }
    atemi_scenario_enter_list(reader, key, 1, MAX_ITEMS, help);
    while (atemi_scenario_next(reader)) {
        choose(reader, model,
               atemi_scenario_string(reader, NULL, (atemi_string_key){.required = true}), joints);
    }
    return joints;
}

// ---- How they shall be ----------------------------------------------------------------------

// NaN where the scenario says nothing.
static double read_if_given(atemi_scenario_reader *reader, const char *key,
                            atemi_number_key declaration)
{
    const bool is_given = atemi_scenario_look(reader, key) != ATEMI_SCENARIO_ABSENT;
    return is_given || atemi_scenario_is_blank(reader)
               ? atemi_scenario_number(reader, key, declaration)
               : (double)NAN;
}

static double read_part(atemi_scenario_reader *reader, const char *key, const char *unit,
                        double usual, double upper, const char *help)
{
    return read_if_given(reader, key,
                         (atemi_number_key){.unit = unit,
                                            .fallback = usual,
                                            .upper = upper,
                                            .reason = upper == 1.0 ? "a part of the whole" : NULL,
                                            .help = help});
}

// A joint without spring is told positions: nothing limits the torque that it takes to be there.
static void check_torque_limit(atemi_scenario_reader *reader, const atemi_model *model,
                               const atemi_joint_plant_options *plants,
                               const atemi_joint_setting       *setting)
{
    const int count = plants && setting->joints ? atemi_control_joint_count(model) : 0;
    for (int i = 0; i < count && !isnan(setting->torque_limit); ++i) {
        if (setting->joints[i] && !atemi_joint_drive_is_elastic(&plants[i].drive)) {
            atemi_scenario_fail(reader, atemi_scenario_last(reader),
                                "the joint '%s' has no spring, and cannot keep a torque limit; "
                                "give it a spring under drives, or name other joints",
                                atemi_control_joint(model, i)->name);
        }
    }
}

void atemi_control_read_setting(atemi_scenario_reader *reader, const atemi_model *model,
                                const atemi_joint_plant_options *plants,
                                atemi_joint_setting             *setting)
{
    setting->joints = atemi_control_read_joints(reader, "of", which, model);
    setting->natural_frequency = read_part(reader, "natural_frequency", "rad/s", 20.0, INFINITY,
                                           "of [R2] eq. 1; this and all below: else as it is");
    setting->damping_ratio =
        read_part(reader, "damping_ratio", NULL, 1.2, INFINITY, "of [R2] eq. 2");
    if (isnan(setting->natural_frequency) != isnan(setting->damping_ratio)) {
        atemi_scenario_fail(reader, atemi_scenario_last(reader),
                            "natural_frequency and damping_ratio go together; give both");
    }
    setting->torque_limit = read_part(reader, "torque_limit", "N m", 100.0, INFINITY,
                                      "of the feedback: strong or weak");
    check_torque_limit(reader, model, plants, setting);
    setting->integral_rate =
        read_part(reader, "integral_rate", "1/s", 0.0, INFINITY, "of the integral, per stiffness");
    setting->gravity = read_part(reader, "gravity", NULL, 1.0, 1.0, "scale of its torque");
}

// ---- How they begin -------------------------------------------------------------------------

static void take(double given, double *value)
{
    *value = isnan(given) ? *value : given;
}

typedef struct joint_key {
    const char *key, *unit, *help;
    double      usual; ///< of a leg joint of r2_like
    size_t      place; ///< in the struct
    bool        may_be_zero, may_be_infinite;
} joint_key;

// Reads the keys of an item into the structs of the joints that it is of.
static void read_keys(atemi_scenario_reader *reader, const joint_key *keys, size_t key_count,
                      const bool *joints, int count, size_t size, void *structs)
{
    for (size_t k = 0; k < key_count; ++k) {
        const double given = read_if_given(reader, keys[k].key,
                                           (atemi_number_key){.unit = keys[k].unit,
                                                              .fallback = keys[k].usual,
                                                              .upper = INFINITY,
                                                              .open = !keys[k].may_be_zero,
                                                              .infinite = keys[k].may_be_infinite,
                                                              .help = keys[k].help});
        for (int i = 0; i < count && joints; ++i) {
            char *place = (char *)structs + (size_t)i * size + keys[k].place;
            if (joints[i] && !isnan(given)) {
                memcpy(place, &given, sizeof given);
            }
        }
    }
}

static void begin_with(const atemi_joint_setting *s, atemi_coordinated_joint *joint)
{
    take(s->natural_frequency, &joint->dynamics.natural_frequency);
    take(s->damping_ratio, &joint->dynamics.damping_ratio);
    take(s->torque_limit, &joint->torque_limit);
    take(s->integral_rate, &joint->integral_rate);
    take(s->gravity, &joint->gravity);
}

static void read_beginning(atemi_scenario_reader *reader, const atemi_model *model,
                           const atemi_joint_plant_options *plants, atemi_coordinated_joint *joints)
{
    static const joint_key keys[] = {
        {"velocity", "rad/s", "bound of motions", 1.0, offsetof(atemi_coordinated_joint, velocity),
         false, false},
        {"acceleration", "rad/s^2", "bound of motions", 2.0,
         offsetof(atemi_coordinated_joint, acceleration), false, false},
        {"retreat_velocity", "rad/s", "to where a joint is that did not follow", 1.0,
         offsetof(atemi_coordinated_joint, retreat_velocity), false, false},
        {"retreat_acceleration", "rad/s^2", "likewise", 1.0,
         offsetof(atemi_coordinated_joint, retreat_acceleration), false, false},
        {"windup_limit", "N m", "of the integral", 20.0,
         offsetof(atemi_coordinated_joint, windup_limit), true, false},
        {"highest_stiffness", "N m/rad", "whatever the natural frequency", 12500.0,
         offsetof(atemi_coordinated_joint, impedance.stiffness), true, false},
        {"least_damping", "N m s/rad", "whatever the damping ratio", 3.0,
         offsetof(atemi_coordinated_joint, impedance.damping_min), true, false},
        {"highest_damping", "N m s/rad", "likewise", 5000.0,
         offsetof(atemi_coordinated_joint, impedance.damping_max), true, false},
    };
    const int           count = atemi_control_joint_count(model);
    atemi_joint_setting setting = {0};
    atemi_control_read_setting(reader, model, plants, &setting);
    for (int i = 0; i < count && joints && setting.joints; ++i) {
        if (setting.joints[i]) {
            begin_with(&setting, &joints[i]);
        }
    }
    read_keys(reader, keys, sizeof keys / sizeof *keys, joints ? setting.joints : NULL, count,
              sizeof *joints, joints);
    atemi_release((void *)setting.joints);
}

atemi_scenario_mark atemi_control_read_beginning(atemi_scenario_reader           *reader,
                                                 const atemi_model               *model,
                                                 const atemi_joint_plant_options *plants,
                                                 atemi_coordinated_joint         *joints)
{
    atemi_scenario_enter_list(reader, "joints", 0, MAX_ITEMS,
                              "how joints are controlled at the beginning; later items count");
    const atemi_scenario_mark mark = atemi_scenario_last(reader);
    while (atemi_scenario_next(reader)) {
        read_beginning(reader, model, plants, joints);
    }
    return mark;
}

// ---- What drives them -----------------------------------------------------------------------

// Reads one item: which joints, and figures of theirs.
// @return [joints] that it is of, to be released
static bool *read_item(atemi_scenario_reader *reader, const atemi_model *model,
                       const joint_key *keys, size_t key_count, size_t size, void *structs)
{
    bool *joints = atemi_control_read_joints(reader, "of", which, model);
    read_keys(reader, keys, key_count, structs ? joints : NULL, atemi_control_joint_count(model),
              size, structs);
    return joints;
}

void atemi_control_read_drives(atemi_scenario_reader *reader, const atemi_model *model,
                               atemi_joint_plant_options *plants)
{
#define DRIVE(field) offsetof(atemi_joint_plant_options, drive.field)
    static const joint_key keys[] = {
        {"resistance", "ohm", "of the winding", 0.5, DRIVE(resistance), false, false},
        {"inductance", "H", "of the winding", 0.0005, DRIVE(inductance), false, false},
        {"torque_constant", "N m/A", "of the motor", 0.305, DRIVE(torque_constant), false, false},
        {"back_emf", "V s/rad", "of the motor", 0.305, DRIVE(back_emf), false, false},
        {"bus_voltage", "V", "of the bridge", 96.0, DRIVE(bus_voltage), false, false},
        {"peak_current", "A", "of the bridge", 60.0, DRIVE(peak_current), false, false},
        {"rotor_inertia", "kg m^2", "of the motor", 7.46e-5, DRIVE(rotor_inertia), false, false},
        {"gear", NULL, "revolutions of the motor for one of the joint", 100.0, DRIVE(gear), false,
         false},
        {"coulomb", "N m", "friction, at the motor", 0.03, DRIVE(coulomb), true, false},
        {"viscous", "N m s/rad", "friction, at the motor", 0.0002, DRIVE(viscous), true, false},
        {"spring", "N m/rad", "in series, at the joint; inf for none: then no torque is limited",
         50000.0, DRIVE(spring), false, true},
        {"spring_damping", "N m s/rad", "at the joint", 20.0, DRIVE(spring_damping), true, false},
        {"stop_stiffness", "N m/rad", "of its stops of steel", 1e5,
         offsetof(atemi_joint_plant_options, stop_stiffness), false, false},
        {"stop_damping", "N m s/rad", "likewise", 200.0,
         offsetof(atemi_joint_plant_options, stop_damping), true, false},
    };
#undef DRIVE
    atemi_scenario_enter_list(reader, "drives", 0, MAX_ITEMS,
                              "motors, gears, springs and stops that are known; the rest is "
                              "estimated from the limits of the joint");
    const int count = atemi_control_joint_count(model);
    for (int i = 0; i < count && plants; ++i) {
        plants[i].drive = atemi_joint_drive_unknown();
    }
    while (atemi_scenario_next(reader)) {
        atemi_release(
            read_item(reader, model, keys, sizeof keys / sizeof *keys, sizeof *plants, plants));
    }
    for (int i = 0; i < count && plants; ++i) {
        atemi_whole_body_joint_fit(model, i, &plants[i]);
    }
}

// What no single key can tell: loops that are too fast for each other, or for their ticks.
static void check_loops(atemi_scenario_reader *reader, atemi_scenario_mark item,
                        const atemi_model *model, const bool *joints,
                        const atemi_joint_control_options *controls)
{
    const int count = joints && controls ? atemi_control_joint_count(model) : 0;
    for (int i = 0; i < count && !atemi_scenario_failed(reader); ++i) {
        atemi_error error;
        if (joints[i] && atemi_joint_control_options_check(&controls[i], &error)) {
            atemi_scenario_adopt(reader, item, &error);
        }
    }
}

void atemi_control_read_loops(atemi_scenario_reader *reader, const atemi_model *model,
                              atemi_joint_control_options *controls)
{
#define LOOP(field) offsetof(atemi_joint_control_options, field)
    static const joint_key keys[] = {
        {"current_bandwidth", "rad/s", "of the current loop", 3000.0, LOOP(current_bandwidth),
         false, false},
        {"velocity_bandwidth", "rad/s", "of the velocity loop", 800.0, LOOP(velocity_bandwidth),
         false, false},
        {"torque_bandwidth", "rad/s", "of the torque loop", 100.0, LOOP(torque_bandwidth), false,
         false},
        {"position_bandwidth", "rad/s", "of joints without spring", 30.0, LOOP(position_bandwidth),
         false, false},
        {"motor_tracking", "rad/s", "of the motor's speed", 1500.0, LOOP(motor_tracking), false,
         false},
        {"joint_tracking", "rad/s", "of the joint's speed", 500.0, LOOP(joint_tracking), false,
         false},
        {"current_limit", "A", "of the control", 30.0, LOOP(current_limit), false, false},
        {"torque_rate", "N m/s",
         "of demanded torques; feedback at its limit gets more where it needs it", 8250.0,
         LOOP(torque_rate), false, false},
    };
#undef LOOP
    atemi_scenario_enter_list(reader, "loops", 0, MAX_ITEMS,
                              "loops of joints that are not tuned as usual");
    while (atemi_scenario_next(reader)) {
        const atemi_scenario_mark item = atemi_scenario_last(reader);
        bool                     *joints =
            read_item(reader, model, keys, sizeof keys / sizeof *keys, sizeof *controls, controls);
        check_loops(reader, item, model, joints, controls);
        atemi_release(joints);
    }
}

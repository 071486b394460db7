// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_explain.h"

#include "jobs/control/control_joints.h"
#include "jobs/control/control_scenario.h"

#include <math.h>
#include <stdio.h>

// What a scenario gives is no estimate. A figure is one if the rule makes it of the others.
typedef struct estimates {
    atemi_joint_rating rating;
    bool               rotor, spring, spring_damping;
} estimates;

static estimates find_estimates(const atemi_model *model, int i, const atemi_joint_drive *drive)
{
    atemi_joint_drive whole = atemi_joint_drive_unknown(), damping = whole;
    whole.gear = damping.gear = drive->gear;
    damping.rotor_inertia = drive->rotor_inertia;
    damping.spring = drive->spring;
    atemi_joint_drive_complete(model, i, &whole);
    atemi_joint_drive_complete(model, i, &damping);
    return (estimates){.rating = atemi_joint_rating_of(model, i),
                       .rotor = whole.rotor_inertia == drive->rotor_inertia,
                       .spring = whole.spring == drive->spring,
                       .spring_damping = damping.spring_damping == drive->spring_damping};
}

static void write_source(atemi_text *text, const estimates *e, bool is_estimate, const char *name,
                         atemi_drive_figure figure)
{
    const char *source = atemi_drive_figure_estimate(&e->rating, figure);
    if (is_estimate && source) {
        atemi_text_append(text, " %s", name);
    }
}

static void write_drive(atemi_text *text, const control_scenario *s, int i)
{
    const atemi_joint_drive *d = &s->plants[i].drive;
    const estimates          e = find_estimates(s->robot.model, i, d);
    const double             rotor = d->rotor_inertia * d->gear * d->gear;
    char                     name[128]; // cut to fit
    snprintf(name, sizeof name, "%s", atemi_control_joint(s->robot.model, i)->name);
    for (char *at = name; *at; ++at) {
        *at = *at == '\n' || *at == '\r' ? ' ' : *at;
    }
    atemi_text_append(text, "# %-28s %8.4g %8.4g %8.3g %8.4g %8.3g ", name, e.rating.effort,
                      e.rating.velocity, rotor, d->spring, d->spring_damping);
    write_source(text, &e, true, "effort", ATEMI_DRIVE_EFFORT);
    write_source(text, &e, true, "speed", ATEMI_DRIVE_VELOCITY);
    write_source(text, &e, e.rotor, "rotor", ATEMI_DRIVE_ROTOR);
    write_source(text, &e, e.spring, "spring", ATEMI_DRIVE_SPRING);
    write_source(text, &e, e.spring_damping, "damping", ATEMI_DRIVE_SPRING_DAMPING);
    atemi_text_put_string(text, "\n");
}

static void write(atemi_text *text, const control_scenario *s)
{
    atemi_text_put_string(
        text,
        "\n# Drives of the joints. Estimated: effort from the inertia that moves; speed from "
        "effort\n"
        "# and inertia; rotor from effort and speed; spring from effort; damping from spring and\n"
        "# rotor. What is known better belongs into the robot's file, or under drives. Prismatic\n"
        "# joints: N, m/s, kg, N/m, N s/m.\n");
    atemi_text_append(text, "# %-28s %8s %8s %8s %8s %8s  %s\n", "joint", "effort", "speed",
                      "rotor", "spring", "damping", "estimated");
    atemi_text_append(text, "# %-28s %8s %8s %8s %8s %8s\n", "", "N m", "rad/s", "kg m^2",
                      "N m/rad", "N m s/rad");
    for (int i = 0; i < atemi_control_joint_count(s->robot.model); ++i) {
        write_drive(text, s, i);
    }
}

atemi_status atemi_control_explain(atemi_scenario_reader *reader, const char *file,
                                   atemi_text *text, atemi_error *error)
{
    control_scenario   scenario;
    const atemi_status status = atemi_control_scenario_read(reader, file, &scenario, error);
    if (!status) {
        write(text, &scenario);
    }
    atemi_control_scenario_destroy(&scenario);
    return status;
}

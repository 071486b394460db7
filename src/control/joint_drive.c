// SPDX-License-Identifier: Apache-2.0

#include "atemi/joint_control.h"

#include "atemi/base.h"
#include "control/joint_parts.h"

#include <math.h>

atemi_joint_drive atemi_joint_drive_default(void)
{
    return (atemi_joint_drive){
        .resistance = 0.5,
        .inductance = 0.5e-3,
        .torque_constant = 0.305,
        .back_emf = 0.305,
        .bus_voltage = 96.0,
        .peak_current = 60.0,
        .rotor_inertia = 7.46e-5,
        .gear = 100.0,
        .coulomb = 0.03,
        .viscous = 2e-4,
        .spring = 5000.0,
        .spring_damping = 5.0,
    };
}

atemi_joint_drive atemi_joint_drive_rigid(void)
{
    return (atemi_joint_drive){
        .resistance = 1.0,
        .inductance = 1e-3,
        .torque_constant = 0.056,
        .back_emf = 0.056,
        .bus_voltage = 48.0,
        .peak_current = 60.0,
        .rotor_inertia = 1.48e-5,
        .gear = 100.0,
        .coulomb = 0.005,
        .viscous = 2e-5,
        .spring = INFINITY,
    };
}

bool atemi_joint_drive_is_elastic(const atemi_joint_drive *drive)
{
    ATEMI_REQUIRE_OR(drive, false);
    return isfinite(drive->spring);
}

winding atemi_winding_over(const atemi_joint_drive *drive, double time)
{
    const double rate = drive->resistance / drive->inductance;
    return (winding){exp(-rate * time), -expm1(-rate * time) / drive->resistance};
}

static bool is_fine(const joint_figure *f)
{
    const bool has_sign = f->may_be_zero ? f->value >= 0.0 : f->value > 0.0;
    return has_sign && (f->may_be_infinite || isfinite(f->value));
}

atemi_status atemi_joint_figures_check(const char *subject, const joint_figure *figures, int count,
                                       atemi_error *error)
{
    for (int i = 0; i < count; ++i) {
        const joint_figure *f = &figures[i];
        if (!is_fine(f)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT, "the %s of the %s is %g%s: it must be %s%s",
                              f->name, subject, f->value, f->unit,
                              f->may_be_zero ? "zero or positive" : "positive",
                              f->may_be_infinite ? "" : ", and finite");
        }
    }
    return ATEMI_OK;
}

atemi_status atemi_joint_drive_check(const atemi_joint_drive *drive, atemi_error *error)
{
    ATEMI_REQUIRE_OR(drive, ATEMI_ERROR_CONTRACT);
    const joint_figure figures[] = {
        {"resistance", " Ohm", drive->resistance, false, false},
        {"inductance", " H", drive->inductance, false, false},
        {"torque constant", " N m/A", drive->torque_constant, false, false},
        {"back EMF", " V s/rad", drive->back_emf, false, false},
        {"bus voltage", " V", drive->bus_voltage, false, false},
        {"peak current", " A", drive->peak_current, false, false},
        {"rotor inertia", " kg m^2", drive->rotor_inertia, false, false},
        {"gear", "", drive->gear, false, false},
        {"Coulomb friction", " N m", drive->coulomb, true, false},
        {"viscous friction", " N m s/rad", drive->viscous, true, false},
        {"spring", " N m/rad", drive->spring, false, true},
        {"spring damping", " N m s/rad", drive->spring_damping, true, false},
    };
    return atemi_joint_figures_check("drive", figures, (int)(sizeof figures / sizeof *figures),
                                     error);
}

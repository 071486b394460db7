// SPDX-License-Identifier: Apache-2.0

#include "impact/servo_rotors.h"

#include <math.h>
#include <string.h>

// A joint whose inertia is I while all others are free follows its servo, with the gains K and D,
// within I / D or sqrt(I / K). Where that is shorter than T, a rotor makes it T:
//
//   J = max(T D, T^2 K) - I
//
// A rotor resists the motion of its own joint alone, and what is not the reference's of that, the
// servo suppresses: other joints feel of J what happens within T. What the joint gives way by under
// a load that lasts, e' = load / D and e = load / K, does not depend on J.

static double entry(const double *list, int i)
{
    return list ? list[i] : 0.0;
}

// With all others free.
static double inertia_of(const atemi_model *model, int rate, atemi_mass_factor *factor,
                         double *work)
{
    memset(work, 0, (size_t)atemi_model_v_count(model) * sizeof *work);
    work[rate] = 1.0;
    atemi_mass_factor_solve(model, factor, work);
    return 1.0 / work[rate];
}

bool atemi_servo_rotors(const atemi_model *model, const atemi_blow_servo *servo, double lag,
                        atemi_mass_factor *factor, double *work, double *rotors)
{
    bool found = false;
    memset(rotors, 0, (size_t)atemi_model_v_count(model) * sizeof *rotors);
    for (int j = 0; j < atemi_model_joint_count(model); ++j) {
        const atemi_joint *joint = atemi_model_joint(model, j);
        const int          i = joint->first_v;
        if (joint->v_count == 1) {
            const double least =
                fmax(lag * entry(servo->damping, i), lag * lag * entry(servo->stiffness, i));
            rotors[i] = fmax(least - inertia_of(model, i, factor, work), 0.0);
            found = found || rotors[i] > 0.0;
        }
    }
    return found;
}

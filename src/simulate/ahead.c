// SPDX-License-Identifier: Apache-2.0

#include "simulate/ahead.h"

#include "contact/constrained_dynamics.h"

static void see_points(atemi_simulation *s, const double *q)
{
    atemi_kinematics_update(s->model, q, s->ahead_v, NULL, &s->kinematics);
    for (int i = 0; i < s->point_count; ++i) {
        const atemi_motion twist = atemi_link_velocity(s->model, &s->kinematics, s->points[i].link);
        s->ahead[i] = atemi_motion_at(twist, s->sightings[i].arm).linear;
    }
}

atemi_status atemi_look_ahead(atemi_simulation *s, const double *q, const double *v, double moment,
                              const bool *taking_part, const double *friction)
{
    const int            n = atemi_model_v_count(s->model);
    atemi_contact_report report;
    const atemi_status   status = atemi_constrained_dynamics_at(
        s->model, true, s->tau, s->loads, NULL, 0, &s->dynamics, s->ahead_v, NULL, &report);
    if (status) {
        return status;
    }
    for (int i = 0; i < n; ++i) {
        s->ahead_v[i] = v[i] + moment * s->ahead_v[i];
    }
    for (int i = 0; i < s->point_count; ++i) {
        s->contacts[i] =
            (atemi_contact){.link = s->points[i].link,
                            .point = s->sightings[i].touch,
                            .normal = s->sightings[i].view.normal,
                            .mode = taking_part[i] ? ATEMI_CONTACT_STICK : ATEMI_CONTACT_OPEN,
                            .friction = friction[i]};
    }
    atemi_bump(s->model, q, s->ahead_v, s->contacts, s->point_count, NULL, &s->bump, s->ahead_v,
               s->impulses, NULL);
    see_points(s, q);
    return ATEMI_OK;
}

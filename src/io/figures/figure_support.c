// SPDX-License-Identifier: Apache-2.0

#include "io/figures/figures.h"

#include <math.h>

// A contact that is closed carries the robot where it is near the ground: the first plane that is
// more level than steep. Without one, every closed contact does. The page has the same rule
// (viewer/src/contacts.ts).

static const double near_ground = 0.03; // m

static const atemi_surface *ground_of(const atemi_recording *recording)
{
    for (int i = 0; i < atemi_recording_surface_count(recording); ++i) {
        const atemi_surface *surface = &atemi_recording_surface(recording, i)->surface;
        if (surface->kind == ATEMI_SURFACE_PLANE && surface->axis.z > 0.5) {
            return surface;
        }
    }
    return NULL;
}

static bool is_near(const atemi_surface *ground, atemi_vec3 at)
{
    return !ground ||
           fabs(atemi_vec3_dot(ground->axis, atemi_vec3_sub(at, ground->position))) < near_ground;
}

void atemi_figure_support(const atemi_figure_source *source, int axis, double *least,
                          double *largest)
{
    const atemi_surface *ground = ground_of(source->recording);
    for (int k = 0; k < source->rows; ++k) {
        least[k] = largest[k] = NAN;
    }
    for (int i = 0; i < source->contacts->count; ++i) {
        const atemi_report_contact *contact = &source->contacts->contacts[i];
        const double *modes = atemi_recording_values(source->recording, contact->mode);
        for (int k = 0; k < source->rows; ++k) {
            const atemi_vec3 at = atemi_report_vector(source->recording, contact->position, k);
            if (modes[k] > 0.0 && is_near(ground, at)) {
                least[k] = fmin(least[k], axis == 0 ? at.x : at.y);
                largest[k] = fmax(largest[k], axis == 0 ? at.x : at.y);
            }
        }
    }
}

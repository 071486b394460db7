// SPDX-License-Identifier: Apache-2.0

#include "motion/humanoid_finding.h"

#include "atemi/kinematics.h"
#include "motion/bodies.h"

#include <math.h>
#include <string.h>

static const double snapped = 0.966; // cos 15 degrees: an axis that is nearer is a frame's own

const atemi_mat3 atemi_humanoid_upright = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

// ---- Names

bool atemi_humanoid_has_word(const char *name, const char *word)
{
    const size_t length = strlen(word);
    bool         found = false;
    for (; *name && !found; ++name) {
        size_t i = 0;
        while (i < length && (name[i] | 0x20) == word[i]) { // ASCII, any case
            ++i;
        }
        found = i == length;
    }
    return found;
}

// ---- Places

atemi_vec3 atemi_humanoid_place(const humanoid_finding *f, int link)
{
    return atemi_link_pose(f->outline.data, link).position;
}

double atemi_humanoid_bottom(const humanoid_finding *f, int body, bool *by_shapes)
{
    const atemi_inertia sum = atemi_outline_inertia(&f->outline, body);
    const double        joint = atemi_humanoid_place(f, body).z;
    const outline_box   shapes =
        atemi_outline_around(&f->outline, body, &atemi_humanoid_upright, ATEMI_OUTLINE_SHAPES);
    const outline_box points =
        atemi_outline_around(&f->outline, body, &atemi_humanoid_upright, ATEMI_OUTLINE_POINTS);
    *by_shapes = shapes.count + points.count > 0;
    return *by_shapes       ? fmin(joint, fmin(shapes.lower.z, points.lower.z))
           : sum.mass > 0.0 ? fmin(joint, sum.com.z)
                            : joint;
}

bool atemi_humanoid_is_end(const humanoid_finding *f, int link)
{
    return atemi_link_is_body(f->model, link) && atemi_body_children(f->model, link) == 0 &&
           atemi_body_depth(f->model, link) >= HUMANOID_LEAST_JOINTS;
}

atemi_vec3 atemi_humanoid_snap(const atemi_mat3 *axes, atemi_vec3 d)
{
    const atemi_vec3 columns[] = {axes->x, axes->y, axes->z};
    for (int i = 0; i < 3; ++i) {
        const double along = atemi_vec3_dot(columns[i], d);
        if (fabs(along) > snapped) {
            return atemi_vec3_scale(along > 0.0 ? 1.0 : -1.0, columns[i]);
        }
    }
    return d;
}

int atemi_humanoid_joints_between(const atemi_model *model, int trunk, int end)
{
    return atemi_body_depth(model, end) - atemi_body_depth(model, trunk);
}

bool atemi_humanoid_find_site(const humanoid_finding *f, int body, int *site)
{
    double largest = 0.0;
    for (int i = 0; i < atemi_model_site_count(f->model); ++i) {
        const atemi_site *s = atemi_model_site(f->model, i);
        const double      area = s->size_x * s->size_y;
        if (atemi_body_of(f->model, s->link) == body && area > largest) {
            largest = area;
            *site = i;
        }
    }
    return largest > 0.0;
}

double atemi_humanoid_rounded(double x)
{
    return floor(1e4 * x + 0.5) / 1e4;
}

atemi_vec3 atemi_humanoid_rounded_place(atemi_vec3 p)
{
    return (atemi_vec3){atemi_humanoid_rounded(p.x), atemi_humanoid_rounded(p.y),
                        atemi_humanoid_rounded(p.z)};
}

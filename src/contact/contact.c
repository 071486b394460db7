// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"

#include "atemi/base.h"
#include "atemi/support.h"

atemi_contact atemi_contact_default(void)
{
    return (atemi_contact){.normal = {0.0, 0.0, 1.0}, .mode = ATEMI_CONTACT_SLIP};
}

int atemi_site_points(const atemi_model *model, const int *sites, int count,
                      atemi_contact_point *points)
{
    ATEMI_REQUIRE_OR(model && count >= 0 && (count == 0 || (sites && points)), 0);
    const atemi_transform here = atemi_transform_identity();
    int                   found = 0;
    for (int i = 0; i < count; ++i) {
        ATEMI_REQUIRE_OR(sites[i] >= 0 && sites[i] < atemi_model_site_count(model), found);
        const atemi_site *site = atemi_model_site(model, sites[i]);
        atemi_vec3        corners[4]; // the most that atemi_site_corners() gives
        const int         some = atemi_site_corners(site, &here, corners);
        for (int k = 0; k < some; ++k) {
            points[found++] = (atemi_contact_point){site->link, corners[k]};
        }
    }
    return found;
}

const char *atemi_contact_mode_text(atemi_contact_mode mode)
{
    switch (mode) {
    case ATEMI_CONTACT_OPEN:
        return "open";
    case ATEMI_CONTACT_STICK:
        return "stick";
    case ATEMI_CONTACT_SLIP:
        return "slip";
    case ATEMI_CONTACT_SURFACE:
        return "surface";
    case ATEMI_CONTACT_SOFT:
        return "soft";
    }
    return "unknown";
}

// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"

atemi_contact atemi_contact_default(void)
{
    return (atemi_contact){.normal = {0.0, 0.0, 1.0}, .mode = ATEMI_CONTACT_SLIP};
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

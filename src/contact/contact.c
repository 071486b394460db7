// SPDX-License-Identifier: Apache-2.0

#include "atemi/contact.h"

atemi_contact atemi_contact_default(void)
{
    return (atemi_contact){.normal = {0.0, 0.0, 1.0}, .mode = ATEMI_CONTACT_SLIP};
}

int atemi_contact_row_count(atemi_contact_mode mode)
{
    switch (mode) {
    case ATEMI_CONTACT_OPEN:
    case ATEMI_CONTACT_SOFT:
        return 0;
    case ATEMI_CONTACT_STICK:
        return 3;
    case ATEMI_CONTACT_SLIP:
        return 1;
    case ATEMI_CONTACT_SURFACE:
        return 6;
    }
    return 0;
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

// SPDX-License-Identifier: Apache-2.0

#include "atemi/version.h"

#include "check.h"

#include <stdio.h>

TEST(version, of_library_headers_and_numbers_is_the_same)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", ATEMI_VERSION_MAJOR, ATEMI_VERSION_MINOR,
             ATEMI_VERSION_PATCH);
    CHECK_EQUAL_STRING(ATEMI_VERSION, text);
    CHECK_EQUAL_STRING(atemi_version(), text);
    CHECK_EQUAL_INT(ATEMI_VERSION_NUMBER,
                    ATEMI_VERSION_MAJOR * 10000 + ATEMI_VERSION_MINOR * 100 + ATEMI_VERSION_PATCH);
}

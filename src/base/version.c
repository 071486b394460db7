// SPDX-License-Identifier: Apache-2.0

#include "atemi/version.h"

const char *atemi_version(void)
{
    return ATEMI_VERSION;
}

// SPDX-License-Identifier: Apache-2.0

#include <atemi/atemi.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    if (strcmp(atemi_version(), ATEMI_VERSION) != 0) {
        fprintf(stderr, "headers %s, library %s\n", ATEMI_VERSION, atemi_version());
        return 1;
    }

    atemi_error  error;
    atemi_model *model = NULL;
    if (atemi_robots_load("two_link", NULL, &model, &error) != ATEMI_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    atemi_model_destroy(model);
    printf("atemi %s\n", atemi_version());
    return 0;
}

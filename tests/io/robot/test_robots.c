// SPDX-License-Identifier: Apache-2.0

#include "atemi/robots.h"
#include "check.h"

#include <string.h>

TEST(robots, are_listed_in_alphabetical_order)
{
    CHECK(atemi_robots_count() >= 4);
    for (int i = 1; i < atemi_robots_count(); ++i) {
        CHECK(strcmp(atemi_robots_name(i - 1), atemi_robots_name(i)) < 0);
    }
}

TEST(robots, all_load)
{
    for (int i = 0; i < atemi_robots_count(); ++i) {
        atemi_model *model;
        atemi_error  error = {0};
        atemi_robots_load(atemi_robots_name(i), NULL, &model, &error);
        CHECK_EQUAL_STRING(error.message, "");
        CHECK_EQUAL_STRING(atemi_model_name(model), atemi_robots_name(i));
        CHECK(atemi_model_mass(model) > 0.0);
        atemi_model_destroy(model);
    }
}

TEST(robots, show_their_urdf)
{
    size_t      size = 0;
    const char *text = atemi_robots_urdf("two_link", &size);
    CHECK(text && strlen(text) == size);
    CHECK_CONTAINS(text, "<robot name=\"two_link\"");
    CHECK(!atemi_robots_urdf("no_such_robot", &size));
    CHECK_EQUAL_INT(size, 0);
}

TEST(robots, that_are_unknown_lead_to_those_that_are_known)
{
    atemi_model *model;
    atemi_error  error;
    CHECK_STATUS(atemi_robots_load("hrp2like", NULL, &model, &error), ATEMI_ERROR_NOT_FOUND);
    CHECK(!model);
    CHECK_CONTAINS(error.message, "did you mean 'hrp2_like'?");
    CHECK_CONTAINS(error.message, "three_link, two_link");

    CHECK_STATUS(atemi_robots_load("asimo", NULL, &model, &error), ATEMI_ERROR_NOT_FOUND);
    CHECK(!strstr(error.message, "did you mean"));

    char long_name[5000];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    CHECK_STATUS(atemi_robots_load(long_name, NULL, &model, &error), ATEMI_ERROR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "two_link");
    CHECK_STATUS(atemi_robots_load("", NULL, &model, NULL), ATEMI_ERROR_NOT_FOUND);
}

TEST(robots, are_asked_for_within_bounds)
{
    atemi_model *model;
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_robots_name(-1)));
    CHECK_BREAKS_CONTRACT(CHECK(!atemi_robots_name(atemi_robots_count())));
    CHECK_BREAKS_CONTRACT(atemi_robots_load(NULL, NULL, &model, NULL));
}

// SPDX-License-Identifier: Apache-2.0

#include "io/syntax/suggestion.h"

#include "check.h"

static const char *const names[] = {"friction", "restitution", "radius", "mass", "right_knee"};

static const char *name_at(const void *collection, int index)
{
    return ((const char *const *)collection)[index];
}

static const char *meant(const char *word)
{
    const char *found = atemi_suggestion_find(word, 5, name_at, names);
    return found ? found : "nothing";
}

TEST(suggestion, is_the_name_that_was_mistyped)
{
    CHECK_EQUAL_STRING(meant("frction"), "friction");
    CHECK_EQUAL_STRING(meant("mas"), "mass");
    CHECK_EQUAL_STRING(meant("masss"), "mass");
    CHECK_EQUAL_STRING(meant("right_kene"), "right_knee");
}

TEST(suggestion, is_the_name_that_was_begun)
{
    CHECK_EQUAL_STRING(meant("restit"), "restitution");
    CHECK_EQUAL_STRING(meant("right"), "right_knee");
}

TEST(suggestion, is_none_for_another_word)
{
    CHECK_EQUAL_STRING(meant("torque"), "nothing");
    CHECK_EQUAL_STRING(meant("x"), "nothing");
    CHECK(!atemi_suggestion_find("mass", 0, name_at, names));
}

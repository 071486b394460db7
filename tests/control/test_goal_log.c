// SPDX-License-Identifier: Apache-2.0

#include "control/goal_log.h"

#include "check.h"

#include <stddef.h>

TEST(goal_log, keeps_the_newest)
{
    atemi_goal_record records[3];
    atemi_goal_log    log = atemi_goal_log_over(records, 3);
    for (int i = 1; i <= 5; ++i) {
        CHECK_EQUAL_INT(atemi_goal_log_begin(&log, ATEMI_MOTION_NODES, ATEMI_SOURCE_USER, i), i);
    }
    CHECK(!atemi_goal_log_find(&log, 2));
    CHECK_NEAR(atemi_goal_log_find(&log, 3)->begun, 3.0, 0.0);
    CHECK_NEAR(atemi_goal_log_find(&log, 5)->begun, 5.0, 0.0);
    CHECK(!atemi_goal_log_find(&log, 6) && !atemi_goal_log_find(&log, 0));
}

TEST(goal_log, counts_without_memory)
{
    atemi_goal_log log = atemi_goal_log_over(NULL, 0);
    CHECK_EQUAL_INT(atemi_goal_log_begin(&log, ATEMI_MOTION_JOINTS, ATEMI_SOURCE_USER, 0.0), 1);
    CHECK_EQUAL_INT(atemi_goal_log_begin(&log, ATEMI_MOTION_JOINTS, ATEMI_SOURCE_USER, 0.0), 2);
    CHECK(!atemi_goal_log_find(&log, 2));
}

TEST(goal_log, has_words_for_every_outcome)
{
    CHECK_EQUAL_STRING(atemi_goal_outcome_text(ATEMI_OUTCOME_ACTIVE), "active");
    CHECK_EQUAL_STRING(atemi_goal_outcome_text(ATEMI_OUTCOME_OUT_OF_REACH), "out of reach");
    CHECK_EQUAL_STRING(atemi_goal_outcome_text(ATEMI_OUTCOME_FAULT), "fault");
    CHECK_BREAKS_CONTRACT(atemi_goal_outcome_text((atemi_goal_outcome)99));
}

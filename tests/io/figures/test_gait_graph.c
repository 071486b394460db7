// SPDX-License-Identifier: Apache-2.0

#include "io/figures/gait_graph.h"

#include "atemi/base.h"
#include "atemi/walk.h"
#include "check.h"
#include "io/bytes/file.h"
#include "texts.h"

#include <string.h>

TEST(gait_graph, prints_every_state_and_every_arrow_with_its_condition)
{
    atemi_text text = {0};
    atemi_gait_graph_print(&text);
    CHECK(!text.failed);
    CHECK_EQUAL_INT(count_of(text.bytes, " -> "), ATEMI_FOOT_STATES * (ATEMI_FOOT_STATES - 1));
    CHECK_CONTAINS(text.bytes, "air         -> heel stick  heel reaches the floor\n");
    CHECK_CONTAINS(text.bytes, "sole stick  -> toe stick   normal force of the heel vanishes\n");
    CHECK_CONTAINS(text.bytes, "heel slip   -> sole stick  toe reaches the floor; sliding speed "
                               "vanishes\n");
    for (int i = 0; i < ATEMI_FOOT_STATES; ++i) {
        CHECK_CONTAINS(text.bytes, atemi_foot_state_text((atemi_foot_state)i));
    }
    atemi_text_destroy(&text);
}

TEST(gait_graph, draws_the_arrows_by_which_one_thing_changes)
{
    atemi_figure figure;
    atemi_gait_graph_draw(&figure);
    CHECK(!figure.text.failed);
    CHECK_EQUAL_INT(count_of(figure.text.bytes, "<path"), 30);
    CHECK_EQUAL_INT(count_of(figure.text.bytes, "<rect"), 1 + ATEMI_FOOT_STATES);
    for (int i = ATEMI_GUARD_HEEL_GAP; i <= ATEMI_GUARD_SPEED; ++i) {
        CHECK_CONTAINS(figure.text.bytes, atemi_gait_guard_text((atemi_gait_guard)i));
    }
    atemi_text_destroy(&figure.text);
}

TEST(gait_graph, is_the_picture_of_the_documentation)
{
    atemi_figure figure;
    char        *bytes;
    size_t       size;
    atemi_gait_graph_draw(&figure);
    CHECK_STATUS(atemi_file_read(ATEMI_SOURCE_DIR "/docs/figures/gait_states.svg", 1 << 20, &bytes,
                                 &size, NULL),
                 ATEMI_OK);
    CHECK_EQUAL_INT(size, figure.text.size);
    CHECK(memcmp(bytes, figure.text.bytes, size) == 0);
    atemi_release(bytes);
    atemi_text_destroy(&figure.text);
}

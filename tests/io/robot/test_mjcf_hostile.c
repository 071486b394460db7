// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_gettime
#endif

#include "atemi/robots.h"
#include "check.h"
#include "instrumented.h"
#include "io/bytes/text.h"

#include <time.h>

// Files made to hurt. Each must end in a model or in a refusal, quickly. The bound on time is
// generous: sanitizers slow the reader down, and other work may share the machine.

#if defined(UNDER_VALGRIND)
static const double most_seconds = 400.0;
#else
static const double most_seconds = 20.0;
#endif

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Reads and releases the text.
static atemi_error try_to_read(atemi_text *text)
{
    const double       start = now();
    atemi_error        error = {0};
    atemi_model       *model;
    const atemi_status status =
        atemi_urdf_parse(text->bytes, text->size, "hostile.xml", NULL, &model, &error);
    CHECK_STATUS(error.status, status);
    CHECK((status == ATEMI_OK) == (model != NULL));
    atemi_model_destroy(model);
    atemi_text_destroy(text);
    CHECK(now() - start < most_seconds);
    return error;
}

static void put_times(atemi_text *text, int count, const char *string)
{
    for (int i = 0; i < count; ++i) {
        atemi_text_put_string(text, string);
    }
}

TEST(mjcf_hostile, many_bodies_are_read)
{
    atemi_text text = {0};
    atemi_text_put_string(&text, "<mujoco><worldbody>");
    put_times(&text, 90000, "<body><joint/><geom size='1'/></body>");
    atemi_text_put_string(&text, "</worldbody></mujoco>");
    CHECK_STATUS(try_to_read(&text).status, ATEMI_OK);
}

TEST(mjcf_hostile, deep_bodies_are_read_up_to_the_depth_of_xml)
{
    atemi_text text = {0};
    atemi_text_put_string(&text, "<mujoco><worldbody>");
    put_times(&text, 250, "<body><joint/><geom size='1'/>");
    put_times(&text, 250, "</body>");
    atemi_text_put_string(&text, "</worldbody></mujoco>");
    CHECK_STATUS(try_to_read(&text).status, ATEMI_OK);
    atemi_text_put_string(&text, "<mujoco><worldbody>");
    put_times(&text, 300, "<body>");
    CHECK_STATUS(try_to_read(&text).status, ATEMI_ERROR_LIMIT);
}

TEST(mjcf_hostile, more_elements_than_are_read_are_refused)
{
    atemi_text text = {0};
    atemi_text_put_string(&text, "<mujoco><worldbody><body>");
    put_times(&text, 300000, "<geom size='1'/>");
    const atemi_error error = try_to_read(&text);
    CHECK_STATUS(error.status, ATEMI_ERROR_LIMIT);
    CHECK_CONTAINS(error.message, "300000 elements");
}

TEST(mjcf_hostile, many_geoms_in_deep_frames_and_classes_are_quick)
{
    atemi_text text = {0};
    atemi_text_put_string(&text, "<mujoco><default>");
    for (int i = 0; i < 200; ++i) {
        atemi_text_append(&text, "<default class='c%d'><geom pos='0 0 %d'/>", i, i);
    }
    put_times(&text, 200, "</default>");
    atemi_text_put_string(&text, "</default><worldbody><body><freejoint/>");
    put_times(&text, 200, "<frame pos='0 0 1' euler='1 2 3'>");
    put_times(&text, 100000, "<geom size='1' class='c199'/>");
    put_times(&text, 200, "</frame>");
    atemi_text_put_string(&text, "</body></worldbody></mujoco>");
    CHECK_STATUS(try_to_read(&text).status, ATEMI_OK);
}

TEST(mjcf_hostile, too_many_classes_and_unknown_words_are_refused)
{
    atemi_text text = {0};
    atemi_text_put_string(&text, "<mujoco><default>");
    for (int i = 0; i < 3000; ++i) {
        atemi_text_append(&text, "<default class='c%d'/>", i);
    }
    atemi_text_put_string(&text, "</default></mujoco>");
    CHECK_CONTAINS(try_to_read(&text).message, "classes");
    atemi_text_put_string(&text, "<mujoco>");
    for (int i = 0; i < 3000; ++i) {
        atemi_text_append(&text, "<x%d/>", i);
    }
    atemi_text_put_string(&text, "</mujoco>");
    CHECK_CONTAINS(try_to_read(&text).message, "kinds of elements");
}

TEST(mjcf_hostile, many_keys_are_refused_before_they_fill_the_memory)
{
    atemi_text text = {0};
    atemi_text_put_string(&text, "<mujoco><worldbody>");
    put_times(&text, 1000, "<body><joint/><geom size='1'/></body>");
    atemi_text_put_string(&text, "</worldbody><keyframe>");
    for (int i = 0; i < 1000; ++i) {
        atemi_text_put_string(&text, "<key qpos='");
        put_times(&text, 1000, "0 ");
        atemi_text_put_string(&text, "'/>");
    }
    atemi_text_put_string(&text, "</keyframe></mujoco>");
    CHECK_STATUS(try_to_read(&text).status, ATEMI_ERROR_LIMIT);
}

// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_gettime
#endif

#include "atemi/robots.h"
#include "check.h"
#include "instrumented.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Files made to hurt. Each must end in a model or in a refusal, quickly. The bound on time is
// generous: sanitizers slow the reader down, and other work may share the machine.

#if defined(UNDER_VALGRIND)
static const double most_seconds = 400.0;
#else
static const double most_seconds = 20.0;
#endif

// Text that grows.
typedef struct text {
    char  *bytes;
    size_t size, capacity;
} text;

static void *no_less(void *memory)
{
    if (!memory) {
        abort();
    }
    return memory;
}

static void append(text *to, const char *format, ...) ATEMI_PRINTF(2, 3);

static void append(text *to, const char *format, ...)
{
    enum { MOST = 4096 };
    if (to->capacity - to->size < MOST) {
        to->capacity = 2 * to->capacity + MOST;
        to->bytes = (char *)no_less(realloc(to->bytes, to->capacity));
    }
    va_list arguments;
    va_start(arguments, format);
    to->size += (size_t)vsnprintf(to->bytes + to->size, MOST, format, arguments);
    va_end(arguments);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Reads and releases the text.
static atemi_error try_to_read(text *from)
{
    const double       start = now();
    atemi_error        error = {0};
    atemi_model       *model;
    const atemi_status status =
        atemi_urdf_parse(from->bytes, from->size, "hostile.urdf", NULL, &model, &error);
    CHECK_STATUS(error.status, status);
    CHECK((status == ATEMI_OK) == (model != NULL));
    atemi_model_destroy(model);
    free(from->bytes);
    CHECK(now() - start < most_seconds);
    return error;
}

static void check_limit(text *from, const char *part)
{
    const atemi_error error = try_to_read(from);
    CHECK_STATUS(error.status, ATEMI_ERROR_LIMIT);
    CHECK_CONTAINS(error.message, part);
}

static void append_links(text *to, int count)
{
    for (int i = 0; i < count; ++i) {
        append(to,
               "<link name='l%d'><inertial><mass value='1'/>"
               "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>\n",
               i);
    }
}

static void append_joint(text *to, int parent, int child)
{
    append(to,
           "<joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/></joint>\n",
           child, parent, child);
}

TEST(urdf_hostile, star_of_100000_links_is_read)
{
    text star = {0};
    append(&star, "<robot name='star'>");
    append_links(&star, 100000);
    for (int i = 1; i < 100000; ++i) {
        append_joint(&star, 0, i);
    }
    append(&star, "</robot>");
    CHECK_EQUAL_STRING(try_to_read(&star).message, "");
}

TEST(urdf_hostile, chain_of_100000_links_is_read_in_any_order)
{
    text chain = {0};
    append(&chain, "<robot name='chain'>");
    for (int i = 99999; i > 0; --i) {
        append_joint(&chain, i - 1, i);
    }
    append_links(&chain, 100000);
    append(&chain, "</robot>");
    CHECK_EQUAL_STRING(try_to_read(&chain).message, "");
}

TEST(urdf_hostile, number_of_links_is_limited)
{
    text links = {0};
    append(&links, "<robot name='r'>");
    for (int i = 0; i <= ATEMI_MAX_LINKS; ++i) {
        append(&links, "<link name='a'/>");
    }
    check_limit(&links, "more links");
}

TEST(urdf_hostile, billion_laughs_are_refused)
{
    text laughs = {0};
    append(&laughs, "<!DOCTYPE r [<!ENTITY a0 'ha'>");
    for (int i = 1; i < 10; ++i) {
        append(&laughs, "<!ENTITY a%d '&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;'>", i, i - 1, i - 1,
               i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    append(&laughs, "]><robot name='&a9;'/>");
    const atemi_error error = try_to_read(&laughs);
    CHECK_STATUS(error.status, ATEMI_ERROR_INPUT);
    CHECK_CONTAINS(error.message, "DOCTYPE");
}

// A default attribute repeats its value in every element, much as an entity does.
TEST(urdf_hostile, quadratic_blowups_are_refused)
{
    text defaults = {0};
    append(&defaults, "<!DOCTYPE r [<!ATTLIST origin xyz CDATA '%01000d'>]><robot name='r'>", 0);
    for (int i = 0; i < 100000; ++i) {
        append(&defaults, "<link name='a'><visual><origin/></visual></link>");
    }
    CHECK_CONTAINS(try_to_read(&defaults).message, "DOCTYPE");
}

TEST(urdf_hostile, external_declarations_are_not_fetched)
{
    text outside = {0};
    append(&outside, "<!DOCTYPE robot SYSTEM 'file:///dev/zero'><robot name='r'>");
    append_links(&outside, 1);
    append(&outside, "</robot>");
    CHECK_EQUAL_STRING(try_to_read(&outside).message, "");
}

TEST(urdf_hostile, file_of_100_megabytes_is_refused)
{
    text large = {.size = 100u << 20};
    large.bytes = (char *)no_less(malloc(large.size));
    memset(large.bytes, ' ', large.size);
    check_limit(&large, "64 MiB");
}

TEST(urdf_hostile, tag_without_end_is_refused)
{
    text tag = {.size = 60u << 20};
    tag.bytes = (char *)no_less(malloc(tag.size));
    memset(tag.bytes, 'a', tag.size);
    tag.bytes[0] = '<';
    check_limit(&tag, "1 MiB");
}

TEST(urdf_hostile, deep_nesting_is_refused)
{
    text deep = {0};
    append(&deep, "<robot name='r'>");
    for (int i = 0; i < 1000000; ++i) {
        append(&deep, "<a>");
    }
    check_limit(&deep, "inside each other");
}

TEST(urdf_hostile, nesting_of_known_elements_goes_no_deeper_than_they_do)
{
    const char *const names[] = {"robot",    "link",  "visual",   "geometry",
                                 "material", "joint", "actuator", "transmission"};
    text              nest = {0};
    append(&nest, "<robot name='r'>");
    for (int i = 0; i < 200; ++i) {
        append(&nest, "<%s name='a' type='fixed'>", names[i / 4 % 8]);
    }
    CHECK_STATUS(try_to_read(&nest).status, ATEMI_ERROR_SYNTAX); // cut off, and no worse

    text actuators = {0};
    append(&actuators, "<robot name='r'><transmission>");
    for (int i = 0; i < 200; ++i) {
        append(&actuators, "<actuator>");
    }
    CHECK_STATUS(try_to_read(&actuators).status, ATEMI_ERROR_SYNTAX);
}

TEST(urdf_hostile, names_that_urdf_does_not_have_are_limited)
{
    text elements = {0}, attributes = {0};
    append(&elements, "<robot name='r'>");
    append(&attributes, "<robot name='r'>");
    for (int i = 0; i < 1000000; ++i) {
        append(&elements, "<e%d/>", i);
        append(&attributes, "<link name='l' a%d='' b%d=''/>", i, i);
    }
    check_limit(&elements, "does not have");
    check_limit(&attributes, "");
}

TEST(urdf_hostile, shapes_meshes_and_postures_are_limited)
{
    text shapes = {0}, postures = {0};
    append(&shapes, "<robot name='r'><link name='a'>");
    append(&postures, "<robot name='r'>");
    for (int i = 0; i < 400001; ++i) {
        append(&shapes, "<visual><geometry><mesh filename='package://p%d/x'/></geometry></visual>",
               i);
        append(&postures, "<atemi:posture name='p' joints='a=1'/>");
    }
    check_limit(&shapes, "more shapes");
    check_limit(&postures, "more values");
}

TEST(urdf_hostile, meshes_by_the_hundred_thousand_cost_little)
{
    text meshes = {0};
    append(&meshes, "<robot name='r'>");
    append_links(&meshes, 1);
    meshes.size -= strlen("</link>\n");
    for (int i = 0; i < 300000; ++i) {
        append(&meshes, "<visual><geometry><mesh filename='/no/%d'/></geometry></visual>", i);
    }
    append(&meshes, "</link></robot>");
    CHECK_EQUAL_STRING(try_to_read(&meshes).message, "");
}

TEST(urdf_hostile, names_are_limited_in_length)
{
    text named = {0};
    append(&named, "<robot name='r'><link name='%01025d'/></robot>", 1);
    check_limit(&named, "255 bytes");
    text robot = {0};
    append(&robot, "<robot name='%01025d'/>", 1);
    check_limit(&robot, "255 bytes");
}

TEST(urdf_hostile, numbers_of_a_million_digits_are_read)
{
    text number = {0};
    append(&number, "<robot name='r'><link name='a'><inertial><mass value='0.");
    for (int i = 0; i < 1000; ++i) {
        append(&number, "%01000d", 1);
    }
    append(&number, "'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
                    "</link></robot>");
    CHECK_EQUAL_STRING(try_to_read(&number).message, "");
}

// SPDX-License-Identifier: Apache-2.0

#include "io/syntax/xml_reader.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

// What the elements say, one after the other.
typedef struct listener {
    char heard[500];
    int  refuse; ///< the element with this number, from 1 on
    int  count;
} listener;

static void hear(listener *l, const char *text)
{
    strncat(l->heard, text, sizeof l->heard - strlen(l->heard) - 1);
}

static atemi_status on_start(void *context, const atemi_xml_element *element)
{
    listener   *l = (listener *)context;
    char        text[100];
    const char *a = atemi_xml_attribute(element, "a");
    snprintf(text, sizeof text, "<%s a=%s %d:%d>", element->name, a ? a : "-", element->place.line,
             element->place.column);
    hear(l, text);
    return ++l->count == l->refuse ? ATEMI_ERROR_INPUT : ATEMI_OK;
}

static atemi_status on_end(void *context)
{
    hear((listener *)context, "</>");
    return ATEMI_OK;
}

static atemi_status read(const char *text, listener *l, atemi_error *error)
{
    const atemi_xml_handler handler = {.start = on_start, .end = on_end, .context = l};
    return atemi_xml_read(text, strlen(text), "x.xml", &handler, error);
}

TEST(xml_reader, hands_over_elements_with_their_places)
{
    listener l = {.refuse = 0};
    CHECK_STATUS(read("<r a='1'>\n  <s b='2'/><t:u a='&lt;'/>\n</r>", &l, NULL), ATEMI_OK);
    CHECK_EQUAL_STRING(l.heard, "<r a=1 1:1><s a=- 2:3></><t:u a=< 2:13></></>");
}

TEST(xml_reader, ends_where_an_element_is_refused)
{
    listener    l = {.refuse = 2};
    atemi_error error = {0};
    CHECK_STATUS(read("<r><s/><t/></r>", &l, &error), ATEMI_ERROR_INPUT);
    CHECK_EQUAL_INT(l.count, 2);
}

static void check_refused(const char *text, int line)
{
    listener    l = {.refuse = 0};
    atemi_error error = {0};
    CHECK(read(text, &l, &error) != ATEMI_OK);
    CHECK_EQUAL_STRING(error.file, "x.xml");
    CHECK_EQUAL_INT(error.line, line);
}

TEST(xml_reader, refuses_broken_xml_and_entities_with_their_line)
{
    check_refused("<r>\n<s></r>", 2);
    check_refused("<r a=1/>", 1);
    check_refused("\n<!DOCTYPE r [<!ENTITY e 'x'>]>\n<r>&e;</r>", 2);
}

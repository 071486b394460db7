// SPDX-License-Identifier: Apache-2.0

#include "io/syntax/xml_reader.h"

#include "atemi/base.h"

#include <expat.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// expat keeps the bytes it was given until a tag is complete, so it is fed in portions; with the
// length of tags bounded beforehand, its memory is bounded too.

enum { PORTION = 1 << 18, SHOWN_NAME = 48 };

// An element that is not closed yet, for messages about tags that do not match.
typedef struct open_element {
    char name[SHOWN_NAME];
    int  line;
} open_element;

typedef struct xml_reader {
    XML_Parser               parser;
    const atemi_xml_handler *handler;
    const char              *file;
    atemi_error             *error;
    atemi_status             status;
    int                      element_count;
    int                      depth;
    open_element             open[ATEMI_XML_MAX_DEPTH]; ///< is_within_limits() refuses more
} xml_reader;

static atemi_place current_place(const xml_reader *reader)
{
    const atemi_place place = {(int)XML_GetCurrentLineNumber(reader->parser),
                               (int)XML_GetCurrentColumnNumber(reader->parser) + 1};
    return place;
}

static void stop(xml_reader *reader, atemi_status status)
{
    reader->status = status;
    XML_StopParser(reader->parser, XML_FALSE);
}

static void refuse(xml_reader *reader, atemi_status status, const char *message)
{
    const atemi_place place = current_place(reader);
    atemi_fail(reader->error, status, "%s", message);
    atemi_error_locate(reader->error, reader->file, place.line, place.column);
    stop(reader, status);
}

static bool is_within_limits(xml_reader *reader)
{
    if (reader->depth >= ATEMI_XML_MAX_DEPTH) {
        refuse(reader, ATEMI_ERROR_LIMIT,
               "more than 256 elements inside each other; a URDF needs less than ten");
        return false;
    }
    if (reader->element_count >= ATEMI_XML_MAX_ELEMENTS) {
        refuse(reader, ATEMI_ERROR_LIMIT,
               "more than 3000000 elements, the limit; check that this is the right "
               "file");
        return false;
    }
    return true;
}

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    xml_reader *reader = (xml_reader *)data;
    if (reader->status || !is_within_limits(reader)) {
        return;
    }
    const atemi_xml_element element = {name, attributes, current_place(reader)};
    open_element           *open = &reader->open[reader->depth];
    snprintf(open->name, sizeof open->name, "%s", name);
    open->line = element.place.line;
    ++reader->depth;
    ++reader->element_count;

    const atemi_status status = reader->handler->start(reader->handler->context, &element);
    if (status) {
        stop(reader, status);
    }
}

static void XMLCALL on_end(void *data, const XML_Char *name)
{
    xml_reader *reader = (xml_reader *)data;
    (void)name;
    if (reader->status) {
        return;
    }
    --reader->depth;
    const atemi_status status = reader->handler->end(reader->handler->context);
    if (status) {
        stop(reader, status);
    }
}

static void XMLCALL on_text(void *data, const XML_Char *text, int length)
{
    xml_reader *reader = (xml_reader *)data;
    if (!reader->status) {
        reader->handler->text(reader->handler->context, text, length);
    }
}

// Entities and default attributes are the ways in which a small file becomes a large one.
static void XMLCALL on_doctype(void *data, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public_name, int has_declarations)
{
    xml_reader *reader = (xml_reader *)data;
    (void)name;
    (void)system;
    (void)public_name;
    if (has_declarations && !reader->status) {
        refuse(reader, ATEMI_ERROR_INPUT,
               "<!DOCTYPE> declares entities or attributes, which are not read from files that "
               "may come from anywhere; remove the declarations and write out what they stand for");
    }
}

static const char *syntax_text(enum XML_Error code)
{
    switch (code) {
    case XML_ERROR_INVALID_TOKEN:
        return "this is not XML: a stray '<' or '&', a missing quote, or bytes that are not UTF-8";
    case XML_ERROR_SYNTAX:
        return "this is not XML; a tag looks like <link name=\"arm\"> or <link name=\"arm\"/>";
    case XML_ERROR_UNCLOSED_TOKEN:
        return "the tag or comment that begins here never ends; the file was cut off, or a '>' is "
               "missing";
    case XML_ERROR_UNCLOSED_CDATA_SECTION:
        return "the file ends inside <![CDATA[; close it with ]]>";
    case XML_ERROR_PARTIAL_CHAR:
        return "the file ends in the middle of a character; it was cut off";
    case XML_ERROR_DUPLICATE_ATTRIBUTE:
        return "an attribute appears twice in one tag; remove one of them";
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        return "there is more after the end of the root element; a file holds one <robot> and "
               "nothing after it";
    case XML_ERROR_UNDEFINED_ENTITY:
        return "an entity that XML does not know; write & as &amp; and < as &lt;";
    case XML_ERROR_BAD_CHAR_REF:
        return "a character number that XML does not allow";
    case XML_ERROR_MISPLACED_XML_PI:
        return "<?xml ... ?> must come first in a file; remove what is before it, blank "
               "lines and spaces included";
    case XML_ERROR_UNKNOWN_ENCODING:
        return "an encoding that is not supported; save the file as UTF-8";
    case XML_ERROR_INCORRECT_ENCODING:
        return "the file is not in the encoding that it declares; save it as UTF-8 and declare "
               "encoding=\"UTF-8\"";
    default:
        return NULL;
    }
}

static void fail_on_open_element(xml_reader *reader, enum XML_Error code)
{
    const open_element *open = &reader->open[reader->depth - 1];
    const bool          mismatch = code == XML_ERROR_TAG_MISMATCH;
    char                message[SHOWN_NAME + 128];
    snprintf(message, sizeof message, "%s <%s> of line %d; %s",
             mismatch ? "this closing tag does not match" : "the file ends inside", open->name,
             open->line,
             mismatch ? "close that first" : "it was cut off, or a closing tag is missing");
    refuse(reader, ATEMI_ERROR_SYNTAX, message);
}

static void fail_on_syntax(xml_reader *reader)
{
    const enum XML_Error code = XML_GetErrorCode(reader->parser);
    const char          *text = syntax_text(code);
    if (code == XML_ERROR_NO_MEMORY) {
        refuse(reader, ATEMI_ERROR_MEMORY, "no memory to read XML");
    } else if (text) {
        refuse(reader, ATEMI_ERROR_SYNTAX, text);
    } else if (reader->depth > 0 &&
               (code == XML_ERROR_TAG_MISMATCH || code == XML_ERROR_NO_ELEMENTS)) {
        fail_on_open_element(reader, code);
    } else if (code == XML_ERROR_NO_ELEMENTS) {
        refuse(reader, ATEMI_ERROR_SYNTAX, "there is no element in the file; a URDF has a <robot>");
    } else {
        refuse(reader, ATEMI_ERROR_SYNTAX, XML_ErrorString(code));
    }
}

static void feed(xml_reader *reader, const char *text, size_t size)
{
    for (size_t done = 0; done < size && !reader->status;) {
        const size_t left = size - done;
        const int    portion = left < PORTION ? (int)left : PORTION;
        const bool   last = (size_t)portion == left;
        if (XML_Parse(reader->parser, text + done, portion, last) == XML_STATUS_ERROR &&
            !reader->status) {
            fail_on_syntax(reader);
        }
        done += (size_t)portion;
    }
}

static void connect(xml_reader *reader)
{
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(reader->parser, on_doctype);
    if (reader->handler->text) {
        XML_SetCharacterDataHandler(reader->parser, on_text);
    }
}

static atemi_place place_of(const char *text, const char *position)
{
    atemi_place place = {1, 1};
    for (const char *at = text; at < position; ++at) {
        place.column = *at == '\n' ? 1 : place.column + 1;
        place.line += *at == '\n';
    }
    return place;
}

static atemi_status refuse_long_tag(const char *text, const char *tag, const char *file,
                                    atemi_error *error)
{
    const atemi_place place = place_of(text, tag);
    atemi_fail(
        error, ATEMI_ERROR_LIMIT,
        "the tag, comment or text that begins here is longer than 1 MiB; no robot needs that");
    atemi_error_locate(error, file, place.line, place.column);
    return ATEMI_ERROR_LIMIT;
}

// Up to the first '>' that is not in quotes; of comments and their like all of it.
static ptrdiff_t length_of_tag(const char *tag, const char *next)
{
    char        quote = '\0';
    const char *at = tag + 1;
    if (at < next && (*at == '!' || *at == '?')) {
        return next - tag;
    }
    for (; at < next && (quote || *at != '>'); ++at) {
        if (quote ? *at == quote : *at == '"' || *at == '\'') {
            quote = quote ? '\0' : *at;
        }
    }
    return at - tag;
}

// XML allows no '<' inside a tag, so no tag is longer than the way from one '<' to the next. Text
// behind it, which is not kept together, may be long where somebody wants it.
static atemi_status check_tag_lengths(const char *text, size_t size, bool wants_text,
                                      const char *file, atemi_error *error)
{
    const char *end = text + size;
    for (const char *tag = text; tag < end;) {
        const char *next = (const char *)memchr(tag + 1, '<', (size_t)(end - tag) - 1);
        next = next ? next : end;
        if ((wants_text ? length_of_tag(tag, next) : next - tag) > ATEMI_XML_MAX_TAG) {
            return refuse_long_tag(text, tag, file, error);
        }
        tag = next;
    }
    return ATEMI_OK;
}

static atemi_status check_size(const char *text, size_t size, bool wants_text, const char *file,
                               atemi_error *error)
{
    if (size == 0) {
        atemi_fail(error, ATEMI_ERROR_SYNTAX, "the file is empty; a URDF has a <robot> element");
        atemi_error_locate(error, file, 0, 0);
        return ATEMI_ERROR_SYNTAX;
    }
    if (size > (size_t)ATEMI_XML_MAX_MEBIBYTES << 20) {
        atemi_fail(error, ATEMI_ERROR_LIMIT,
                   "the file is larger than %d MiB, the limit; check that it is the "
                   "right one",
                   ATEMI_XML_MAX_MEBIBYTES);
        atemi_error_locate(error, file, 0, 0);
        return ATEMI_ERROR_LIMIT;
    }
    return check_tag_lengths(text, size, wants_text, file, error);
}

atemi_status atemi_xml_read(const char *text, size_t size, const char *file,
                            const atemi_xml_handler *handler, atemi_error *error)
{
    const XML_Memory_Handling_Suite memory = {atemi_allocate, atemi_resize, atemi_release};
    const atemi_status checked = check_size(text, size, handler->text != NULL, file, error);
    if (checked) {
        return checked;
    }
    xml_reader reader = {.handler = handler, .file = file, .error = error};
    reader.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (!reader.parser) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to read XML");
    }
    connect(&reader);
    feed(&reader, text, size);
    XML_ParserFree(reader.parser);
    return reader.status;
}

const char *atemi_xml_attribute(const atemi_xml_element *element, const char *name)
{
    for (const char **at = element->attributes; *at; at += 2) {
        if (strcmp(at[0], name) == 0) {
            return at[1];
        }
    }
    return NULL;
}

// SPDX-License-Identifier: Apache-2.0

#include "io/syntax/yaml_syntax.h"

#include "base/message.h"

#include <stdbool.h>
#include <string.h>

// What libyaml says, and what that means for people.
static const struct {
    const char *problem, *text;
} syntax_texts[] = {
    {"mapping values are not allowed",
     "a ':' that cannot be here; put a text with ': ' in it into quotes, or check the indentation "
     "of this line and the one before"},
    {"block sequence entries are not allowed",
     "a '- ' that cannot be here; a list begins on the line below its key"},
    {"could not find expected ':'",
     "a key without ':', or one that goes on over several lines; write key: value"},
    {"did not find expected key",
     "this is not where a key can begin; check the indentation of this line and the ones before, "
     "and quotes that end too early"},
    {"did not find expected '-' indicator",
     "this does not belong to the list above; begin its items with '- ', all indented alike"},
    {"did not find expected ',' or ']'", "a list in [] is missing a ',' or ']'"},
    {"did not find expected ',' or '}'", "a mapping in {} is missing a ',' or '}'"},
    {"did not find expected node content", "a value is missing here"},
    {"found unexpected end of stream", "the file ends inside quotes; it was cut off, or the "
                                       "closing quote is missing"},
    {"found unexpected document indicator", "'---' or '...' inside quotes; a closing quote is "
                                            "missing"},
    {"found unknown escape character",
     "an escape with \\ that YAML does not know; write \\\\ or use 'single quotes'"},
    {"did not find expected <document start>",
     "there is more after the end of the document; check the indentation of this line"},
};

static const char *syntax_text(const char *problem)
{
    for (size_t i = 0; i < sizeof syntax_texts / sizeof syntax_texts[0]; ++i) {
        if (strstr(problem, syntax_texts[i].problem)) {
            return syntax_texts[i].text;
        }
    }
    return problem;
}

static void locate_byte(atemi_error *error, const char *text, size_t size, size_t offset)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < offset && i < size; ++i) {
        const bool ends = text[i] == '\n';
        line += ends;
        column = ends ? 1 : column + !message_byte_continues(text[i]);
    }
    atemi_error_locate(error, NULL, line, column);
}

// What a mark of libyaml points at; it counts characters, not bytes.
static char character_at(const char *text, size_t size, yaml_mark_t mark)
{
    const char *at = text;
    const char *end = text + size;
    for (size_t line = 0; line < mark.line && at < end; ++at) {
        line += *at == '\n';
    }
    for (size_t column = 0; at < end; ++at) {
        if (!message_byte_continues(*at) && column++ == mark.column) {
            return *at;
        }
    }
    return '\0';
}

static const char *token_text(char character)
{
    return character == '\t' ? "a tab, where YAML allows only spaces; indent with spaces"
                             : "no value can begin with this character; put the text into quotes";
}

atemi_status atemi_yaml_syntax_fail(const yaml_parser_t *parser, const char *text, size_t size,
                                    atemi_error *error)
{
    const char       *problem = parser->problem ? parser->problem : "this is not YAML";
    const yaml_mark_t mark = parser->problem_mark;
    if (parser->error == YAML_MEMORY_ERROR) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to read YAML");
    }
    if (parser->error == YAML_READER_ERROR) {
        atemi_fail(error, ATEMI_ERROR_SYNTAX,
                   "this is not text in UTF-8 (%s); check that it is the right file, and save it "
                   "as UTF-8",
                   problem);
        locate_byte(error, text, size, parser->problem_offset);
        return ATEMI_ERROR_SYNTAX;
    }
    const bool token = strstr(problem, "cannot start any token") != NULL;
    atemi_fail(error, ATEMI_ERROR_SYNTAX, "%s",
               token ? token_text(character_at(text, size, mark)) : syntax_text(problem));
    atemi_error_locate(error, NULL, (int)mark.line + 1, (int)mark.column + 1);
    return ATEMI_ERROR_SYNTAX;
}

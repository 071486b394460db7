// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "base/message.h"
#include "io/robot/mjcf_reader.h"

#include <stdio.h>
#include <string.h>

// What a person must know about a file: one error that ends the reading, or notes on what the robot
// does without.

enum { MOST_NOTES = 200, LINE = 800 }; ///< bytes of a line of the report, about

// ---- Complaints

atemi_status atemi_mjcf_complain(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                 const char *format, ...)
{
    char    message[ATEMI_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    message_format(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *name = atemi_mjcf_own(element, "name");
    atemi_fail(reader->error, ATEMI_ERROR_INPUT, "<%.40s>%s%.60s%s: %s", element->name,
               name ? " '" : "", name ? name : "", name ? "'" : "", message);
    atemi_error_locate(reader->error, element->file, element->place.line, element->place.column);
    return ATEMI_ERROR_INPUT;
}

atemi_place atemi_mjcf_place(const atemi_mjcf_reader *reader, const atemi_mjcf_element *element)
{
    return element->file == reader->tree->root->file ? element->place : (atemi_place){0};
}

atemi_status atemi_mjcf_no_memory(const atemi_mjcf_reader *reader)
{
    return atemi_fail(reader->error, ATEMI_ERROR_MEMORY, "no memory to read MJCF");
}

atemi_status atemi_mjcf_check_added(const atemi_mjcf_reader  *reader,
                                    const atemi_mjcf_element *element, atemi_status status)
{
    if (status == ATEMI_ERROR_MEMORY) {
        return atemi_mjcf_no_memory(reader);
    }
    if (status) {
        atemi_fail(reader->error, status,
                   "<%.40s>: more than are read (%d bodies and joints, %d of all else); check that "
                   "this is the right file",
                   element->name, ATEMI_MAX_LINKS, ATEMI_URDF_MAX_PARTS);
        atemi_error_locate(reader->error, element->file, element->place.line,
                           element->place.column);
    }
    return status;
}

// ---- Notes

static atemi_status add_note(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                             const char *key, bool unused)
{
    for (int i = 0; i < reader->note_count; ++i) {
        if (reader->notes[i].unused == unused && strcmp(reader->notes[i].text, key) == 0) {
            ++reader->notes[i].count;
            return ATEMI_OK;
        }
    }
    if (reader->note_count == MOST_NOTES) {
        return atemi_mjcf_complain(reader, element,
                                   "more than %d kinds of elements and attributes that MJCF does "
                                   "not have; check that this is the right file",
                                   MOST_NOTES);
    }
    atemi_mjcf_note *notes = (atemi_mjcf_note *)atemi_grown(
        reader->notes, sizeof *notes, reader->note_count, &reader->note_capacity);
    if (!notes) {
        return atemi_mjcf_no_memory(reader);
    }
    reader->notes = notes;
    atemi_mjcf_note *note = &notes[reader->note_count];
    *note = (atemi_mjcf_note){
        .file = element->file, .place = element->place, .count = 1, .unused = unused};
    const atemi_status status = atemi_mjcf_copy(reader, key, &note->text);
    reader->note_count += !status;
    return status;
}

atemi_status atemi_mjcf_note_loss(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                  const char *text)
{
    return add_note(reader, element, text, false);
}

atemi_status atemi_mjcf_note_unused(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                    const char *attribute)
{
    char key[128]; // cut to fit
    if (attribute) {
        snprintf(key, sizeof key, "%.50s of <%.50s>", attribute, element->name);
    } else {
        snprintf(key, sizeof key, "<%.50s>", element->name);
    }
    return add_note(reader, element, key, true);
}

static void report_loss(const atemi_mjcf_note *note)
{
    char others[32] = "";
    if (note->count > 1) {
        snprintf(others, sizeof others, " (and %d more like it)", note->count - 1);
    }
    atemi_error warning;
    atemi_fail(&warning, ATEMI_OK, "%s%s", note->text, others);
    atemi_error_locate(&warning, note->file, note->place.line, note->place.column);
    char text[ATEMI_ERROR_FILE_SIZE + ATEMI_ERROR_MESSAGE_SIZE];
    atemi_error_format(&warning, text, (int)sizeof text);
    atemi_log(ATEMI_LOG_WARNING, "%s", text);
}

// Adds "solref of <geom> (line 12)"; `file` is the one that needs no mention.
static int list_unused(const atemi_mjcf_note *note, const char *file, char *text, int length)
{
    const bool  elsewhere = note->file && file && strcmp(note->file, file) != 0;
    const char *slash = elsewhere ? strrchr(note->file, '/') : NULL;
    char        count[32] = "";
    if (note->count > 1) {
        snprintf(count, sizeof count, ", %d times", note->count);
    }
    const int added = snprintf(text + length, (size_t)(LINE - length), "%s%s (%.80s%sline %d%s)",
                               length ? ", " : "", note->text,
                               slash       ? slash + 1
                               : elsewhere ? note->file
                                           : "",
                               elsewhere ? " " : "", note->place.line, count);
    return added < LINE - length ? length + added : -1;
}

static void report_line(const char *file, const char *list)
{
    atemi_log(ATEMI_LOG_WARNING, "%s%snot used: %s", file ? file : "", file ? ": " : "", list);
}

static void report_unused(const atemi_mjcf_reader *reader)
{
    const char *file = reader->tree->root->file;
    char        list[LINE] = "";
    int         length = 0;
    for (int i = 0; i < reader->note_count; ++i) {
        if (!reader->notes[i].unused) {
            continue;
        }
        int longer = list_unused(&reader->notes[i], file, list, length);
        if (longer < 0) {
            list[length] = '\0';
            report_line(file, list);
            longer = list_unused(&reader->notes[i], file, list, 0);
        }
        length = longer;
    }
    if (length > 0) {
        report_line(file, list);
    }
}

void atemi_mjcf_report(const atemi_mjcf_reader *reader)
{
    for (int i = 0; i < reader->note_count; ++i) {
        if (!reader->notes[i].unused) {
            report_loss(&reader->notes[i]);
        }
    }
    report_unused(reader);
}

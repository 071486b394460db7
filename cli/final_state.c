// SPDX-License-Identifier: Apache-2.0

#include "final_state.h"

#include "json_output.h"
#include "table.h"

#include "atemi/contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 512 };

static const char mode_ending[] = ".mode";

// ---- The last row

static double last_value(const atemi_recording *recording, int channel)
{
    return channel == ATEMI_NONE ? (double)NAN : atemi_recording_last(recording, channel);
}

static double last_force(const atemi_recording *recording, const char *contact, char axis)
{
    char channel[NAME_SIZE + 32];
    snprintf(channel, sizeof channel, "contact.%s.force_%c", contact, axis);
    return last_value(recording, atemi_recording_find_channel(recording, channel));
}

typedef struct final_contact {
    char       name[NAME_SIZE];
    int        mode;
    atemi_vec3 force;
} final_contact;

// Whether a channel is a contact's mode; then the contact's name.
static bool is_contact(const atemi_channel *channel, char name[NAME_SIZE])
{
    const size_t head = strlen("contact."), tail = strlen(mode_ending);
    const size_t length = strlen(channel->name);
    if (strcmp(channel->group, "contact") != 0 || length <= head + tail ||
        strcmp(channel->name + length - tail, mode_ending) != 0) {
        return false;
    }
    snprintf(name, NAME_SIZE, "%.*s", (int)(length - head - tail), channel->name + head);
    return true;
}

// The contacts one after the other, `*next` being 0 at first; false at the end.
static bool next_contact(const atemi_recording *recording, int *next, final_contact *contact)
{
    while (*next < atemi_recording_channel_count(recording)) {
        const int index = (*next)++;
        if (is_contact(atemi_recording_channel(recording, index), contact->name)) {
            contact->mode = (int)last_value(recording, index);
            contact->force = (atemi_vec3){last_force(recording, contact->name, 'x'),
                                          last_force(recording, contact->name, 'y'),
                                          last_force(recording, contact->name, 'z')};
            return true;
        }
    }
    return false;
}

static const char *mode_text(const final_contact *contact)
{
    return atemi_contact_mode_text((atemi_contact_mode)contact->mode);
}

// ---- For people

typedef enum contact_column {
    COLUMN_NAME,
    COLUMN_MODE,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_Z
} contact_column;

static const table_column columns[] = {{"contact at the end", NULL, false},
                                       {"mode", NULL, false},
                                       {"force x", "N", true},
                                       {"y", "N", true},
                                       {"z", "N", true}};

static bool contact_at(const atemi_recording *recording, int row, final_contact *contact)
{
    int  next = 0;
    bool found = true;
    for (int i = 0; i <= row && found; ++i) {
        found = next_contact(recording, &next, contact);
    }
    return found;
}

static void write_cell(const void *context, int row, int column, char text[TABLE_CELL_SIZE])
{
    final_contact contact;
    if (!contact_at((const atemi_recording *)context, row, &contact)) {
        return;
    }
    switch ((contact_column)column) {
    case COLUMN_NAME:
        snprintf(text, TABLE_CELL_SIZE, "%s", contact.name);
        break;
    case COLUMN_MODE:
        snprintf(text, TABLE_CELL_SIZE, "%s", mode_text(&contact));
        break;
    case COLUMN_X:
        snprintf(text, TABLE_CELL_SIZE, "%.3f", contact.force.x);
        break;
    case COLUMN_Y:
        snprintf(text, TABLE_CELL_SIZE, "%.3f", contact.force.y);
        break;
    case COLUMN_Z:
        snprintf(text, TABLE_CELL_SIZE, "%.3f", contact.force.z);
        break;
    }
}

static bool has_row(const void *context, int row)
{
    final_contact contact = {0};
    return contact_at((const atemi_recording *)context, row, &contact) &&
           contact.mode != ATEMI_CONTACT_OPEN;
}

void final_state_print(const atemi_recording *recording)
{
    final_contact contact;
    int           next = 0, count = 0, closed = 0;
    while (next_contact(recording, &next, &contact)) {
        ++count;
        closed += contact.mode != ATEMI_CONTACT_OPEN;
    }
    const text_table table = {
        columns, sizeof columns / sizeof columns[0], count, write_cell, recording, has_row};
    if (closed > 0) {
        puts("");
        table_print(&table);
    }
}

// ---- JSON

// The last values of a group of channels, in their order.
static json_t *group_json(const atemi_recording *recording, const char *group)
{
    json_t *values = json_array();
    for (int i = 0; i < atemi_recording_channel_count(recording) && values; ++i) {
        if (strcmp(atemi_recording_channel(recording, i)->group, group) == 0) {
            values = json_with_item(values, json_from_number(last_value(recording, i)));
        }
    }
    return values;
}

static json_t *contacts_json(const atemi_recording *recording)
{
    final_contact contact;
    json_t       *contacts = json_object();
    int           next = 0;
    while (contacts && next_contact(recording, &next, &contact)) {
        contacts = json_with_key(contacts, contact.name,
                                 json_pack("{s:s, s:o}", "mode", mode_text(&contact), "force",
                                           json_from_vec3(contact.force)));
    }
    return contacts;
}

static json_t *final_json(const atemi_recording *recording)
{
    if (atemi_recording_row_count(recording) == 0) {
        return json_null();
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "t", json_from_number(last_value(recording, 0)),
                     "q", group_json(recording, "q"), "v", group_json(recording, "v"), "tau",
                     group_json(recording, "tau"), "contacts", contacts_json(recording));
}

json_t *final_state_extend_json(json_t *answer, const atemi_recording *recording)
{
    return json_with_key(answer, "final", final_json(recording));
}

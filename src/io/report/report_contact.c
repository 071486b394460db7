// SPDX-License-Identifier: Apache-2.0

#include "io/report/report_contact.h"

#include "atemi/base.h"
#include "base/growing.h"
#include "io/recording/recording_parts.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 1024 }; // is_contact() passes over longer ones

static const char head[] = "contact.", tail[] = ".mode";

void atemi_report_vector_columns(const atemi_recording *recording, const char *name, char separator,
                                 int columns[3])
{
    for (int i = 0; i < 3; ++i) {
        char full[NAME_SIZE + 8];
        snprintf(full, sizeof full, "%s%c%c", name, separator, "xyz"[i]);
        columns[i] = atemi_recording_find_channel(recording, full);
        if (columns[i] == ATEMI_NONE) {
            columns[0] = ATEMI_NONE;
            return;
        }
    }
}

// Whether a channel is a contact's mode; then the contact's name.
static bool is_contact(const char *channel, atemi_report_contact *contact)
{
    const size_t length = strlen(channel), ends = strlen(head) + strlen(tail);
    if (length <= ends || length >= NAME_SIZE - 16 || strncmp(channel, head, strlen(head)) != 0 ||
        strcmp(channel + length - strlen(tail), tail) != 0) {
        return false;
    }
    contact->name = channel + strlen(head);
    contact->name_length = contact->site_length = (int)(length - ends);
    for (int i = contact->name_length - 1; i > 0; --i) {
        if (contact->name[i] == '.') {
            contact->site_length = i;
            break;
        }
    }
    return true;
}

static void find_columns(const atemi_recording *recording, atemi_report_contact *contact)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%.*s.force", head, contact->name_length, contact->name);
    atemi_report_vector_columns(recording, name, '_', contact->force);
    snprintf(name, sizeof name, "%s%.*s.position", head, contact->name_length, contact->name);
    atemi_report_vector_columns(recording, name, '_', contact->position);
}

static bool is_same_site(const atemi_report_contact *a, const atemi_report_contact *b)
{
    return a->site_length == b->site_length &&
           memcmp(a->name, b->name, (size_t)a->site_length) == 0;
}

static int site_of(atemi_report_contacts *contacts, const atemi_report_contact *contact)
{
    for (int i = contacts->count - 1; i >= 0; --i) {
        if (is_same_site(&contacts->contacts[i], contact)) {
            return contacts->contacts[i].site;
        }
    }
    return contacts->site_count++;
}

static atemi_status add_contact(atemi_report_contacts *contacts, atemi_report_contact contact,
                                atemi_error *error)
{
    atemi_report_contact *list = (atemi_report_contact *)atemi_grown(
        contacts->contacts, sizeof *list, contacts->count, &contacts->capacity);
    if (!list) {
        return atemi_recording_no_memory(error);
    }
    contacts->contacts = list;
    contact.site = site_of(contacts, &contact);
    list[contacts->count++] = contact;
    return ATEMI_OK;
}

atemi_status atemi_report_contacts_find(const atemi_recording *recording,
                                        atemi_report_contacts *contacts, atemi_error *error)
{
    atemi_status status = ATEMI_OK;
    *contacts = (atemi_report_contacts){0};
    for (int i = 0; i < atemi_recording_channel_count(recording) && !status; ++i) {
        atemi_report_contact contact = {.mode = i};
        if (is_contact(atemi_recording_channel(recording, i)->name, &contact)) {
            find_columns(recording, &contact);
            status = add_contact(contacts, contact, error);
        }
    }
    return status;
}

void atemi_report_contacts_destroy(atemi_report_contacts *contacts)
{
    atemi_release(contacts->contacts);
    *contacts = (atemi_report_contacts){0};
}

atemi_vec3 atemi_report_vector(const atemi_recording *recording, const int columns[3], int row)
{
    if (columns[0] == ATEMI_NONE) {
        return (atemi_vec3){NAN, NAN, NAN};
    }
    return (atemi_vec3){atemi_recording_values(recording, columns[0])[row],
                        atemi_recording_values(recording, columns[1])[row],
                        atemi_recording_values(recording, columns[2])[row]};
}

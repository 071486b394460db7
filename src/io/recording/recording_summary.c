// SPDX-License-Identifier: Apache-2.0

#include "io/recording/recording_parts.h"

#include <math.h>
#include <stdio.h>

// summary.json, one channel, surface, event, result, table and plot a line.

const char *const atemi_recording_files[ATEMI_RECORDING_FILE_COUNT] = {
    [ATEMI_RECORDING_SUMMARY] = "summary.json",
    [ATEMI_RECORDING_CSV] = "recording.csv",
    [ATEMI_RECORDING_URDF] = "robot.urdf",
    [ATEMI_RECORDING_SCENARIO] = "scenario.yaml",
};

static void put_key(atemi_text *text, const char *key)
{
    atemi_text_put_json_string(text, key);
    atemi_text_put_string(text, ": ");
}

static void put_integer(atemi_text *text, long long number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", number);
    atemi_text_put_string(text, digits);
}

// , "key": "value" unless the value is NULL
static void put_member(atemi_text *text, const char *key, const char *value)
{
    if (value) {
        atemi_text_put_string(text, ", ");
        put_key(text, key);
        atemi_text_put_json_string(text, value);
    }
}

// The same on a line of its own.
static void put_line(atemi_text *text, const char *key, const char *value)
{
    if (value) {
        atemi_text_put_string(text, ",\n  ");
        put_key(text, key);
        atemi_text_put_json_string(text, value);
    }
}

// , "key": value unless it is NaN
static void put_known_number(atemi_text *text, const char *key, double value)
{
    if (!isnan(value)) {
        atemi_text_put_string(text, ", ");
        put_key(text, key);
        atemi_text_put_json_number(text, value);
    }
}

static void begin_line(atemi_text *text, int index)
{
    atemi_text_put_string(text, index > 0 ? ",\n    " : "\n    ");
}

static void end_lines(atemi_text *text, int count, const char *bracket)
{
    atemi_text_put_string(text, count > 0 ? "\n  " : "");
    atemi_text_put_string(text, bracket);
}

static void put_names(atemi_text *text, const char *key, int count, const char *const *names)
{
    atemi_text_put_string(text, ",\n    ");
    put_key(text, key);
    atemi_text_put_character(text, '[');
    for (int i = 0; i < count; ++i) {
        atemi_text_put_string(text, i > 0 ? ", " : "");
        atemi_text_put_json_string(text, names[i]);
    }
    atemi_text_put_character(text, ']');
}

static void put_robot(atemi_text *text, const atemi_recorded_robot *robot)
{
    atemi_text_put_string(text, ",\n  \"robot\": {\n    \"name\": ");
    atemi_text_put_json_string(text, robot->name);
    atemi_text_put_string(text, ",\n    \"base\": ");
    atemi_text_put_json_string(text, atemi_base_text(robot->base));
    atemi_text_put_string(text, ",\n    \"gravity\": [");
    atemi_text_put_json_number(text, robot->gravity.x);
    atemi_text_put_string(text, ", ");
    atemi_text_put_json_number(text, robot->gravity.y);
    atemi_text_put_string(text, ", ");
    atemi_text_put_json_number(text, robot->gravity.z);
    atemi_text_put_string(text, "],\n    \"mimic\": ");
    atemi_text_put_json_string(text, robot->mimic_as_coupled ? "coupled" : "independent");
    if (robot->file) {
        atemi_text_put_string(text, ",\n    \"file\": ");
        atemi_text_put_json_string(text, robot->file);
    }
    put_names(text, "links", robot->link_count, robot->links);
    put_names(text, "joints", robot->joint_count, robot->joints);
    atemi_text_put_string(text, "\n  }");
}

static void put_sizes(atemi_text *text, const atemi_recording_sizes *sizes)
{
    int count = 0;
    atemi_text_put_string(text, ",\n  \"files\": {");
    for (int i = 0; i < ATEMI_RECORDING_FILE_COUNT; ++i) {
        if (sizes->bytes[i] >= 0) {
            begin_line(text, count++);
            put_key(text, atemi_recording_files[i]);
            put_integer(text, sizes->bytes[i]);
        }
    }
    end_lines(text, count, "}");
}

static void put_channels(atemi_text *text, const atemi_recording *recording)
{
    atemi_text_put_string(text, ",\n  \"columns\": [");
    for (int i = 0; i < recording->channel_count; ++i) {
        const atemi_channel *channel = &recording->channels[i];
        begin_line(text, i);
        atemi_text_put_string(text, "{\"name\": ");
        atemi_text_put_json_string(text, channel->name);
        put_member(text, "unit", channel->unit);
        put_member(text, "group", channel->group);
        atemi_text_put_character(text, '}');
    }
    end_lines(text, recording->channel_count, "]");
}

static void put_values(atemi_text *text, const atemi_recorded_event *event)
{
    if (event->value_count == 0) {
        return;
    }
    atemi_text_put_string(text, ", \"values\": [");
    for (int i = 0; i < event->value_count; ++i) {
        atemi_text_put_string(text, i > 0 ? ", {\"name\": " : "{\"name\": ");
        atemi_text_put_json_string(text, event->values[i].name);
        atemi_text_put_string(text, ", \"value\": ");
        atemi_text_put_json_number(text, event->values[i].value);
        put_member(text, "unit", event->values[i].unit);
        atemi_text_put_character(text, '}');
    }
    atemi_text_put_character(text, ']');
}

static void put_events(atemi_text *text, const atemi_recording *recording)
{
    atemi_text_put_string(text, ",\n  \"events\": [");
    for (int i = 0; i < recording->event_count; ++i) {
        const atemi_recorded_event *event = &recording->events[i];
        begin_line(text, i);
        atemi_text_put_string(text, "{\"t\": ");
        atemi_text_put_json_number(text, event->t);
        put_member(text, "kind", event->kind);
        put_member(text, "what", event->what);
        put_member(text, "text", event->text);
        put_values(text, event);
        atemi_text_put_character(text, '}');
    }
    end_lines(text, recording->event_count, "]");
}

static void put_results(atemi_text *text, const atemi_recording *recording)
{
    atemi_text_put_string(text, ",\n  \"results\": {");
    for (int i = 0; i < recording->result_count; ++i) {
        const atemi_recorded_result *result = &recording->results[i];
        begin_line(text, i);
        put_key(text, result->name);
        atemi_text_put_string(text, "{\"value\": ");
        atemi_text_put_json_number(text, result->value);
        put_member(text, "unit", result->unit);
        put_known_number(text, "printed", result->printed);
        put_known_number(text, "tolerance", result->tolerance);
        put_member(text, "source", result->source);
        atemi_text_put_string(text, result->is_truth ? ", \"truth\": true" : "");
        atemi_text_put_character(text, '}');
    }
    end_lines(text, recording->result_count, "}");
}

void atemi_recording_put_summary(const atemi_recording       *recording,
                                 const atemi_recording_sizes *sizes, atemi_text *text)
{
    atemi_text_put_string(text,
                          "{\n  \"format\": \"" ATEMI_RECORDING_FORMAT "\",\n  \"version\": ");
    put_integer(text, ATEMI_RECORDING_FORMAT_VERSION);
    atemi_text_put_string(text, ",\n  \"atemi\": ");
    atemi_text_put_json_string(text, recording->version);
    put_line(text, "job", recording->job);
    put_line(text, "outcome", recording->outcome);
    put_line(text, "verdict", recording->verdict);
    atemi_text_put_string(text, ",\n  \"cards\": [");
    atemi_recording_put_cards(recording, text);
    atemi_text_put_character(text, ']');
    atemi_text_put_string(text, ",\n  \"warnings\": [");
    atemi_recording_put_warnings(recording, text);
    atemi_text_put_character(text, ']');
    if (recording->has_robot) {
        put_robot(text, &recording->robot);
    }
    put_sizes(text, sizes);
    atemi_text_put_string(text, ",\n  \"rows\": ");
    put_integer(text, recording->row_count);
    put_channels(text, recording);
    atemi_text_put_string(text, ",\n  \"surfaces\": ");
    atemi_recording_put_surfaces(recording, text);
    put_events(text, recording);
    put_results(text, recording);
    atemi_text_put_string(text, ",\n  \"tables\": ");
    atemi_recording_put_tables(recording, text);
    atemi_text_put_string(text, ",\n  \"plots\": ");
    atemi_recording_put_plots(recording, text);
    atemi_text_put_string(text, "\n}\n");
}

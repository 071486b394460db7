// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "io/recording/recording_parts.h"

#include <math.h>
#include <string.h>

static atemi_status check_value(const atemi_recorded_value *value, atemi_error *error)
{
    const atemi_status status =
        atemi_recording_check_name(value->name, "the name of a value", error);
    return status ? status : atemi_recording_check_unit(value->unit, value->name, error);
}

static atemi_status check_event(const atemi_recorded_event *event, atemi_error *error)
{
    if (!isfinite(event->t)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "the time of an event is not finite");
    }
    if (event->value_count > ATEMI_RECORDING_MAX_EVENT_VALUES) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT, "an event has at most %d values",
                          ATEMI_RECORDING_MAX_EVENT_VALUES);
    }
    atemi_status status = atemi_recording_check_name(event->kind, "the kind of an event", error);
    if (!status) {
        status = atemi_recording_check_text(event->what, "what an event happened to", error);
    }
    if (!status) {
        status = atemi_recording_check_text(event->text, "the text of an event", error);
    }
    for (int i = 0; i < event->value_count && !status; ++i) {
        status = check_value(&event->values[i], error);
    }
    return status;
}

static atemi_recorded_value *keep_values(atemi_recording *recording, int count,
                                         const atemi_recorded_value *values, bool *failed)
{
    atemi_recorded_value *copies =
        count > 0 ? (atemi_recorded_value *)atemi_recording_allocate((size_t)count, sizeof *copies)
                  : NULL;
    *failed |= count > 0 && !copies;
    for (int i = 0; i < count && copies; ++i) {
        copies[i] = (atemi_recorded_value){
            .name = atemi_recording_keep(recording, values[i].name, failed),
            .value = atemi_recording_number(values[i].value),
            .unit = atemi_recording_keep(recording, atemi_recording_unit(values[i].unit), failed),
        };
    }
    return copies;
}

atemi_status atemi_recording_add_event(atemi_recording            *recording,
                                       const atemi_recorded_event *event, atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && event && event->value_count >= 0, ATEMI_ERROR_CONTRACT);
    ATEMI_REQUIRE_OR(event->value_count == 0 || event->values, ATEMI_ERROR_CONTRACT);
    const atemi_status status = check_event(event, error);
    if (status) {
        return status;
    }
    if (recording->event_count == ATEMI_RECORDING_MAX_EVENTS) {
        return atemi_recording_full("events", ATEMI_RECORDING_MAX_EVENTS, error);
    }
    atemi_recorded_event *events = (atemi_recorded_event *)atemi_grown(
        recording->events, sizeof *events, recording->event_count, &recording->event_capacity);
    if (!events) {
        return atemi_recording_no_memory(error);
    }
    recording->events = events;

    bool                  failed = false;
    atemi_recorded_value *values =
        keep_values(recording, event->value_count, event->values, &failed);
    events[recording->event_count] = (atemi_recorded_event){
        .t = event->t,
        .kind = atemi_recording_keep(recording, event->kind, &failed),
        .what = atemi_recording_keep(recording, event->what, &failed),
        .text = atemi_recording_keep(recording, event->text, &failed),
        .value_count = event->value_count,
        .values = values,
    };
    if (failed) {
        atemi_release(values);
        return atemi_recording_no_memory(error);
    }
    ++recording->event_count;
    return ATEMI_OK;
}

static atemi_status check_result(const atemi_recorded_result *result, atemi_error *error)
{
    atemi_status status = atemi_recording_check_name(result->name, "the name of a result", error);
    if (!status) {
        status = atemi_recording_check_unit(result->unit, result->name, error);
    }
    return status ? status
                  : atemi_recording_check_text(result->source, "the source of a result", error);
}

// The index of a result, or that of a new one.
static int find_result(const atemi_recording *recording, const char *name)
{
    int index = 0;
    while (index < recording->result_count && strcmp(recording->results[index].name, name) != 0) {
        ++index;
    }
    return index;
}

atemi_status atemi_recording_add_result(atemi_recording             *recording,
                                        const atemi_recorded_result *result, atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && result, ATEMI_ERROR_CONTRACT);
    const atemi_status status = check_result(result, error);
    if (status) {
        return status;
    }
    const int index = find_result(recording, result->name);
    if (index == ATEMI_RECORDING_MAX_RESULTS) {
        return atemi_recording_full("results", ATEMI_RECORDING_MAX_RESULTS, error);
    }
    atemi_recorded_result *results = (atemi_recorded_result *)atemi_grown(
        recording->results, sizeof *results, index, &recording->result_capacity);
    if (!results) {
        return atemi_recording_no_memory(error);
    }
    recording->results = results;

    bool                        failed = false;
    const atemi_recorded_result copy = {
        .name = atemi_recording_keep(recording, result->name, &failed),
        .value = atemi_recording_number(result->value),
        .unit = atemi_recording_keep(recording, atemi_recording_unit(result->unit), &failed),
        .printed = atemi_recording_number(result->printed),
        .tolerance = atemi_recording_number(result->tolerance),
        .source = atemi_recording_keep(recording, result->source, &failed),
        .is_truth = result->is_truth,
    };
    if (failed) {
        return atemi_recording_no_memory(error);
    }
    results[index] = copy;
    recording->result_count += index == recording->result_count;
    return ATEMI_OK;
}

// SPDX-License-Identifier: Apache-2.0

#include "atemi/allocator.h"
#include "atemi/contract.h"
#include "io/simulate_scenario.h"

#include <stdint.h>
#include <string.h>

// Any bytes end in a scenario that can be simulated or in an error that says something and where;
// the simulation itself is not run. What can be simulated is explained by what can be simulated.
// Run it with
//
//   fuzz_simulate -dict=tests/fuzz/simulate.dict -max_len=4096 tests/fuzz/corpus/simulate

enum { MOST_BYTES = 1 << 13 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition) {
        __builtin_trap();
    }
}

static void break_down(void *context, const atemi_violation *violation)
{
    (void)context;
    (void)violation;
    __builtin_trap();
}

// Robots in files are not for a fuzzer: it would open whatever it makes up.
static int may_name_a_file(const uint8_t *data, size_t size)
{
    static const char ending[] = ".urdf";
    const size_t      length = sizeof ending - 1;
    for (size_t i = 0; i < size; ++i) {
        if (data[i] == '/' || data[i] == '\\' ||
            (size - i >= length && memcmp(data + i, ending, length) == 0)) {
            return 1;
        }
    }
    return 0;
}

static void check(const atemi_simulate_scenario *scenario)
{
    const atemi_scenario_contacts *contacts = &scenario->contacts;
    require(scenario->robot.model && scenario->duration > 0.0 && scenario->every > 0.0);
    for (int i = 0; i < contacts->count; ++i) {
        const atemi_simulation_point *point = &contacts->points[i];
        require(point->surface >= 0 && point->surface < scenario->surfaces.count);
        require(point->link >= 0 && point->link < atemi_model_link_count(scenario->robot.model));
        require(point->kinetic_friction >= 0.0 &&
                point->kinetic_friction <= point->static_friction);
    }
    for (int i = 0; i < scenario->surfaces.count; ++i) {
        require(atemi_surface_check(&scenario->surfaces.surfaces[i], NULL) == ATEMI_OK);
    }
}

// The explanation of a text that can be simulated; NULL for any other.
static char *explain(const char *text, size_t size)
{
    atemi_simulate_scenario scenario;
    atemi_scenario_reader  *reader;
    atemi_error             error = {0};
    char                   *explanation = NULL;
    atemi_status status = atemi_scenario_open_text(text, size, "fuzz.yaml", &reader, &error);
    if (!status) {
        status = atemi_simulate_scenario_read(reader, "fuzz.yaml", &scenario, &error);
        if (!status) {
            check(&scenario);
            explanation = atemi_scenario_explain(reader);
            require(explanation != NULL);
        }
        atemi_simulate_scenario_destroy(&scenario);
        atemi_scenario_close(reader);
    }
    require(status == error.status);
    require(status == ATEMI_OK || strlen(error.message) > 0);
    require(status != ATEMI_ERROR_INPUT || (error.line > 0 && error.column > 0));
    return explanation;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_BYTES || may_name_a_file(data, size)) {
        return -1;
    }
    atemi_set_contract_handler(break_down, NULL);
    char *first = explain((const char *)data, size);
    if (first) {
        char *second = explain(first, strlen(first));
        require(second != NULL);
        atemi_release(second);
    }
    atemi_release(first);
    return 0;
}

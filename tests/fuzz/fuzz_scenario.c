// SPDX-License-Identifier: Apache-2.0

#include "../support/sample_scenario.h"
#include "require.h"

#include "atemi/base.h"

// Any bytes end in a scenario or in an error that says something and where. A scenario that was
// read is explained by a file that says the same. Run it with
//
//   fuzz_scenario -dict=tests/fuzz/scenario.dict -max_len=8192 tests/fuzz/corpus/scenario

enum { MAX_BYTES = 1 << 14 };

static atemi_scenario_reader *read_text(const char *text, size_t size)
{
    sample_scenario        sample;
    atemi_scenario_reader *reader;
    atemi_error            error = {0};
    atemi_status status = atemi_scenario_open_text(text, size, "fuzz.yaml", &reader, &error);
    require((status == ATEMI_OK) == (reader != NULL));
    if (reader) {
        status = sample_read(reader, &sample, &error);
    }
    require(status == error.status);
    require(status == ATEMI_OK || strlen(error.message) > 0);
    require(status != ATEMI_ERROR_INPUT || (error.line > 0 && error.column > 0));
    if (status) {
        atemi_scenario_close(reader);
    }
    return status ? NULL : reader;
}

static int is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void require_same(const atemi_scenario_reader *a, const atemi_scenario_reader *b)
{
    int                       count, other_count;
    const atemi_scenario_row *rows = atemi_scenario_rows(a, &count);
    const atemi_scenario_row *others = atemi_scenario_rows(b, &other_count);
    require(count == other_count);
    for (int i = 0; i < count; ++i) {
        require(is_same(rows[i].mark.path, others[i].mark.path));
        require(is_same(rows[i].value, others[i].value));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_BYTES) {
        return -1;
    }
    atemi_set_contract_handler(require_no_violation, NULL);
    atemi_scenario_reader *reader = read_text((const char *)data, size);
    if (reader) {
        char *text = atemi_scenario_explain(reader);
        require(text != NULL);
        atemi_scenario_reader *again = read_text(text, strlen(text));
        require(again != NULL);
        require_same(reader, again);
        atemi_scenario_close(again);
        atemi_release(text);
    }
    atemi_scenario_close(reader);
    return 0;
}

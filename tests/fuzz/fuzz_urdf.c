// SPDX-License-Identifier: Apache-2.0

#include "atemi/log.h"
#include "atemi/urdf.h"
#include "require.h"

#include <string.h>

// Any bytes end in a model or in an error that says something. Run it with
//
//   fuzz_urdf -dict=tests/fuzz/urdf.dict -max_len=16384 tests/fuzz/corpus/urdf

enum { MOST_BYTES = 1 << 16 };

static void read_message(void *context, atemi_log_level level, const char *message)
{
    size_t *length = (size_t *)context;
    (void)level;
    *length += strlen(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_BYTES) {
        return -1;
    }
    size_t             logged = 0;
    atemi_urdf_options options = atemi_urdf_options_default();
    options.model.base = size % 2 ? ATEMI_BASE_FLOATING : ATEMI_BASE_FIXED;
    options.model.mimic_as_coupled = size % 3 != 0;

    atemi_set_log_hook(read_message, &logged);
    atemi_model       *model;
    atemi_error        error = {0};
    const atemi_status status =
        atemi_urdf_parse((const char *)data, size, "fuzz.urdf", &options, &model, &error);
    require(status == error.status);
    require((status == ATEMI_OK) == (model != NULL));
    require(status == ATEMI_OK || strlen(error.message) > 0);
    atemi_model_destroy(model);
    return 0;
}

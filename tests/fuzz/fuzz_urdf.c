// SPDX-License-Identifier: Apache-2.0

#include "robot_fuzz.h"

#include <string.h>

// Any bytes end in a model or in an error that says something. Run it with
//
//   fuzz_urdf -dict=tests/fuzz/urdf.dict -max_len=16384 tests/fuzz/corpus/urdf

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_BYTES) {
        return -1;
    }
    size_t                   logged = 0;
    const atemi_urdf_options options = options_of(size);
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

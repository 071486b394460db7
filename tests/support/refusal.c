// SPDX-License-Identifier: Apache-2.0

#include "refusal.h"

#include <string.h>

void check_refusal(check_place place, refusing_job *job, const char *text, int line, int column,
                   const char *cause, const char *cure)
{
    atemi_error        error = {0};
    atemi_recording   *recording = NULL;
    const atemi_status status =
        job(text, strlen(text), ATEMI_SOURCE_DIR "/scenarios/test.yaml", &recording, &error);
    check_contains(place, error.message, cause);
    check_contains(place, error.message, cure);
    check_true(place, status != ATEMI_OK && !recording);
    check_status(place, error.status, status);
    check_contains(place, error.file, "/scenarios/test.yaml");
    check_equal_int(place, error.line, line);
    check_equal_int(place, error.column, column);
}

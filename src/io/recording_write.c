// SPDX-License-Identifier: Apache-2.0

#include "atemi/contract.h"
#include "io/recording_parts.h"

#include <errno.h>

static atemi_status write_file(const char *folder, int which, const atemi_text *text,
                               atemi_recording_sizes *sizes, atemi_error *error)
{
    char path[ATEMI_WHOLE_FILE_PATH];
    sizes->bytes[which] = -1;
    if (!text->bytes) {
        return ATEMI_OK;
    }
    if (!atemi_recording_path(folder, atemi_recording_files[which], path)) {
        return atemi_whole_file_fail(ENAMETOOLONG, folder, error);
    }
    sizes->bytes[which] = (long long)text->size;
    return atemi_whole_file_write(path, text->bytes, text->size, error);
}

static atemi_status write_rows(const atemi_recording *recording, const char *folder,
                               const atemi_text *header, atemi_recording_sizes *sizes,
                               atemi_error *error)
{
    char             path[ATEMI_WHOLE_FILE_PATH];
    atemi_whole_file file;
    if (!atemi_recording_path(folder, atemi_recording_files[ATEMI_RECORDING_CSV], path)) {
        return atemi_whole_file_fail(ENAMETOOLONG, folder, error);
    }
    const atemi_status status = atemi_whole_file_create(&file, path, ATEMI_LINKS_REPLACED, error);
    if (status) {
        return status;
    }
    atemi_recording_write_csv(recording, header, &file);
    sizes->bytes[ATEMI_RECORDING_CSV] = (long long)file.size;
    return atemi_whole_file_finish(&file, error);
}

static atemi_status write_csv(const atemi_recording *recording, const char *folder,
                              atemi_recording_sizes *sizes, atemi_error *error)
{
    atemi_text header = {0};
    atemi_recording_put_header(recording, &header);
    const atemi_status status = header.failed
                                    ? atemi_recording_no_memory(error)
                                    : write_rows(recording, folder, &header, sizes, error);
    atemi_text_destroy(&header);
    return status;
}

static atemi_status check_summary(const atemi_text *text, atemi_error *error)
{
    if (text->failed) {
        return atemi_recording_no_memory(error);
    }
    if (text->size > ATEMI_RECORDING_MAX_SUMMARY) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT,
                          "names, events, results and tables take more than %d MiB in summary.json",
                          ATEMI_RECORDING_MAX_SUMMARY >> 20);
    }
    return ATEMI_OK;
}

static atemi_status write_summary(const atemi_recording *recording, const char *folder,
                                  atemi_recording_sizes *sizes, atemi_error *error)
{
    atemi_text text = {0};
    sizes->bytes[ATEMI_RECORDING_SUMMARY] = -1; // it cannot know its own
    atemi_recording_put_summary(recording, sizes, &text);
    atemi_status status = check_summary(&text, error);
    if (!status) {
        status = write_file(folder, ATEMI_RECORDING_SUMMARY, &text, sizes, error);
    }
    atemi_text_destroy(&text);
    return status;
}

static atemi_status write_files(const atemi_recording *recording, const char *folder,
                                atemi_error *error)
{
    atemi_recording_sizes sizes;
    atemi_status status = write_file(folder, ATEMI_RECORDING_URDF, &recording->urdf, &sizes, error);
    if (!status) {
        status = write_file(folder, ATEMI_RECORDING_SCENARIO, &recording->scenario, &sizes, error);
    }
    if (!status) {
        status = write_csv(recording, folder, &sizes, error);
    }
    return status ? status : write_summary(recording, folder, &sizes, error);
}

atemi_status atemi_recording_check_folder(const char *folder, atemi_error *error)
{
    ATEMI_REQUIRE_OR(folder, ATEMI_ERROR_CONTRACT);
    atemi_recording_folder found;
    return atemi_recording_folder_find(&found, folder, error);
}

// Errors name the folder that was asked for, not the one that is removed again.
static atemi_status write_and_publish(const atemi_recording *recording, const char *path,
                                      atemi_recording_folder *folder, atemi_error *error)
{
    atemi_status status = write_files(recording, folder->staging, error);
    if (!status) {
        status = atemi_recording_folder_publish(folder, error);
    }
    if (status) {
        atemi_error_locate(error, path, 0, 0);
    }
    return status;
}

atemi_status atemi_recording_write(const atemi_recording *recording, const char *folder,
                                   atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && folder, ATEMI_ERROR_CONTRACT);
    atemi_recording_folder place;
    atemi_status           status = atemi_recording_folder_find(&place, folder, error);
    if (!status) {
        status = atemi_recording_folder_stage(&place, error);
    }
    if (!status) {
        status = write_and_publish(recording, folder, &place, error);
    }
    atemi_recording_folder_remove(&place);
    return status;
}

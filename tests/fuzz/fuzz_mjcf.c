// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // mkdtemp
#endif

#include "io/bytes/text.h"
#include "io/robot/urdf_writer.h"
#include "robot_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Any bytes end in a model or in an error that says something, and a model can be written as URDF
// that is read again. What follows a zero byte is a file part.xml, which the first may include, and
// what follows a second one is m.stl. Run it with
//
//   fuzz_mjcf -dict=tests/fuzz/mjcf.dict -max_len=16384 tests/fuzz/corpus/mjcf

enum { PATH = 64 };

static char folder_name[] = "/tmp/fuzz_mjcf_XXXXXX";

static void remove_files(void)
{
    static const char *const names[] = {"/main.xml", "/part.xml", "/m.stl", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char path[PATH];
        snprintf(path, sizeof path, "%s%s", folder_name, names[i]);
        remove(path);
    }
}

static const char *folder(void)
{
    static bool made;
    if (!made) {
        made = mkdtemp(folder_name) && atexit(remove_files) == 0;
    }
    require(made);
    return folder_name;
}

static void write_file(const char *name, const uint8_t *data, size_t size)
{
    char path[PATH]; // of a folder of 21 bytes and our own names
    snprintf(path, sizeof path, "%s/%s", folder(), name);
    FILE *file = fopen(path, "wb");
    require(file && fwrite(data, 1, size, file) == size);
    require(fclose(file) == 0);
}

static atemi_status read_files(const uint8_t *data, size_t size, const uint8_t *end,
                               const atemi_urdf_options *options, atemi_model **model,
                               atemi_error *error)
{
    const uint8_t *part = end + 1, *last = data + size;
    const uint8_t *part_end = (const uint8_t *)memchr(part, 0, (size_t)(last - part));
    const uint8_t *mesh = part_end ? part_end + 1 : last;
    char           path[PATH];
    write_file("main.xml", data, (size_t)(end - data));
    write_file("part.xml", part, (size_t)((part_end ? part_end : last) - part));
    write_file("m.stl", mesh, (size_t)(last - mesh));
    snprintf(path, sizeof path, "%s/main.xml", folder());
    return atemi_urdf_load(path, options, model, error);
}

// A name of the file may be one that a URDF has no place for: then there is an error.
static void write_and_read(const atemi_model *model, const atemi_urdf_options *options)
{
    atemi_text   text = {0};
    atemi_model *again;
    atemi_error  error = {0};
    atemi_urdf_write(model, &text);
    require(!text.failed);
    const atemi_status status =
        atemi_urdf_parse(text.bytes, text.size, "again.urdf", options, &again, &error);
    if (status == ATEMI_OK) {
        require(atemi_model_q_count(again) == atemi_model_q_count(model));
    }
    atemi_model_destroy(again);
    atemi_text_destroy(&text);
}

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
    const uint8_t     *end = size ? (const uint8_t *)memchr(data, 0, size) : NULL;
    const atemi_status status =
        end ? read_files(data, size, end, &options, &model, &error)
            : atemi_urdf_parse((const char *)data, size, "fuzz.xml", &options, &model, &error);
    require(status == error.status);
    require((status == ATEMI_OK) == (model != NULL));
    require(status == ATEMI_OK || strlen(error.message) > 0);
    if (model) {
        write_and_read(model, &options);
    }
    atemi_model_destroy(model);
    return 0;
}

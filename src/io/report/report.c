// SPDX-License-Identifier: Apache-2.0

#include "atemi/recording.h"

#include "atemi/base.h"
#include "io/recording/recording_parts.h"
#include "io/report/report_data.h"
#include "io/report/report_json.h"
#include "io/report/report_page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// The page is made by viewer/ and has, once, a comment in whose place the data go: a script element
// with JSON, and one for each column and mesh. Browsers do not run scripts of these types. Text can
// end such an element only by "</script", so no '<' stands in the JSON.

static const char place[] = "<!--ATEMI-RECORDING-->";
static const char begin_json[] = "<script type=\"application/json\" id=\"atemi-report%s\">";
static const char end_json[] = "</script>\n";

bool atemi_report_available(void)
{
    return atemi_embedded_viewer_count > 0;
}

static void put_string(atemi_whole_file *file, const char *string)
{
    atemi_whole_file_put(file, string, strlen(string));
}

static void write_without_tags(const atemi_text *json, atemi_whole_file *file)
{
    const char *at = json->bytes;
    for (const char *tag = strchr(at, '<'); tag; tag = strchr(at, '<')) {
        atemi_whole_file_put(file, at, (size_t)(tag - at));
        put_string(file, "\\u003c");
        at = tag + 1;
    }
    put_string(file, at);
}

// `mark` is a part of the names of all elements: "", or "-b" of a second recording.
static atemi_status write_json(const atemi_recording *recording, const atemi_report_robot *robot,
                               const char *mark, atemi_whole_file *file, atemi_error *error)
{
    char       begin[sizeof begin_json + 8];
    atemi_text json = {0};
    snprintf(begin, sizeof begin, begin_json, mark);
    atemi_report_put_json(recording, robot, &json);
    const bool failed = json.failed;
    if (!failed) {
        put_string(file, begin);
        write_without_tags(&json, file);
        put_string(file, end_json);
    }
    atemi_text_destroy(&json);
    return failed ? atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a report") : ATEMI_OK;
}

static atemi_status write_data(const atemi_recording *recording, const atemi_report_robot *robot,
                               const char *mark, atemi_whole_file *file, atemi_error *error)
{
    int          meshes = 0;
    atemi_status status = write_json(recording, robot, mark, file, error);
    for (int i = 0; i < atemi_recording_channel_count(recording) && !status; ++i) {
        status = atemi_report_write_column(recording, i, mark, file, error);
    }
    for (int i = 0; i < robot->mesh_count && !status; ++i) {
        if (robot->meshes[i].mesh.triangle_count > 0) {
            status = atemi_report_write_mesh(&robot->meshes[i].mesh, meshes++, mark, file, error);
        }
    }
    return status;
}

// Where a page goes.
typedef struct page_target {
    const char            *path;
    atemi_whole_file_links links;
} page_target;

// What a page shows: one recording, or a second one beside it.
typedef struct page_content {
    int                    count; ///< 1 or 2
    const atemi_recording *recordings[2];
    atemi_report_robot     robots[2];
} page_content;

static atemi_status write_page(const page_content *content, const char *page, page_target target,
                               atemi_error *error)
{
    static const char *const marks[] = {"", "-b"};
    const char              *at = strstr(page, place);
    atemi_whole_file         file;
    ATEMI_REQUIRE_OR(at && content->count <= 2, ATEMI_ERROR_CONTRACT);
    atemi_status status = atemi_whole_file_create(&file, target.path, target.links, error);
    if (status) {
        return status;
    }
    atemi_whole_file_put(&file, page, (size_t)(at - page));
    for (int i = 0; i < content->count && !status; ++i) {
        status = write_data(content->recordings[i], &content->robots[i], marks[i], &file, error);
    }
    if (status) {
        atemi_whole_file_destroy(&file);
        return status;
    }
    put_string(&file, at + strlen(place));
    return atemi_whole_file_finish(&file, error);
}

// The page, or NULL with an error.
static const char *find_page(atemi_error *error)
{
    if (!atemi_report_available()) {
        (void)atemi_fail(error, ATEMI_ERROR_NOT_FOUND,
                         "this atemi was built without the report page; install node and npm, "
                         "and build it again with -DATEMI_VIEWER=ON");
        return NULL;
    }
    const char *page = atemi_embedded_viewer[0].data;
    if (!strstr(page, place)) {
        (void)atemi_fail(error, ATEMI_ERROR_NOT_FOUND,
                         "the page that this atemi was built with has no place for a recording; "
                         "build it again with another ATEMI_VIEWER_PAGE");
        return NULL;
    }
    return page;
}

// A file is begun in its place, and forgotten.
static atemi_status check_target(page_target target, atemi_error *error)
{
    atemi_whole_file file;
    if (!find_page(error)) {
        return ATEMI_ERROR_NOT_FOUND;
    }
    const atemi_status status = atemi_whole_file_create(&file, target.path, target.links, error);
    if (!status) {
        atemi_whole_file_destroy(&file);
    }
    return status;
}

// `second` is NULL for none.
static atemi_status write_target(const atemi_recording *recording, const atemi_recording *second,
                                 page_target target, atemi_error *error)
{
    atemi_error own;
    error = error ? error : &own;
    const char *page = find_page(error);
    if (!page) {
        return ATEMI_ERROR_NOT_FOUND;
    }
    page_content content = {.count = second ? 2 : 1, .recordings = {recording, second}};
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < content.count && !status; ++i) {
        status = atemi_recording_check_rows(content.recordings[i], error);
    }
    for (int i = 0; i < content.count && !status; ++i) {
        status = atemi_report_robot_load(content.recordings[i], &content.robots[i], error);
    }
    if (!status) {
        status = write_page(&content, page, target, error);
    }
    for (int i = 0; i < content.count; ++i) {
        atemi_report_robot_destroy(&content.robots[i]);
    }
    return status;
}

atemi_status atemi_report_check(const char *path, atemi_error *error)
{
    ATEMI_REQUIRE_OR(path, ATEMI_ERROR_CONTRACT);
    return check_target((page_target){path, ATEMI_LINKS_FOLLOWED}, error);
}

atemi_status atemi_report_write(const atemi_recording *recording, const char *path,
                                atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && path, ATEMI_ERROR_CONTRACT);
    return write_target(recording, NULL, (page_target){path, ATEMI_LINKS_FOLLOWED}, error);
}

atemi_status atemi_report_write_pair(const atemi_recording *first, const atemi_recording *second,
                                     const char *path, atemi_error *error)
{
    ATEMI_REQUIRE_OR(first && second && path, ATEMI_ERROR_CONTRACT);
    return write_target(first, second, (page_target){path, ATEMI_LINKS_FOLLOWED}, error);
}

atemi_status atemi_report_write_inside(const atemi_recording *recording, const char *folder,
                                       atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && folder, ATEMI_ERROR_CONTRACT);
    char path[ATEMI_WHOLE_FILE_PATH];
    if (!atemi_recording_path(folder, "report.html", path)) {
        return atemi_whole_file_fail(ENAMETOOLONG, folder, error);
    }
    const page_target  target = {path, ATEMI_LINKS_REPLACED};
    const atemi_status status = check_target(target, error);
    return status ? status : write_target(recording, NULL, target, error);
}

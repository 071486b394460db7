// SPDX-License-Identifier: Apache-2.0

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // realpath, stat
#endif

#include "io/robot/mesh_search.h"

#include "atemi/base.h"
#include "io/bytes/file.h"
#include "io/syntax/xml_reader.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_LOOKS = 100000, MAX_MANIFEST = 1 << 16, MAX_FOLDERS_UP = 64 };

_Static_assert(ATEMI_PATH_SIZE >= PATH_MAX, "realpath() writes up to PATH_MAX bytes");

// A part of a longer text.
typedef struct span {
    const char *start;
    int         length;
} span;

static bool equal(span a, span b)
{
    return a.length == b.length && memcmp(a.start, b.start, (size_t)a.length) == 0;
}

static span whole(const char *text)
{
    return (span){text, (int)strlen(text)};
}

// The last part of a path, without slashes at its end.
static span last_part(span path)
{
    int end = path.length;
    while (end > 0 && path.start[end - 1] == '/') {
        --end;
    }
    int begin = end;
    while (begin > 0 && path.start[begin - 1] != '/') {
        --begin;
    }
    return (span){path.start + begin, end - begin};
}

// ---- The folders above the robot's file

// The length of a folder's parent; 0 for that of the root.
static int parent_length(const char *folder, int length)
{
    if (length <= 1) {
        return 0;
    }
    while (length > 1 && folder[length - 1] != '/') {
        --length;
    }
    return length > 1 ? length - 1 : 1;
}

// Joins without a doubled slash. False if it does not fit.
static bool join(char path[ATEMI_PATH_SIZE], span folder, span name)
{
    const bool slash = folder.length > 0 && folder.start[folder.length - 1] != '/';
    const int  length = snprintf(path, ATEMI_PATH_SIZE, "%.*s%s%.*s", folder.length, folder.start,
                                slash ? "/" : "", name.length, name.start);
    return length > 0 && length < ATEMI_PATH_SIZE;
}

typedef struct manifest_reading {
    int  depth;
    bool in_name;
    char name[ATEMI_PACKAGE_SIZE];
    int  length;
} manifest_reading;

static atemi_status on_manifest_start(void *context, const atemi_xml_element *element)
{
    manifest_reading *reading = (manifest_reading *)context;
    ++reading->depth;
    reading->in_name = reading->depth == 2 && strcmp(element->name, "name") == 0;
    return ATEMI_OK;
}

static atemi_status on_manifest_end(void *context)
{
    manifest_reading *reading = (manifest_reading *)context;
    --reading->depth;
    reading->in_name = false;
    return ATEMI_OK;
}

// Package names hold no white space, so it can go wherever it stands.
static void on_manifest_text(void *context, const char *text, int length)
{
    manifest_reading *reading = (manifest_reading *)context;
    for (int i = 0; reading->in_name && i < length; ++i) {
        if (!strchr(" \t\r\n", text[i]) && reading->length < ATEMI_PACKAGE_SIZE - 1) {
            reading->name[reading->length++] = text[i];
        }
    }
}

// Reads the <name> of a package.xml; it stays empty where there is none to be read.
static atemi_status read_manifest(const char *path, manifest_reading *reading, atemi_error *error)
{
    const atemi_xml_handler handler = {on_manifest_start, on_manifest_end, on_manifest_text,
                                       reading};
    char                   *bytes;
    size_t                  size;
    atemi_status            status = atemi_file_read(path, MAX_MANIFEST, &bytes, &size, error);
    if (!status) {
        status = atemi_xml_read(bytes, size, path, &handler, error);
    }
    atemi_release(bytes);
    return status == ATEMI_ERROR_MEMORY ? status : ATEMI_OK;
}

static bool is_file(atemi_mesh_search *search, const char *path)
{
    struct stat about;
    return search->looks_left-- > 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static atemi_status add_package(atemi_mesh_search *search, int folder_length, atemi_error *error)
{
    const span folder = {search->folder, folder_length};
    char       path[ATEMI_PATH_SIZE];
    if (search->package_count == ATEMI_MAX_NESTED_PACKAGES ||
        !join(path, folder, whole("package.xml")) || !is_file(search, path)) {
        return ATEMI_OK;
    }
    manifest_reading   reading = {0};
    const atemi_status status = read_manifest(path, &reading, error);
    if (!status) {
        atemi_mesh_package *package = &search->packages[search->package_count++];
        package->folder_length = folder_length;
        memcpy(package->name, reading.name, sizeof package->name);
    }
    return status;
}

// The folder as an absolute path, or empty where that cannot be had.
static void find_folder(atemi_mesh_search *search, const char *file)
{
    const span path = whole(file);
    const int  length = path.length - last_part(path).length;
    char       folder[ATEMI_PATH_SIZE] = ".";
    if (path.length >= ATEMI_PATH_SIZE) {
        return;
    }
    if (length > 0) {
        memcpy(folder, file, (size_t)length);
        folder[length] = '\0';
    }
    if (!realpath(folder, search->folder)) {
        search->folder[0] = '\0';
    }
}

atemi_status atemi_mesh_search_begin(atemi_mesh_search *search, const char *file,
                                     const char *package_path, atemi_error *error)
{
    *search = (atemi_mesh_search){.package_path = package_path,
                                  .ros_package_path = getenv("ROS_PACKAGE_PATH"),
                                  .looks_left = MAX_LOOKS};
    if (file) {
        find_folder(search, file);
    }
    atemi_status status = ATEMI_OK;
    int          length = (int)strlen(search->folder);
    for (int up = 0; up < MAX_FOLDERS_UP && length > 0 && !status; ++up) {
        status = add_package(search, length, error);
        length = parent_length(search->folder, length);
    }
    return status;
}

// ---- Candidates

static bool is_there(atemi_mesh_search *search, span folder, span name, char path[ATEMI_PATH_SIZE])
{
    return join(path, folder, name) && is_file(search, path);
}

// Whether the path stays below the folder it starts from.
static bool stays_below(const char *path)
{
    int depth = 0;
    while (*path) {
        const int  length = (int)strcspn(path, "/");
        const span part = {path, length};
        if (equal(part, whole(".."))) {
            --depth;
        } else if (length > 0 && !equal(part, whole("."))) {
            ++depth;
        }
        if (depth < 0) {
            return false;
        }
        path += length + (path[length] == '/');
    }
    return true;
}

// `rest` begins with the package's name.
static bool find_in_path(atemi_mesh_search *search, const char *folders, span package,
                         const char *rest, char path[ATEMI_PATH_SIZE])
{
    while (folders && *folders) {
        const span folder = {folders, (int)strcspn(folders, ":")};
        const span inside = whole(rest + package.length + 1);
        if (folder.length > 0 &&
            (is_there(search, folder, whole(rest), path) ||
             (equal(last_part(folder), package) && is_there(search, folder, inside, path)))) {
            return true;
        }
        folders += folder.length + (folders[folder.length] == ':');
    }
    return false;
}

static bool is_package(const atemi_mesh_search *search, int folder_length, span package)
{
    const span folder = {search->folder, folder_length};
    for (int i = 0; i < search->package_count; ++i) {
        const atemi_mesh_package *known = &search->packages[i];
        if (known->folder_length == folder_length) {
            return equal(package, whole(known->name)) || equal(package, last_part(folder));
        }
    }
    return false;
}

static bool find_above(atemi_mesh_search *search, span package, const char *rest,
                       char path[ATEMI_PATH_SIZE])
{
    int length = (int)strlen(search->folder);
    for (int up = 0; up < MAX_FOLDERS_UP && length > 0; ++up) {
        const span folder = {search->folder, length};
        const span inside = whole(rest + package.length + 1);
        if ((is_package(search, length, package) && is_there(search, folder, inside, path)) ||
            is_there(search, folder, whole(rest), path)) {
            return true;
        }
        length = parent_length(search->folder, length);
    }
    return false;
}

static bool find_in_package(atemi_mesh_search *search, const char *rest, char path[ATEMI_PATH_SIZE])
{
    const span package = {rest, (int)strcspn(rest, "/")};
    if (package.length == 0 || rest[package.length] == '\0' || equal(package, whole(".")) ||
        equal(package, whole("..")) || !stays_below(rest + package.length + 1)) {
        return false;
    }
    return find_in_path(search, search->package_path, package, rest, path) ||
           find_in_path(search, search->ros_package_path, package, rest, path) ||
           find_above(search, package, rest, path);
}

static bool find_by_path(atemi_mesh_search *search, const char *name, char path[ATEMI_PATH_SIZE])
{
    if (name[0] == '/') {
        return is_there(search, whole(""), whole(name), path);
    }
    return search->folder[0] && is_there(search, whole(search->folder), whole(name), path);
}

static int hexadecimal(char digit)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *found = digit ? strchr(digits, digit) : NULL;
    return found ? (int)(found - digits) % 16 : -1;
}

// Turns %20 and its like into the characters they stand for.
static bool decode(const char *text, char decoded[ATEMI_PATH_SIZE])
{
    int length = 0;
    for (; *text && length < ATEMI_PATH_SIZE - 1; ++text) {
        const int high = *text == '%' ? hexadecimal(text[1]) : -1;
        const int low = high >= 0 ? hexadecimal(text[2]) : -1;
        decoded[length++] = low >= 0 ? (char)(16 * high + low) : *text;
        text += low >= 0 ? 2 : 0;
    }
    decoded[length] = '\0';
    return *text == '\0';
}

static bool find_plain_or_decoded(atemi_mesh_search *search, const char *name,
                                  char path[ATEMI_PATH_SIZE])
{
    char decoded[ATEMI_PATH_SIZE];
    return find_by_path(search, name, path) ||
           (strchr(name, '%') && decode(name, decoded) && find_by_path(search, decoded, path));
}

static const char *without_prefix(const char *text, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

bool atemi_mesh_search_find(atemi_mesh_search *search, const char *address,
                            char path[ATEMI_PATH_SIZE])
{
    if (strlen(address) >= ATEMI_PATH_SIZE || search->looks_left <= 0) {
        return false;
    }
    const char *rest = without_prefix(address, "package://");
    rest = rest ? rest : without_prefix(address, "model://");
    if (rest) {
        return find_in_package(search, rest, path);
    }
    rest = without_prefix(address, "file://localhost/");
    rest = rest ? rest - 1 : without_prefix(address, "file://");
    return rest ? find_plain_or_decoded(search, rest, path) : find_by_path(search, address, path);
}

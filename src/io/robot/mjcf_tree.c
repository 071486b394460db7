// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_tree.h"

#include "atemi/base.h"
#include "io/bytes/file.h"

#include <string.h>

// <include file="..."/> stands for the children of that file's outermost element. Each file comes
// in once at most, as in MuJoCo, so no file can include itself.

typedef struct tree_reading {
    atemi_mjcf_tree    *tree;
    atemi_mesh_search  *search;
    atemi_error        *error;
    atemi_mjcf_element *open;              ///< the innermost element that is not closed, or NULL
    const char         *file;              ///< for messages, or NULL
    int                 depth, file_depth; ///< elements open in all, and in this file
    int                 skipped;           ///< open elements inside an <include>
    int                 element_count, attribute_count;
    int                 nesting; ///< of files
    int                 file_count;
    atemi_file_identity files[ATEMI_MJCF_MAX_FILES]; ///< include() refuses more
} tree_reading;

static atemi_status fail(const tree_reading *reading, const atemi_xml_element *element,
                         atemi_status status, const char *message, const char *what)
{
    atemi_fail(reading->error, status, "<%.40s>: %s%.200s%s", element->name, message, what,
               what[0] ? "'" : "");
    atemi_error_locate(reading->error, reading->file, element->place.line, element->place.column);
    return status;
}

static atemi_status no_memory(const tree_reading *reading)
{
    return atemi_fail(reading->error, ATEMI_ERROR_MEMORY, "no memory to read MJCF");
}

// ---- Elements

static char *copy_text(char **end, const char *text)
{
    const size_t size = strlen(text) + 1;
    char        *copy = *end;
    memcpy(copy, text, size);
    *end += size;
    return copy;
}

// The element with its attributes and all their text in one block.
static atemi_mjcf_element *make_element(const atemi_xml_element *from, int attribute_count)
{
    const size_t pointers = 2 * (size_t)attribute_count + 1;
    size_t       text = strlen(from->name) + 1;
    for (const char **at = from->attributes; *at; ++at) {
        text += strlen(*at) + 1;
    }
    atemi_mjcf_element *made = (atemi_mjcf_element *)atemi_allocate(
        sizeof *made + pointers * sizeof *made->attributes + text);
    if (made) {
        *made = (atemi_mjcf_element){.place = from->place,
                                     .link = ATEMI_NONE,
                                     .joint = ATEMI_NONE,
                                     .coordinate = ATEMI_NONE};
        made->attributes = (const char **)(made + 1);
        char *end = (char *)(made->attributes + pointers);
        made->name = copy_text(&end, from->name);
        const char **to = made->attributes;
        for (const char **at = from->attributes; *at; ++at) {
            *to++ = copy_text(&end, *at);
        }
        *to = NULL;
    }
    return made;
}

static void attach(tree_reading *reading, atemi_mjcf_element *made)
{
    atemi_mjcf_tree    *tree = reading->tree;
    atemi_mjcf_element *parent = reading->open;
    made->file = reading->file;
    made->made_before = tree->newest;
    made->number = tree->element_count++;
    tree->newest = made;
    made->parent = parent;
    if (!parent) {
        tree->root = made;
    } else if (parent->last) {
        parent->last->next = made;
    } else {
        parent->first = made;
    }
    if (parent) {
        parent->last = made;
    }
}

static atemi_status check_size(tree_reading *reading, const atemi_xml_element *element,
                               int *attribute_count)
{
    *attribute_count = 0;
    while (element->attributes[2 * (size_t)*attribute_count]) {
        ++*attribute_count;
    }
    reading->attribute_count += *attribute_count;
    ++reading->element_count;
    if (reading->depth >= ATEMI_XML_MAX_DEPTH) {
        return fail(reading, element, ATEMI_ERROR_LIMIT,
                    "more than 256 elements inside each other, with those of included files; check "
                    "that this is the right file",
                    "");
    }
    if (reading->element_count > ATEMI_MJCF_MAX_ELEMENTS ||
        reading->attribute_count > ATEMI_MJCF_MAX_ATTRIBUTES) {
        return fail(reading, element, ATEMI_ERROR_LIMIT,
                    "more than 300000 elements or 1000000 attributes; check that this is the right "
                    "file",
                    "");
    }
    return ATEMI_OK;
}

// ---- Files

static atemi_status read_file(tree_reading *reading, const char *path);

// Refuses a file that was read already.
static atemi_status enter_file(tree_reading *reading, const atemi_xml_element *element,
                               const char *path)
{
    atemi_file_identity identity;
    if (!atemi_file_identify(path, &identity)) {
        return fail(reading, element, ATEMI_ERROR_FILE, "there is no file '", path);
    }
    for (int i = 0; i < reading->file_count; ++i) {
        if (reading->files[i].device == identity.device &&
            reading->files[i].number == identity.number) {
            return fail(reading, element, ATEMI_ERROR_INPUT,
                        "each file can be included once; remove all but one <include> of '", path);
        }
    }
    if (reading->file_count == ATEMI_MJCF_MAX_FILES ||
        reading->nesting == ATEMI_MJCF_MAX_INCLUDE_DEPTH) {
        return fail(reading, element, ATEMI_ERROR_LIMIT,
                    "more than 256 files, or 16 that include each other; put some into one", "");
    }
    reading->files[reading->file_count++] = identity;
    return ATEMI_OK;
}

static atemi_status include(tree_reading *reading, const atemi_xml_element *element)
{
    char        path[ATEMI_PATH_SIZE];
    const char *name = atemi_xml_attribute(element, "file");
    if (!name || !name[0]) {
        return fail(reading, element, ATEMI_ERROR_INPUT,
                    "attribute file is missing; write file=\"other.xml\"", "");
    }
    if (!reading->open) {
        return fail(reading, element, ATEMI_ERROR_INPUT,
                    "the outermost element is <mujoco>; put the <include> inside it", "");
    }
    if (!atemi_mesh_search_find(reading->search, name, path)) {
        return fail(reading, element, ATEMI_ERROR_FILE,
                    reading->search->folder[0]
                        ? "no such file from the folder of the first file: '"
                        : "text without a folder cannot include files; give the path of the file "
                          "instead of '",
                    name);
    }
    const atemi_status status = enter_file(reading, element, path);
    return status ? status : read_file(reading, path);
}

// ---- Reading

static atemi_status on_start(void *context, const atemi_xml_element *element)
{
    tree_reading *reading = (tree_reading *)context;
    if (reading->skipped) {
        ++reading->skipped;
        return ATEMI_OK;
    }
    const bool         outermost = reading->file_depth++ == 0;
    int                attribute_count;
    const atemi_status status = check_size(reading, element, &attribute_count);
    if (status) {
        return status;
    }
    if (strcmp(element->name, "include") == 0) {
        reading->skipped = 1;
        --reading->file_depth;
        return include(reading, element);
    }
    if (outermost && reading->open) {
        return ATEMI_OK; // an included file's own root
    }
    atemi_mjcf_element *made = make_element(element, attribute_count);
    if (!made) {
        return no_memory(reading);
    }
    attach(reading, made);
    reading->open = made;
    ++reading->depth;
    return ATEMI_OK;
}

static atemi_status on_end(void *context)
{
    tree_reading *reading = (tree_reading *)context;
    if (reading->skipped) {
        --reading->skipped;
        return ATEMI_OK;
    }
    --reading->file_depth;
    if (reading->file_depth > 0 || reading->nesting == 0) {
        reading->open = reading->open->parent;
        --reading->depth;
    }
    return ATEMI_OK;
}

static atemi_status read_text(tree_reading *reading, const char *text, size_t size)
{
    const atemi_xml_handler handler = {.start = on_start, .end = on_end, .context = reading};
    return atemi_xml_read(text, size, reading->file, &handler, reading->error);
}

static atemi_status read_file(tree_reading *reading, const char *path)
{
    const char *file = reading->file;
    const int   file_depth = reading->file_depth, skipped = reading->skipped;
    char       *text = NULL;
    size_t      size = 0;
    reading->file = atemi_string_pool_copy(&reading->tree->names, path);
    reading->file_depth = reading->skipped = 0;
    ++reading->nesting;

    atemi_status status = reading->file ? ATEMI_OK : no_memory(reading);
    if (!status) {
        status = atemi_file_read(path, (size_t)ATEMI_XML_MAX_MEBIBYTES << 20, &text, &size,
                                 reading->error);
    }
    if (!status) {
        status = read_text(reading, text, size);
    }
    atemi_release(text);
    --reading->nesting;
    reading->file = file;
    reading->file_depth = file_depth;
    reading->skipped = skipped;
    return status;
}

atemi_status atemi_mjcf_tree_read(const char *text, size_t size, const char *name,
                                  atemi_mesh_search *search, atemi_mjcf_tree *tree,
                                  atemi_error *error)
{
    *tree = (atemi_mjcf_tree){0};
    tree_reading reading = {.tree = tree, .search = search, .error = error, .file = name};
    if (name && atemi_file_identify(name, &reading.files[0])) {
        reading.file_count = 1;
    }
    return read_text(&reading, text, size);
}

void atemi_mjcf_tree_destroy(atemi_mjcf_tree *tree)
{
    while (tree->newest) {
        atemi_mjcf_element *before = tree->newest->made_before;
        atemi_release(tree->newest);
        tree->newest = before;
    }
    atemi_string_pool_destroy(&tree->names);
    *tree = (atemi_mjcf_tree){0};
}

// ---- Looking at it

static atemi_status look_at_root(void *context, const atemi_xml_element *element)
{
    *(bool *)context = strcmp(element->name, "mujoco") == 0;
    return ATEMI_ERROR_INPUT; // enough
}

static atemi_status look_at_end(void *context)
{
    (void)context;
    return ATEMI_OK;
}

atemi_status atemi_mjcf_recognize(const char *text, size_t size, bool *is_mjcf, atemi_error *error)
{
    const atemi_xml_handler handler = {
        .start = look_at_root, .end = look_at_end, .context = is_mjcf};
    *is_mjcf = false;
    const atemi_status status = atemi_xml_read(text, size, NULL, &handler, NULL);
    return status == ATEMI_ERROR_MEMORY
               ? atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to read XML")
               : ATEMI_OK;
}

const char *atemi_mjcf_own(const atemi_mjcf_element *element, const char *attribute)
{
    for (const char **at = element->attributes; *at; at += 2) {
        if (strcmp(at[0], attribute) == 0) {
            return at[1];
        }
    }
    return NULL;
}

bool atemi_mjcf_is_named(const atemi_mjcf_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

atemi_mjcf_element *atemi_mjcf_next(const atemi_mjcf_element *top, const atemi_mjcf_element *at,
                                    bool inside)
{
    if (inside && at->first) {
        return at->first;
    }
    while (at != top && !at->next) {
        at = at->parent;
    }
    return at == top ? NULL : at->next;
}

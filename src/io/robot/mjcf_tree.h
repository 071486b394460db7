// SPDX-License-Identifier: Apache-2.0

/// @file
/// The elements of an MJCF file as a tree, with the files that it includes in their places. MJCF's
/// sections may come in any order, so nothing is understood before all of it is read.

#pragma once

#include "atemi/base.h"
#include "atemi/model_builder.h"
#include "io/robot/mesh_search.h"
#include "io/syntax/xml_reader.h"
#include "model/names.h"

#include <stdbool.h>

/// What is refused beyond, over all files together.
enum {
    ATEMI_MJCF_MAX_ELEMENTS = 300000,
    ATEMI_MJCF_MAX_ATTRIBUTES = 1000000,
    ATEMI_MJCF_MAX_FILES = 256,
    ATEMI_MJCF_MAX_INCLUDE_DEPTH = 16,
};

/// An element.
typedef struct atemi_mjcf_element {
    const char                *name;
    const char               **attributes; ///< name, value, name, value, ..., NULL
    const char                *file;       ///< for messages, or NULL
    atemi_place                place;
    struct atemi_mjcf_element *parent;       ///< NULL for the outermost
    struct atemi_mjcf_element *first, *last; ///< children, or NULL
    struct atemi_mjcf_element *next;         ///< sibling, or NULL
    struct atemi_mjcf_element *made_before;  ///< for releasing
    int                        link;         ///< of a body its link, of a frame or class its index
    int                        joint, coordinate; ///< of a joint: its joint and first qpos
    int                        number;            ///< in the order of reading, from 0
} atemi_mjcf_element;

typedef struct atemi_mjcf_tree {
    atemi_mjcf_element *root; ///< <mujoco>
    atemi_mjcf_element *newest;
    atemi_string_pool   names; ///< of files
    int                 element_count;
} atemi_mjcf_tree;

/// Reads a file and all that it includes. `name` stands for it in messages and may be NULL; files
/// to include are found as meshes are. The tree is to be destroyed whatever the result.
atemi_status atemi_mjcf_tree_read(const char *text, size_t size, const char *name,
                                  atemi_mesh_search *search, atemi_mjcf_tree *tree,
                                  atemi_error *error);

void atemi_mjcf_tree_destroy(atemi_mjcf_tree *tree);

/// Whether the outermost element of some XML is <mujoco>.
/// @return ATEMI_OK or ATEMI_ERROR_MEMORY
atemi_status atemi_mjcf_recognize(const char *text, size_t size, bool *is_mjcf, atemi_error *error);

/// The element's attribute, or NULL.
const char *atemi_mjcf_own(const atemi_mjcf_element *element, const char *attribute);

bool atemi_mjcf_is_named(const atemi_mjcf_element *element, const char *name);

/// The element after `at` among those inside `top`, parents before children; inside `at` too if
/// `inside`. NULL at the end. Begin with at = top.
atemi_mjcf_element *atemi_mjcf_next(const atemi_mjcf_element *top, const atemi_mjcf_element *at,
                                    bool inside);

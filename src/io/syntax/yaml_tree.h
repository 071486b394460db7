// SPDX-License-Identifier: Apache-2.0

/// @file
/// A YAML document as a tree that knows where everything stands. The bytes are not trusted: what
/// they may cost is bounded, and what multiplies or hides things (anchors, aliases, merge keys,
/// tags, keys that stand twice, several documents) is refused.
///
/// libyaml takes its own memory from malloc: some 100 KiB and a few times the size of the text,
/// all of it released at the end of the call. The tree's memory is from atemi_allocate().

#pragma once

#include "atemi/base.h"
#include "atemi/model_builder.h"
#include "model/names.h"

#include <stdbool.h>
#include <stddef.h>

/// What is refused beyond.
enum {
    ATEMI_YAML_MAX_MEBIBYTES = 1,  ///< of a file
    ATEMI_YAML_MAX_DEPTH = 32,     ///< lists and mappings inside each other
    ATEMI_YAML_MAX_NODES = 100000, ///< values, lists and mappings of a file
    ATEMI_YAML_MAX_KEYS = 1000,    ///< of a mapping
    ATEMI_YAML_MAX_KEY_SIZE = 256  ///< of a key with its final zero
};

typedef enum atemi_yaml_kind {
    ATEMI_YAML_NOTHING, ///< an empty value, ~ or null, without quotes
    ATEMI_YAML_SCALAR,
    ATEMI_YAML_LIST,
    ATEMI_YAML_MAPPING,
} atemi_yaml_kind;

typedef struct atemi_yaml_node {
    atemi_yaml_kind kind;
    atemi_place     place; ///< where the value begins
    const char     *text;  ///< of a scalar; "" otherwise
    const char     *key;   ///< in a mapping; NULL otherwise
    atemi_place     key_place;
    int             first; ///< child, or -1
    int             next;  ///< sibling, or -1
    int             count; ///< children
    bool            asked; ///< for who reads the tree
} atemi_yaml_node;

/// Node 0 is the root, a mapping.
typedef struct atemi_yaml_tree {
    atemi_yaml_node  *nodes;
    int               count, capacity;
    atemi_string_pool strings;
} atemi_yaml_tree;

/// Reads all of `text`. `file` is what errors name; it may be NULL. `tree` is to be destroyed
/// whatever the result.
atemi_status atemi_yaml_read(const char *text, size_t size, const char *file, atemi_yaml_tree *tree,
                             atemi_error *error);

void atemi_yaml_tree_destroy(atemi_yaml_tree *tree);

/// The child of a mapping that has the key, or NULL.
atemi_yaml_node *atemi_yaml_find(const atemi_yaml_tree *tree, const atemi_yaml_node *mapping,
                                 const char *key);

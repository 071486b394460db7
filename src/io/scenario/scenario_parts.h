// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a scenario reader, for the files that it is made of.

#pragma once

#include "io/bytes/text.h"
#include "io/scenario/scenario_reader.h"
#include "io/scenario/scenario_warning.h"
#include "io/syntax/yaml_tree.h"

/// A list and its item for each level of YAML, and the top; entering more is refused. Quotes are
/// cut.
enum { ATEMI_SCENARIO_MAX_FRAMES = 2 * ATEMI_YAML_MAX_DEPTH + 2, ATEMI_QUOTE_SIZE = 72 };

typedef enum atemi_frame_kind {
    ATEMI_FRAME_MAPPING,
    ATEMI_FRAME_LIST, ///< or names
    ATEMI_FRAME_ITEM,
} atemi_frame_kind;

/// A mapping, list or item that was entered. Nodes and rows are indices; -1 is a node that the file
/// lacks, and the row of the whole file.
typedef struct atemi_scenario_frame {
    atemi_frame_kind    kind;
    int                 node;
    int                 row;
    int                 depth; ///< of the rows in it
    atemi_scenario_mark mark;
    bool                named; ///< LIST: of names
    int                 next;  ///< LIST: node of the item to come
    int                 index; ///< LIST: of that item
    int                 count; ///< LIST: of items
} atemi_scenario_frame;

struct atemi_scenario_reader {
    char                *source;
    size_t               size;
    char                *file; ///< for messages, or NULL
    bool                 blank;
    atemi_yaml_tree      tree;
    atemi_error          error; ///< the first one
    atemi_scenario_frame frames[ATEMI_SCENARIO_MAX_FRAMES];
    int                  frame_count;
    atemi_scenario_row  *rows;
    int                  row_count, row_capacity;
    int                  last_row; ///< of the key last asked for, or -1
    atemi_string_pool    strings;
    const char          *alias_key, *alias; ///< the key that had an old name, and that; or NULL

    atemi_scenario_warning *warnings;
    int                     warning_count;
};

/// The node at an index, or NULL for -1.
static inline atemi_yaml_node *atemi_scenario_node(const atemi_scenario_reader *reader, int index)
{
    return index < 0 ? NULL : &reader->tree.nodes[index];
}

/// The innermost frame.
static inline atemi_scenario_frame *atemi_scenario_top(atemi_scenario_reader *reader)
{
    return &reader->frames[reader->frame_count - 1];
}

// ---- Keys (scenario_key.c)

/// Declares a key of the current mapping, or with NULL the current item itself, as the given row.
/// @return its node; NULL where it is absent, which is an error if the row is required, and after
/// an error
atemi_yaml_node *atemi_scenario_ask(atemi_scenario_reader *reader, const char *key,
                                    atemi_scenario_row declaration);

/// The node of a key of the current mapping, or with NULL of the current item; or NULL.
atemi_yaml_node *atemi_scenario_find(const atemi_scenario_reader *reader, const char *key);

/// Fails where a key of the frame's mapping was not asked for.
void atemi_scenario_check_all_asked(atemi_scenario_reader      *reader,
                                    const atemi_scenario_frame *frame);

// ---- Rows, memory and errors (scenario_reader.c)

/// Appends a row.
/// @return its index, or -1 without memory, which is an error
int atemi_scenario_add_row(atemi_scenario_reader *reader, const atemi_scenario_row *row);

/// The row of the key that was last asked for; NULL after an error.
atemi_scenario_row *atemi_scenario_last_row(atemi_scenario_reader *reader);

/// "path.key"
const char *atemi_scenario_child_path(atemi_scenario_reader *reader, const char *path,
                                      const char *key);

/// Text in the reader's memory; "" without memory, which is an error.
const char *atemi_scenario_keep(atemi_scenario_reader *reader, const char *format, ...)
    ATEMI_PRINTF(2, 3);
/// The same for a buffer, which is released.
const char *atemi_scenario_keep_buffer(atemi_scenario_reader *reader, atemi_text *text);

/// Makes an error that says what stands there instead of `expected`, which is such as "a number,
/// e.g. 1 s".
void atemi_scenario_fail_on_kind(atemi_scenario_reader *reader, const atemi_yaml_node *node,
                                 atemi_scenario_mark mark, const char *expected);

/// Makes an error of a caller's bug: nothing that the reader says is to be relied on any more.
void atemi_scenario_fail_on_contract(atemi_scenario_reader *reader);

/// A text of the file as messages show it: on one line, and not too long.
const char *atemi_scenario_quote(const char *text, char quote[ATEMI_QUOTE_SIZE]);

// ---- Bounds (scenario_bounds.c)

/// The declaration, narrowed to what a quantity of its unit can be.
atemi_number_key atemi_scenario_bound(atemi_number_key key);

bool atemi_scenario_is_in_range(const atemi_number_key *key, double value);

/// "from 0.5 to 2 m (no leg is longer)", "0, or from 1e-06 to 1e+09 N (...), or inf"; NULL where
/// every number is in range.
const char *atemi_scenario_range_text(atemi_scenario_reader *reader, const atemi_number_key *key);

// ---- Numbers (scenario_value.c)

/// Reads a number of the file.
/// @return false, with an error, for all else
bool atemi_scenario_read_number(atemi_scenario_reader *reader, const atemi_yaml_node *node,
                                atemi_scenario_mark mark, const atemi_number_key *key,
                                double *value);

/// The row of a key whose values are such numbers.
atemi_scenario_row atemi_scenario_number_row(atemi_scenario_reader  *reader,
                                             const atemi_number_key *key, const char *type);

/// A number with its unit, as YAML.
const char *atemi_scenario_quantity_text(atemi_scenario_reader *reader, const atemi_number_key *key,
                                         double number);

/// Sets the value in force of the key that was last asked for.
void atemi_scenario_set_value(atemi_scenario_reader *reader, const char *value);

// ---- Explanations (scenario_explain.c)

/// Appends a text as a YAML scalar, in quotes where it needs them.
void atemi_text_append_scalar(atemi_text *text, const char *scalar);

// SPDX-License-Identifier: Apache-2.0

/// @file
/// Reads scenarios: YAML files whose keys are declared where they are read, once each, with unit,
/// default, range and help. The declarations check the file, make its errors, and explain it.
///
///     static void read_contact(atemi_scenario_reader *reader, contact *contact)
///     {
///         contact->link = atemi_scenario_string(reader, "link", (atemi_string_key){
///             .required = true, .help = "the link that touches"});
///         contact->friction = atemi_scenario_number(reader, "friction", (atemi_number_key){
///             .fallback = 0.8, .lower = 0.0, .upper = INFINITY, .help = "of the floor"});
///     }
///
///     atemi_scenario_reader *reader;
///     if (atemi_scenario_open(path, &reader, error)) { return error->status; }
///     task.duration = atemi_scenario_number(reader, "duration", (atemi_number_key){
///         .unit = "s", .fallback = 1.0, .lower = 0.0, .upper = INFINITY, .help = "to simulate"});
///     task.contact_count = atemi_scenario_enter_list(reader, "contacts", 0, MOST, "what touches");
///     for (int i = 0; atemi_scenario_next(reader); ++i) {
///         read_contact(reader, &task.contacts[i]);
///     }
///     status = atemi_scenario_finish(reader, error);
///
/// The first error is the one that counts. After it every call returns its default, nothing is
/// entered and lists are empty, so that reading is a straight line with one check at its end.
/// Unknown keys are errors when their mapping is left.
///
/// Keys, help texts, units and words are literals, or outlive the reader. Help is one line. A key
/// is asked for once in its mapping; NULL as key stands for the item of a list or the entry of
/// names itself. Strings that are handed out live as long as the reader.

#pragma once

#include "atemi/base.h"
#include "atemi/math.h"
#include "atemi/model_builder.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct atemi_scenario_reader atemi_scenario_reader;

/// A key and where its value stands, or the mapping that lacks it. Lives as long as the reader.
typedef struct atemi_scenario_mark {
    const char *path; ///< such as "contacts[1].friction", counted from 0; "" for the whole file
    atemi_place place;
} atemi_scenario_mark;

// ---- From the file to the end

/// Reads a file. `*reader` is NULL unless the result is ATEMI_OK.
atemi_status atemi_scenario_open(const char *path, atemi_scenario_reader **reader,
                                 atemi_error *error);

/// Reads a text, of which it keeps a copy. `file` is what errors name; it may be NULL.
atemi_status atemi_scenario_open_text(const char *text, size_t size, const char *file,
                                      atemi_scenario_reader **reader, atemi_error *error);

/// A reader without a file: every key is absent, and no absent key is an error. Mappings are
/// entered, and lists and names have one item, so that all keys are declared and can be explained.
atemi_status atemi_scenario_open_blank(atemi_scenario_reader **reader, atemi_error *error);

/// Leaves the outermost mapping. The reader stays open for explanations, and for errors that are
/// found later: after those, call it again.
/// @return the status of the first error, which is copied to `error`
atemi_status atemi_scenario_finish(atemi_scenario_reader *reader, atemi_error *error);

/// NULL is fine.
void atemi_scenario_close(atemi_scenario_reader *reader);

/// Whether there was an error; for work between two keys that would be in vain, such as loading a
/// robot.
bool atemi_scenario_failed(const atemi_scenario_reader *reader);

/// The bytes of the file, for recordings and reports.
const char *atemi_scenario_source(const atemi_scenario_reader *reader, size_t *size);

// ---- Mappings, lists and names

typedef enum atemi_presence {
    ATEMI_REQUIRED,
    ATEMI_OPTIONAL,  ///< what is absent does not exist
    ATEMI_DEFAULTED, ///< what is absent is taken as {}: all keys in it have their defaults
} atemi_presence;

/// Goes into a mapping.
/// @return whether it is there; if so, it is to be left
bool atemi_scenario_enter(atemi_scenario_reader *reader, const char *key, atemi_presence presence,
                          const char *help);
void atemi_scenario_leave(atemi_scenario_reader *reader);

/// Goes to the beginning of a list of `least` to `most` items; one that is absent is empty.
/// @return the number of items
int atemi_scenario_enter_list(atemi_scenario_reader *reader, const char *key, int least, int most,
                              const char *help);

/// Same for a mapping whose keys are names that the file chooses, such as joints.
int atemi_scenario_enter_names(atemi_scenario_reader *reader, const char *key, int least, int most,
                               const char *help);

/// Goes to the next item of the list or the next of the names, or leaves them.
/// @return false at the end
bool atemi_scenario_next(atemi_scenario_reader *reader);

/// The name where atemi_scenario_next() went.
const char *atemi_scenario_name(const atemi_scenario_reader *reader);

/// Says that a key of the current mapping, which is asked for next, had another name. A file with
/// the old one is read as if it had the new one, and a warning says so; one with both is an error.
void atemi_scenario_alias(atemi_scenario_reader *reader, const char *key, const char *old);

/// What stands in the file, for keys that may be more than one thing. To look is not to ask.
typedef enum atemi_scenario_kind {
    ATEMI_SCENARIO_ABSENT,
    ATEMI_SCENARIO_VALUE, ///< a number, a word or nothing at all
    ATEMI_SCENARIO_LIST,
    ATEMI_SCENARIO_MAPPING,
} atemi_scenario_kind;

atemi_scenario_kind atemi_scenario_look(const atemi_scenario_reader *reader, const char *key);

/// The text of a value in the file, for what its number cannot tell; NULL where there is none.
const char *atemi_scenario_text(const atemi_scenario_reader *reader, const char *key);

// ---- Values. What is required has no fallback.

/// With lower == upper, as when both are left out, the bounds are those of the unit
/// (scenario_bounds.c), which also hold beside the ones that stand here. Bounds are in range
/// themselves, unless `open`.
typedef struct atemi_number_key {
    const char *unit; ///< see io/unit.h; NULL for a pure number
    double      fallback;
    double      lower, upper;
    const char *reason;   ///< why not beyond, in a few words; NULL for that of the unit's bounds
    double      smallest; ///< but for 0; filled in by the reader
    bool        open;
    bool        infinite; ///< `inf` is in range, and `-inf` where lower is negative
    bool        required;
    const char *help;
} atemi_number_key;

typedef struct atemi_integer_key {
    int         fallback;
    int         lower, upper; ///< as above
    bool        required;
    const char *help;
} atemi_integer_key;

typedef struct atemi_boolean_key {
    bool        fallback;
    bool        required;
    const char *help;
} atemi_boolean_key;

typedef struct atemi_string_key {
    const char *fallback; ///< NULL for none
    bool        required;
    const char *help;
} atemi_string_key;

typedef struct atemi_choice_key {
    const char *const *words;    ///< up to NULL
    int                fallback; ///< index of a word
    bool               required;
    const char        *help;
} atemi_choice_key;

typedef struct atemi_vec3_key {
    const char *unit;
    atemi_vec3  fallback;
    bool        required;
    const char *help;
} atemi_vec3_key;

typedef struct atemi_numbers_key {
    atemi_number_key each; ///< the fallback does not count
    int              least, most;
    int              fallback_count; ///< how many numbers stand in `values` beforehand
} atemi_numbers_key;

/// Names that numbers are for, such as the joints of a robot.
typedef struct atemi_scenario_names {
    const char *noun; ///< "joint"
    int         count;
    const char *(*name)(const void *collection, int index);
    const void *collection;
    /// Looks at a number that the file gives for a name, by its mark and its text in the file; or
    /// NULL. It may warn, or make an error.
    void (*check)(atemi_scenario_reader *reader, atemi_scenario_mark mark, const char *text,
                  const void *collection, int index, double value);
} atemi_scenario_names;

double atemi_scenario_number(atemi_scenario_reader *reader, const char *key,
                             atemi_number_key declaration);
int    atemi_scenario_integer(atemi_scenario_reader *reader, const char *key,
                              atemi_integer_key declaration);
bool   atemi_scenario_boolean(atemi_scenario_reader *reader, const char *key,
                              atemi_boolean_key declaration);

/// Never empty in the file. NULL only where the fallback is; what is required but missing is "".
const char *atemi_scenario_string(atemi_scenario_reader *reader, const char *key,
                                  atemi_string_key declaration);

/// The index of the word.
int atemi_scenario_choice(atemi_scenario_reader *reader, const char *key,
                          atemi_choice_key declaration);

atemi_vec3 atemi_scenario_vec3(atemi_scenario_reader *reader, const char *key,
                               atemi_vec3_key declaration);

/// A list of numbers. `values` [most] hold the defaults beforehand and stay as they are where the
/// file says nothing; after an error some of them may have changed.
/// @return how many numbers there are
int atemi_scenario_numbers(atemi_scenario_reader *reader, const char *key,
                           atemi_numbers_key declaration, double *values);

/// A number for each name: either one for all of them, or a mapping from names to numbers, where
/// `others` is for those it does not name. `values` [names.count] hold the defaults beforehand and
/// stay as they are where the file says nothing; the declaration's fallback does not count.
void atemi_scenario_numbers_by_name(atemi_scenario_reader *reader, const char *key,
                                    atemi_number_key declaration, atemi_scenario_names names,
                                    double *values);

// ---- Errors that the caller finds

/// A number as the file has it where the mark is, such as "200 ms"; where there is none, `value` in
/// `unit`. Lives as long as the reader.
const char *atemi_scenario_written(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                   double value, const char *unit);

/// Fails at `to` unless it is behind `from`; "give a later NOUN".
void atemi_scenario_check_order(atemi_scenario_reader *reader, atemi_scenario_mark from_mark,
                                double from, atemi_scenario_mark to_mark, double to,
                                const char *unit, const char *noun);

/// The key that was last asked for.
atemi_scenario_mark atemi_scenario_last(const atemi_scenario_reader *reader);

/// Makes an error "file:line:column: path: ..." of status ATEMI_ERROR_INPUT, unless there is one
/// already.
/// @return the status of the first error
atemi_status atemi_scenario_fail(atemi_scenario_reader *reader, atemi_scenario_mark mark,
                                 const char *format, ...) ATEMI_PRINTF(3, 4);

// ---- Explanations

typedef enum atemi_row_kind { ATEMI_ROW_VALUE, ATEMI_ROW_MAPPING, ATEMI_ROW_LIST } atemi_row_kind;

/// A key as it was declared, and what came of it.
typedef struct atemi_scenario_row {
    atemi_row_kind      kind;
    int                 depth;    ///< 0 for the keys of the file; items are one below their list
    const char         *key;      ///< NULL for an item of a list
    const char         *alias;    ///< its old name, which is read as well; NULL for none
    atemi_scenario_mark mark;     ///< its path and place
    const char         *type;     ///< such as "number", "list of 3 numbers", "word: a, b or c"
    const char         *value;    ///< the one in force, as YAML; NULL for a mapping, a list, none
    const char         *fallback; ///< as YAML; NULL where there is none
    const char         *unit;     ///< or NULL
    const char         *range;    ///< such as "0 s or more", or NULL
    const char         *help;
    bool                required;
    bool                given; ///< by the file
} atemi_scenario_row;

/// All keys that were asked for, in that order.
const atemi_scenario_row *atemi_scenario_rows(const atemi_scenario_reader *reader, int *count);

/// The scenario written out: every key with the value in force, and in a comment whether it was
/// given, its default, range and help. A file again, which says the same as the one that was read.
/// @return a text to be released with atemi_release(), or NULL without memory
char *atemi_scenario_explain(const atemi_scenario_reader *reader);

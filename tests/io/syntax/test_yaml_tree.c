// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"
#include "atemi/base.h"
#include "check.h"
#include "io/bytes/text.h"
#include "io/syntax/yaml_tree.h"

#include <stdlib.h>
#include <string.h>

static void check_refusal(check_place place, const char *text, size_t size, atemi_status status,
                          int line, int column, const char *cause, const char *cure)
{
    atemi_yaml_tree    tree;
    atemi_error        error = {0};
    const atemi_status actual = atemi_yaml_read(text, size, "test.yaml", &tree, &error);
    atemi_yaml_tree_destroy(&tree);
    check_contains(place, error.message, cause);
    check_contains(place, error.message, cure);
    check_status(place, actual, status);
    check_status(place, error.status, status);
    check_equal_string(place, error.file, "test.yaml");
    check_equal_int(place, error.line, line);
    check_equal_int(place, error.column, column);
}

#define REFUSES(text, status, line, column, cause, cure)                                           \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), text, strlen(text), status, line, column,     \
                  cause, cure)
#define SYNTAX(text, line, column, cause, cure)                                                    \
    REFUSES(text, ATEMI_ERROR_SYNTAX, line, column, cause, cure)
#define INPUT(text, line, column, cause, cure)                                                     \
    REFUSES(text, ATEMI_ERROR_INPUT, line, column, cause, cure)
#define LIMIT(text, line, column, cause, cure)                                                     \
    REFUSES(text, ATEMI_ERROR_LIMIT, line, column, cause, cure)

// Text that is made by a loop.
static void append_repeated(atemi_text *to, const char *part, int count)
{
    for (int i = 0; i < count; ++i) {
        atemi_text_append(to, "%s", part);
    }
}

static const atemi_yaml_node *child(const atemi_yaml_tree *tree, int parent, int index)
{
    int node = tree->nodes[parent].first;
    while (index-- > 0) {
        node = tree->nodes[node].next;
    }
    return &tree->nodes[node];
}

TEST(yaml_tree, knows_where_everything_stands)
{
    static const char text[] = "\xEF\xBB\xBF# a comment\n"
                               "robot: hrp2_like\n"
                               "contacts:\r\n"
                               "  - {link: 'left foot', friction: 0.5}\n"
                               "  - link: \"\\u00e9t\\u00e9\"\n"
                               "nothing:\n"
                               "empty: \"\"\n"
                               "\xC3\xA9t\xC3\xA9: [1, ~, 2]\n";
    atemi_yaml_tree   tree;
    CHECK_STATUS(atemi_yaml_read(text, strlen(text), NULL, &tree, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(tree.nodes[0].kind, ATEMI_YAML_MAPPING);
    CHECK_EQUAL_INT(tree.nodes[0].count, 5);

    const atemi_yaml_node *robot = child(&tree, 0, 0);
    CHECK_EQUAL_STRING(robot->key, "robot");
    CHECK_EQUAL_STRING(robot->text, "hrp2_like");
    CHECK_EQUAL_INT(robot->key_place.line, 2);
    CHECK_EQUAL_INT(robot->key_place.column, 1);
    CHECK_EQUAL_INT(robot->place.column, 8);

    const atemi_yaml_node *contacts = atemi_yaml_find(&tree, &tree.nodes[0], "contacts");
    CHECK_EQUAL_INT(contacts->kind, ATEMI_YAML_LIST);
    CHECK_EQUAL_INT(contacts->count, 2);
    const atemi_yaml_node *first = &tree.nodes[contacts->first];
    CHECK_EQUAL_INT(first->place.line, 4);
    CHECK_EQUAL_INT(first->place.column, 5);
    CHECK_EQUAL_STRING(atemi_yaml_find(&tree, first, "link")->text, "left foot");
    const atemi_yaml_node *friction = atemi_yaml_find(&tree, first, "friction");
    CHECK_EQUAL_INT(friction->key_place.column, 25);
    CHECK_EQUAL_INT(friction->place.column, 35);
    const atemi_yaml_node *second = &tree.nodes[first->next];
    CHECK_EQUAL_STRING(atemi_yaml_find(&tree, second, "link")->text, "\xC3\xA9t\xC3\xA9");

    CHECK_EQUAL_INT(child(&tree, 0, 2)->kind, ATEMI_YAML_NOTHING);
    CHECK_EQUAL_INT(child(&tree, 0, 3)->kind, ATEMI_YAML_SCALAR);
    const atemi_yaml_node *list = child(&tree, 0, 4);
    CHECK_EQUAL_INT(list->place.column, 6); // characters, not bytes
    CHECK_EQUAL_INT(tree.nodes[tree.nodes[list->first].next].kind, ATEMI_YAML_NOTHING);
    CHECK(!atemi_yaml_find(&tree, &tree.nodes[0], "none"));
    atemi_yaml_tree_destroy(&tree);
}

TEST(yaml_tree, is_one_document_with_a_mapping)
{
    SYNTAX("", 0, 0, "nothing in the file", "robot: hrp2_like");
    SYNTAX("# only a comment\n", 0, 0, "nothing in the file", "keys");
    INPUT("---\n", 2, 1, "begins with a mapping", "robot:");
    INPUT("hello", 1, 1, "begins with a mapping", "robot:");
    INPUT("\n- a\n", 2, 1, "begins with a mapping", "robot:");
    INPUT("a: 1\n---\nb: 2\n", 2, 1, "second document", "remove");
    atemi_yaml_tree   tree;
    static const char framed[] = "%YAML 1.1\n---\na: 1\n...\n";
    CHECK_STATUS(atemi_yaml_read(framed, strlen(framed), NULL, &tree, NULL), ATEMI_OK);
    atemi_yaml_tree_destroy(&tree);
}

TEST(yaml_tree, refuses_what_hides_or_multiplies)
{
    INPUT("a: &x 1\n", 1, 4, "anchors", "quotes");
    INPUT("a: &x [1]\n", 1, 4, "anchors", "write the value out");
    INPUT("a: &x {b: 1}\n", 1, 4, "anchors", "write the value out");
    INPUT("a: *x\n", 1, 4, "aliases", "quotes");
    INPUT("a: !!str 1\n", 1, 4, "tags", "remove");
    INPUT("a: !x [1]\n", 1, 4, "tags", "remove");
    INPUT("a: !python/object {b: 1}\n", 1, 4, "tags", "remove");
    INPUT("%TAG ! tag:example.org,2000:\n---\na: 1\n", 1, 1, "tags", "remove");
    INPUT("<<: {a: 1}\n", 1, 1, "merge keys", "write the keys out");
    INPUT("a: 1\nb: 2\n\"a\": 3\n", 3, 1, "'a' appears twice", "line 1; remove one");
    INPUT("? [a, b]\n: 1\n", 1, 3, "cannot be a key", "word as key");
    INPUT("{a: {{b: 1}: 2}}", 1, 6, "cannot be a key", "word as key");
    INPUT("~: 1\n", 1, 1, "without a key", "key: value");
    INPUT("a: \"\\0\"\n", 1, 4, "control character", "remove");
    INPUT("a: \"\\e[31m\"\n", 1, 4, "control character", "remove");
    INPUT("a: \"\\x9b\"\n", 1, 4, "control character", "remove");
    INPUT("\"a\\x7f\": 1\n", 1, 1, "control character", "remove");
}

TEST(yaml_tree, says_what_is_wrong_with_the_syntax)
{
    SYNTAX("a:\n\tb: 1\n", 2, 1, "a tab", "spaces");
    SYNTAX("a: @x\n", 1, 4, "begin with this character", "quotes");
    SYNTAX("\xC3\xA9: @x\n", 1, 4, "begin with this character", "quotes");
    SYNTAX("a: b: c\n", 1, 5, "':' that cannot be here", "quotes");
    SYNTAX("a: [1, 2\nb: 3\n", 2, 2, "',' or ']'", "list");
    SYNTAX("a: {b: 1\n", 2, 1, "',' or '}'", "mapping");
    SYNTAX("a: 'b\n", 2, 1, "inside quotes", "closing quote");
    SYNTAX("a: 1\nb\n", 3, 1, "key without ':'", "key: value");
    SYNTAX("a: 1\n b: 2\n", 2, 3, "':' that cannot be here", "indentation");
    SYNTAX("a: 1\n- b\n", 2, 1, "where a key can begin", "indentation");
    SYNTAX("a:\n  - 1\n  b: 2\n", 3, 3, "belong to the list", "'- '");
    SYNTAX("a: \"\\q\"\n", 1, 5, "escape", "single quotes");
}

TEST(yaml_tree, refuses_bytes_that_are_no_text)
{
    static const char binary[] = "a: 1\nb: \x01\x02";
    check_refusal(CHECK_PLACE("control"), binary, sizeof binary - 1, ATEMI_ERROR_SYNTAX, 2, 4,
                  "not text in UTF-8", "right file");
    static const char zero[] = "a: 1\0b: 2";
    check_refusal(CHECK_PLACE("zero"), zero, sizeof zero - 1, ATEMI_ERROR_SYNTAX, 1, 5,
                  "not text in UTF-8", "right file");
    static const char latin[] = "name: caf\xE9\n";
    check_refusal(CHECK_PLACE("latin"), latin, sizeof latin - 1, ATEMI_ERROR_SYNTAX, 1, 10,
                  "not text in UTF-8", "save it as UTF-8");
    static const char wide[] = "\xFF\xFE"
                               "a\0:\0 \0001\0";
    check_refusal(CHECK_PLACE("UTF-16"), wide, sizeof wide - 1, ATEMI_ERROR_SYNTAX, 1, 1,
                  "not text in UTF-8", "save it as UTF-8");
}

// ---- What a hostile file may cost

TEST(yaml_tree, refuses_the_billion_laughs)
{
    LIMIT("a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n", 1, 35,
          "more than 32", "inside each other");
    INPUT("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n", 1, 4, "anchors",
          "small file");
}

TEST(yaml_tree, refuses_nesting_of_any_depth)
{
    static const char *const parts[] = {"[", "{a: ", "- ", "? "};
    for (int i = 0; i < 4; ++i) {
        atemi_text      text = {0};
        atemi_yaml_tree tree;
        atemi_error     error = {0};
        append_repeated(&text, parts[i], 200000);
        CHECK(atemi_yaml_read(text.bytes, text.size, NULL, &tree, &error) != ATEMI_OK);
        CHECK(strlen(error.message) > 0);
        atemi_yaml_tree_destroy(&tree);
        atemi_release(text.bytes);
    }
}

TEST(yaml_tree, reads_up_to_its_limits_and_no_further)
{
    atemi_text text = {0};
    atemi_text_append(&text, "a: [");
    append_repeated(&text, "1,", ATEMI_YAML_MAX_NODES - 2);
    atemi_text_append(&text, "]\n");
    atemi_yaml_tree tree;
    CHECK_STATUS(atemi_yaml_read(text.bytes, text.size, NULL, &tree, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(tree.count, ATEMI_YAML_MAX_NODES);
    atemi_yaml_tree_destroy(&tree);
    atemi_text_append(&text, "b: 1\n");
    LIMIT(text.bytes, 2, 4, "more than 100000 values", "right file");

    text.size = 0;
    for (int i = 0; i < ATEMI_YAML_MAX_KEYS; ++i) {
        atemi_text_append(&text, "key%d: %d\n", i, i);
    }
    CHECK_STATUS(atemi_yaml_read(text.bytes, text.size, NULL, &tree, NULL), ATEMI_OK);
    atemi_yaml_tree_destroy(&tree);
    atemi_text_append(&text, "last: 1\n");
    LIMIT(text.bytes, 1001, 1, "more than 1000 keys", "mapping");

    text.size = 0;
    append_repeated(&text, "k", ATEMI_YAML_MAX_KEY_SIZE);
    atemi_text_append(&text, ": 1\n");
    LIMIT(text.bytes, 1, 1, "more than 255 bytes", "key");

    text.size = 0;
    atemi_text_append(&text, "a: ");
    append_repeated(&text, "x", (1 << 20) - 3);
    CHECK_STATUS(atemi_yaml_read(text.bytes, text.size, NULL, &tree, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(strlen(child(&tree, 0, 0)->text), (1 << 20) - 3);
    atemi_yaml_tree_destroy(&tree);
    atemi_text_append(&text, "x");
    LIMIT(text.bytes, 0, 0, "larger than 1 MiB", "right one");
    atemi_release(text.bytes);
}

TEST(yaml_tree, loses_nothing_without_memory)
{
    static const char text[] = "a: [1, 2, {b: c}]\nd: {e: 'long enough'}\n";
    bool              failed = true;
    for (int n = 1; failed; ++n) {
        atemi_yaml_tree tree;
        atemi_error     error = {0};
        failing_allocator_install(n);
        const atemi_status status = atemi_yaml_read(text, strlen(text), NULL, &tree, &error);
        failed = failing_allocator_failed();
        CHECK_STATUS(status, failed ? ATEMI_ERROR_MEMORY : ATEMI_OK);
        CHECK_STATUS(error.status, status);
        atemi_yaml_tree_destroy(&tree);
        CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
        failing_allocator_remove();
        CHECK(n < 100);
    }
}

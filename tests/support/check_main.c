// SPDX-License-Identifier: Apache-2.0

#include "check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST_TEST_COUNT = 1000 };

static check_test *first_test = NULL;

// The order of constructors is the linker's affair; ours is that of the lines.
static bool comes_before(const check_test *a, const check_test *b)
{
    const int files = strcmp(a->file, b->file);
    return files < 0 || (files == 0 && a->line < b->line);
}

static int prepare(void **state)
{
    (void)state;
    check_reset();
    return 0;
}

static size_t select_tests(const char *filter, struct CMUnitTest *tests)
{
    size_t count = 0;
    for (check_test *test = first_test; test; test = test->next) {
        if (strstr(test->name, filter) && count < LARGEST_TEST_COUNT) {
            const struct CMUnitTest selected = {test->name, test->run, prepare, NULL, NULL};
            tests[count++] = selected;
        }
    }
    return count;
}

void check_register(check_test *test)
{
    check_test **place = &first_test;
    while (*place && comes_before(*place, test)) {
        place = &(*place)->next;
    }
    test->next = *place;
    *place = test;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[LARGEST_TEST_COUNT];

    const char  *filter = argc > 1 ? argv[1] : "";
    const size_t count = select_tests(filter, tests);
    if (count == 0) {
        fprintf(stderr, "no test has \"%s\" in its name\n", filter);
        return 1;
    }
    return _cmocka_run_group_tests(argv[0], tests, count, NULL, NULL);
}

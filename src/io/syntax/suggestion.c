// SPDX-License-Identifier: Apache-2.0

#include "io/syntax/suggestion.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST_WORD = 64, LEAST_PREFIX = 2 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

// How many letters must be added, dropped or changed to make `a` into `b` [Levenshtein66]. Both
// have at most LONGEST_WORD letters.
static int edit_distance(const char *a, const char *b)
{
    const int length = (int)strlen(b);
    int       distance[LONGEST_WORD + 1]; // slips() compares no longer ones
    for (int j = 0; j <= length; ++j) {
        distance[j] = j;
    }
    for (int i = 0; a[i]; ++i) {
        int diagonal = distance[0];
        distance[0] = i + 1;
        for (int j = 0; j < length; ++j) {
            const int above = distance[j + 1];
            distance[j + 1] = least(least(above, distance[j]) + 1, diagonal + (a[i] != b[j]));
            diagonal = above;
        }
    }
    return distance[length];
}

// Whether the two differ in nothing but one pair of neighbours that changed places.
static bool is_swapped(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i]) {
        ++i;
    }
    return a[i] && b[i] && a[i + 1] && a[i] == b[i + 1] && a[i + 1] == b[i] &&
           strcmp(a + i + 2, b + i + 2) == 0;
}

// One slip in short words, up to three in long ones. Who typed the beginning made no slip at all.
static int slips(const char *word, const char *name)
{
    const size_t length = strlen(word);
    if (length > LONGEST_WORD || strlen(name) > LONGEST_WORD) {
        return LONGEST_WORD;
    }
    if (length >= LEAST_PREFIX && strncmp(word, name, length) == 0) {
        return 0;
    }
    return is_swapped(word, name) ? 1 : edit_distance(word, name);
}

const char *atemi_suggestion_find(const char *word, int count, atemi_suggestion_name name,
                                  const void *collection)
{
    const int   allowed = least(3, 1 + (int)(strlen(word) / 4));
    const char *closest = NULL;
    int         fewest = allowed + 1;
    for (int i = 0; i < count; ++i) {
        const char *candidate = name(collection, i);
        const int   found = slips(word, candidate);
        if (found < fewest) {
            fewest = found;
            closest = candidate;
        }
    }
    return closest;
}

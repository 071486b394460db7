// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/deflate.h"

#include "allocations.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void check_round(const unsigned char *bytes, size_t size)
{
    unsigned char *packed, *again = malloc(size + 1);
    size_t         packed_size;
    uLongf         length = (uLongf)size;
    CHECK_STATUS(atemi_deflate(bytes, size, &packed, &packed_size, NULL), ATEMI_OK);
    CHECK_EQUAL_INT(uncompress(again, &length, packed, (uLong)packed_size), Z_OK);
    CHECK_EQUAL_INT((int)length, (int)size);
    CHECK(memcmp(again, bytes, size) == 0);
    free(again);
    atemi_release(packed);
}

TEST(deflate, is_undone_by_zlib)
{
    static unsigned char bytes[100000];
    check_round(bytes, 0);
    check_round(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; ++i) {
        bytes[i] = (unsigned char)(i * i / 7);
    }
    check_round(bytes, 1);
    check_round(bytes, sizeof bytes);
}

TEST(deflate, makes_zeros_few)
{
    static const unsigned char zeros[100000];
    unsigned char             *packed;
    size_t                     size;
    CHECK_STATUS(atemi_deflate(zeros, sizeof zeros, &packed, &size, NULL), ATEMI_OK);
    CHECK(size < 500);
    atemi_release(packed);
}

TEST(deflate, reports_missing_memory)
{
    unsigned char *packed;
    size_t         size;
    failing_allocator_install(1);
    CHECK_STATUS(atemi_deflate("abc", 3, &packed, &size, NULL), ATEMI_ERROR_MEMORY);
    CHECK(!packed);
    failing_allocator_remove();
    CHECK_EQUAL_INT(failing_allocator_outstanding(), 0);
}

// SPDX-License-Identifier: Apache-2.0

#include "io/bytes/deflate.h"

#include "atemi/base.h"

#include <stdbool.h>
#include <zlib.h>

static void *allocate(void *context, uInt count, uInt size)
{
    (void)context;
    return atemi_allocate((size_t)count * size);
}

static void release(void *context, void *block)
{
    (void)context;
    atemi_release(block);
}

static bool pack(z_stream *stream, const void *bytes, size_t size, unsigned char **packed)
{
    const size_t capacity = deflateBound(stream, (uLong)size);
    *packed = (unsigned char *)atemi_allocate(capacity);
    stream->next_in = (Bytef *)bytes; // zlib only reads it
    stream->avail_in = (uInt)size;
    stream->next_out = *packed;
    stream->avail_out = (uInt)capacity;
    return *packed && deflate(stream, Z_FINISH) == Z_STREAM_END;
}

atemi_status atemi_deflate(const void *bytes, size_t size, unsigned char **packed,
                           size_t *packed_size, atemi_error *error)
{
    z_stream stream = {.zalloc = allocate, .zfree = release};
    *packed = NULL;
    bool fine = size <= (size_t)1 << 31 && deflateInit(&stream, Z_DEFAULT_COMPRESSION) == Z_OK;
    if (fine) {
        fine = pack(&stream, bytes, size, packed);
        *packed_size = stream.total_out;
        deflateEnd(&stream);
    }
    if (!fine) {
        atemi_release(*packed);
        *packed = NULL;
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to pack the numbers of a report");
    }
    return ATEMI_OK;
}

// SPDX-License-Identifier: Apache-2.0

#include "io/report/report_data.h"

#include "atemi/base.h"
#include "io/bytes/base64.h"
#include "io/bytes/deflate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A column with smallest value a and largest b takes 16 bits a number:
//
//   value = a + s u,   s = (b - a) / 65534,   u = 0 ... 65534,   u = 65535: absent
//
// so that no value is further off than s / 2. Whole numbers with b - a <= 65534, and values that
// are the same wherever they are there, have s = 1 and are exact. u is written as its difference
// from the row before, modulo 65536, low byte first, which zlib packs well; the first row as its
// difference from 0.

enum { ABSENT = 65535 };

static const double most_steps = 65534.0;

static const double grid_tolerance = 8.0 * DBL_EPSILON; // relative: a sum and a product

// ---- Choosing

typedef struct value_range {
    double least, largest;
    bool   any, all; ///< present
    bool   whole;    ///< all whole numbers
} value_range;

static value_range range_of(const double *values, int rows)
{
    value_range range = {.least = INFINITY, .largest = -INFINITY, .all = true, .whole = true};
    for (int i = 0; i < rows; ++i) {
        if (isnan(values[i])) {
            range.all = false;
            continue;
        }
        range.any = true;
        range.least = fmin(range.least, values[i]);
        range.largest = fmax(range.largest, values[i]);
        range.whole = range.whole && values[i] == floor(values[i]);
    }
    return range;
}

static bool is_grid(const double *t, int rows, double step)
{
    const double tolerance = grid_tolerance * fmax(fabs(t[0]), fabs(t[rows - 1]));
    bool         fits = true;
    for (int i = 0; i < rows && fits; ++i) {
        fits = fabs(t[0] + step * i - t[i]) <= tolerance;
    }
    return fits;
}

static atemi_report_encoding encode_time(const double *t, int rows)
{
    const double step = rows > 1 ? (t[rows - 1] - t[0]) / (rows - 1) : 0.0;
    if (step > 0.0 && is_grid(t, rows, step)) {
        return (atemi_report_encoding){ATEMI_REPORT_GRID, t[0], step};
    }
    return (atemi_report_encoding){ATEMI_REPORT_F64, 0.0, 0.0};
}

atemi_report_encoding atemi_report_encode(const atemi_recording *recording, int column)
{
    const int     rows = atemi_recording_row_count(recording);
    const double *values = atemi_recording_values(recording, column);
    if (column == 0) {
        return encode_time(values, rows);
    }
    const value_range range = range_of(values, rows);
    const double      width = range.largest - range.least;
    if (!range.any) {
        return (atemi_report_encoding){ATEMI_REPORT_CONSTANT, NAN, 0.0};
    }
    if (range.all && width == 0.0) {
        return (atemi_report_encoding){ATEMI_REPORT_CONSTANT, range.least, 0.0};
    }
    if (width == 0.0 || (range.whole && width <= most_steps)) {
        return (atemi_report_encoding){ATEMI_REPORT_U16, range.least, 1.0};
    }
    const double step = width / most_steps;
    return step >= DBL_MIN && width <= DBL_MAX
               ? (atemi_report_encoding){ATEMI_REPORT_U16, range.least, step}
               : (atemi_report_encoding){ATEMI_REPORT_F64, 0.0, 0.0};
}

void atemi_report_put_encoding(atemi_report_encoding encoding, atemi_text *text)
{
    switch (encoding.kind) {
    case ATEMI_REPORT_CONSTANT:
        atemi_text_put_string(text, "{\"encoding\": \"constant\", \"value\": ");
        atemi_text_put_json_number(text, encoding.first);
        break;
    case ATEMI_REPORT_GRID:
        atemi_text_put_string(text, "{\"encoding\": \"grid\", \"start\": ");
        atemi_text_put_json_number(text, encoding.first);
        atemi_text_put_string(text, ", \"step\": ");
        atemi_text_put_json_number(text, encoding.step);
        break;
    case ATEMI_REPORT_U16:
        atemi_text_put_string(text, "{\"encoding\": \"u16\", \"min\": ");
        atemi_text_put_json_number(text, encoding.first);
        atemi_text_put_string(text, ", \"scale\": ");
        atemi_text_put_json_number(text, encoding.step);
        break;
    case ATEMI_REPORT_F64:
        atemi_text_put_string(text, "{\"encoding\": \"f64\"");
        break;
    }
    atemi_text_put_character(text, '}');
}

// ---- Bytes

static unsigned char *put_low_first(unsigned char *to, uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; ++i) {
        to[i] = (unsigned char)(bits >> (8 * i));
    }
    return to + bytes;
}

static unsigned steps_of(double value, atemi_report_encoding encoding)
{
    return isnan(value)
               ? ABSENT
               : (unsigned)fmin(round((value - encoding.first) / encoding.step), most_steps);
}

static unsigned char *put_steps(unsigned char *to, const double *values, int rows,
                                atemi_report_encoding encoding)
{
    unsigned before = 0;
    for (int i = 0; i < rows; ++i) {
        const unsigned now = steps_of(values[i], encoding);
        to = put_low_first(to, (now - before) & 0xFFFFU, 2);
        before = now;
    }
    return to;
}

static unsigned char *put_doubles(unsigned char *to, const double *values, int rows)
{
    for (int i = 0; i < rows; ++i) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        to = put_low_first(to, bits, 8);
    }
    return to;
}

// ---- Elements

// What an element is called.
typedef struct element_name {
    const char *mark, *what;
    int         index;
} element_name;

static atemi_status write_element(element_name name, const unsigned char *bytes, size_t size,
                                  atemi_whole_file *file, atemi_error *error)
{
    static const char  end[] = "</script>\n";
    char               begin[80];
    unsigned char     *packed;
    size_t             packed_size;
    const atemi_status status = atemi_deflate(bytes, size, &packed, &packed_size, error);
    if (!status) {
        const int length =
            snprintf(begin, sizeof begin, "<script type=\"text/plain\" id=\"atemi%s-%s-%d\">",
                     name.mark, name.what, name.index);
        atemi_whole_file_put(file, begin, (size_t)length);
        atemi_base64_write(packed, packed_size, file);
        atemi_whole_file_put(file, end, strlen(end));
    }
    atemi_release(packed);
    return status;
}

static unsigned char *allocate(size_t size, atemi_error *error)
{
    unsigned char *bytes = (unsigned char *)atemi_allocate(size ? size : 1);
    if (!bytes) {
        (void)atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for the numbers of a report");
    }
    return bytes;
}

atemi_status atemi_report_write_column(const atemi_recording *recording, int column,
                                       const char *mark, atemi_whole_file *file, atemi_error *error)
{
    const atemi_report_encoding encoding = atemi_report_encode(recording, column);
    const int                   rows = atemi_recording_row_count(recording);
    const double               *values = atemi_recording_values(recording, column);
    const bool                  is_exact = encoding.kind == ATEMI_REPORT_F64;
    if (!is_exact && encoding.kind != ATEMI_REPORT_U16) {
        return ATEMI_OK;
    }
    unsigned char *bytes = allocate((size_t)rows * (is_exact ? 8 : 2), error);
    if (!bytes) {
        return ATEMI_ERROR_MEMORY;
    }
    const unsigned char *end =
        is_exact ? put_doubles(bytes, values, rows) : put_steps(bytes, values, rows, encoding);
    const atemi_status status = write_element((element_name){mark, "column", column}, bytes,
                                              (size_t)(end - bytes), file, error);
    atemi_release(bytes);
    return status;
}

static unsigned char *put_mesh(unsigned char *to, const atemi_mesh *mesh)
{
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)mesh->vertex_count; ++i) {
        uint32_t bits;
        memcpy(&bits, &mesh->vertices[i], sizeof bits);
        to = put_low_first(to, bits, 4);
    }
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)mesh->triangle_count; ++i) {
        to = put_low_first(to, mesh->triangles[i], 4);
    }
    return to;
}

atemi_status atemi_report_write_mesh(const atemi_mesh *mesh, int index, const char *mark,
                                     atemi_whole_file *file, atemi_error *error)
{
    const size_t   entries = 3 * ((size_t)mesh->vertex_count + (size_t)mesh->triangle_count);
    unsigned char *bytes = allocate(4 * entries, error);
    if (!bytes) {
        return ATEMI_ERROR_MEMORY;
    }
    const unsigned char *end = put_mesh(bytes, mesh);
    const atemi_status   status = write_element((element_name){mark, "mesh", index}, bytes,
                                                (size_t)(end - bytes), file, error);
    atemi_release(bytes);
    return status;
}

// SPDX-License-Identifier: Apache-2.0

#include "arrays.h"

#include <string.h>

enum { MAX_DIMENSIONS = 3 };

static struct {
    PyObject *array_type; // numpy.ndarray
    PyObject *empty;      // numpy.empty
    PyObject *convert;    // atemi._arguments.rows
    PyObject *refuse;     // atemi._arguments.refuse
} python;

static PyObject *attribute_of(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *found = module ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return found;
}

int atemi_array_import(void)
{
    python.array_type = attribute_of("numpy", "ndarray");
    python.empty = attribute_of("numpy", "empty");
    python.convert = attribute_of("atemi._arguments", "rows");
    python.refuse = attribute_of("atemi._arguments", "refuse");
    return python.array_type && python.empty && python.convert && python.refuse ? 0 : -1;
}

// ---- Shapes

typedef struct shape {
    int        count;
    Py_ssize_t sizes[MAX_DIMENSIONS];
    Py_ssize_t width; // numbers of one state
} shape;

static Py_ssize_t size_of(const atemi_array_sizes *sizes, char letter, int contacts)
{
    switch (letter) {
    case 'q':
        return sizes->q;
    case 'v':
        return sizes->v;
    case 'L':
        return sizes->links;
    case 'J':
        return sizes->joints;
    case 'c':
        return contacts;
    default:
        return letter - '0';
    }
}

static shape shape_of(const atemi_array_sizes *sizes, const char *letters, int contacts)
{
    shape result = {.width = 1};
    for (; *letters; ++letters) {
        Py_ssize_t size = size_of(sizes, *letters, contacts);
        result.sizes[result.count++] = size;
        result.width *= size;
    }
    return result;
}

/// (rows, ...) or (...) where rows is negative.
static PyObject *shape_tuple(const shape *of, Py_ssize_t rows)
{
    int       first = rows >= 0;
    PyObject *tuple = PyTuple_New(of->count + first);
    for (int i = 0; tuple && i < of->count + first; ++i) {
        PyObject *size = PyLong_FromSsize_t(first && i == 0 ? rows : of->sizes[i - first]);
        if (!size || PyTuple_SetItem(tuple, i, size)) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

// ---- Buffers

void atemi_array_drop(atemi_array *buffer)
{
    if (buffer->held) {
        PyBuffer_Release(&buffer->view);
        buffer->held = false;
    }
}

static bool has_shape(const Py_buffer *view, const shape *of)
{
    int first = view->ndim - of->count;
    if (first < 0 || first > 1) {
        return false;
    }
    for (int i = 0; i < of->count; ++i) {
        if (view->shape[first + i] != of->sizes[i]) {
            return false;
        }
    }
    return true;
}

/// Looks into an array of numpy. @return whether it is contiguous float64 of the right shape
static bool look_into(PyObject *array, const shape *of, int flags, atemi_array *buffer)
{
    if ((PyObject *)Py_TYPE(array) != python.array_type) {
        return false;
    }
    if (PyObject_GetBuffer(array, &buffer->view, flags | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)) {
        PyErr_Clear();
        return false;
    }
    buffer->held = true;
    const char *format = buffer->view.format;
    if (!format || format[0] != 'd' || format[1] || !has_shape(&buffer->view, of)) {
        atemi_array_drop(buffer);
        return false;
    }
    buffer->data = buffer->view.buf;
    buffer->rows = buffer->view.ndim > of->count ? buffer->view.shape[0] : -1;
    buffer->stride = buffer->rows >= 0 ? of->width : 0;
    return true;
}

// ---- Inputs

/// Exponents of all ones are those of infinities and NaN.
static bool all_finite(const double *numbers, Py_ssize_t count)
{
    bool finite = true;
    for (Py_ssize_t i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        finite &= (bits & 0x7ff0000000000000u) != 0x7ff0000000000000u;
    }
    return finite;
}

/// Squares of a quaternion's length must neither overflow nor vanish.
static bool has_direction(const double *quaternion)
{
    double largest = 0.0;
    for (int i = 0; i < 4; ++i) {
        double size = quaternion[i] < 0.0 ? -quaternion[i] : quaternion[i];
        largest = size > largest ? size : largest;
    }
    return largest > 1e-100 && largest < 4e99;
}

static bool quaternions_are_good(const atemi_array_sizes *sizes, const atemi_array *q)
{
    Py_ssize_t rows = q->rows >= 0 ? q->rows : 1;
    for (Py_ssize_t row = 0; row < rows; ++row) {
        for (int i = 0; i < sizes->quaternion_count; ++i) {
            if (!has_direction(q->data + row * q->stride + sizes->quaternions[i])) {
                return false;
            }
        }
    }
    return true;
}

/// Lets Python name what is wrong. @return false if it found something to raise
static bool refuse(const atemi_array_sizes *sizes, const char *name, PyObject *array,
                   bool is_configuration)
{
    PyObject *firsts = PyTuple_New(is_configuration ? sizes->quaternion_count : 0);
    for (int i = 0; firsts && is_configuration && i < sizes->quaternion_count; ++i) {
        PyTuple_SetItem(firsts, i, PyLong_FromLong(sizes->quaternions[i]));
    }
    PyObject *result =
        firsts ? PyObject_CallFunction(python.refuse, "sOO", name, array, firsts) : NULL;
    Py_XDECREF(firsts);
    Py_XDECREF(result);
    return result != NULL;
}

/// Anything that numpy makes an array of.
static bool convert(const char *name, PyObject *object, const shape *of, atemi_array *buffer)
{
    PyObject *sizes = shape_tuple(of, -1);
    PyObject *array =
        sizes ? PyObject_CallFunction(python.convert, "sOO", name, object, sizes) : NULL;
    bool good = array && look_into(array, of, 0, buffer);
    if (array && !good) {
        PyErr_Format(PyExc_ValueError, "%s cannot be read as an array", name);
    }
    Py_XDECREF(sizes);
    Py_XDECREF(array); // the buffer keeps it
    return good;
}

bool atemi_array_take_input(const atemi_array_sizes *sizes, const atemi_kernel *kernel, int index,
                            PyObject *object, atemi_array *buffer)
{
    const char *name = kernel->inputs[index].name, *letters = kernel->inputs[index].shape;
    *buffer = (atemi_array){.rows = -1};
    if (object == Py_None && kernel->inputs[index].optional) {
        return true;
    }
    shape of = shape_of(sizes, letters, 0);
    if (of.count == 0 && PyFloat_Check(object)) {
        buffer->number = PyFloat_AsDouble(object);
        buffer->data = &buffer->number;
    } else if (!look_into(object, &of, 0, buffer) && !convert(name, object, &of, buffer)) {
        return false;
    }
    Py_ssize_t count = of.width * (buffer->rows >= 0 ? buffer->rows : 1);
    bool       is_configuration = letters[0] == 'q';
    if (all_finite(buffer->data, count) &&
        (!is_configuration || quaternions_are_good(sizes, buffer))) {
        return true;
    }
    return refuse(sizes, name, buffer->held ? buffer->view.obj : object, is_configuration);
}

/// The number of rows that inputs agree on, -1 where all are one state, -2 with an error.
Py_ssize_t atemi_array_rows_of(const atemi_kernel *kernel, const atemi_array *inputs, int count)
{
    int which = -1;
    for (int i = 0; i < count; ++i) {
        if (inputs[i].rows < 0) {
            continue;
        }
        if (which >= 0 && inputs[i].rows != inputs[which].rows) {
            PyErr_Format(
                PyExc_ValueError,
                "%s has %zd rows, but %s has %zd: give each as many states, or one for all",
                kernel->inputs[which].name, inputs[which].rows, kernel->inputs[i].name,
                inputs[i].rows);
            return -2;
        }
        which = i;
    }
    return which < 0 ? -1 : inputs[which].rows;
}

// ---- Outputs

static bool overlaps(const atemi_array *a, const atemi_array *b)
{
    const char *first = a->view.buf, *second = b->view.buf;
    return a->held && b->held && first < second + b->view.len && second < first + a->view.len;
}

/// An array that the caller gave for a result.
static PyObject *given_output(PyObject *given, const shape *of, Py_ssize_t rows,
                              atemi_array *buffer)
{
    if (look_into(given, of, PyBUF_WRITABLE, buffer) && buffer->rows == rows) {
        Py_INCREF(given);
        return given;
    }
    PyObject *wanted = shape_tuple(of, rows);
    if (wanted) {
        PyErr_Format(PyExc_ValueError,
                     "out must be a writable, C-contiguous float64 array of shape %R", wanted);
        Py_DECREF(wanted);
    }
    return NULL;
}

static PyObject *fresh_output(const shape *of, Py_ssize_t rows, atemi_array *buffer)
{
    PyObject *sizes = shape_tuple(of, rows);
    PyObject *array = sizes ? PyObject_CallFunctionObjArgs(python.empty, sizes, NULL) : NULL;
    Py_XDECREF(sizes);
    if (array && !look_into(array, of, PyBUF_WRITABLE, buffer)) {
        PyErr_SetString(PyExc_RuntimeError, "numpy.empty made no float64 array");
        Py_CLEAR(array);
    }
    return array;
}

/// @return the array of one result, or the tuple of several
PyObject *atemi_array_take_outputs(const atemi_array_sizes *sizes, const atemi_kernel *kernel,
                                   int contacts, Py_ssize_t rows, PyObject *given,
                                   atemi_array *buffers, int *count)
{
    PyObject *arrays[ATEMI_KERNEL_OUTPUTS] = {0};
    while (*count < ATEMI_KERNEL_OUTPUTS && kernel->outputs[*count]) {
        ++*count;
    }
    if (given != Py_None && *count > 1 &&
        !(PyTuple_Check(given) && PyTuple_Size(given) == *count)) {
        PyErr_Format(PyExc_ValueError, "out must be a tuple of %d arrays", *count);
        return NULL;
    }
    bool good = true;
    for (int i = 0; good && i < *count; ++i) {
        shape     of = shape_of(sizes, kernel->outputs[i], contacts);
        PyObject *one = *count > 1 && given != Py_None ? PyTuple_GetItem(given, i) : given;
        arrays[i] = given == Py_None ? fresh_output(&of, rows, &buffers[i])
                                     : given_output(one, &of, rows, &buffers[i]);
        good = arrays[i] != NULL;
    }
    PyObject *result = good && *count > 1 ? PyTuple_New(*count) : NULL;
    if (good && *count == 1) {
        return arrays[0];
    }
    for (int i = 0; i < *count; ++i) {
        if (result) {
            PyTuple_SetItem(result, i, arrays[i]);
        } else {
            Py_XDECREF(arrays[i]);
        }
    }
    return result;
}

bool atemi_array_are_apart(const atemi_array *inputs, int input_count, const atemi_array *outputs,
                           int output_count)
{
    for (int i = 0; i < output_count; ++i) {
        for (int j = 0; j < input_count + i; ++j) {
            const atemi_array *other = j < input_count ? &inputs[j] : &outputs[j - input_count];
            if (overlaps(&outputs[i], other)) {
                PyErr_SetString(PyExc_ValueError,
                                "out must not share memory with an argument or with itself");
                return false;
            }
        }
    }
    return true;
}

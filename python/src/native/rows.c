// SPDX-License-Identifier: Apache-2.0

/// @file
/// The module atemi._rows, in the same file as atemi._native: calls kernels for one state or for
/// rows of states, on several threads, without the GIL.
///
/// It is written for Python's stable interface (abi3, 3.11 or later), and knows arrays by the
/// buffer protocol only: numpy is not needed to compile it, and any numpy will do to run it. What
/// is unusual (lists, integers, other layouts, mistakes) goes through atemi._arguments.

#include <Python.h>

#if PY_VERSION_HEX < 0x03090000
#error "atemi needs Python 3.9 or later"
#endif

#include "kernels.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSIONS = 3 };

static struct {
    PyObject *array_type; // numpy.ndarray
    PyObject *empty;      // numpy.empty
    PyObject *convert;    // atemi._arguments.rows
    PyObject *refuse;     // atemi._arguments.refuse
    PyObject *row_failed; // atemi._rows.RowFailed
} python;

/// The algorithms of one robot.
typedef struct Rows {
    PyObject_HEAD atemi_worker pattern; // without memory
    int                        q_count, v_count, link_count;
    int                       *joints;
    int                       *quaternions; // where they begin in q
    int                        quaternion_count;
    atemi_worker             **idle; // workers that no call uses; guarded by the GIL
    int                        idle_count, idle_capacity;
} Rows;

// ---- Shapes

static Py_ssize_t size_of(const Rows *self, char letter, int contacts)
{
    switch (letter) {
    case 'q':
        return self->q_count;
    case 'v':
        return self->v_count;
    case 'L':
        return self->link_count;
    case 'J':
        return self->pattern.joint_count;
    case 'c':
        return contacts;
    default:
        return letter - '0';
    }
}

typedef struct shape {
    int        count;
    Py_ssize_t sizes[MAX_DIMENSIONS];
    Py_ssize_t width; // numbers of one state
} shape;

static shape shape_of(const Rows *self, const char *letters, int contacts)
{
    shape result = {.width = 1};
    for (; *letters; ++letters) {
        Py_ssize_t size = size_of(self, *letters, contacts);
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

typedef struct Buffer {
    Py_buffer  view;
    bool       held;
    double     number;
    double    *data;
    Py_ssize_t rows;   // -1 for one state
    Py_ssize_t stride; // from one state to the next, in numbers
} Buffer;

static void drop(Buffer *buffer)
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
static bool look_into(PyObject *array, const shape *of, int flags, Buffer *buffer)
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
        drop(buffer);
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

static bool quaternions_are_good(const Rows *self, const Buffer *q)
{
    Py_ssize_t rows = q->rows >= 0 ? q->rows : 1;
    for (Py_ssize_t row = 0; row < rows; ++row) {
        for (int i = 0; i < self->quaternion_count; ++i) {
            if (!has_direction(q->data + row * q->stride + self->quaternions[i])) {
                return false;
            }
        }
    }
    return true;
}

/// Lets Python name what is wrong. @return false if it found something to raise
static bool refuse(const Rows *self, const char *name, PyObject *array, bool is_configuration)
{
    PyObject *firsts = PyTuple_New(is_configuration ? self->quaternion_count : 0);
    for (int i = 0; firsts && is_configuration && i < self->quaternion_count; ++i) {
        PyTuple_SetItem(firsts, i, PyLong_FromLong(self->quaternions[i]));
    }
    PyObject *result =
        firsts ? PyObject_CallFunction(python.refuse, "sOO", name, array, firsts) : NULL;
    Py_XDECREF(firsts);
    Py_XDECREF(result);
    return result != NULL;
}

/// Anything that numpy makes an array of.
static bool convert(const char *name, PyObject *object, const shape *of, Buffer *buffer)
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

static bool take_input(const Rows *self, const atemi_kernel *kernel, int index, PyObject *object,
                       Buffer *buffer)
{
    const char *name = kernel->inputs[index].name, *letters = kernel->inputs[index].shape;
    *buffer = (Buffer){.rows = -1};
    if (object == Py_None && kernel->inputs[index].optional) {
        return true;
    }
    shape of = shape_of(self, letters, 0);
    if (of.count == 0 && PyFloat_Check(object)) {
        buffer->number = PyFloat_AsDouble(object);
        buffer->data = &buffer->number;
    } else if (!look_into(object, &of, 0, buffer) && !convert(name, object, &of, buffer)) {
        return false;
    }
    Py_ssize_t count = of.width * (buffer->rows >= 0 ? buffer->rows : 1);
    bool       is_configuration = letters[0] == 'q';
    if (all_finite(buffer->data, count) &&
        (!is_configuration || quaternions_are_good(self, buffer))) {
        return true;
    }
    return refuse(self, name, buffer->held ? buffer->view.obj : object, is_configuration);
}

/// The number of rows that inputs agree on, -1 where all are one state, -2 with an error.
static Py_ssize_t rows_of(const atemi_kernel *kernel, const Buffer *inputs, int count)
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

static bool overlaps(const Buffer *a, const Buffer *b)
{
    const char *first = a->view.buf, *second = b->view.buf;
    return a->held && b->held && first < second + b->view.len && second < first + a->view.len;
}

/// An array that the caller gave for a result.
static PyObject *given_output(PyObject *given, const shape *of, Py_ssize_t rows, Buffer *buffer)
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

static PyObject *fresh_output(const shape *of, Py_ssize_t rows, Buffer *buffer)
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
static PyObject *take_outputs(const Rows *self, const atemi_kernel *kernel, int contacts,
                              Py_ssize_t rows, PyObject *given, Buffer *buffers, int *count)
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
        shape     of = shape_of(self, kernel->outputs[i], contacts);
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

static bool are_apart(const Buffer *inputs, int input_count, const Buffer *outputs,
                      int output_count)
{
    for (int i = 0; i < output_count; ++i) {
        for (int j = 0; j < input_count + i; ++j) {
            const Buffer *other = j < input_count ? &inputs[j] : &outputs[j - input_count];
            if (overlaps(&outputs[i], other)) {
                PyErr_SetString(PyExc_ValueError,
                                "out must not share memory with an argument or with itself");
                return false;
            }
        }
    }
    return true;
}

// ---- Workers

static atemi_worker *take_worker(Rows *self, unsigned needs, int contacts)
{
    atemi_worker *worker = self->idle_count > 0 ? self->idle[--self->idle_count] : NULL;
    if (!worker && (worker = malloc(sizeof *worker))) {
        *worker = self->pattern;
    }
    if (worker && !atemi_worker_prepare(worker, needs, contacts)) {
        atemi_worker_release(worker);
        free(worker);
        worker = NULL;
    }
    if (!worker) {
        PyErr_NoMemory();
    }
    return worker;
}

static void give_back(Rows *self, atemi_worker *worker)
{
    if (self->idle_count == self->idle_capacity) {
        int            capacity = 2 * self->idle_capacity + 4;
        atemi_worker **idle = realloc(self->idle, (size_t)capacity * sizeof(atemi_worker *));
        if (!idle) {
            atemi_worker_release(worker);
            free(worker);
            return;
        }
        self->idle = idle;
        self->idle_capacity = capacity;
    }
    self->idle[self->idle_count++] = worker;
}

// ---- Calls

enum { MAX_THREADS = 256 };

typedef struct job {
    const atemi_kernel            *kernel;
    const atemi_kernel_parameters *parameters;
    Buffer                         inputs[ATEMI_KERNEL_INPUTS], outputs[ATEMI_KERNEL_OUTPUTS];
    int                            input_count, output_count;
    Py_ssize_t                     rows; // -1 for one state
    int                            threads;
    atemi_worker                  *workers[MAX_THREADS];
    long                           failed[MAX_THREADS]; // the first row of a thread, or -1
} job;

static bool compute_rows(void *context, int thread, long begin, long end)
{
    job          *job = context;
    const double *in[ATEMI_KERNEL_INPUTS] = {0};
    double       *out[ATEMI_KERNEL_OUTPUTS] = {0};
    for (long row = begin; row < end; ++row) {
        for (int i = 0; i < job->input_count; ++i) {
            const Buffer *input = &job->inputs[i];
            in[i] = input->data ? input->data + row * input->stride : NULL;
        }
        for (int i = 0; i < job->output_count; ++i) {
            out[i] = job->outputs[i].data + row * job->outputs[i].stride;
        }
        if (job->kernel->compute(job->workers[thread], job->parameters, in, out)) {
            job->failed[thread] = row;
            return false;
        }
    }
    return true;
}

/// The first row without a solution, or -1. Rows before it were all computed, by whatever thread.
static long first_failure(const job *job)
{
    long first = -1;
    for (int i = 0; i < job->threads; ++i) {
        if (job->failed[i] >= 0 && (first < 0 || job->failed[i] < first)) {
            first = job->failed[i];
        }
    }
    return first;
}

static bool run(Rows *self, job *job)
{
    long count = job->rows >= 0 ? (long)job->rows : 1;
    int  taken = 0;
    job->threads = job->threads > count ? (count > 0 ? (int)count : 1) : job->threads;
    while (taken < job->threads) {
        job->failed[taken] = -1;
        job->workers[taken] = take_worker(self, job->kernel->needs, job->parameters->contact_count);
        if (!job->workers[taken]) {
            break;
        }
        ++taken;
    }
    bool good = taken == job->threads;
    if (good) {
        PyThreadState *state = PyEval_SaveThread();
        atemi_parallel_run(count, 0, job->threads, compute_rows, job);
        PyEval_RestoreThread(state);
    }
    while (taken > 0) {
        give_back(self, job->workers[--taken]);
    }
    return good;
}

/// Raises RowFailed(row or None, results).
static void raise_failure(const job *job, long row, PyObject *results)
{
    PyObject *which = job->rows >= 0 ? PyLong_FromLong(row) : (Py_INCREF(Py_None), Py_None);
    PyObject *arguments = which ? PyTuple_Pack(2, which, results) : NULL;
    if (arguments) {
        PyErr_SetObject(python.row_failed, arguments);
    }
    Py_XDECREF(which);
    Py_XDECREF(arguments);
}

static PyObject *compute(Rows *self, job *job, PyObject *out)
{
    job->rows = rows_of(job->kernel, job->inputs, job->input_count);
    if (job->rows < -1) {
        return NULL;
    }
    PyObject *results = take_outputs(self, job->kernel, job->parameters->contact_count, job->rows,
                                     out, job->outputs, &job->output_count);
    if (!results) {
        return NULL;
    }
    bool good =
        are_apart(job->inputs, job->input_count, job->outputs, job->output_count) && run(self, job);
    if (good) {
        long row = first_failure(job);
        if (row >= 0) {
            raise_failure(job, row, results);
            good = false;
        }
    }
    if (!good) {
        Py_CLEAR(results);
    }
    return results;
}

/// A number of threads from Python; None for as many as there are processors. @return 0: raised
static int threads_of(PyObject *object)
{
    long threads;
    if (object == Py_None) {
        cpu_set_t set;
        threads = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    } else {
        threads = PyLong_AsLong(object);
        if (threads == -1 && PyErr_Occurred()) {
            return 0;
        }
    }
    if (threads < 1) {
        PyErr_Format(PyExc_ValueError, "threads must be 1 or more, or None for all processors");
        return 0;
    }
    return threads < MAX_THREADS ? (int)threads : MAX_THREADS;
}

enum { KERNEL, LINK, PARAMETERS, OUT, THREADS, INPUTS };

/// compute(kernel, link, parameters, out, threads, *inputs)
static PyObject *Rows_compute(PyObject *self_, PyObject *const *arguments, Py_ssize_t count)
{
    Rows *self = (Rows *)self_;
    if (count < INPUTS || count > INPUTS + ATEMI_KERNEL_INPUTS) {
        PyErr_SetString(PyExc_TypeError,
                        "compute(kernel, link, parameters, out, threads, *inputs)");
        return NULL;
    }
    atemi_kernel_parameters parameters = {0};
    const void             *address = PyLong_AsVoidPtr(arguments[PARAMETERS]);
    if (address) {
        parameters = *(const atemi_kernel_parameters *)address;
    }
    long kernel = PyLong_AsLong(arguments[KERNEL]);
    parameters.link = (int)PyLong_AsLong(arguments[LINK]);
    int threads = PyErr_Occurred() ? 0 : threads_of(arguments[THREADS]);
    if (threads == 0) {
        return NULL;
    }
    job job;
    job.kernel = &atemi_kernels[kernel];
    job.parameters = &parameters;
    job.threads = threads;
    job.input_count = job.output_count = 0;
    memset(job.outputs, 0, sizeof job.outputs);
    bool good = true;
    for (; good && job.input_count < (int)count - INPUTS; ++job.input_count) {
        int i = job.input_count;
        good = take_input(self, job.kernel, i, arguments[INPUTS + i], &job.inputs[i]);
    }
    PyObject *results = good ? compute(self, &job, arguments[OUT]) : NULL;
    for (int i = 0; i < job.input_count; ++i) {
        drop(&job.inputs[i]);
    }
    for (int i = 0; i < job.output_count; ++i) {
        drop(&job.outputs[i]);
    }
    return results;
}

// ---- The type

static int *integers_of(PyObject *tuple, int *count)
{
    *count = (int)PyTuple_Size(tuple);
    int *numbers = calloc((size_t)*count + 1, sizeof *numbers);
    for (int i = 0; numbers && i < *count; ++i) {
        numbers[i] = (int)PyLong_AsLong(PyTuple_GetItem(tuple, i));
    }
    return numbers;
}

/// Rows(model, joints, quaternions): an address, and tuples of numbers.
static PyObject *Rows_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    (void)keywords;
    PyObject *model, *joints, *quaternions;
    if (!PyArg_ParseTuple(arguments, "OO!O!", &model, &PyTuple_Type, &joints, &PyTuple_Type,
                          &quaternions)) {
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Rows     *self = (Rows *)allocate(type, 0);
    if (!self) {
        return NULL;
    }
    self->pattern.model = PyLong_AsVoidPtr(model);
    self->joints = integers_of(joints, &self->pattern.joint_count);
    self->quaternions = integers_of(quaternions, &self->quaternion_count);
    self->pattern.joints = self->joints;
    if (!self->pattern.model || !self->joints || !self->quaternions || PyErr_Occurred()) {
        Py_DECREF(self);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    self->q_count = atemi_model_q_count(self->pattern.model);
    self->v_count = atemi_model_v_count(self->pattern.model);
    self->link_count = atemi_model_link_count(self->pattern.model);
    return (PyObject *)self;
}

static void Rows_dealloc(PyObject *self_)
{
    Rows *self = (Rows *)self_;
    for (int i = 0; i < self->idle_count; ++i) {
        atemi_worker_release(self->idle[i]);
        free(self->idle[i]);
    }
    free(self->idle);
    free(self->joints);
    free(self->quaternions);
    PyTypeObject *type = Py_TYPE(self_);
    freefunc      release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self_);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"compute", (PyCFunction)(void (*)(void))Rows_compute, METH_FASTCALL, NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)Rows_new},
    {Py_tp_dealloc, (void *)Rows_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "atemi._rows.Rows",
    .basicsize = sizeof(Rows),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};

// ---- The module

static PyObject *attribute_of(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *found = module ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return found;
}

static PyObject *names_of_kernels(void)
{
    PyObject *names = PyList_New(0);
    for (const atemi_kernel *kernel = atemi_kernels; names && kernel->name; ++kernel) {
        PyObject *name = PyUnicode_FromString(kernel->name);
        if (!name || PyList_Append(names, name)) {
            Py_CLEAR(names);
        }
        Py_XDECREF(name);
    }
    return names;
}

/// Adds what the caller made, and keeps a reference of its own.
static int add(PyObject *module, const char *name, PyObject *object)
{
    if (!object) {
        return -1;
    }
    int failed = PyObject_SetAttrString(module, name, object);
    Py_DECREF(object);
    return failed;
}

static int fill(PyObject *module)
{
    python.array_type = attribute_of("numpy", "ndarray");
    python.empty = attribute_of("numpy", "empty");
    python.convert = attribute_of("atemi._arguments", "rows");
    python.refuse = attribute_of("atemi._arguments", "refuse");
    python.row_failed = PyErr_NewException("atemi._rows.RowFailed", NULL, NULL);
    if (!python.array_type || !python.empty || !python.convert || !python.refuse ||
        !python.row_failed) {
        return -1;
    }
    Py_INCREF(python.row_failed);
    if (add(module, "RowFailed", python.row_failed) ||
        add(module, "Rows", PyType_FromSpec(&spec)) || add(module, "kernels", names_of_kernels())) {
        return -1;
    }
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)fill},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "atemi._rows",
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit__rows(void)
{
    return PyModuleDef_Init(&definition);
}

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

#include "arrays.h"
#include "kernels.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static PyObject *row_failed; // atemi._rows.RowFailed

/// The algorithms of one robot.
typedef struct Rows {
    PyObject_HEAD atemi_worker pattern; // without memory
    atemi_array_sizes          sizes;
    int                       *joints;
    atemi_worker             **idle; // workers that no call uses; guarded by the GIL
    int                        idle_count, idle_capacity;
} Rows;

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
    atemi_array                    inputs[ATEMI_KERNEL_INPUTS], outputs[ATEMI_KERNEL_OUTPUTS];
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
            const atemi_array *input = &job->inputs[i];
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
        PyErr_SetObject(row_failed, arguments);
    }
    Py_XDECREF(which);
    Py_XDECREF(arguments);
}

static PyObject *compute(Rows *self, job *job, PyObject *out)
{
    job->rows = atemi_array_rows_of(job->kernel, job->inputs, job->input_count);
    if (job->rows < -1) {
        return NULL;
    }
    PyObject *results =
        atemi_array_take_outputs(&self->sizes, job->kernel, job->parameters->contact_count,
                                 job->rows, out, job->outputs, &job->output_count);
    if (!results) {
        return NULL;
    }
    bool good =
        atemi_array_are_apart(job->inputs, job->input_count, job->outputs, job->output_count) &&
        run(self, job);
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
        good = atemi_array_take_input(&self->sizes, job.kernel, i, arguments[INPUTS + i],
                                      &job.inputs[i]);
    }
    PyObject *results = good ? compute(self, &job, arguments[OUT]) : NULL;
    for (int i = 0; i < job.input_count; ++i) {
        atemi_array_drop(&job.inputs[i]);
    }
    for (int i = 0; i < job.output_count; ++i) {
        atemi_array_drop(&job.outputs[i]);
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
    self->sizes.quaternions = integers_of(quaternions, &self->sizes.quaternion_count);
    self->pattern.joints = self->joints;
    self->sizes.joints = self->pattern.joint_count;
    if (!self->pattern.model || !self->joints || !self->sizes.quaternions || PyErr_Occurred()) {
        Py_DECREF(self);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    self->sizes.q = atemi_model_q_count(self->pattern.model);
    self->sizes.v = atemi_model_v_count(self->pattern.model);
    self->sizes.links = atemi_model_link_count(self->pattern.model);
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
    free(self->sizes.quaternions);
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
    row_failed = PyErr_NewException("atemi._rows.RowFailed", NULL, NULL);
    if (!row_failed || atemi_array_import()) {
        return -1;
    }
    Py_INCREF(row_failed);
    if (add(module, "RowFailed", row_failed) || add(module, "Rows", PyType_FromSpec(&spec)) ||
        add(module, "kernels", names_of_kernels())) {
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

// SPDX-License-Identifier: Apache-2.0

/// @file
/// Arrays of numpy that go into kernels and come out of them, by the buffer protocol. What is
/// unusual (lists, integers, other layouts, mistakes) goes through atemi._arguments.

#pragma once

#include <Python.h>

#include "kernels.h"

/// What the letters of shapes stand for, and where quaternions begin in q.
typedef struct atemi_array_sizes {
    int  q, v, links, joints;
    int *quaternions; ///< [quaternion_count]
    int  quaternion_count;
} atemi_array_sizes;

/// An array, or a number, that a call uses.
typedef struct atemi_array {
    Py_buffer  view;
    bool       held;
    double     number;
    double    *data;
    Py_ssize_t rows;   ///< -1 for one state
    Py_ssize_t stride; ///< from one state to the next, in numbers
} atemi_array;

/// Imports what is needed of numpy and of atemi._arguments. @return -1 with an exception
int atemi_array_import(void);

/// Takes an argument of a kernel: checked, contiguous, finite. @return false with an exception
bool atemi_array_take_input(const atemi_array_sizes *sizes, const atemi_kernel *kernel, int index,
                            PyObject *object, atemi_array *array);

/// The number of rows that inputs agree on, -1 if all are one state, -2 with an exception.
Py_ssize_t atemi_array_rows_of(const atemi_kernel *kernel, const atemi_array *inputs, int count);

/// Takes the arrays that the caller gave for the results, or makes them.
/// @param given  None, an array or a tuple of arrays
/// @param arrays [ATEMI_KERNEL_OUTPUTS] zero; `count` of them are taken, to be dropped
/// @return the array of one result, or the tuple of several; NULL with an exception
PyObject *atemi_array_take_outputs(const atemi_array_sizes *sizes, const atemi_kernel *kernel,
                                   int contacts, Py_ssize_t rows, PyObject *given,
                                   atemi_array *arrays, int *count);

/// Whether no result shares memory with an argument or with another. @return false with an
/// exception
bool atemi_array_are_apart(const atemi_array *inputs, int input_count, const atemi_array *outputs,
                           int output_count);

/// Lets go of an array.
void atemi_array_drop(atemi_array *array);

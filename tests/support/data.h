// SPDX-License-Identifier: Apache-2.0

/// @file
/// The workspace of every algorithm for one model, and how far results are apart.

#pragma once

#include "atemi/contact.h"

/// A data with the default options; to be destroyed.
atemi_data *data_create(const atemi_model *model);

/// The largest |a_i - b_i|, and the largest |a_i|. NaN if there is any.
double largest_difference(const double *a, const double *b, int count);
double largest_size(const double *a, int count);
double largest_motion_difference(atemi_motion a, atemi_motion b);
double largest_pose_difference(const atemi_transform *a, const atemi_transform *b);

/// A robot and its data, which end together.
typedef struct data_bench {
    atemi_model *model;
    atemi_data  *data;
} data_bench;

data_bench data_bench_of(atemi_model *model);
void       data_bench_end(data_bench *b);

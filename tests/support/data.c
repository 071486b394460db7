// SPDX-License-Identifier: Apache-2.0

#include "data.h"

#include "check.h"

atemi_data *data_create(const atemi_model *model)
{
    atemi_data *data = NULL;
    CHECK_STATUS(atemi_data_create(model, NULL, &data, NULL), ATEMI_OK);
    return data;
}

// fmax() would pass over a NaN.
static double larger(double a, double b)
{
    return b > a || b != b ? b : a;
}

double largest_difference(const double *a, const double *b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        largest = larger(largest, fabs(a[i] - b[i]));
    }
    return largest;
}

double largest_size(const double *a, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        largest = larger(largest, fabs(a[i]));
    }
    return largest;
}

double largest_motion_difference(atemi_motion a, atemi_motion b)
{
    const double x[] = {a.linear.x, a.linear.y, a.linear.z, a.angular.x, a.angular.y, a.angular.z};
    const double y[] = {b.linear.x, b.linear.y, b.linear.z, b.angular.x, b.angular.y, b.angular.z};
    return largest_difference(x, y, 6);
}

double largest_pose_difference(const atemi_transform *a, const atemi_transform *b)
{
    const atemi_motion x[] = {{a->rotation.x, a->rotation.y}, {a->rotation.z, a->position}};
    const atemi_motion y[] = {{b->rotation.x, b->rotation.y}, {b->rotation.z, b->position}};
    return larger(largest_motion_difference(x[0], y[0]), largest_motion_difference(x[1], y[1]));
}

data_bench data_bench_of(atemi_model *model)
{
    return (data_bench){.model = model, .data = data_create(model)};
}

void data_bench_end(data_bench *b)
{
    atemi_data_destroy(b->data);
    atemi_model_destroy(b->model);
}

// SPDX-License-Identifier: Apache-2.0

#include "dynamics/frame_rows.h"

// With r the vector from the link's origin to the point, its velocity is  u + omega x r.
void atemi_frame_rows(const atemi_model *model, const atemi_kinematics *kinematics, int link,
                      atemi_vec3 point, double *J)
{
    const atemi_transform pose = atemi_link_pose_in(model, kinematics, link);
    const atemi_vec3      r = atemi_mat3_apply(&pose.rotation, point);
    const int             n = atemi_model_v_count(model);
    const double         *angular_x = J + 3 * n, *angular_y = J + 4 * n, *angular_z = J + 5 * n;
    double               *x = J, *y = J + n, *z = J + 2 * n;
    atemi_link_jacobian_in(model, kinematics, link, J);
    for (int i = 0; i < n; ++i) {
        x[i] += angular_y[i] * r.z - angular_z[i] * r.y;
        y[i] += angular_z[i] * r.x - angular_x[i] * r.z;
        z[i] += angular_x[i] * r.y - angular_y[i] * r.x;
    }
}

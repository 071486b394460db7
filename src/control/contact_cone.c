// SPDX-License-Identifier: Apache-2.0

#include "control/contact_cone.h"

#include <string.h>

// The wrench (f, t) in the middle of a rectangle of the half sides X, Y is that of four corners
// that push within |f_x|, |f_y| <= k f_z each, if and only if [Caron15, eq. 17-21]
//
//   |f_x| <= k f_z,   |f_y| <= k f_z,   |t_x| <= Y f_z,   |t_y| <= X f_z
//   |Y f_x - k t_x| + |X f_y - k t_y| - k (X + Y) f_z <=  t_z
//   |Y f_x + k t_x| + |X f_y + k t_y| - k (X + Y) f_z <= -t_z

typedef double wrench_row[CONTACT_WRENCH];

// |w_i| <= ratio f_z
static int add_ratio(int i, double ratio, wrench_row *rows, int count)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        double *row = rows[count++];
        row[i] = sign;
        row[CONTACT_PUSH] = -ratio;
    }
    return count;
}

// What a rectangle resists of a moment about its normal.
static int add_twist(double k, double X, double Y, wrench_row *rows, int count)
{
    for (int signs = 0; signs < 8; ++signs) {
        const double first = signs & 1 ? 1.0 : -1.0, second = signs & 2 ? 1.0 : -1.0;
        const double turn = signs & 4 ? 1.0 : -1.0;
        if ((first < 0.0 && !(Y > 0.0)) || (second < 0.0 && !(X > 0.0))) {
            continue; // of a line, the same row again
        }
        double *row = rows[count++];
        row[0] = first * Y;
        row[1] = second * X;
        row[CONTACT_PUSH] = -k * (X + Y);
        row[3] = first * turn * k;
        row[4] = second * turn * k;
        row[5] = turn;
    }
    return count;
}

int atemi_contact_cone(double friction, double half_x, double half_y,
                       double rows[CONTACT_CONE_ROWS][CONTACT_WRENCH])
{
    memset(rows, 0, CONTACT_CONE_ROWS * sizeof *rows);
    int count = add_ratio(0, friction, rows, 0);
    count = add_ratio(1, friction, rows, count);
    if (!(half_x > 0.0) && !(half_y > 0.0)) {
        return count;
    }
    count = half_y > 0.0 ? add_ratio(3, half_y, rows, count) : count;
    count = half_x > 0.0 ? add_ratio(4, half_x, rows, count) : count;
    return add_twist(friction, half_x, half_y, rows, count);
}

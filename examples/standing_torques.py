# SPDX-License-Identifier: Apache-2.0
"""What the joints of your robot bear while it stands.

python standing_torques.py [FILE.urdf LINK...]     the links that stand on the floor
"""

import sys

import numpy as np

import atemi


def main(path=None, *feet):
    robot = atemi.Robot(path) if path else atemi.Robot.shipped("hrp2_like")
    q = robot.neutral() if path else robot.posture("half_sitting")
    feet = feet or ("right_sole", "left_sole")

    # M a + h = tau + J' f at rest, and nobody holds the base: its six rows give the forces f.
    gravity = robot.gravity_torque(q)
    jacobian = np.vstack([robot.jacobian(q, foot) for foot in feet])
    forces = np.linalg.lstsq(jacobian[:, :6].T, gravity[:6], rcond=None)[0]
    tau = gravity - jacobian.T @ forces

    for foot, force in zip(feet, forces.reshape(-1, 6)):
        print(f"{foot:24} {force[2]:8.2f} N")
    for name in robot.joint_names:
        v = robot.joint_index(name)
        print(f"{name:24} {tau[v]:8.2f} N m  {100 * abs(tau[v]) / robot.effort_limits[v]:5.1f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0
"""The same robot in atemi and in Pinocchio, and the map between their coordinates.

Pinocchio sorts joints by name, stores a continuous joint as (cos, sin) and a planar one as
(x, y, cos, sin), and is built without mimic joints: each has a coordinate of its own. So, with the
joints matched by their names,

    v_pinocchio = E v,   tau = E^T tau_pinocchio,   M = E^T M_pinocchio E,   J = J_pinocchio E

where E is a permutation or, for coupled mimic joints, has their multipliers in it.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pinocchio as pin

import atemi

ROOT_JOINTS = {
    "fixed": None,
    "planar": pin.JointModelPlanar,
    "floating": pin.JointModelFreeFlyer,
}
WORLD_ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def load(path: Path, base: str, mimic: str = "coupled") -> atemi.Robot:
    """The robot, whatever the library finds suspicious about it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", atemi.Warning)
        return atemi.Robot(path, base=base, mimic=mimic)


class Pair:
    """One robot in both libraries."""

    def __init__(self, path: Path, base: str, mimic: str) -> None:
        self.robot = load(path, base, mimic)
        root = ROOT_JOINTS[base]
        arguments = [str(path)] if root is None else [str(path), root()]
        self.model = pin.buildModelFromUrdf(*arguments, mimic=False)
        self.bodies = self.model.copy()  # without rotors
        # Pinocchio's reader knows nothing of rotor inertia.
        independent = load(path, base, "independent")
        self.model.armature = _velocity_map(independent, self.model) @ independent.armature
        self.data = self.model.createData()
        self.E = _velocity_map(self.robot, self.model)

    def q(self, q: np.ndarray) -> np.ndarray:
        """Our configuration as Pinocchio's."""
        result = pin.neutral(self.model)
        if self.robot.base != "fixed":
            _put(result, self.model.joints[1], q[: self.base_q_count])
        for name in self.robot.joint_names:
            _put(result, self._joint(name), np.atleast_1d(q[self.robot.q_index(name)]))
        for name, (source, multiplier, offset) in self.coupled.items():
            value = multiplier * q[self.robot.q_index(source)] + offset
            _put(result, self._joint(name), np.array([value]))
        return result

    def external(self, q: np.ndarray, forces: np.ndarray) -> list[pin.Force]:
        """Forces at link origins in world axes, as Pinocchio's: at joints in their own axes."""
        pin.framesForwardKinematics(self.model, self.data, q)
        total = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for name, force in zip(self.robot.link_names, forces):
            frame = self.frame(name)
            p = self.data.oMf[frame].translation
            at_origin = pin.Force(force[:3], force[3:] + np.cross(p, force[:3]))
            joint = self.model.frames[frame].parentJoint
            total[joint] += self.data.oMi[joint].actInv(at_origin)
        result = pin.StdVec_Force()
        result.extend(total)
        return result

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """Pinocchio's mass matrix, in our coordinates."""
        upper = np.triu(pin.crba(self.model, self.data, q))
        return self.E.T @ (upper + np.triu(upper, 1).T) @ self.E

    def frame(self, link: str) -> int:
        """The number of a link's frame."""
        return self.model.getFrameId(link, pin.FrameType.BODY)

    @property
    def base_q_count(self) -> int:
        """The coordinates of our base."""
        return {"fixed": 0, "planar": 3, "floating": 7}[self.robot.base]

    @property
    def coupled(self) -> dict[str, atemi.Mimic]:
        """The joints that have a coordinate in Pinocchio and none with us."""
        return _coupled(self.robot)

    def _joint(self, name: str) -> pin.JointModel:
        return self.model.joints[self.model.getJointId(name)]


def _coupled(robot: atemi.Robot) -> dict[str, atemi.Mimic]:
    return {n: law for n, law in robot.mimic_joints.items() if n not in robot.joint_names}


def _put(q: np.ndarray, joint: pin.JointModel, ours: np.ndarray) -> None:
    if joint.nq == ours.size + 1:  # the last one is an angle
        ours = np.r_[ours[:-1], np.cos(ours[-1]), np.sin(ours[-1])]
    q[joint.idx_q : joint.idx_q + joint.nq] = ours


def _velocity_map(robot: atemi.Robot, model: pin.Model) -> np.ndarray:
    E = np.zeros((model.nv, robot.nv))
    if robot.base != "fixed":
        count = model.joints[1].nv
        E[:count, :count] = np.eye(count)
    for name in robot.joint_names:
        joint = model.joints[model.getJointId(name)]
        E[joint.idx_v : joint.idx_v + joint.nv, robot.joint_index(name)] = (
            1.0 if joint.nv == 1 else np.eye(joint.nv)
        )
    for name, law in _coupled(robot).items():
        joint = model.joints[model.getJointId(name)]
        E[joint.idx_v, robot.joint_index(law.source)] = law.multiplier
    return E

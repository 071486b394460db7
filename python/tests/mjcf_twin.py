# SPDX-License-Identifier: Apache-2.0
"""The same MJCF file with us and in MuJoCo.

Both have the joints in the same order. The velocities differ: MuJoCo's free bodies have their
linear velocity in world axes, ours in their own; MuJoCo's balls have an angular velocity, ours
are three hinges about z, y, x. With v' = T(q) v (theirs, ours)

    M = T^T M' T,     bias = T^T (bias' + M' dT/dt v),     J = J' T
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import atemi

mujoco = pytest.importorskip("mujoco", reason="needs the PyPI package mujoco")

X, Y, Z = np.eye(3)


def _turn(axis: np.ndarray, angle: float) -> np.ndarray:
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def _quaternion(R: np.ndarray) -> np.ndarray:
    """w x y z."""
    q = np.empty(4)
    mujoco.mju_mat2Quat(q, np.ascontiguousarray(R).ravel())
    return q


def _matrix(q: np.ndarray) -> np.ndarray:
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, np.asarray(q, dtype=float) / np.linalg.norm(q))
    return R.reshape(3, 3)


class MjcfTwin:
    """A file, read by both."""

    def __init__(self, path: Path) -> None:
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.data = mujoco.MjData(self.model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.robot = atemi.Robot(path, mimic="independent")
            if "world" in self.robot.link_names:
                self.robot = atemi.Robot(path, "fixed", mimic="independent")
        self.types = [int(kind) for kind in self.model.jnt_type]

    def _walk(self):
        """Of each joint: its type, and where it begins in their q and v, and in ours."""
        q = v = 0
        for joint, kind in enumerate(self.types):
            free, ball = kind == mujoco.mjtJoint.mjJNT_FREE, kind == mujoco.mjtJoint.mjJNT_BALL
            yield kind, self.model.jnt_qposadr[joint], self.model.jnt_dofadr[joint], q, v
            q += 7 if free else 3 if ball else 1
            v += 6 if free else 3 if ball else 1
        assert (q, v) == (self.robot.nq, self.robot.nv)

    def qpos(self, q: np.ndarray) -> np.ndarray:
        """Theirs."""
        theirs = np.empty(self.model.nq)
        for kind, at, _, ours, _ in self._walk():
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                theirs[at : at + 3] = q[ours : ours + 3]
                quaternion = q[ours + 3 : ours + 7] / np.linalg.norm(q[ours + 3 : ours + 7])
                theirs[at + 3 : at + 7] = np.roll(quaternion, 1)
            elif kind == mujoco.mjtJoint.mjJNT_BALL:
                a, b, c = q[ours : ours + 3]
                theirs[at : at + 4] = _quaternion(_turn(Z, a) @ _turn(Y, b) @ _turn(X, c))
            else:
                theirs[at] = q[ours]
        return theirs

    def velocity_map(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """T, and dT/dt v."""
        T = np.zeros((self.model.nv, self.robot.nv))
        rate = np.zeros(self.model.nv)
        for kind, _, at, q_at, ours in self._walk():
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                R = _matrix(np.roll(q[q_at + 3 : q_at + 7], 1))
                T[at : at + 3, ours : ours + 3] = R
                T[at + 3 : at + 6, ours + 3 : ours + 6] = np.eye(3)
                rate[at : at + 3] = R @ np.cross(v[ours + 3 : ours + 6], v[ours : ours + 3])
            elif kind == mujoco.mjtJoint.mjJNT_BALL:
                _, b, c = q[q_at : q_at + 3]
                da, db, dc = v[ours : ours + 3]
                u, w = _turn(Y, b).T @ Z, _turn(X, c).T
                T[at : at + 3, ours : ours + 3] = np.array([w @ u, w @ Y, X]).T
                rate[at : at + 3] = da * (-dc * np.cross(X, w @ u) - db * w @ np.cross(Y, u))
                rate[at : at + 3] += db * -dc * np.cross(X, w @ Y)
            else:
                T[at, ours] = 1.0
        return T, rate

    def random_state(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Ours; hinges of balls stay away from their singularity."""
        q, v = rng.normal(size=self.robot.nq), rng.normal(size=self.robot.nv)
        for kind, _, _, at, _ in self._walk():
            if kind == mujoco.mjtJoint.mjJNT_BALL:
                q[at + 1] = rng.uniform(-1.2, 1.2)
        return q, v

    def check(self, rng: np.random.Generator, tolerance: float = 1e-9) -> None:
        """M, bias, poses and Jacobians of all bodies, and sites, of both: relative to their largest."""
        q, v = self.random_state(rng)
        T, rate = self.velocity_map(q, v)
        self.data.qpos[:] = self.qpos(q)
        self.data.qvel[:] = T @ v
        mujoco.mj_forward(self.model, self.data)
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        _same("M", self.robot.mass_matrix(q), T.T @ M @ T, tolerance)
        bias = T.T @ (self.data.qfrc_bias + M @ rate)
        _same("bias", self.robot.bias_force(q, v), bias, tolerance)
        for body in range(1, self.model.nbody):
            name = self.model.body(body).name
            if name in self.robot.link_names:
                self._check_body(body, name, q, T, tolerance)
        for site in self.robot.sites:
            self._check_site(site, q, tolerance)

    def _check_site(self, site, q, tolerance: float) -> None:
        rotation, position = self.robot.link_pose(q, site.link)
        there = self.data.site(site.name)
        _same(site.name, rotation @ site.position + position, there.xpos, tolerance)
        _same(site.name, rotation @ site.rotation, there.xmat.reshape(3, 3), tolerance)

    def _check_body(self, body: int, name: str, q, T, tolerance: float) -> None:
        rotation, position = self.robot.link_pose(q, name)
        _same(f"position of {name}", position, self.data.xpos[body], tolerance)
        _same(f"rotation of {name}", rotation, self.data.xmat[body].reshape(3, 3), tolerance)
        linear, angular = np.zeros((2, 3, self.model.nv))
        mujoco.mj_jacBody(self.model, self.data, linear, angular, body)
        J = np.vstack([linear, angular]) @ T
        _same(f"Jacobian of {name}", self.robot.jacobian(q, name), J, tolerance)


def _same(what: str, ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> None:
    scale = max(1.0, np.abs(theirs).max()) if theirs.size else 1.0
    difference = np.abs(ours - theirs).max() / scale if theirs.size else 0.0
    assert difference <= tolerance, f"{what}: differs by {difference:.1e} of its largest"

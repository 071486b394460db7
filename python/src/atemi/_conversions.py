# SPDX-License-Identifier: Apache-2.0
"""Configurations and velocities of Pinocchio and MuJoCo, as ours and back.

Neither is imported: their models say by themselves where a joint's coordinates stand. Joints are
matched by name. Ours: position and quaternion x y z w of a floating base; its twist in its own axes,
linear part first; every other joint its coordinates in the order of `Robot.joint_names`.

Pinocchio has the same base, sorts joints by name, and stores a continuous joint as (cos, sin) and a
planar one as (x, y, cos, sin). MuJoCo has quaternions w x y z, and the linear velocity of a free
joint in world axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments
from .description import Description

Array = NDArray[np.float64]

_FREE, _BALL = 0, 1  # mjtJoint


class Place(NamedTuple):
    """Where a joint stands with us and with them; the base, or a joint by name."""

    q: slice
    v: slice
    their_q: slice
    their_v: slice
    multiplier: float = 1.0
    offset: float = 0.0
    leads: bool = True
    """False for a mimic joint that follows with us: theirs is not read."""


class Conversions(Description):
    """To and from other libraries' coordinates."""

    def q_from_pinocchio(self, model: Any, q: ArrayLike) -> Array:
        """(..., nq) a configuration of a ``pinocchio.Model`` of this robot, as ours."""
        places = list(_of_pinocchio(self, model))
        return _take_q(self, places, _numbers("q", q, model.nq))

    def q_to_pinocchio(self, model: Any, q: ArrayLike) -> Array:
        """(..., model.nq) our configuration as one of a ``pinocchio.Model``. Joints that this robot
        does not have are at zero."""
        start = np.zeros(model.nq)
        for i in range(1, model.njoints):
            _neutral_of_pinocchio(model.joints[i], start)
        return _put_q(list(_of_pinocchio(self, model)), _numbers("q", q, self._nq), start)

    def v_from_pinocchio(self, model: Any, v: ArrayLike) -> Array:
        """(..., nv) velocities, accelerations of a ``pinocchio.Model``, as ours."""
        theirs = _numbers("v", v, model.nv)
        result = np.zeros((*theirs.shape[:-1], self._nv))
        for place in _of_pinocchio(self, model):
            if place.leads:
                result[..., place.v] = theirs[..., place.their_v]
        return result

    def v_to_pinocchio(self, model: Any, v: ArrayLike) -> Array:
        """(..., model.nv) our velocities, accelerations as those of a ``pinocchio.Model``."""
        ours = _numbers("v", v, self._nv)
        result = np.zeros((*ours.shape[:-1], model.nv))
        for place in _of_pinocchio(self, model):
            result[..., place.their_v] = place.multiplier * ours[..., place.v]
        return result

    def q_from_mujoco(self, model: Any, qpos: ArrayLike) -> Array:
        """(..., nq) positions of a ``mujoco.MjModel`` of this robot, as our configuration."""
        theirs = _numbers("qpos", qpos, model.nq).copy()
        for first in _quaternions_of_mujoco(model):
            theirs[..., first : first + 4] = theirs[..., [first + 1, first + 2, first + 3, first]]
        return _take_q(self, list(_of_mujoco(self, model)), theirs)

    def q_to_mujoco(self, model: Any, q: ArrayLike) -> Array:
        """(..., model.nq) our configuration as positions of a ``mujoco.MjModel``. Joints that this
        robot does not have are where the model begins."""
        start = np.array(model.qpos0, dtype=float)
        quaternions = list(_quaternions_of_mujoco(model))
        for first in quaternions:
            start[first : first + 4] = start[[first + 1, first + 2, first + 3, first]]
        result = _put_q(list(_of_mujoco(self, model)), _numbers("q", q, self._nq), start)
        for first in quaternions:
            result[..., first : first + 4] = result[..., [first + 3, first, first + 1, first + 2]]
        return result

    def v_from_mujoco(self, model: Any, qpos: ArrayLike, qvel: ArrayLike) -> Array:
        """(..., nv) velocities of a ``mujoco.MjModel``, as ours; positions turn the base's."""
        theirs = _numbers("qvel", qvel, model.nv)
        q = self.q_from_mujoco(model, qpos)
        result = np.zeros((*theirs.shape[:-1], self._nv))
        for place in _of_mujoco(self, model):
            if place.leads:
                result[..., place.v] = theirs[..., place.their_v]
        if self._base == "floating":
            R = _rotation(q)
            result[..., :3] = np.einsum("...ji,...j->...i", R, result[..., :3])
        return result

    def v_to_mujoco(self, model: Any, q: ArrayLike, v: ArrayLike) -> Array:
        """(..., model.nv) our velocities as those of a ``mujoco.MjModel``."""
        ours, q = _numbers("v", v, self._nv).copy(), _numbers("q", q, self._nq)
        if self._base == "floating":
            ours[..., :3] = np.einsum("...ij,...j->...i", _rotation(q), ours[..., :3])
        result = np.zeros((*ours.shape[:-1], model.nv))
        for place in _of_mujoco(self, model):
            result[..., place.their_v] = place.multiplier * ours[..., place.v]
        return result


# ---- Joints by name


class _Theirs(NamedTuple):
    q: slice
    v: slice


def _places(robot: Description, base: _Theirs | None, joints: dict[str, _Theirs], whose: str) -> Iterator[Place]:
    if base is not None:
        width = robot._joints[0][1].first_q if robot._joints else robot._nq
        rates = robot._joints[0][1].first_v if robot._joints else robot._nv
        yield Place(slice(0, width), slice(0, rates), *base)
    missing = [name for name in robot._joint_names if name not in joints]
    if missing:
        raise ValueError(f"the model of {whose} has no joint {missing[0]!r}: is it of this robot?")
    for name, (_, joint) in zip(robot._joint_names, robot._joints):
        q = slice(joint.first_q, joint.first_q + joint.q_count)
        v = slice(joint.first_v, joint.first_v + joint.v_count)
        yield Place(q, v, *joints[name])
    for name, law in robot._mimic_joints.items():
        if name in joints and name not in robot._joint_names:
            source = robot._all_joints[law.source]
            q, v = (slice(i, i + 1) for i in (source.first_q, source.first_v))
            yield Place(q, v, *joints[name], law.multiplier, law.offset, False)


def _of_pinocchio(robot: Description, model: Any) -> Iterator[Place]:
    found = {}
    for i in range(1, model.njoints):
        joint = model.joints[i]
        found[model.names[i]] = _Theirs(
            slice(joint.idx_q, joint.idx_q + joint.nq), slice(joint.idx_v, joint.idx_v + joint.nv)
        )
    base = None
    if robot._base != "fixed":
        joint = model.joints[1] if model.njoints > 1 else None
        base = found[model.names[1]] if joint is not None else None
        expected = {"floating": 6, "planar": 3}.get(robot._base)
        if joint is None or joint.nv != expected:
            raise ValueError(
                f"the model of Pinocchio has no {robot._base} joint at its root: build it with one, "
                "such as pinocchio.JointModelFreeFlyer(), or this robot with another base"
            )
    return _places(robot, base, found, "Pinocchio")


def _neutral_of_pinocchio(joint: Any, q: Array) -> None:
    """What is 1 at zero: cos of a continuous or planar joint, w of a quaternion."""
    if joint.nq > joint.nv:
        angle = 0 if joint.nq == 2 else 2 if joint.shortname() == "JointModelPlanar" else joint.nq - 1
        q[joint.idx_q + angle] = 1.0


def _of_mujoco(robot: Description, model: Any) -> Iterator[Place]:
    widths = {_FREE: (7, 6), _BALL: (4, 3)}
    base, found = None, {}
    for i in range(model.njnt):
        kind, q, v = int(model.jnt_type[i]), int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
        q_count, v_count = widths.get(kind, (1, 1))
        place = _Theirs(slice(q, q + q_count), slice(v, v + v_count))
        name = model.joint(i).name
        if kind == _FREE and base is None and name not in robot._joint_names:
            base = place
        else:
            found[name] = place
    if robot._base in ("planar", "sagittal"):
        raise ValueError(f"MuJoCo has no {robot._base} joint: make the robot with a floating base")
    if (base is None) != (robot._base == "fixed"):
        raise ValueError(
            f"this robot's base is {robot._base}, but the model of MuJoCo has "
            f"{'no' if base is None else 'a'} free joint for it: make one like the other"
        )
    return _places(robot, base, found, "MuJoCo")


def _quaternions_of_mujoco(model: Any) -> Iterator[int]:
    for kind, first in zip(model.jnt_type, model.jnt_qposadr):
        if kind == _FREE:
            yield int(first) + 3
        elif kind == _BALL:
            yield int(first)


# ---- Coordinates


def _numbers(name: str, value: ArrayLike, width: int) -> Array:
    return _arguments.rows(name, value, (width,))


def _take_q(robot: Description, places: list[Place], theirs: Array) -> Array:
    result = np.zeros((*theirs.shape[:-1], robot._nq))
    for place in places:
        if place.leads:
            part = theirs[..., place.their_q]
            if part.shape[-1] == place.q.stop - place.q.start + 1:  # the last one is an angle
                angle = np.arctan2(part[..., -1:], part[..., -2:-1])
                part = np.concatenate([part[..., :-2], angle], axis=-1)
            result[..., place.q] = part
    return result


def _put_q(places: list[Place], ours: Array, start: Array) -> Array:
    result = np.broadcast_to(start, (*ours.shape[:-1], len(start))).copy()
    for place in places:
        part = place.multiplier * ours[..., place.q] + place.offset
        if place.their_q.stop - place.their_q.start == part.shape[-1] + 1:
            angle = part[..., -1:]
            part = np.concatenate([part[..., :-1], np.cos(angle), np.sin(angle)], axis=-1)
        result[..., place.their_q] = part
    return result


def _rotation(q: Array) -> Array:
    """(..., 3, 3) of the floating base."""
    unit = q[..., 3:7] / np.linalg.norm(q[..., 3:7], axis=-1, keepdims=True)
    x, y, z, w = np.moveaxis(unit, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))

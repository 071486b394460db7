# SPDX-License-Identifier: Apache-2.0
"""A recording as a scene over time: poses of links, forces of contacts, shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .parts import Geometry

if TYPE_CHECKING:
    from .recording import Recording

Array = NDArray[np.float64]

_BASES = {
    "fixed": (),
    "planar": ("x", "y", "turn"),
    "sagittal": ("x", "z", "turn"),
    "floating": ("x", "y", "z", *(f"quaternion_{axis}" for axis in "xyzw")),
}

GREY = (0.6, 0.62, 0.65, 1.0)
"""Of shapes without a colour."""


class Contact(NamedTuple):
    """A contact over time."""

    name: str
    position: Array
    """(rows, 3) in world axes, m."""
    force: Array
    """(rows, 3) on the robot, in world axes, N; 0 where there is none."""


class Replay:
    """What a viewer of robots shows of a recording."""

    def __init__(self, recording: Recording, package_path: Any = None) -> None:
        self.recording = recording
        self.robot = recording.load_robot(package_path)
        self.q = self._configurations()
        self.rotations, self.positions = self.robot.link_poses(self.q)
        self.contacts = [self._contact(name) for name in self._contact_names()]
        self.weight = float(self.robot.mass * np.linalg.norm(self.robot.gravity)) or 1.0
        """N; 1 where there is no gravity."""

    def _configurations(self) -> Array:
        """(rows, nq), zero and neutral where the recording has no column or no value."""
        robot, recording = self.robot, self.recording
        q = np.tile(robot.neutral(), (len(recording), 1))
        names = [f"base.{part}" for part in _BASES[robot.base]]
        places: dict[str, int] = {name: i for i, name in enumerate(names)}
        for joint in robot.joint_names:
            index = robot.q_index(joint)
            if isinstance(index, int):
                places[joint] = index
        for name, place in places.items():
            if f"q.{name}" in recording:
                values = recording[f"q.{name}"]
                known = np.isfinite(values)
                q[known, place] = values[known]
        return q

    def _contact_names(self) -> list[str]:
        ending = ".force_x"
        return [
            name[len("contact.") : -len(ending)]
            for name in self.recording
            if name.startswith("contact.") and name.endswith(ending)
        ]

    def _contact(self, name: str) -> Contact:
        def stacked(what: str) -> Array:
            columns = [f"contact.{name}.{what}_{axis}" for axis in "xyz"]
            if any(column not in self.recording for column in columns):
                return np.zeros((len(self.recording), 3))
            return np.nan_to_num(self.recording.stacked(columns))

        return Contact(name, stacked("position"), stacked("force"))

    def shapes(self) -> list[Geometry]:
        """What links look like; of a link that has nothing to look at, what it touches with."""
        seen = {g.link for g in self.robot.geometries if not g.collision and _is_drawn(g)}
        return [
            g
            for g in self.robot.geometries
            if _is_drawn(g) and (not g.collision or g.link not in seen)
        ]

    def nanoseconds(self) -> NDArray[np.int64]:
        """(rows,) since the first row."""
        time = self.recording.time
        return np.round(1e9 * (time - time[0])).astype(np.int64) if len(time) else np.empty(0, np.int64)


def _is_drawn(geometry: Geometry) -> bool:
    return geometry.shape != "mesh" or geometry.path is not None


def color(geometry: Geometry) -> tuple[float, float, float, float]:
    """Red, green, blue, alpha."""
    return geometry.color if geometry.color[3] > 0.0 else GREY


def quaternions(rotations: Array) -> Array:
    """(..., 4) x y z w of rotations (..., 3, 3): from the largest component of each."""
    R = np.asarray(rotations)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    a, b, c = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    d, e, f = R[..., 0, 1] + R[..., 1, 0], R[..., 0, 2] + R[..., 2, 0], R[..., 1, 2] + R[..., 2, 1]
    each = np.stack(
        [
            np.stack([1 + xx - yy - zz, d, e, a], -1),
            np.stack([d, 1 - xx + yy - zz, f, b], -1),
            np.stack([e, f, 1 - xx - yy + zz, c], -1),
            np.stack([a, b, c, 1 + xx + yy + zz], -1),
        ],
        -2,
    )
    lengths = np.linalg.norm(each, axis=-1)
    best = np.argmax(lengths, axis=-1)[..., None, None]
    q = np.take_along_axis(each, best, axis=-2)[..., 0, :]
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def turn_of_x(direction: Array) -> Array:
    """(4,) a quaternion x y z w that turns x into a direction, which is not zero."""
    x, y, z = direction / np.linalg.norm(direction)
    if x < -0.999999999:
        return np.array([0.0, 0.0, 1.0, 0.0])
    q = np.array([0.0, -z, y, 1.0 + x])
    return np.asarray(q / np.linalg.norm(q))

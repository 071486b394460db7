# SPDX-License-Identifier: Apache-2.0
"""Recordings for Rerun's viewer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _replay
from ._packages import optional
from .parts import Geometry

if TYPE_CHECKING:
    from .recording import Recording


def write(recording: Recording, path: Any, package_path: Any) -> None:
    """See `Recording.to_rerun`."""
    rerun = optional("rerun", "Recording.to_rerun()", "rerun")
    replay = _replay.Replay(recording, package_path)
    stream = rerun.RecordingStream(f"atemi_{recording.job or 'recording'}")
    stream.save(os.fspath(path))
    try:
        _RerunFile(rerun, stream, replay).write()
    finally:
        stream.disconnect()


class _RerunFile:
    def __init__(self, rerun: Any, stream: Any, replay: _replay.Replay) -> None:
        self.rerun = rerun
        self.stream = stream
        self.replay = replay

    def write(self) -> None:
        self.stream.log("/", self.rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        self._shapes()
        if len(self.replay.recording) > 0:
            self._links()
            self._contacts()
            self._columns()
        self._events()

    def _send(self, entity: str, times: Any, columns: Any) -> None:
        index = [self.rerun.TimeColumn("time", duration=times)]
        self.stream.send_columns(entity, index, columns)

    def _path(self, *parts: str) -> str:
        return "/".join(self.rerun.escape_entity_path_part(part) for part in parts)

    # ---- The robot

    def _links(self) -> None:
        replay, time = self.replay, self.replay.recording.time
        turns = _replay.quaternions(replay.rotations)
        for i, link in enumerate(replay.robot.link_names):
            self._send(
                self._path("robot", link),
                time,
                self.rerun.Transform3D.columns(
                    translation=replay.positions[:, i], quaternion=turns[:, i]
                ),
            )

    def _shapes(self) -> None:
        for i, shape in enumerate(self.replay.shapes()):
            entity = self._path("robot", shape.link, f"shape {i}")
            place: dict[str, Any] = {"translation": shape.position, "mat3x3": shape.rotation}
            if shape.shape == "mesh":
                place["mat3x3"] = shape.rotation @ np.diag(shape.size)
            self.stream.log(entity, self.rerun.Transform3D(**place), static=True)
            self.stream.log(entity, self._shape(shape), static=True)

    def _shape(self, shape: Geometry) -> Any:
        rerun, (x, y, z), color = self.rerun, shape.size, _replay.color(shape)
        look = {"colors": [color], "fill_mode": "solid"}
        if shape.shape == "box":
            return rerun.Boxes3D(sizes=[(x, y, z)], **look)
        if shape.shape == "sphere":
            return rerun.Ellipsoids3D(half_sizes=[(x, x, x)], **look)
        if shape.shape == "cylinder":
            return rerun.Cylinders3D(lengths=[y], radii=[x], **look)
        if shape.shape == "capsule":  # which begin at the origin there
            return rerun.Capsules3D(
                lengths=[y], radii=[x], translations=[(0.0, 0.0, -0.5 * y)], **look
            )
        return rerun.Asset3D(path=shape.path, albedo_factor=color)

    # ---- What happens

    def _contacts(self) -> None:
        time = self.replay.recording.time
        for contact in self.replay.contacts:
            self._send(
                self._path("contacts", contact.name),
                time,
                self.rerun.Arrows3D.columns(
                    vectors=contact.force / self.replay.weight, origins=contact.position
                ),
            )

    def _columns(self) -> None:
        recording = self.replay.recording
        for name in recording:
            known = np.isfinite(recording[name])
            if name != "t" and known.any():
                group, _, rest = name.partition(".")
                scalars = self.rerun.Scalars.columns(scalars=recording[name][known])
                entity = self._path("columns", group, *([rest] if rest else []))
                self._send(entity, recording.time[known], scalars)

    def _events(self) -> None:
        events = self.replay.recording.events
        if events:
            texts = [event.text or f"{event.kind} {event.what or ''}".strip() for event in events]
            self._send("events", [e.t for e in events], self.rerun.TextLog.columns(text=texts))

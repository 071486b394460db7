# SPDX-License-Identifier: Apache-2.0
"""Recordings as MCAP files, with the schemas that Foxglove shows."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _replay
from ._packages import optional
from .parts import Geometry

if TYPE_CHECKING:
    from .recording import Recording

_EXTRA = ("Recording.to_mcap()", "mcap")
_MEDIA = {".stl": "model/stl", ".obj": "model/obj", ".dae": "model/vnd.collada+xml"}
_SCHEMAS = (
    "ArrowPrimitive",
    "CubePrimitive",
    "CylinderPrimitive",
    "FrameTransforms",
    "JointStates",
    "Log",
    "ModelPrimitive",
    "SceneUpdate",
    "SpherePrimitive",
)


def write(recording: Recording, path: Any, package_path: Any) -> None:
    """See `Recording.to_mcap`."""
    protobuf = optional("mcap_protobuf.writer", *_EXTRA)
    schemas = {
        name: getattr(optional(f"foxglove_schemas_protobuf.{name}_pb2", *_EXTRA), name)
        for name in _SCHEMAS
    }
    replay = _replay.Replay(recording, package_path)
    temporary = Path(os.fspath(path)).with_name(Path(os.fspath(path)).name + ".part")
    try:
        with open(temporary, "wb") as stream:
            writer = protobuf.Writer(stream)
            _McapFile(writer, schemas, replay).write()
            writer.finish()
        os.replace(temporary, os.fspath(path))
    finally:
        temporary.unlink(missing_ok=True)


class _McapFile:
    def __init__(self, writer: Any, schemas: dict[str, Any], replay: _replay.Replay) -> None:
        self.writer = writer
        self.schemas = schemas
        self.replay = replay
        self.times = replay.nanoseconds()
        self.turns = _replay.quaternions(replay.rotations)

    def write(self) -> None:
        recording = self.replay.recording
        first = float(recording.time[0]) if len(recording) else 0.0
        self.writer.add_metadata(
            "atemi",
            {
                "job": recording.job or "",
                "robot": recording.robot or "",
                "outcome": recording.outcome or "",
                "first_time": repr(first),
            },
        )
        self._robot()
        values = _Values(self.writer._writer, recording)
        for row, time in enumerate(self.times.tolist()):
            self._send("/tf", self._transforms(row, time), time)
            self._send("/joint_states", self._joints(row, time), time)
            if self.replay.contacts:
                self._send("/contacts", self._contacts(row, time), time)
            values.write(row, time)
        for event in recording.events:
            self._event(event, max(0, round(1e9 * (event.t - first))))

    def _send(self, topic: str, message: Any, time: int) -> None:
        self.writer.write_message(topic, message, log_time=time, publish_time=time)

    # ---- What moves

    def _transforms(self, row: int, time: int) -> Any:
        message = self.schemas["FrameTransforms"]()
        replay = self.replay
        for i, link in enumerate(replay.robot.link_names):
            transform = message.transforms.add(parent_frame_id="world", child_frame_id=link)
            transform.timestamp.FromNanoseconds(time)
            _fill(transform.translation, replay.positions[row, i], "xyz")
            _fill(transform.rotation, self.turns[row, i], "xyzw")
        return message

    def _joints(self, row: int, time: int) -> Any:
        message, recording = self.schemas["JointStates"](), self.replay.recording
        message.timestamp.FromNanoseconds(time)
        for name in self.replay.robot.joint_names:
            joint = message.joints.add(name=name)
            for group, field in (
                ("q", "position"),
                ("v", "velocity"),
                ("a", "acceleration"),
                ("tau", "effort"),
            ):
                column = f"{group}.{name}"
                if column in recording and math.isfinite(recording[column][row]):
                    setattr(joint, field, recording[column][row])
        return message

    def _contacts(self, row: int, time: int) -> Any:
        message = self.schemas["SceneUpdate"]()
        entity = message.entities.add(frame_id="world", id="contacts")
        entity.timestamp.FromNanoseconds(time)
        for contact in self.replay.contacts:
            force = contact.force[row]
            size = float(np.linalg.norm(force))
            if size > 0.0:
                arrow = entity.arrows.add()
                _fill(arrow.pose.position, contact.position[row], "xyz")
                _fill(arrow.pose.orientation, _replay.turn_of_x(force), "xyzw")
                arrow.shaft_length = size / self.replay.weight
                arrow.shaft_diameter, arrow.head_diameter, arrow.head_length = 0.01, 0.025, 0.04
                _fill(arrow.color, (0.9, 0.3, 0.1, 1.0), "rgba")
        return message

    def _event(self, event: Any, time: int) -> None:
        message = self.schemas["Log"](
            level=self.schemas["Log"].INFO,
            name=event.what or "",
            message=event.text or f"{event.kind} {event.what or ''}".strip(),
        )
        message.timestamp.FromNanoseconds(time)
        self._send("/events", message, time)

    # ---- What it looks like

    def _robot(self) -> None:
        message = self.schemas["SceneUpdate"]()
        for shape in self.replay.shapes():
            entity = next((e for e in message.entities if e.id == shape.link), None)
            if entity is None:
                entity = message.entities.add(
                    frame_id=shape.link, id=shape.link, frame_locked=True
                )
            _add_shape(entity, shape)
        self._send("/robot", message, 0)


def _fill(message: Any, values: Any, names: str) -> None:
    for name, value in zip(names, values):
        setattr(message, name, float(value))


def _add_shape(entity: Any, shape: Geometry) -> None:
    x, y, z = shape.size
    if shape.shape == "box":
        _place(entity.cubes.add(), shape, (x, y, z))
    elif shape.shape == "sphere":
        _place(entity.spheres.add(), shape, (2 * x, 2 * x, 2 * x))
    elif shape.shape == "cylinder":
        _place_cylinder(entity, shape)
    elif shape.shape == "capsule":
        _place_cylinder(entity, shape)
        for end in (-0.5 * y, 0.5 * y):
            ball = entity.spheres.add()
            _place(ball, shape, (2 * x, 2 * x, 2 * x))
            _fill(ball.pose.position, shape.position + shape.rotation[:, 2] * end, "xyz")
    elif shape.path is not None:
        _add_mesh(entity, shape, Path(shape.path))


def _place(primitive: Any, shape: Geometry, size: tuple[float, float, float]) -> None:
    _fill(primitive.pose.position, shape.position, "xyz")
    _fill(primitive.pose.orientation, _replay.quaternions(shape.rotation), "xyzw")
    _fill(primitive.size, size, "xyz")
    _fill(primitive.color, _replay.color(shape), "rgba")


def _place_cylinder(entity: Any, shape: Geometry) -> None:
    radius, length, _ = shape.size
    cylinder = entity.cylinders.add(bottom_scale=1.0, top_scale=1.0)
    _place(cylinder, shape, (2 * radius, 2 * radius, length))


def _add_mesh(entity: Any, shape: Geometry, path: Path) -> None:
    media = _MEDIA.get(path.suffix.lower())
    if media is None:
        return
    model = entity.models.add(media_type=media, data=path.read_bytes(), override_color=True)
    _fill(model.pose.position, shape.position, "xyz")
    _fill(model.pose.orientation, _replay.quaternions(shape.rotation), "xyzw")
    _fill(model.scale, shape.size, "xyz")
    _fill(model.color, _replay.color(shape), "rgba")


class _Values:
    """All columns that no other topic has, as JSON: one object inside the other at each dot."""

    GONE = ("t", "q", "v", "a", "tau", "contact")

    def __init__(self, writer: Any, recording: Recording) -> None:
        self.writer = writer
        self.columns = {
            name: recording[name] for name in recording if name.partition(".")[0] not in self.GONE
        }
        schema: dict[str, Any] = {"type": "object", "properties": {}}
        for name in self.columns:
            _declare(schema, name.split("."))
        data = json.dumps(schema).encode()
        schema_id = writer.register_schema(name="atemi.Values", encoding="jsonschema", data=data)
        self.channel = writer.register_channel(
            topic="/values", message_encoding="json", schema_id=schema_id
        )

    def write(self, row: int, time: int) -> None:
        message: dict[str, Any] = {}
        for name, values in self.columns.items():
            if math.isfinite(values[row]):
                at = message
                *path, last = name.split(".")
                for part in path:
                    at = at.setdefault(part, {})
                at[last] = float(values[row])
        if message:
            data = json.dumps(message).encode()
            self.writer.add_message(self.channel, log_time=time, publish_time=time, data=data)


def _declare(schema: dict[str, Any], path: list[str]) -> None:
    """Declares a number in a JSON schema."""
    for part in path[:-1]:
        schema = schema["properties"].setdefault(part, {"type": "object", "properties": {}})
    schema["properties"][path[-1]] = {"type": "number"}

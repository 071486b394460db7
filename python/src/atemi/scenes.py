# SPDX-License-Identifier: Apache-2.0
"""Things around a robot, in one model with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from numpy.typing import ArrayLike

from . import _arguments, _record
from ._library import NULL, check, decode, ffi, lib, load
from ._source import Options, Source

if TYPE_CHECKING:
    from .robot import Robot

_SHAPES = {
    "box": (lib.ATEMI_SHAPE_BOX, 3),
    "sphere": (lib.ATEMI_SHAPE_SPHERE, 1),
    "cylinder": (lib.ATEMI_SHAPE_CYLINDER, 2),
    "capsule": (lib.ATEMI_SHAPE_CAPSULE, 2),
}
_UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Body:
    """A solid thing beside a robot, or a further robot; it touches with its shape.

    Parameters
    ----------
    name : str
        Of its link and of its joint; of a further robot, links are called ``name/link``.
    shape : {"box", "sphere", "cylinder", "capsule"}
    size : float or sequence of float
        m: side lengths; radius; radius and length, of a capsule without its caps.
    mass : float
        kg.
    position, rotation : (3,), (3, 3) array_like
        Of its middle, or of a robot's root, in the world.
    fixed : bool
        Whether it stands still; otherwise it is free.
    robot : Robot, optional
        In place of shape, size and mass.
    """

    name: str
    shape: str = "box"
    size: ArrayLike = (0.1, 0.1, 0.1)
    mass: float = 1.0
    position: ArrayLike = (0.0, 0.0, 0.0)
    rotation: ArrayLike = _UPRIGHT
    fixed: bool = False
    robot: Optional[Robot] = None


class SceneSource:
    """Where a robot with things around it comes from."""

    def __init__(self, robot: Robot | None, bodies: Sequence[Body]) -> None:
        self._robot, self._bodies = robot, tuple(bodies)
        self.options = Options.checked("fixed", None, "coupled", None)
        self._model: Any = NULL

    def load(self, stacklevel: int) -> Any:
        """As of `Source`."""
        names = [ffi.new("char[]", _arguments.c_string("name", b.name)) for b in self._bodies]
        native = ffi.new("atemi_scene_body[]", max(len(names), 1))
        for i, (body, name) in enumerate(zip(self._bodies, names)):
            native[i] = self._solid(body, name)
            _record.place(ffi.addressof(native[i], "pose"), body.rotation, body.position)
        model = NULL if self._robot is None else self._robot._model
        self._model = load(
            lib.atemi_scene_create, model, native, len(names), stacklevel=stacklevel + 1
        )
        return self._model

    @staticmethod
    def _solid(body: Body, name: Any) -> Any:
        _arguments.choice("shape", body.shape, list(_SHAPES))
        kind, count = _SHAPES[body.shape]
        size = [body.size] if count == 1 and isinstance(body.size, (int, float)) else body.size
        values = _arguments.array("size", size, (count,)).tolist() + [0.0, 0.0]
        mass = _arguments.number("mass", body.mass)
        made = lib.atemi_scene_body_solid(name, mass, kind, values[:3])
        if body.fixed:
            made.type = lib.ATEMI_JOINT_FIXED
        if body.robot is not None:
            made.robot = body.robot._model
        return made

    def portable(self) -> Source:
        """The scene as text, for another process."""
        text = ffi.new("char **")
        check(lib.atemi_robot_write, self._model, lib.ATEMI_ROBOT_URDF, text, NULL, stacklevel=4)
        try:
            return Source.of_text(decode(text[0]), None, self.options)
        finally:
            lib.atemi_release(text[0])

# SPDX-License-Identifier: Apache-2.0
"""Links that are joined beside the tree of joints, so that they form closed loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _record
from ._library import ffi, lib
from .robot import Robot

Array = NDArray[np.float64]

_KINDS = {
    "point": lib.ATEMI_LOOP_POINT,
    "hinge": lib.ATEMI_LOOP_HINGE,
    "weld": lib.ATEMI_LOOP_WELD,
}


@dataclass(frozen=True, init=False, eq=False)
class Loop:
    """Joins the link `first` to the link `second`, or to the world if that is None: at a point
    (``"point"``, a ball joint), at a point and along the z axes of both frames (``"hinge"``), or as
    a whole (``"weld"``).

    `point` and `rotation` (3, 3) are the frame in the first link, `second_point` and
    `second_rotation` that in the second link or in the world, m.
    """

    name: str
    kind: str
    first: str
    second: Optional[str]
    point: Array
    rotation: Array
    second_point: Array
    second_rotation: Array

    def __init__(
        self,
        name: str,
        kind: str,
        first: str,
        second: str | None = None,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        second_point: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None,
        second_rotation: ArrayLike | None = None,
    ) -> None:
        turned = [np.eye(3) if turn is None else turn for turn in (rotation, second_rotation)]
        given = {
            "name": str(name),
            "kind": _arguments.choice("kind", kind, list(_KINDS)),
            "first": first,
            "second": second,
            "point": _arguments.array("point", point, (3,)),
            "second_point": _arguments.array("second_point", second_point, (3,)),
            "rotation": _arguments.array("rotation", turned[0], (3, 3)),
            "second_rotation": _arguments.array("second_rotation", turned[1], (3, 3)),
        }
        for key, value in given.items():
            object.__setattr__(self, key, value)


class LoopStates(NamedTuple):
    """All closed loops of a simulation at an instant, one row each."""

    names: tuple[str, ...]
    forces: Array
    """(n, 6) force and moment on the first link at the loop's place, world axes, N and N m; by
    steps the average over the last one."""
    openings: Array
    """(n,) how far their frames are apart, m or rad, the larger of both."""


class Loops:
    """Loops as C reads them, which it keeps alive."""

    def __init__(self, robot: Robot, loops: Sequence[Loop]) -> None:
        self._texts: list[Any] = []
        self.native = ffi.new("atemi_loop[]", max(len(loops), 1))
        for loop, native in zip(loops, self.native):
            self._fill(robot, loop, native)

    def _fill(self, robot: Robot, loop: Loop, native: Any) -> None:
        if not isinstance(loop, Loop):
            raise ValueError(f"loops must be atemi.Loop objects, got {loop!r}")
        self._texts.append(ffi.new("char[]", loop.name.encode()))
        native.name, native.kind = self._texts[-1], _KINDS[loop.kind]
        native.first = robot._link(loop.first)
        native.second = lib.ATEMI_NONE if loop.second is None else robot._link(loop.second)
        _record.place(ffi.addressof(native, "on_first"), loop.rotation, loop.point)
        _record.place(ffi.addressof(native, "on_second"), loop.second_rotation, loop.second_point)

# SPDX-License-Identifier: Apache-2.0
"""Where a robot's description comes from and how it is read."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, Union

from numpy.typing import ArrayLike

from . import _arguments
from ._library import NULL, decode, ffi, lib, load
from ._packages import optional
from .errors import Error, FileMissingError, NotFoundError

Path = Union[str, bytes, "os.PathLike[Any]"]

_BASES = {
    "fixed": lib.ATEMI_BASE_FIXED,
    "planar": lib.ATEMI_BASE_PLANAR,
    "sagittal": lib.ATEMI_BASE_SAGITTAL,
    "floating": lib.ATEMI_BASE_FLOATING,
}


def robots() -> list[str]:
    """The names of the robots that ship inside the library, for `Robot.shipped`."""
    return [decode(lib.atemi_robots_name(i)) for i in range(lib.atemi_robots_count())]


class Options(NamedTuple):
    """How to read a description."""

    base: str
    gravity: tuple[float, ...] | None
    coupled: bool
    package_path: bytes | None
    srdf: bytes | None = None

    @classmethod
    def checked(
        cls,
        base: str,
        gravity: ArrayLike | None,
        mimic: str,
        package_path: Path | Sequence[Path] | None,
        srdf: Path | None = None,
    ) -> Options:
        _arguments.choice("base", base, list(_BASES))
        _arguments.choice("mimic", mimic, ("coupled", "independent"))
        if gravity is not None:
            x, y, z = _arguments.array("gravity", gravity, (3,)).tolist()
            gravity = x, y, z
        if package_path is not None:
            if isinstance(package_path, (str, bytes, os.PathLike)):
                package_path = [package_path]
            package_path = b":".join(
                os.path.abspath(_arguments.c_string("package_path", folder))
                for folder in package_path
            )
        if srdf is not None:
            srdf = os.path.abspath(_arguments.c_string("srdf", srdf))
        return cls(base, gravity, mimic == "coupled", package_path, srdf)

    def native(self) -> tuple[Any, ...]:
        """``atemi_urdf_options *``, and what must live as long as that."""
        options = ffi.new("atemi_urdf_options *")
        options[0] = lib.atemi_urdf_options_default()
        options.model.base = _BASES[self.base]
        options.model.mimic_as_coupled = self.coupled
        if self.gravity is not None:
            options.model.gravity.x, options.model.gravity.y, options.model.gravity.z = self.gravity
        path = NULL if self.package_path is None else ffi.new("char[]", self.package_path)
        options.package_path = path
        srdf = NULL if self.srdf is None else ffi.new("char[]", self.srdf)
        options.srdf = srdf
        return options, path, srdf


class Source(NamedTuple):
    """A description that can be read, here or in another process: plain data."""

    kind: str
    """``"file"``, ``"shipped"`` or ``"text"``."""
    data: bytes
    """A path, a name or XML."""
    label: bytes | None
    """What stands for the file of a text in messages."""
    options: Options

    @classmethod
    def of_file(cls, path: Path, options: Options) -> Source:
        name = _arguments.c_string("path", path)
        if name.endswith(b".xacro"):
            return cls("text", _expanded(name), name, options)
        return cls("file", name, None, options)

    @classmethod
    def of_shipped(cls, name: str, options: Options) -> Source:
        return cls("shipped", _arguments.c_string("name", name), None, options)

    @classmethod
    def of_text(cls, text: str | bytes, name: str | None, options: Options) -> Source:
        data = text if isinstance(text, bytes) else _encoded(text)
        label = None if name is None else _arguments.c_string("name", name)
        return cls("text", data, label, options)

    def portable(self) -> Source:
        """The same for a process in another folder."""
        return self._replace(data=os.path.abspath(self.data)) if self.kind == "file" else self

    def load(self, stacklevel: int) -> Any:
        """``atemi_model *``. Warnings are as of `stacklevel` calls above this one."""
        options, *_keep = self.options.native()  # kept until this returns
        try:
            return load(*self._reader(), options, path=self._path(), stacklevel=stacklevel + 1)
        except FileMissingError as error:
            name = os.fsdecode(self.data)
            if name in robots():
                error.message += f"; the shipped robot is atemi.Robot.shipped({name!r})"
            raise

    def _reader(self) -> tuple[Any, ...]:
        """The function that reads it, and what it wants to know."""
        if self.kind == "file":
            return lib.atemi_urdf_load, self.data
        if self.kind == "shipped":
            return lib.atemi_robots_load, self.data
        label = NULL if self.label is None else self.label
        return lib.atemi_urdf_parse, self.data, len(self.data), label

    def _path(self) -> bytes | None:
        return self.data if self.kind == "file" else None


class RecordedSource:
    """The description in a recording, whose meshes are looked for beside the robot's file."""

    def __init__(self, recording: Any, package_path: Path | Sequence[Path] | None) -> None:
        self._handle = recording._handle
        self._text = recording.urdf
        robot = lib.atemi_recording_robot(self._handle)
        if not self._text or not robot:
            raise NotFoundError("the recording has no robot", "not found")
        gravity = [robot.gravity.x, robot.gravity.y, robot.gravity.z]
        base = next(name for name, value in _BASES.items() if value == robot.base)
        mimic = "coupled" if robot.mimic_as_coupled else "independent"
        self.options = Options.checked(base, gravity, mimic, package_path)

    def load(self, stacklevel: int) -> Any:
        """As of `Source`."""
        path = NULL if self.options.package_path is None else self.options.package_path
        function = lib.atemi_recording_robot_load
        return load(function, self._handle, path, stacklevel=stacklevel + 1)

    def portable(self) -> Source:
        """The text alone, for another process."""
        return Source.of_text(self._text, None, self.options)


def _expanded(path: bytes) -> bytes:
    """The URDF that a xacro file makes."""
    name = os.fsdecode(path)
    if not os.path.exists(name):
        raise FileMissingError(f"{name}: no such file", "file error", name, None, None)
    xacrodoc = optional("xacrodoc", f"a robot from the xacro file {name}", "xacro")
    try:
        text = xacrodoc.XacroDoc.from_file(name).to_urdf_string()
    except Exception as error:  # of many kinds: of xacro, its expressions, the packages it looks for
        raise Error(f"{name}: xacro makes no URDF of it: {error}", "input", name, None, None) from error
    return str(text).encode()


def _encoded(text: str) -> bytes:
    """The bytes of a file with this text: in the encoding that it declares."""
    declared = re.match(r"""\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']""", text)
    try:
        return text.encode(declared[1] if declared else "utf-8")
    except LookupError:
        return text.encode()  # the library says what it thinks of that encoding

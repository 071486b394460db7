# SPDX-License-Identifier: Apache-2.0
"""Structs of the library: filled in by name, and read."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from . import _arguments
from ._library import decode, ffi


def fill(what: str, record: Any, given: Mapping[str, Any]) -> None:
    """Puts `given` into the fields of these names; structs inside are filled by mappings."""
    fields = {name: field.type for name, field in ffi.typeof(record).fields}
    for name, value in given.items():
        if name not in fields:
            close = difflib.get_close_matches(name, fields, n=1)
            cure = f"did you mean {close[0]!r}?" if close else "there are " + ", ".join(fields)
            raise ValueError(f"{what} has no {name!r}; {cure}")
        if fields[name].kind == "struct" and isinstance(value, Mapping):
            fill(f"{what}'s {name}", getattr(record, name), value)
        else:
            _put(what, record, name, value)


def _put(what: str, record: Any, name: str, value: Any) -> None:
    try:
        setattr(record, name, value)
    except (TypeError, OverflowError):
        raise ValueError(f"{name} of {what} cannot be {value!r}") from None


def filled(what: str, kind: str, default: Any, given: Mapping[str, Any]) -> Any:
    """``kind *`` with the default, but for what is given."""
    record = ffi.new(f"{kind} *", default)
    fill(what, record[0], given)
    return record


def plain(record: Any) -> dict[str, Any]:
    """The numbers of a record by name, structs inside as dictionaries."""
    return {
        name: plain(getattr(record, name)) if field.type.kind == "struct" else getattr(record, name)
        for name, field in ffi.typeof(record).fields
        if field.type.kind in ("primitive", "struct", "enum")
    }


def place(record: Any, rotation: ArrayLike, position: ArrayLike) -> None:
    """Fills an ``atemi_transform``, whose rotation has its columns one after the other."""
    columns = _arguments.array("rotation", rotation, (3, 3)).T
    record.rotation = [tuple(column) for column in columns.tolist()]
    record.position = tuple(_arguments.array("position", position, (3,)).tolist())


def bits(number: int, last: int, text: Any) -> tuple[str, ...]:
    """The names of the bits that are set, of those up to `last`."""
    return tuple(decode(text(1 << i)) for i in range(last.bit_length()) if number >> i & 1)

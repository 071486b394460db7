# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions: a class for each kind of fault that one may want to catch."""

from __future__ import annotations

import difflib
import errno
import math
from collections.abc import Iterable
from typing import Any


class Error(ValueError):
    """The library refused: a bad file, an unknown name, no memory.

    ``str(error)`` is the whole sentence, ``file:line:column: cause and cure``.

    Attributes
    ----------
    message : str
        The sentence without the place.
    status : str
        The kind of fault, e.g. ``"bad input"``.
    file : str or None
        The file at fault.
    line, column : int or None
        The place in the file, from 1.
    """

    def __init__(
        self,
        message: str,
        status: str = "bad input",
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message, status, file, line, column)
        self.message = message
        self.status = status
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return ":".join(place) + ": " + self.message if place else self.message


class FileError(Error, OSError):
    """A file cannot be read. Also an `OSError`, with its `filename`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.filename = self.file


class FileMissingError(FileError, FileNotFoundError):
    """There is no such file. Also a `FileNotFoundError`, with its `errno`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.errno = errno.ENOENT


class NotFoundError(Error, KeyError):
    """There is nothing of that name in the robot or in the library. Also a `KeyError`."""


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed. Also a `MemoryError`."""


class SingularError(Error, ArithmeticError):
    """No motion, or no single one, does what is asked. Also an `ArithmeticError`.

    Attributes
    ----------
    rows, rank : int
        Of the system of all contacts: what they ask, and how much of it is independent.
    condition : float
        An estimate of the system's condition number.
    jamming : float
        How easily the worst slipping contact yields, relative to the same without friction, 1 if
        none slips. Not positive: it jams.
    """

    def __init__(
        self,
        *arguments: Any,
        rows: int = 0,
        rank: int = 0,
        condition: float = math.inf,
        jamming: float = 1.0,
    ) -> None:
        super().__init__(*arguments)
        self.rows = rows
        self.rank = rank
        self.condition = condition
        self.jamming = jamming


class Warning(UserWarning):  # noqa: A001
    """Something in a robot's description or in a scenario is suspicious, but no reason to refuse
    it."""


def not_found(kind: str, name: object, names: Iterable[str]) -> NotFoundError:
    """The error for an unknown `name`, with the closest ones there are."""
    known = list(names)
    close = difflib.get_close_matches(str(name), known, n=3)
    if close:
        cure = "did you mean " + " or ".join(repr(guess) for guess in close) + "?"
    elif len(known) > 12:
        cure = "there are " + ", ".join(known[:12]) + f" and {len(known) - 12} more"
    else:
        cure = "there are " + ", ".join(known) if known else f"it has no {kind}s"
    return NotFoundError(f"the robot has no {kind} {name!r}; {cure}", "not found")

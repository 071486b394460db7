# SPDX-License-Identifier: Apache-2.0
"""The C library as Python sees it: calls, errors, warnings, and a workspace for each thread.

Nothing here knows what the functions compute; see robot.py for that.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from typing import Any, Callable

import numpy as np
from numpy.typing import NDArray

from . import _native, errors

ffi = _native.ffi
lib = _native.lib

NULL = ffi.NULL


def _beside(name: str) -> None:
    """Imports another module of the file that has _native: both have one library in it."""
    loader = ExtensionFileLoader(f"atemi.{name}", _native.__file__)
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[loader.name] = module


_beside("_rows")


def decode(pointer: Any) -> str:
    """A C string; bytes that are not UTF-8 (a message cut short, an odd path) do not stop it."""
    return str(ffi.string(pointer), "utf-8", "replace")


# ---- Messages: the log hook may be called on any thread, deep inside a call. Each thread keeps
# what it hears until the call is over.


class _Heard(threading.local):
    def __init__(self) -> None:
        self.messages: list[tuple[int, str]] = []


_heard = _Heard()


@ffi.def_extern()  # type: ignore[untyped-decorator, unused-ignore]
def atemi_python_log(context: Any, level: int, message: Any) -> None:
    _heard.messages.append((level, decode(message)))


lib.atemi_set_log_hook(lib.atemi_python_log, NULL)


@contextmanager
def set_aside() -> Iterator[None]:
    """For code that runs inside a call and makes calls of its own: it hears nothing of what the
    outer call has said so far, and that is not lost."""
    kept, _heard.messages = _heard.messages, []
    try:
        yield
    finally:
        _heard.messages = kept


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function of the library that cannot fail, without the GIL.

    A broken contract would leave the result undefined; the arguments are checked before, so that
    is a bug of this package.
    """
    result = function(*arguments)
    if _heard.messages:
        messages, _heard.messages = _heard.messages, []
        raise AssertionError("; ".join(message for _, message in messages))
    return result


# ---- Errors


def _error_class(status: int, path: str | bytes | None) -> type[errors.Error]:
    if status == lib.ATEMI_ERROR_FILE:
        missing = path is not None and not os.path.exists(path)
        return errors.FileMissingError if missing else errors.FileError
    if status == lib.ATEMI_ERROR_NOT_FOUND:
        return errors.NotFoundError
    if status == lib.ATEMI_ERROR_MEMORY:
        return errors.OutOfMemoryError
    if status == lib.ATEMI_ERROR_SINGULAR:
        return errors.SingularError
    return errors.Error


def _exception(status: int, record: Any, path: str | bytes | None) -> errors.Error:
    return _error_class(status, path)(
        decode(record.message),
        decode(lib.atemi_status_text(status)),
        decode(record.file) or None,
        record.line or None,
        record.column or None,
    )


def _complain(messages: list[tuple[int, str]], stacklevel: int) -> None:
    for level, message in messages:
        if level != lib.ATEMI_LOG_INFO:
            warnings.warn(message, errors.Warning, stacklevel=stacklevel + 1)


def check(
    function: Callable[..., int],
    *arguments: Any,
    path: str | bytes | None = None,
    stacklevel: int,
) -> None:
    """Calls ``function(*arguments, &error)``.

    Raises the library's error; passes its warnings on, as of `stacklevel` calls above.
    """
    record = ffi.new("atemi_error *")
    status = function(*arguments, record)
    messages, _heard.messages = _heard.messages, []
    if status == lib.ATEMI_ERROR_CONTRACT:
        raise AssertionError("; ".join(message for _, message in messages))
    if status:
        raise _exception(status, record, path)
    _complain(messages, stacklevel + 1)


def load(
    function: Callable[..., int],
    *arguments: Any,
    kind: str = "atemi_model",
    path: str | bytes | None = None,
    stacklevel: int,
) -> Any:
    """What ``function(*arguments, &object, &error)`` makes, released with the result.

    An object of C's type `kind`, whose destructor is named after it.
    """
    made = ffi.new(f"{kind} **")
    check(function, *arguments, made, path=path, stacklevel=stacklevel + 1)
    return ffi.gc(made[0], getattr(lib, f"{kind}_destroy"))


def on_arena(take: Callable[..., Any], *arguments: Any, stacklevel: int) -> tuple[Any, Any]:
    """What ``take(arena, *arguments)`` lays out, behind the arena that it lives as long as."""
    arena = ffi.new("atemi_arena *")
    arena[0] = lib.atemi_arena_measuring()
    take(arena, *arguments)
    check(lib.atemi_arena_create, arena, arena.used, stacklevel=stacklevel + 1)
    arena = ffi.gc(arena, lib.atemi_arena_destroy)
    return arena, take(arena, *arguments)


# ---- Arrays


def doubles(array: NDArray[np.float64]) -> Any:
    """``double *`` into a contiguous float64 array, which it keeps alive."""
    return ffi.from_buffer("double[]", array)


def array_of(pointer: Any, count: int) -> NDArray[np.float64]:
    """A view of numbers that C owns."""
    if count == 0:
        return np.empty(0)
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=np.float64)


def forces(array: NDArray[np.float64] | None) -> Any:
    """``atemi_force *`` into a contiguous float64 array of shape (n, 6), or NULL."""
    return NULL if array is None else ffi.from_buffer("atemi_force[]", array)


def values(record: Any) -> NDArray[np.float64]:
    """A fresh array of the doubles that a struct of the library is made of."""
    return np.frombuffer(ffi.buffer(ffi.addressof(record)), dtype=np.float64).copy()


# ---- The workspace of the algorithms


class Data(threading.local):
    """What a call through cffi computes in: each thread has its own, made at first use."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._data: Any = None

    def of(self) -> Any:
        """``atemi_data *``"""
        if self._data is None:
            self._data = load(lib.atemi_data_create, self._model, NULL, kind="atemi_data", stacklevel=3)
        return self._data

# SPDX-License-Identifier: Apache-2.0
"""What all jobs share: from a scenario to a recording."""

from __future__ import annotations

from typing import Any, Callable

from . import _arguments
from ._library import NULL, ffi, lib, load
from ._source import Path
from .recording import Recording

Progress = Callable[[float], Any]


class _Listener:
    """Hears how far a job is, and remembers what was raised meanwhile: Ctrl-C, for example."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.raised: BaseException | None = None
        self.handle = ffi.new_handle(self)
        self.hooks = ffi.new("atemi_job_hooks *", (lib.atemi_python_progress, self.handle))

    def hear(self, done: float) -> bool:
        try:
            return self.progress is None or self.progress(done) is not False
        except BaseException as raised:
            self.raised = raised
            return False


@ffi.def_extern()  # type: ignore[untyped-decorator, unused-ignore]
def atemi_python_progress(context: Any, done: float) -> bool:
    return bool(ffi.from_handle(context).hear(done))


def run(
    by_file: Any,
    by_text: Any,
    scenario: Path | None,
    text: str | bytes | None,
    name: str | None,
    progress: Progress | None,
    *options: Any,
) -> Recording:
    """Calls one of a job's two functions, with its options before the hooks."""
    if (scenario is None) == (text is None):
        raise ValueError("give a scenario's path or its text, one of them")
    listener = _Listener(progress)
    path = None
    if scenario is not None:
        path = _arguments.c_string("scenario", scenario)
        call = (by_file, path)
    else:
        data = text.encode() if isinstance(text, str) else text
        label = NULL if name is None else _arguments.c_string("name", name)
        call = (by_text, data, len(data), label)
    handle = load(*call, *options, listener.hooks, kind="atemi_recording", path=path, stacklevel=3)
    if listener.raised:
        raise listener.raised
    return Recording._of(handle)

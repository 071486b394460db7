# SPDX-License-Identifier: Apache-2.0
"""What all jobs share: from a scenario to a recording."""

from __future__ import annotations

import json
import math
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Callable, Union

import numpy as np

from . import _arguments
from ._library import NULL, ffi, lib, load, set_aside
from ._source import Path
from .recording import Recording

Progress = Callable[[float], Any]
Scenario = Union[Path, Mapping[str, Any]]


class _Listener:
    """Hears how far a job is, and remembers what was raised meanwhile: Ctrl-C, for example."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.raised: BaseException | None = None
        self.handle = ffi.new_handle(self)
        self.hooks = {"progress": lib.atemi_python_progress, "context": self.handle}

    def hear(self, done: float) -> bool:
        if self.progress is None:
            return True
        with set_aside():
            return self.progress(done) is not False


class _Listening(threading.local):
    now: _Listener | None = None  # of the innermost job that this thread runs


_listening = _Listening()


@contextmanager
def listen(progress: Progress | None) -> Iterator[_Listener]:
    """Passes `progress` on to the hooks of a call. A job may be started inside the callback of another one, whose listener then waits."""
    outer, _listening.now = _listening.now, _Listener(progress)
    try:
        yield _listening.now
    finally:
        _listening.now = outer


def _remember(kind: Any, raised: BaseException, traceback: Any) -> None:
    """Ctrl-C comes at any place of the call below, or on its way there and back, where there is
    no traceback; the job then stops, as it returns False."""
    if _listening.now is not None:
        _listening.now.raised = raised


@ffi.def_extern(onerror=_remember)  # type: ignore[untyped-decorator, unused-ignore]
def atemi_python_progress(context: Any, done: float) -> bool:
    return bool(ffi.from_handle(context).hear(done))


def _yaml(scenario: Mapping[str, Any]) -> str:
    """JSON is YAML, but for infinity."""
    return json.dumps(_plain(scenario), indent=1, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _flags(job: str, wanted: Mapping[str, bool]) -> int:
    return sum(lib.atemi_job_flag(job.encode(), name.encode()) for name in wanted if wanted[name])


def run(
    job: str | None,
    scenario: Scenario | None,
    text: str | bytes | None,
    name: str | None,
    progress: Progress | None,
    **flags: bool,
) -> Recording:
    """Runs a job of the registry; with None the one that the scenario is for."""
    if (scenario is None) == (text is None):
        raise ValueError("give a scenario or its text, one of them")
    path = None
    if isinstance(scenario, Mapping):
        text = _yaml(scenario)
    elif scenario is not None:
        path = _arguments.c_string("scenario", scenario)
    called = NULL if job is None else _arguments.c_string("job", job)
    call: tuple[Any, ...] = (lib.atemi_job_run, called, path)
    if text is not None:
        data = text.encode() if isinstance(text, str) else text
        label = NULL if name is None else _arguments.c_string("name", name)
        call = (lib.atemi_job_run_text, called, data, len(data), label)
    with listen(progress) as listener:
        mask = 0 if job is None else _flags(job, flags)
        options = ffi.new("atemi_job_options *", {"flags": mask, "hooks": listener.hooks})
        handle = load(*call, options, kind="atemi_recording", path=path, stacklevel=3)
    if listener.raised:
        raise listener.raised
    return Recording._of(handle)

# SPDX-License-Identifier: Apache-2.0
"""The job "simulate"."""

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


def simulate(
    scenario: Path | None = None,
    *,
    text: str | bytes | None = None,
    name: str | None = None,
    progress: Progress | None = None,
) -> Recording:
    """Runs a scenario in the hybrid simulation: sticking, slipping and bumping contact.

    >>> recording = simulate(text="robot: two_link\\ncontacts: []\\nduration: 0.5 s")
    >>> recording.outcome, recording["q.joint1"].shape
    ('simulated 0.5 s', (51,))

    Parameters
    ----------
    scenario : str or path-like
        The YAML file; docs/scenarios.md has its keys. A robot's file in it is relative to its
        folder.
    text : str or bytes
        The text of a scenario, in place of a file.
    name : str, optional
        What errors call the text; a robot's file is relative to its folder.
    progress : callable, optional
        Is told how much is done, from 0 to 1, and ends the simulation early by returning False.

    Returns
    -------
    Recording
        Also where the simulation could not go on (contacts jam or contradict each other) or was
        ended early: then ``recording.results["completed"]`` is 0, and ``outcome`` says why.

    Raises
    ------
    Error
        Something is wrong with the scenario; with line and column.
    FileMissingError
        There is no such scenario.
    """
    if (scenario is None) == (text is None):
        raise ValueError("give a scenario's path or its text, one of them")
    listener = _Listener(progress)
    path = None
    if scenario is not None:
        path = _arguments.c_string("scenario", scenario)
        call = (lib.atemi_simulate_file, path)
    else:
        data = text.encode() if isinstance(text, str) else text
        label = NULL if name is None else _arguments.c_string("name", name)
        call = (lib.atemi_simulate_text, data, len(data), label)
    handle = load(*call, listener.hooks, kind="atemi_recording", path=path, stacklevel=2)
    if listener.raised:
        raise listener.raised
    return Recording._of(handle)

# SPDX-License-Identifier: Apache-2.0
"""What strikes, walks and controlled runs share: a recording, read."""

from __future__ import annotations

from functools import cached_property

from .page import Page
from .recording import Motion, Recording


class Outcome:
    """What came of a job, immutable; made of its recording."""

    _job = ""

    def __init__(self, recording: Recording) -> None:
        if recording.job != self._job:
            raise ValueError(f"needs a recording of the job {self._job!r}, got {recording!r}")
        self._recording = recording

    @property
    def recording(self) -> Recording:
        """All of it: for its report, its figures, and to be written."""
        return self._recording

    @property
    def outcome(self) -> str:
        """How it ended, in one sentence."""
        return self._recording.outcome or ""

    @property
    def completed(self) -> bool:
        """Whether all that was asked for is done."""
        return bool(self._recording.results["completed"])

    @cached_property
    def motion(self) -> Motion:
        """A row for each instant."""
        return self._recording.motion

    def show(self, *, height: int = 640) -> Page:
        """The page of its recording, in 3D, for the output of a notebook."""
        return self._recording.show(height=height)

    def _repr_html_(self) -> str:
        return self._recording._repr_html_()

    def _figure(self, name: str) -> float:
        return float(self._recording.results[name])

    def __repr__(self) -> str:
        return f"<atemi.{type(self).__name__} of {self._recording.robot!r}: {self.outcome}>"

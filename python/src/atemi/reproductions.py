# SPDX-License-Identifier: Apache-2.0
"""The papers' numbers beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

from . import _arguments, _html, _job
from ._library import decode, ffi, lib, load
from .recording import Recording


class Reproduced(NamedTuple):
    """A number that a paper prints, and ours."""

    paper: str
    """Its name here, one of `papers()`."""
    quantity: str
    """What the number is, and where the paper has it."""
    printed: float
    """In the paper; corrected where that is a slip, and the note says so."""
    ours: float
    """NaN where nothing was found."""
    unit: str
    tolerance: float
    """Within which the two are equal; 0 for a bound."""
    bound: str
    """``"equal"``, ``"at most"`` or ``"at least"``: how ours should be beside the printed number."""
    kind: str
    """``"predicted"``, ``"fitted"``, ``"identity"`` or ``"input"``."""
    ok: bool
    """Whether ours is within the tolerance, or keeps to the bound."""
    note: Optional[str]
    """What is to know of the print or of the tolerance."""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """What `reproduce` computed."""

    rows: tuple[Reproduced, ...]
    """Paper by paper; of each, kind by kind."""
    recording: Recording
    """The same as results, and the papers' figures as tables: for reports and figures."""
    completed: bool
    """False if it was ended early, so that rows are missing."""

    @property
    def failed(self) -> tuple[Reproduced, ...]:
        """The rows that are not ok."""
        return tuple(row for row in self.rows if not row.ok)

    def __repr__(self) -> str:
        good = len(self.rows) - len(self.failed)
        return f"<atemi.Reproduction: {good} of {len(self.rows)} numbers within their tolerance>"

    def _repr_html_(self) -> str:
        head = ("paper", "quantity", "printed", "ours", "unit", "tolerance", "kind", "ok")
        rows = [(*(getattr(row, name) for name in head[:-1]), "ok" if row.ok else "FAILED") for row in self.rows]
        good = len(self.rows) - len(self.failed)
        return _html.page(
            f"{good} of {len(self.rows)} numbers within their tolerance", _html.table(head, rows)
        )


def papers() -> dict[str, str]:
    """The papers whose numbers `reproduce` computes: their names here, and their titles."""
    count = lib.atemi_papers_count()
    return {decode(lib.atemi_papers_name(i)): decode(lib.atemi_papers_title(i)) for i in range(count)}


def reproduce(paper: str = "all", *, progress: _job.Progress | None = None) -> Reproduction:
    """Computes every number that a paper prints: what `atemi reproduce` does.

    >>> reproduce("ene").failed
    ()

    Parameters
    ----------
    paper : str
        One of `papers()`, or ``"all"``, which takes about two minutes.
    progress : callable, optional
        Receives how much is done, from 0 to 1, and ends it early by returning False.

    Raises
    ------
    NotFoundError
        There is no such paper. Numbers that differ raise nothing: see `Reproduction.failed`.
    """
    called = _arguments.c_string("paper", paper)
    with _job.listen(progress) as listener:
        hooks = ffi.new("atemi_job_hooks *", listener.hooks)
        made = load(lib.atemi_reproduce, called, hooks, kind="atemi_reproduction", stacklevel=2)
    if listener.raised:
        raise listener.raised
    # The recording belongs to the reproduction, which lives as long as it.
    recording = ffi.gc(lib.atemi_reproduction_recording(made), lambda _: made)
    rows = (lib.atemi_reproduction_row(made, i) for i in range(lib.atemi_reproduction_count(made)))
    return Reproduction(
        tuple(_row(row) for row in rows),
        Recording._of(recording),
        not lib.atemi_reproduction_stopped(made),
    )


def _row(row: Any) -> Reproduced:
    return Reproduced(
        paper=decode(row.paper),
        quantity=decode(row.quantity),
        printed=row.printed,
        ours=row.ours,
        unit=decode(row.unit),
        tolerance=row.tolerance,
        bound=decode(lib.atemi_reproduced_bound_text(row.bound)),
        kind=decode(lib.atemi_reproduced_kind_text(row.kind)),
        ok=bool(row.ok),
        note=decode(row.note) if row.note else None,
    )

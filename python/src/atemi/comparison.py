# SPDX-License-Identifier: Apache-2.0
"""How two recordings differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Optional

import numpy as np

from . import _html

if TYPE_CHECKING:
    from .recording import Recording


class Difference(NamedTuple):
    """How a column differs, over the time that both recordings have."""

    largest: float
    """The largest absolute difference, in the column's unit; NaN if no row has both."""
    time: float
    """When, s."""
    rms: float
    """The root of the mean square of the difference."""
    missing: int
    """Rows in which only one of the two has a number."""
    unit: str


@dataclass(frozen=True)
class Comparison:
    """How two recordings differ: made by `Recording.compare`."""

    columns: dict[str, Difference]
    """Of the columns that both have, by name."""
    results: dict[str, tuple[float, float]]
    """The results that differ or that only one has (NaN then), by name."""
    only: tuple[tuple[str, ...], tuple[str, ...]]
    """The columns that only the first, and only the second, has."""
    outcomes: tuple[Optional[str], Optional[str]]
    """How each ended."""
    same_times: bool
    """Whether both have the same rows; otherwise the second was interpolated to the times of the
    first."""

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
        alike = all(d.missing == 0 and not d.largest > 0.0 for d in self.columns.values())
        same = self.same_times and self.outcomes[0] == self.outcomes[1]
        return alike and same and not self.results and self.only == ((), ())

    def largest(self, count: int = 10) -> dict[str, Difference]:
        """The columns that differ most, by name, the worst first, each in its own unit."""
        worst = sorted(
            self.columns.items(),
            key=lambda item: -1.0 if math.isnan(item[1].largest) else item[1].largest,
            reverse=True,
        )
        return dict(worst[:count])

    def _repr_html_(self) -> str:
        rows = [(name, *difference) for name, difference in self.largest(20).items()]
        head = ("column", "largest", "at t, s", "rms", "rows of one only", "unit")
        results = [(name, *pair) for name, pair in self.results.items()]
        title = "no difference" if self.equal else "the largest differences"
        return _html.page(
            title,
            _html.table(head, rows),
            _html.folded(f"{len(results)} results differ", _html.table(("", "first", "second"), results)),
        )


def compare(first: Recording, second: Recording) -> Comparison:
    """See `Recording.compare`."""
    t, other = first.time, second.time
    same = len(t) == len(other) and bool((t == other).all())
    shared = [name for name in first if name in second and name != "t"]
    inside = (t >= other[0]) & (t <= other[-1]) if len(t) and len(other) else np.zeros(len(t), bool)
    columns = {}
    for name in shared:
        ours, theirs = first[name][inside], second[name]
        if not same:
            theirs = np.interp(t[inside], other, theirs) if len(other) else theirs
        else:
            theirs = theirs[inside]
        columns[name] = _difference(t[inside], ours, theirs, first.unit(name))
    names = [*first.results, *(name for name in second.results if name not in first.results)]
    pairs = {
        name: (float(first.results.get(name, math.nan)), float(second.results.get(name, math.nan)))
        for name in names
    }
    differing = {
        name: pair
        for name, pair in pairs.items()
        if pair[0] != pair[1] and not (math.isnan(pair[0]) and math.isnan(pair[1]))
    }
    only = (
        tuple(name for name in first if name not in second),
        tuple(name for name in second if name not in first),
    )
    outcomes = first.outcome, second.outcome
    return Comparison(columns, differing, only, outcomes, same)


def _difference(t: np.ndarray, ours: np.ndarray, theirs: np.ndarray, unit: str) -> Difference:
    missing = int((np.isnan(ours) != np.isnan(theirs)).sum())
    both = ~(np.isnan(ours) | np.isnan(theirs))
    if not both.any():
        return Difference(math.nan, math.nan, math.nan, missing, unit)
    apart = np.where(both, np.abs(ours - theirs), -1.0)
    at = int(apart.argmax())
    rms = float(np.sqrt(np.mean(np.square(apart[both]))))
    return Difference(float(apart[at]), float(t[at]), rms, missing, unit)

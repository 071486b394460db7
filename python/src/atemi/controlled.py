# SPDX-License-Identifier: Apache-2.0
"""A controlled run: what was reached, and the forces that it took."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple, Optional

from ._outcome import Outcome


class Goal(NamedTuple):
    """What was asked of the coordination, and how that ended."""

    id: int
    motion: str
    """``"joints"``, ``"nodes"`` or ``"breadcrumbs"``."""
    outcome: str
    """``"active"``, ``"reached"``, ``"stopped"``, ``"replaced"``, ``"obstructed"``,
    ``"out of reach"``, ``"no contact"``, ``"fault"``, ``"would lose balance"`` or
    ``"would overload"``."""
    joint: Optional[str]
    """That did not follow."""
    begun: float
    ended: float
    """s; of no meaning while it is active."""
    done: float
    """Part of its way, 0 to 1."""
    position: float
    """The largest error then, as sensed: rad or m of joints, m of nodes."""
    turn: float
    """rad, of nodes."""


class NodeMotion(NamedTuple):
    """A motion of a node, as it really went."""

    link: str
    begun: float
    """s."""
    way: float
    """m, that was asked for."""
    moved: float
    """m."""
    tracking: float
    """The largest distance from the command, m."""
    off_line: float
    """The largest distance from the straight line, m."""
    error: float
    """m, at last."""
    turn: float
    """rad, at last."""
    contact_force: float
    """The largest, N."""


class Person(NamedTuple):
    """What a person felt, and what they bear: a surface in ``people``."""

    name: str
    verdict: str
    """``"not touched"``, ``"touched, without a limit"``, ``"within its limits"`` or
    ``"beyond its limit"``."""
    transient: float
    """The largest force within ``transient_time`` of the begin of a contact, N."""
    transient_limit: float
    """N; infinite without one."""
    pressing: float
    """The largest force later, N."""
    force_limit: float
    """N; infinite without one."""
    moved: float
    """m, that the body gave way."""
    contact: float
    """s, the longest."""


class Control(Outcome):
    """A controlled run, immutable; made by `control`, or of a recording of the job "control"."""

    _job = "control"

    @property
    def duration(self) -> float:
        """s."""
        return self._figure("duration")

    @property
    def error(self) -> float:
        """What the last motion of nodes left, as it really is, m; NaN where there was none."""
        return self._figure("error")

    @property
    def largest_contact_force(self) -> float:
        """N."""
        return self._figure("largest_contact_force")

    @property
    def largest_force_part(self) -> float:
        """What people felt at most, in their limits; NaN where none is set."""
        return self._figure("largest_force_part")

    @property
    def safe_stops(self) -> int:
        """Joints that stopped safely."""
        return int(self._recording.results["safe_stops"])

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """The log of the coordination."""
        table = self._recording.tables.get("goals")
        rows = zip(table.labels or (), table.values.tolist()) if table else ()
        return tuple(Goal(*_parts(label), *row) for label, row in rows)

    @cached_property
    def motions(self) -> tuple[NodeMotion, ...]:
        """The motions of nodes, of the first node each."""
        table = self._recording.tables.get("motions")
        rows = zip(table.labels or (), table.values.tolist()) if table else ()
        return tuple(NodeMotion(label.split(": ", 1)[1], *row) for label, row in rows)

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """What people felt."""
        table = self._recording.tables.get("people")
        rows = zip(table.labels or (), table.values.tolist()) if table else ()
        named = ((label.rpartition(": "), row) for label, row in rows)
        return tuple(Person(name, verdict, *row) for (name, _, verdict), row in named)


def _parts(label: str) -> tuple[int, str, str, str | None]:
    """Of a label such as ``"3 joints: obstructed by right_elbow"``."""
    what, how = label.split(": ", 1)
    number, motion = what.split(" ", 1)
    outcome, _, joint = how.partition(" by ")
    return int(number), motion, outcome, joint or None

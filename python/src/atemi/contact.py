# SPDX-License-Identifier: Apache-2.0
"""Where a robot touches the world, and what comes of it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments
from ._library import decode, ffi, lib
from .errors import SingularError

_MODES = {
    "stick": lib.ATEMI_CONTACT_STICK,
    "slip": lib.ATEMI_CONTACT_SLIP,
    "surface": lib.ATEMI_CONTACT_SURFACE,
}

# The part of a unit vector that passes for rounding.
_PARALLEL = 1e-9

_MASSLESS = "the mass matrix is singular: something moves that has no inertia"

Vector = tuple[float, float, float]
Counts = Union[int, NDArray[np.int_]]
Numbers = Union[float, NDArray[np.float64]]


@dataclass(frozen=True, init=False)
class Contact:
    """A point of a link in touch with a surface of the world, immutable.

    >>> Contact("right_sole", normal=(0, 0, 2), mode="slip", friction=0.3)
    Contact(link='right_sole', point=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0), mode='slip', ...)

    Parameters
    ----------
    link : str
        The name of the link.
    point : (3,) array_like
        In the link's frame, m.
    normal : (3,) array_like
        Of the surface, in world axes, towards the robot; any length but zero, kept as unit vector.
    mode : {"stick", "slip", "surface"}
        What stands still: the point; the point along the normal; the link, which cannot turn either.
    friction : float
        The kinetic coefficient, used while the point slips: the force against the sliding is
        friction times the normal force.
    direction : (3,) array_like, optional
        Where a slipping point at zero speed is about to slide, world axes; its part along the
        surface counts, kept as unit vector. Without it there is no friction at that instant.
    normal_acceleration : float
        Of a slipping point, m/s^2: zero on a plane, otherwise what the surface's curvature asks of
        a point that moves along it.
    """

    link: str
    point: Vector
    normal: Vector
    mode: str
    friction: float
    direction: Optional[Vector]
    normal_acceleration: float

    def __init__(
        self,
        link: str,
        point: ArrayLike = (0.0, 0.0, 0.0),
        normal: ArrayLike = (0.0, 0.0, 1.0),
        mode: str = "stick",
        friction: float = 0.0,
        direction: ArrayLike | None = None,
        normal_acceleration: float = 0.0,
    ) -> None:
        if not isinstance(link, str):
            raise ValueError(f"link must be the name of a link, got {link!r}")
        unit = _arguments.unit_vector("normal", normal)
        acceleration = _arguments.number("normal_acceleration", normal_acceleration)
        friction = _arguments.number("friction", friction)
        if friction < 0.0:
            raise ValueError(f"friction must not be negative, got {friction}")
        fields = {
            "link": link,
            "point": tuple(_arguments.array("point", point, (3,)).tolist()),
            "normal": unit,
            "mode": _arguments.choice("mode", mode, list(_MODES)),
            "friction": friction,
            "direction": None if direction is None else _tangent(direction, unit),
            "normal_acceleration": acceleration,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)


def _tangent(direction: ArrayLike, normal: Vector) -> Vector:
    d = np.array(_arguments.unit_vector("direction", direction))
    along = d - (d @ normal) * np.array(normal)
    if not np.linalg.norm(along) > _PARALLEL:
        raise ValueError("direction must point along the surface, but is parallel to the normal")
    return _arguments.unit_vector("direction", along)


class ConstrainedDynamics(NamedTuple):
    """What a robot in contact does, and the forces that make it do so; of several states, with one
    more dimension in front."""

    acceleration: NDArray[np.float64]
    """(nv,) as of `Robot.forward_dynamics`."""
    forces: NDArray[np.float64]
    """(number of contacts, 6) force, N, and moment, N m, on the robot at each contact's point, in
    world axes. A contact may pull."""
    joint_wrenches: NDArray[np.float64]
    """(len(joint_names), 6) as of `Robot.joint_wrenches`, with the contacts' forces acting."""
    rows: Counts
    """How many accelerations the contacts fix: three, one or six each."""
    rank: Counts
    """How many of them are independent."""
    condition: Numbers
    """An estimate of the condition number of the contacts' system, of its regular part if it is
    redundant."""
    jamming: Numbers
    """How easily the worst slipping contact yields, relative to the same without friction; it jams
    where this reaches zero. 1 if none slips."""


class Impulse(NamedTuple):
    """How a collision ends, and its impulses; of several states, with one more dimension in front."""

    velocity: NDArray[np.float64]
    """(nv,) after the collision."""
    impulses: NDArray[np.float64]
    """(number of contacts, 6) impulse, N s, and its moment, N m s, on the robot at each contact's
    point, in world axes. A contact may pull."""
    rows: Counts
    """How many velocities the contacts fix: three, one or six each."""
    rank: Counts
    """How many of them are independent."""
    condition: Numbers
    """An estimate of the condition number of the contacts' system, of its regular part if it is
    redundant."""
    jamming: Numbers
    """How easily the worst slipping contact yields, relative to the same without friction; it jams
    where this reaches zero. 1 if none slips."""


# ---- Between the two languages


class Touch:
    """Contacts of one robot as C reads them, and what C answers."""

    def __init__(
        self,
        contacts: Iterable[Contact],
        link: Callable[[str], int],
        restitution: float = 0.0,
        published: bool = False,
    ) -> None:
        self.contacts, self.published = _checked(contacts), published
        count = len(self.contacts)
        self._native = ffi.new("atemi_contact[]", [_native(c, link) for c in self.contacts])
        self._restitutions = ffi.new("double[]", [restitution] * count)
        self._parameters = ffi.new(
            "atemi_kernel_parameters *",
            {
                "contacts": self._native,
                "contact_count": count,
                "restitutions": self._restitutions,
                "restitution": restitution,
                "published": published,
            },
        )
        self.address = int(ffi.cast("uintptr_t", self._parameters))

    def check(self, acceleration: NDArray[np.float64], report: NDArray[np.float64]) -> None:
        """Raises if something moves that has no inertia, which makes no finite numbers."""
        if not np.isfinite(acceleration).all():
            row = None
            if acceleration.ndim > 1:
                row = int(np.argwhere(~np.isfinite(acceleration))[0][0])
                report = report[row]
            raise self.failure(row, report, _MASSLESS)

    def failure(
        self, row: int | None, report: NDArray[np.float64], cause: str = ""
    ) -> SingularError:
        """The error for a state without a solution."""
        rows, rank, condition, jamming = solution(report)
        place = "" if row is None else f"in state {row}: "
        return SingularError(
            place + (cause or self._cause(rows, rank, condition, jamming)),
            decode(lib.atemi_status_text(lib.ATEMI_ERROR_SINGULAR)),
            rows=rows,
            rank=rank,
            condition=condition,
            jamming=jamming,
        )

    def _cause(self, rows: int, rank: int, condition: float, jamming: float) -> str:
        if rows == 0:  # it did not get as far as the contacts
            return _MASSLESS
        if self._rubs() and not jamming > 0.0 and math.isinf(condition):
            return (
                "a slipping contact jams by friction (Painleve): the harder it is pressed, the "
                f"deeper it digs in, jamming {jamming:.3g}; there is no such motion"
            )
        if not self.published:
            return (
                f"the contacts contradict each other: only {rank} of their {rows} rows are "
                "independent, and the others ask for something else; leave contacts out, or begin "
                "where their points move alike"
            )
        return (
            f"the contacts' {rows} rows are redundant or the robot is at a kinematic singularity, "
            f"condition {condition:.3g}; the published method needs independent rows, "
            'method="fast" does not'
        )

    def _rubs(self) -> bool:
        return any(c.mode == "slip" and c.friction > 0.0 for c in self.contacts)


def solution(report: NDArray[np.float64]) -> tuple[Any, Any, Any, Any]:
    """How the system was solved: rows, rank, condition, jamming; of several states arrays."""
    rows, rank, condition, jamming = report.T
    if report.ndim == 1:
        return int(rows), int(rank), float(condition), float(jamming)
    return rows.astype(int), rank.astype(int), condition, jamming


def _checked(contacts: Iterable[Contact]) -> list[Contact]:
    try:
        result = list(contacts)
    except TypeError:
        raise ValueError(
            f"contacts must be a sequence of atemi.Contact, got {contacts!r}"
        ) from None
    for i, contact in enumerate(result):
        if not isinstance(contact, Contact):
            raise ValueError(f"contacts[{i}] must be an atemi.Contact, got {contact!r}")
    return result


def _native(contact: Contact, link: Callable[[str], int]) -> tuple[Any, ...]:
    return (
        link(contact.link),
        contact.point,
        contact.normal,
        _MODES[contact.mode],
        contact.friction,
        contact.direction or (0.0, 0.0, 0.0),
        contact.normal_acceleration,
    )

# SPDX-License-Identifier: Apache-2.0
"""Points of a simulated robot that may touch surfaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _arguments
from ._library import decode, ffi, lib
from .errors import not_found
from .robot import Robot


@dataclass(frozen=True)
class ContactPoint:
    """A point of a link that may touch a surface.

    Parameters
    ----------
    link : str
        The name of the link.
    point : (3,) array_like
        In the link's frame, m.
    radius : float
        Of a ball about the point, m; 0 for the point itself.
    surface : int
        Which of the simulation's surfaces.
    friction, restitution : float, optional
        In place of the simulation's.
    name : str, optional
        In `Simulation.contacts`; default: the link's.
    """

    link: str
    point: ArrayLike = (0.0, 0.0, 0.0)
    radius: float = 0.0
    surface: int = 0
    friction: Optional[float] = None
    restitution: Optional[float] = None
    name: Optional[str] = None


Contacts = Union[str, Iterable[Union[str, ContactPoint]], None]


# ---- As C reads and writes them

MODE_NAMES = {
    mode: decode(lib.atemi_contact_mode_text(mode))
    for mode in (
        lib.ATEMI_CONTACT_OPEN,
        lib.ATEMI_CONTACT_STICK,
        lib.ATEMI_CONTACT_SLIP,
        lib.ATEMI_CONTACT_SURFACE,
        lib.ATEMI_CONTACT_SOFT,
    )
}

STATE = np.dtype(
    {
        "names": ["mode", "gap", "position", "normal", "force"],
        "formats": ["i4", "f8", "3f8", "3f8", "3f8"],
        "offsets": [
            ffi.offsetof("atemi_point_state", name)
            for name in ("mode", "gap", "position", "normal", "force")
        ],
        "itemsize": ffi.sizeof("atemi_point_state"),
    }
)


def native_points(
    robot: Robot, contacts: Contacts, surfaces: int, friction: float, restitution: float
) -> tuple[tuple[str, ...], Any]:
    """Names of all contact points, and the points as C reads them."""
    if contacts is None:
        contacts = ()
    elif contacts == "sites":
        contacts = robot.site_names
    elif isinstance(contacts, str):
        raise ValueError(f'contacts must be "sites", "shapes", a list or None, got {contacts!r}')
    found = [row for contact in contacts for row in _points_of(robot, contact)]
    native = ffi.new("atemi_simulation_point[]", max(len(found), 1))
    for (_, contact, link, point), row in zip(found, native):
        mu = friction if contact is None or contact.friction is None else contact.friction
        e = restitution if contact is None or contact.restitution is None else contact.restitution
        row.link, row.point = link, point
        row.surface = 0 if contact is None else contact.surface
        row.radius = 0.0 if contact is None else _arguments.number("radius", contact.radius)
        row.static_friction = row.kinetic_friction = _arguments.number("friction", mu)
        row.restitution = _arguments.number("restitution", e)
        if not 0 <= row.surface < surfaces:
            raise ValueError(f"surface of a contact must be 0 to {surfaces - 1}, got {row.surface}")
    return tuple(name for name, *_ in found), native


def _points_of(robot: Robot, contact: Any) -> list[tuple[str, Any, int, tuple[float, ...]]]:
    if isinstance(contact, ContactPoint):
        point = tuple(_arguments.array("point", contact.point, (3,)).tolist())
        return [(contact.name or contact.link, contact, robot._link(contact.link), point)]
    names = robot.site_names
    if contact not in names:
        raise not_found("site", contact, names)
    native = ffi.new("atemi_contact_point[4]")
    count = lib.atemi_site_points(
        robot._model, ffi.new("int[]", [names.index(contact)]), 1, native
    )
    points = [native[i] for i in range(count)]
    return [
        (f"{contact}.{i}", None, p.link, (p.point.x, p.point.y, p.point.z))
        for i, p in enumerate(points)
    ]

# SPDX-License-Identifier: Apache-2.0
"""Humanoid robot dynamics: any URDF robot, in C, with numpy arrays.

>>> import atemi
>>> robot = atemi.Robot.shipped("hrp2_like")
>>> q = robot.posture("half_sitting")
>>> robot.center_of_mass(q).round(3)
array([...])

SI units and radians everywhere. The world's z points up. A floating base has q = position,
quaternion x y z w, and v = its twist in its own axes, linear part first; joints follow in the order
of the URDF file, depth first. Spatial quantities have their linear part first.

See docs/python.md for a guide.
"""

from ._impact import impact
from ._library import decode as _decode
from ._library import lib as _lib
from ._simulate import simulate
from ._source import robots
from ._strike import plan_strike
from .contact import ConstrainedDynamics, Contact, Impulse
from .errors import (
    Error,
    FileError,
    FileMissingError,
    NotFoundError,
    OutOfMemoryError,
    SingularError,
    Warning,
)
from .parts import Energy, Geometry, Mimic, Site
from .recording import Event, Recording, Result, Table, TablePlot
from .robot import Robot
from .strike import Bounded, Estimate, Motion, Strike, Verification
from .trapezoid import Trapezoids

__all__ = [
    "Bounded",
    "ConstrainedDynamics",
    "Contact",
    "Energy",
    "Error",
    "Estimate",
    "Event",
    "FileError",
    "FileMissingError",
    "Geometry",
    "Impulse",
    "Mimic",
    "Motion",
    "NotFoundError",
    "OutOfMemoryError",
    "Recording",
    "Result",
    "Robot",
    "SingularError",
    "Site",
    "Strike",
    "Table",
    "TablePlot",
    "Trapezoids",
    "Verification",
    "Warning",
    "impact",
    "plan_strike",
    "robots",
    "simulate",
]

__version__: str = _decode(_lib.atemi_version())
"""The version of the library, which is that of this package."""

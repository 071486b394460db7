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

from ._control import control
from ._impact import impact
from ._library import decode as _decode
from ._library import lib as _lib
from ._run import jobs, run
from ._scenarios import explain, init, scenarios
from ._simulate import simulate
from ._source import robots
from ._strike import plan_strike
from ._walk import walk
from .biped import SOLE_STATES, BaseEstimator, Biped, BipedState, Sole
from .blows import Blow, blow
from .comparison import Comparison, Difference
from .contact import ConstrainedDynamics, Contact, Impulse
from .contact_point import ContactPoint
from .controlled import Control, Goal, NodeMotion, Person
from .coordination import (
    Coordination,
    CoordinationReport,
    Node,
    StandingContact,
    StandingReport,
)
from .derivatives import (
    ConstrainedDynamicsDerivatives,
    EnergyGradients,
    ForwardDynamicsDerivatives,
    ImpulseDerivatives,
    InverseDynamicsDerivatives,
    LinkDerivatives,
    MomentumDerivatives,
)
from .errors import (
    Error,
    FileError,
    FileMissingError,
    NotFoundError,
    OutOfMemoryError,
    SingularError,
    Warning,
)
from .inverse_kinematics import Posture, PostureGoal
from .joint_control import (
    JointCommand,
    JointControl,
    JointControls,
    JointMeasurement,
    JointOutput,
    JointPlant,
)
from .loops import Loop, LoopStates
from .page import Page
from .parts import Energies, Energy, Geometry, Mimic, Site
from .quadratic import QuadraticSolution, quadratic_program
from .recording import Event, Motion, RecordedWarning, Recording, Result, Table, TablePlot
from .reproductions import Reproduced, Reproduction, papers, reproduce
from .robot import Robot
from .scenes import Body
from .shapes import Shapes
from .simulation import (
    ContactStates,
    InertialMeasurement,
    Simulation,
    SimulationEvent,
)
from .simulation_batch import BatchContacts, SimulationBatch
from .strike import Bounded, Estimate, Strike, Verification
from .surfaces import Cylinder, Heights, Plane, Sphere
from .sweeps import Sweep, sweep
from .trapezoid import Trapezoids
from .walking import FOOT_STATES, Collisions, GaitState, Slip, SoleSlip, Walk
from .walking_controller import WalkingController, WalkingState
from .whole_body import WholeBodyControl, WholeBodySolution

__all__ = [
    "BaseEstimator",
    "BatchContacts",
    "Biped",
    "BipedState",
    "Blow",
    "Body",
    "Bounded",
    "Collisions",
    "Comparison",
    "ConstrainedDynamics",
    "ConstrainedDynamicsDerivatives",
    "Contact",
    "ContactPoint",
    "ContactStates",
    "Control",
    "Coordination",
    "CoordinationReport",
    "Cylinder",
    "Difference",
    "Energies",
    "Energy",
    "EnergyGradients",
    "Error",
    "Estimate",
    "Event",
    "FOOT_STATES",
    "FileError",
    "FileMissingError",
    "ForwardDynamicsDerivatives",
    "GaitState",
    "Geometry",
    "Goal",
    "Heights",
    "Impulse",
    "ImpulseDerivatives",
    "InertialMeasurement",
    "InverseDynamicsDerivatives",
    "JointCommand",
    "JointControl",
    "JointControls",
    "JointMeasurement",
    "JointOutput",
    "JointPlant",
    "LinkDerivatives",
    "Loop",
    "LoopStates",
    "Mimic",
    "MomentumDerivatives",
    "Motion",
    "Node",
    "NodeMotion",
    "NotFoundError",
    "OutOfMemoryError",
    "Page",
    "Person",
    "Plane",
    "Posture",
    "PostureGoal",
    "QuadraticSolution",
    "RecordedWarning",
    "Recording",
    "Reproduced",
    "Reproduction",
    "Result",
    "Robot",
    "SOLE_STATES",
    "Shapes",
    "Simulation",
    "SimulationBatch",
    "SimulationEvent",
    "SingularError",
    "Site",
    "Slip",
    "Sole",
    "SoleSlip",
    "Sphere",
    "StandingContact",
    "StandingReport",
    "Strike",
    "Sweep",
    "Table",
    "TablePlot",
    "Trapezoids",
    "Verification",
    "Walk",
    "WalkingController",
    "WalkingState",
    "Warning",
    "WholeBodyControl",
    "WholeBodySolution",
    "blow",
    "control",
    "explain",
    "impact",
    "init",
    "jobs",
    "papers",
    "plan_strike",
    "quadratic_program",
    "reproduce",
    "robots",
    "run",
    "scenarios",
    "simulate",
    "sweep",
    "walk",
]

__version__: str = _decode(_lib.atemi_version())
"""The version of the library, which is that of this package."""

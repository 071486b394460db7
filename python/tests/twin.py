# SPDX-License-Identifier: Apache-2.0
"""The same robot with us and in MuJoCo.

MuJoCo gets the same URDF without its shapes, a sphere of 1 um at every point that may touch, and
the same rotors; joints are matched by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from xml.etree import ElementTree

import numpy as np
import pytest

import atemi

mujoco = pytest.importorskip("mujoco", reason="needs the PyPI package mujoco")

RADIUS = 1e-6
GRAVITY = 9.81
FEET = ("right_sole", "left_sole")


@dataclass(frozen=True)
class Softness:
    """How MuJoCo's contacts push back."""

    step: float
    time_constant: float
    ratio: float = 1.0
    impedance: float = 0.95
    sliding: float | None = None  # b of the sliding, 1/s; that of the sinking if None


@dataclass(frozen=True)
class Case:
    """A scenario, with what MuJoCo has to know of it."""

    scenario: dict[str, object]  # the arguments of the job
    feet: tuple[str, ...]
    friction: float
    stiffness: float
    damping: float
    normal: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    more_points: dict[str, tuple[str, tuple[float, float, float]]] = field(default_factory=dict)
    gravity: float = GRAVITY
    job: Callable[..., atemi.Recording] = atemi.simulate

    @cached_property
    def recording(self) -> atemi.Recording:
        """What we say."""
        recording = self.job(**self.scenario)
        assert recording.results["completed"] == 1, recording.outcome
        return recording

    @cached_property
    def robot(self) -> atemi.Robot:
        """The robot of the scenario."""
        return atemi.Robot.from_string(self.recording.urdf)

    @cached_property
    def points(self) -> dict[str, tuple[str, np.ndarray]]:
        """The link of every point and its place there, by our name for it."""
        points = {name: (link, np.array(point)) for name, (link, point) in self.more_points.items()}
        for site in self.robot.sites:
            if site.name in self.feet:
                for i, (x, y) in enumerate(((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))):
                    corner = site.rotation @ [x * site.size[0], y * site.size[1], 0.0]
                    points[f"{site.name}.{i}"] = (site.link, site.position + corner)
        return points

    def row(self, time: float) -> int:
        """The last row at a time."""
        row = int(np.searchsorted(self.recording.time, time + 1e-9)) - 1
        assert self.recording.time[row] == pytest.approx(time, abs=1e-9)
        return row

    def state(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """q and v of a row."""
        return tuple(
            np.array([self.recording[c][row] for c in self.recording if c.startswith(group)])
            for group in ("q.", "v.")
        )

    def forces(self, row: int) -> dict[str, np.ndarray]:
        """The force at every point."""
        return {
            name: np.array([self.recording[f"contact.{name}.force_{axis}"][row] for axis in "xyz"])
            for name in self.points
        }

    def velocity(self, q: np.ndarray, v: np.ndarray, name: str) -> np.ndarray:
        """That of a point, world axes."""
        link, point = self.points[name]
        linear, turning = np.split(self.robot.link_velocity(q, v, link), 2)
        return linear + np.cross(turning, self.robot.link_pose(q, link)[0] @ point)

    def foot(self, q: np.ndarray, forces: dict[str, np.ndarray], name: str) -> np.ndarray:
        """Force, and x and y of the centre of pressure, of one foot on the floor."""
        names = [f"{name}.{i}" for i in range(4)]
        poses = [self.robot.link_pose(q, self.points[corner][0]) for corner in names]
        places = [p + R @ self.points[corner][1] for corner, (R, p) in zip(names, poses)]
        loads = np.array([forces[corner] for corner in names])
        return np.r_[loads.sum(axis=0), loads[:, 2] @ np.array(places)[:, :2] / loads[:, 2].sum()]


# ---- MuJoCo


class Twin:
    """The robot of a case in MuJoCo, at the start of the recording.

    A free joint of MuJoCo has its quaternion as w x y z and its linear velocity in world axes.
    """

    def __init__(self, case: Case, softness: Softness) -> None:
        self.case = case
        spec = mujoco.MjSpec.from_string(_without_shapes(case.recording.urdf))
        self._add_base(spec.body(case.robot.link_names[0]))
        _add_points(spec, case, softness)
        _set_options(spec.option, case, softness)
        self._add_more(spec)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.geoms = {self.model.geom(name).id: name for name in case.points}
        joints = [self.model.joint(name) for name in case.robot.joint_names]
        self.joints = [joint.id for joint in joints]
        self.joints_q = [joint.qposadr[0] for joint in joints]
        self.joints_v = [joint.dofadr[0] for joint in joints]
        self._start(*case.state(0))

    def _start(self, q: np.ndarray, v: np.ndarray) -> None:
        self.model.dof_armature[self.joints_v] = self.case.robot.armature[6:]
        mujoco.mj_setConst(self.model, self.data)
        self._hold(q)
        self.data.qpos[:7] = [*q[:3], q[6], *q[3:6]]
        self.data.qpos[self.joints_q] = q[7:]
        self.data.qvel[:6] = [*(self._turn() @ v[:3]), *v[3:6]]
        self.data.qvel[self.joints_v] = v[6:]
        mujoco.mj_forward(self.model, self.data)

    def _add_base(self, root) -> None:
        """How the root moves."""
        root.add_freejoint()

    def _add_more(self, spec) -> None:
        """What else is in the scene."""

    def _hold(self, q: np.ndarray) -> None:
        """The servos: they keep q."""
        self.model.jnt_stiffness[self.joints] = self.case.stiffness
        self.model.dof_damping[self.joints_v] = self.case.damping
        self.model.qpos_spring[self.joints_q] = q[7:]

    def _turn(self) -> np.ndarray:
        """From the base's axes to the world's."""
        R = np.empty(9)
        mujoco.mju_quat2Mat(R, self.data.qpos[3:7])
        return R.reshape(3, 3)

    def run(self, until: float) -> Twin:
        """Simulates until a time; forces and momenta are those of that time."""
        count = round((until - self.data.time) / self.model.opt.timestep)
        mujoco.mj_step(self.model, self.data, count)
        mujoco.mj_forward(self.model, self.data)
        return self

    def impulses(self, until: float) -> dict[str, np.ndarray]:
        """Simulates until a time; what every point has got meanwhile."""
        sums = {name: np.zeros(3) for name in self.case.points}
        while self.data.time < until - 0.5 * self.model.opt.timestep:
            mujoco.mj_step(self.model, self.data)
            for name, force in self.forces().items():
                sums[name] += self.model.opt.timestep * force
        return sums

    @property
    def q(self) -> np.ndarray:
        """The configuration, as ours."""
        base = self.data.qpos[:7]
        return np.r_[base[:3], base[4:7], base[3], self.data.qpos[self.joints_q]]

    @property
    def v(self) -> np.ndarray:
        """The velocity, as ours."""
        base = self.data.qvel[:6]
        return np.r_[self._turn().T @ base[:3], base[3:], self.data.qvel[self.joints_v]]

    def forces(self) -> dict[str, np.ndarray]:
        """The force at every point, world axes; of the last step, or of now after run()."""
        forces = {name: np.zeros(3) for name in self.case.points}
        wrench, contacts = np.empty(6), self.data.contact
        frames = contacts.frame.reshape(-1, 3, 3)
        for i, geom in enumerate(contacts.geom[:, 1].tolist()):  # [:, 0] is the floor, which pushes
            mujoco.mj_contactForce(self.model, self.data, i, wrench)
            forces[self.geoms[geom]] = frames[i].T @ wrench[:3]
        return forces

    @property
    def center_of_mass(self) -> np.ndarray:
        """As MuJoCo computes it; after run()."""
        return self.data.subtree_com[0].copy()

    @property
    def momentum(self) -> np.ndarray:
        """Linear, and angular about the centre of mass, as MuJoCo computes them; after run()."""
        mujoco.mj_subtreeVel(self.model, self.data)
        mass = self.model.body_subtreemass[0]
        return np.r_[mass * self.data.subtree_linvel[0], self.data.subtree_angmom[0]]


LEAST_INERTIA = 1e-7  # kg m^2


def _make_positive(inertia: ElementTree.Element) -> None:
    """Raises an inertia that no body has, and MuJoCo refuses, by as little as it takes."""
    rows = [["ixx", "ixy", "ixz"], ["ixy", "iyy", "iyz"], ["ixz", "iyz", "izz"]]
    matrix = [[float(inertia.get(key, "0")) for key in row] for row in rows]
    least = float(np.linalg.eigvalsh(matrix)[0])
    if least <= 0.0:
        for i in range(3):
            inertia.set(rows[i][i], repr(matrix[i][i] - least + LEAST_INERTIA))


def _without_shapes(urdf: bytes) -> str:
    root = ElementTree.fromstring(urdf)
    for inertia in root.iterfind("link/inertial/inertia"):
        _make_positive(inertia)
    for link in root.findall("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
    for settings in root.findall("mujoco"):
        root.remove(settings)
    settings = ElementTree.SubElement(root, "mujoco")
    ElementTree.SubElement(settings, "compiler", fusestatic="false", balanceinertia="true")
    return ElementTree.tostring(root, encoding="unicode")


def _add_points(spec, case: Case, softness: Softness) -> None:
    """A plane that is RADIUS lower than ours, and a sphere of RADIUS at every point."""
    untouched = {"contype": 0, "conaffinity": 0}  # but for the pairs
    turn = np.empty(4)
    mujoco.mju_quatZ2Vec(turn, case.normal)
    plane, sphere = mujoco.mjtGeom.mjGEOM_PLANE, mujoco.mjtGeom.mjGEOM_SPHERE
    spec.worldbody.add_geom(
        name="floor", type=plane, size=[9, 9, 1], pos=-RADIUS * case.normal, quat=turn, **untouched
    )
    for name, (link, point) in case.points.items():
        spec.body(link).add_geom(
            name=name, type=sphere, size=[RADIUS, 0, 0], pos=point, mass=0, **untouched
        )
        pair = spec.add_pair(geomname1="floor", geomname2=name, condim=3)
        pair.friction = [case.friction, case.friction, 0, 0, 0]
        pair.solref = [softness.time_constant, softness.ratio]
        pair.solimp = [softness.impedance, softness.impedance, 1e-3, 0.5, 2]
        if softness.sliding is not None:
            pair.solreffriction = [-1e-3, -softness.sliding]  # stiffness, damping


def _set_options(option, case: Case, softness: Softness) -> None:
    option.timestep = softness.step
    option.gravity = [0, 0, -case.gravity]
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 100
    option.tolerance = 1e-14
    option.iterations = 200
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT

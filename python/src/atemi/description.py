# SPDX-License-Identifier: Apache-2.0
"""What a robot is made of: names, limits, places in q and v."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments, _html
from ._library import Data, decode, ffi, lib, values
from ._rows import Rows
from ._source import RecordedSource, Source
from .errors import NotFoundError, not_found
from .parts import Geometry, Mimic, Site
from .scenes import SceneSource

Array = NDArray[np.float64]
External = Union[Mapping[str, ArrayLike], ArrayLike, None]


class Description:
    """The part of a `Robot` that does not depend on its state."""

    def _read(self, source: Source | RecordedSource | SceneSource, stacklevel: int) -> None:
        self._model = source.load(stacklevel + 1)
        self._source = source.portable()
        self._data = Data(self._model)
        self._base = source.options.base
        self._name = decode(lib.atemi_model_name(self._model))
        self._nq: int = lib.atemi_model_q_count(self._model)
        self._nv: int = lib.atemi_model_v_count(self._model)
        self._index_links()
        self._index_joints()
        self._index_postures()
        self._rows = Rows(
            int(ffi.cast("uintptr_t", self._model)),
            tuple(index for index, _ in self._joints),
            tuple(self._quaternions),
        )

    def _index_links(self) -> None:
        count = lib.atemi_model_link_count(self._model)
        links = [lib.atemi_model_link(self._model, i) for i in range(count)]
        self._link_names = tuple(decode(link.name) for link in links)
        self._links = {name: i for i, name in enumerate(self._link_names)}

    def _index_joints(self) -> None:
        count = lib.atemi_model_joint_count(self._model)
        joints = [lib.atemi_model_joint(self._model, i) for i in range(count)]
        names = [decode(joint.name) for joint in joints]
        self._all_joints = dict(zip(names, joints))
        moving = [i for i in range(count) if joints[i].q_count > 0]
        moving.sort(key=lambda i: joints[i].first_q)
        self._joints = [(i, joints[i]) for i in moving]
        self._joint_names = tuple(names[i] for i in moving)
        self._mimic_joints = {
            name: Mimic(names[joint.mimic.joint], joint.mimic.multiplier, joint.mimic.offset)
            for name, joint in self._all_joints.items()
            if joint.mimic.joint != lib.ATEMI_NONE
        }
        self._quaternions = [3] if self._base == "floating" else []
        self._quaternions += [joint.first_q + 3 for _, joint in self._joints if joint.q_count == 7]

    def _index_postures(self) -> None:
        count = lib.atemi_model_posture_count(self._model)
        names = [decode(lib.atemi_model_posture_name(self._model, i)) for i in range(count)]
        self._postures = {name: i for i, name in enumerate(names)}

    def __repr__(self) -> str:
        return (
            f"<atemi.Robot {self._name!r}: {self._base} base, {len(self._joint_names)} joints, "
            f"nq {self._nq}, nv {self._nv}, {self.mass:.6g} kg>"
        )

    def _repr_html_(self) -> str:
        lower, upper = self.lower_limits, self.upper_limits
        speed, effort = self.velocity_limits, self.effort_limits
        rows = [
            (name, float(lower[i]), float(upper[i]), float(speed[i]), float(effort[i]))
            for name in self._joint_names
            for i in [self._all_joints[name].first_v]
        ]
        head = ("joint", "lower", "upper", "velocity", "effort")
        summary = f"{len(self._joint_names)} joints, nq {self._nq}, nv {self._nv}"
        return _html.page(
            f"{self._name}: {self._base} base, {self.mass:.6g} kg",
            _html.folded(summary, _html.table(head, rows)),
            _html.folded(
                f"{len(self._link_names)} links", _html.table(("link",), ((n,) for n in self._link_names))
            ),
            _html.folded(
                f"{len(self.sites)} sites",
                _html.table(("site", "link"), ((s.name, s.link) for s in self.sites)),
            ),
        )

    # ---- The whole

    @property
    def name(self) -> str:
        """The robot's name."""
        return self._name

    @property
    def base(self) -> str:
        """How the root link is held: "fixed", "planar", "sagittal" or "floating"."""
        return self._base

    @property
    def nq(self) -> int:
        """The length of a configuration q."""
        return self._nq

    @property
    def nv(self) -> int:
        """The length of velocities, accelerations and generalized forces."""
        return self._nv

    @property
    def mass(self) -> float:
        """The mass of everything that moves, kg: links bolted to the world do not count."""
        return float(lib.atemi_model_mass(self._model))

    @property
    def gravity(self) -> Array:
        """(3,) in world axes, m/s^2."""
        return values(lib.atemi_model_gravity(self._model))

    @property
    def link_names(self) -> tuple[str, ...]:
        """All links, depth first."""
        return self._link_names

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The joints with coordinates of their own, in the order of q: neither the base nor fixed
        nor coupled mimic joints."""
        return self._joint_names

    @property
    def mimic_joints(self) -> dict[str, Mimic]:
        """Mimic joints by name, with their law (source, multiplier, offset). The source has a
        coordinate, also where the file lets one mimic joint copy another. With
        ``mimic="independent"`` nothing enforces the law."""
        return dict(self._mimic_joints)

    @property
    def site_names(self) -> tuple[str, ...]:
        """The places that may touch the world."""
        return tuple(site.name for site in self.sites)

    @property
    def sites(self) -> tuple[Site, ...]:
        """The places that may touch the world."""
        count = lib.atemi_model_site_count(self._model)
        return tuple(self._site(lib.atemi_model_site(self._model, i)) for i in range(count))

    @property
    def geometries(self) -> tuple[Geometry, ...]:
        """What the links look like."""
        count = lib.atemi_model_geometry_count(self._model)
        return tuple(self._geometry(lib.atemi_model_geometry(self._model, i)) for i in range(count))

    @property
    def lower_limits(self) -> Array:
        """(nv,) smallest joint positions, rad or m; -inf where there is none, as for the base."""
        return self._per_joint(lambda joint: joint.limits.lower, -np.inf)

    @property
    def upper_limits(self) -> Array:
        """(nv,) largest joint positions, rad or m; inf where there is none, as for the base."""
        return self._per_joint(lambda joint: joint.limits.upper, np.inf)

    @property
    def velocity_limits(self) -> Array:
        """(nv,) speed in either direction, rad/s or m/s; inf where there is no limit."""
        return self._per_joint(lambda joint: joint.limits.velocity, np.inf)

    @property
    def effort_limits(self) -> Array:
        """(nv,) torque or force in either direction, N m or N; inf where there is no limit."""
        return self._per_joint(lambda joint: joint.limits.effort, np.inf)

    @property
    def armature(self) -> Array:
        """(nv,) rotor inertia on the diagonal of the mass matrix, kg m^2 or kg. That of a coupled
        mimic joint counts where it acts: at the joint copied, by its multiplier squared."""
        result = self._per_joint(lambda joint: joint.armature, 0.0)
        for name, law in self._mimic_joints.items():
            joint = self._all_joints[name]
            if joint.v_count == 0:
                result[self._all_joints[law.source].first_v] += law.multiplier**2 * joint.armature
        return result

    @property
    def servo_stiffness(self) -> Array:
        """(nv,) gain of the position servos that the description names (actuators of MJCF),
        N m/rad or N/m; 0 where there is none. Nothing applies it by itself."""
        return self._per_joint(lambda joint: joint.servo_stiffness, 0.0)

    @property
    def servo_damping(self) -> Array:
        """(nv,) the same of the velocities, N m s/rad or N s/m."""
        return self._per_joint(lambda joint: joint.servo_damping, 0.0)

    @property
    def apart(self) -> tuple[tuple[str, str], ...]:
        """Pairs of links that do not count as touching each other, as the description says."""
        pairs = lib.atemi_model_apart(self._model)
        count = lib.atemi_model_apart_count(self._model)
        names = self._link_names
        return tuple((names[pairs[i].first], names[pairs[i].second]) for i in range(count))

    def joint_index(self, name: str) -> int | slice:
        """Where a joint's rate stands in v: an index, or a slice if it has several."""
        joint = self._joint(name)
        if joint.v_count == 1:
            return int(joint.first_v)
        return slice(joint.first_v, joint.first_v + joint.v_count)

    def q_index(self, name: str) -> int | slice:
        """Where a joint's coordinate stands in q: an index, or a slice if it has several."""
        joint = self._joint(name)
        if joint.q_count == 1:
            return int(joint.first_q)
        return slice(joint.first_q, joint.first_q + joint.q_count)

    # ---- Arguments

    def _configuration(self, name: str, value: ArrayLike) -> Array:
        q = _arguments.array(name, value, (self._nq,))
        for first in self._quaternions:
            _arguments.quaternion(name, q, first)
        return q

    def _states(self, name: str, value: ArrayLike) -> Array:
        """One configuration or rows of them."""
        q = _arguments.rows(name, value, (self._nq,))
        _arguments.refuse(name, q, self._quaternions)
        return q

    def _vector(self, name: str, value: ArrayLike) -> Array:
        return _arguments.array(name, value, (self._nv,))

    def _external(self, value: External) -> Any:
        """The forces on links as an array; what is one already is checked by the library."""
        if not isinstance(value, Mapping):
            return value
        forces = {
            self._link(name): _arguments.rows(f"external[{name!r}]", force, (6,))
            for name, force in value.items()
        }
        for name, link in zip(value, forces):
            _arguments.refuse(f"external[{name!r}]", forces[link])
        counts = {len(force) for force in forces.values() if force.ndim == 2}
        if len(counts) > 1:
            raise ValueError(f"external has forces of {sorted(counts)} states: give one number")
        result = np.zeros((*counts, len(self._link_names), 6))
        for link, force in forces.items():
            result[..., link, :] = force
        return result

    def _link(self, name: str) -> int:
        index = self._links.get(name)
        if index is None:
            raise not_found("link", name, self._links)
        return index

    def _joint(self, name: str) -> Any:
        joint = self._all_joints.get(name)
        if joint is None:
            raise not_found("joint", name, self._joint_names)
        if joint.q_count == 0:
            law = self._mimic_joints.get(name)
            reason = f"it copies joint {law.source!r}" if law else "it is fixed"
            raise NotFoundError(
                f"joint {name!r} has no coordinate of its own: {reason}", "not found"
            )
        return joint

    # ---- Parts

    def _per_joint(self, value: Any, base: float) -> Array:
        """(nv,) a number of every joint, and `base` for the base."""
        result = np.full(self._nv, base)
        for _, joint in self._joints:
            result[joint.first_v : joint.first_v + joint.v_count] = value(joint)
        return result

    def _site(self, site: Any) -> Site:
        return Site(
            decode(site.name),
            self._link_names[site.link],
            values(site.pose.rotation).reshape(3, 3).T.copy(),
            values(site.pose.position),
            (site.size_x, site.size_y),
        )

    def _geometry(self, geometry: Any) -> Geometry:
        return Geometry(
            self._link_names[geometry.link],
            geometry.collision,
            decode(lib.atemi_shape_text(geometry.shape)),
            values(geometry.pose.rotation).reshape(3, 3).T.copy(),
            values(geometry.pose.position),
            tuple(values(geometry.size).tolist()),
            tuple(geometry.color),
            decode(geometry.uri) if geometry.uri else None,
            decode(geometry.path) if geometry.path else None,
        )

# SPDX-License-Identifier: Apache-2.0
"""A robot and its dynamics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._conversions import Conversions
from ._derivatives import Derivatives
from ._library import NULL, call, check, decode, doubles, ffi, lib
from ._source import Options, Path, RecordedSource, Source
from .description import Array
from .errors import not_found
from .inverse_kinematics import Posture, PostureGoal, find_posture
from .scenes import Body, SceneSource


class Robot(Derivatives, Conversions):
    """A robot from a URDF or MJCF file, immutable.

    Parameters
    ----------
    path : str or path-like
        The file. Its outermost element, ``<robot>`` or ``<mujoco>``, says which format it is in.
        What MJCF says and a robot has no place for is named in warnings. A file that ends in
        ``.xacro`` is expanded by the package xacrodoc (``pip install 'atemi[xacro]'``).
    base : {"floating", "fixed", "planar", "sagittal"}
        How the root link is held: free; bolted to the world; in the horizontal plane,
        q = x, y, turn about z; in the vertical x-z plane, q = x, z, turn about y.
    gravity : (3,) array_like, optional
        In world axes, m/s^2. Default: the file's own, else (0, 0, -9.81).
    mimic : {"coupled", "independent"}
        Whether a mimic joint follows the joint that it copies, or has a coordinate of its own.
    package_path : path or sequence of paths, optional
        Folders that hold the packages of ``package://`` addresses, searched before
        ``ROS_PACKAGE_PATH`` and the folders above the file. Meshes that are not found are no error.
    srdf : path, optional
        An SRDF file of the robot: its group states are postures, its disabled collisions pairs of
        links that do not count as touching (`apart`).

    Raises
    ------
    Error
        The description is refused; the message names file, line, column, cause and cure.
    FileMissingError
        There is no such file.

    Notes
    -----
    The algorithms are those of rigid bodies, with rotor inertia where the description has it, and
    without friction and damping in the joints, which are `joint_friction`.

    ``q`` are configurations (nq,); ``v``, ``a``, ``tau`` are velocities, accelerations and
    generalized forces (nv,). Quaternions in q need not be normalized. ``external`` are forces of
    the surroundings onto links: a dictionary from link names to (force, moment), 6 numbers in world
    axes at the link's origin, N and N m; or an array of shape (len(link_names), 6); or None.

    Every method also takes **rows of states**: (n, nq), (n, nv), ``external`` (n, len(link_names),
    6). Then every result has n rows. An argument of one state holds for all rows. ``threads`` says
    how many threads compute them, None for one a processor; the results have the same bits for any
    number. ``out`` is an array for the result (float64, C-contiguous, of the result's shape), in
    place of a new one; for several results a tuple of arrays.

    Every method checks the shapes of its arrays and that they are finite (`ValueError`), computes
    without the GIL, and may be called by several threads at once.
    """

    def __init__(
        self,
        path: Path,
        base: str = "floating",
        *,
        gravity: ArrayLike | None = None,
        mimic: str = "coupled",
        package_path: Path | Sequence[Path] | None = None,
        srdf: Path | None = None,
    ) -> None:
        options = Options.checked(base, gravity, mimic, package_path, srdf)
        self._read(Source.of_file(path, options), stacklevel=2)

    @classmethod
    def shipped(
        cls,
        name: str,
        base: str = "floating",
        *,
        gravity: ArrayLike | None = None,
        mimic: str = "coupled",
    ) -> Robot:
        """A robot that ships inside the library, see `robots`; parameters as of `Robot`."""
        options = Options.checked(base, gravity, mimic, None)
        self = cls.__new__(cls)
        self._read(Source.of_shipped(name, options), stacklevel=2)
        return self

    @classmethod
    def from_string(
        cls,
        text: str | bytes,
        base: str = "floating",
        *,
        name: str | None = None,
        gravity: ArrayLike | None = None,
        mimic: str = "coupled",
        package_path: Path | Sequence[Path] | None = None,
        srdf: Path | None = None,
    ) -> Robot:
        """A robot from the text of a URDF or MJCF file; other parameters as of `Robot`.

        Parameters
        ----------
        text : str or bytes
            The XML; bytes may be in any encoding that they declare.
        name : str, optional
            Stands for the file in messages.
        """
        options = Options.checked(base, gravity, mimic, package_path, srdf)
        self = cls.__new__(cls)
        self._read(Source.of_text(text, name, options), stacklevel=2)
        return self

    @classmethod
    def of_bodies(cls, bodies: Sequence[Body]) -> Robot:
        """Things alone, in one model; gravity is (0, 0, -9.81)."""
        self = cls.__new__(cls)
        self._read(SceneSource(None, bodies), stacklevel=2)
        return self

    def with_bodies(self, bodies: Sequence[Body]) -> Robot:
        """The robot and things around it in one model, for `Simulation(contacts="shapes")`.

        The root is the world: the robot's base is the joint ``"base"``, each thing a joint of its
        name, with the coordinates (position, quaternion) in the world if it is free.

        >>> import atemi
        >>> table = atemi.Body("table", size=[0.6, 0.4, 0.1], position=[0.5, 0, 0.3], fixed=True)
        >>> ball = atemi.Body("ball", "sphere", 0.05, mass=0.2, position=[0.5, 0, 0.5])
        >>> scene = atemi.Robot.shipped("hrp2_like").with_bodies([table, ball])
        >>> scene.joint_names[0], scene.joint_names[-1]
        ('base', 'ball')
        """
        scene = type(self).__new__(type(self))
        scene._read(SceneSource(self, bodies), stacklevel=2)
        return scene

    @classmethod
    def _of_recording(cls, recording: Any, package_path: Path | Sequence[Path] | None) -> Robot:
        self = cls.__new__(cls)
        self._read(RecordedSource(recording, package_path), stacklevel=3)
        return self

    def __reduce__(self) -> Any:
        source = self._source
        return _reread, (type(self), (*source[:-1], tuple(source.options)))

    def __copy__(self) -> Robot:
        return self

    def __deepcopy__(self, memo: Any) -> Robot:
        return self

    # ---- Files

    def to_urdf(self) -> str:
        """The robot as URDF with atemi's extensions (docs/urdf.md): read again it is the same. How
        the base moves is not in it, and closed loops are left out with a warning."""
        return self._written(lib.ATEMI_ROBOT_URDF)

    def to_mjcf(self) -> str:
        """The robot as MuJoCo's MJCF, with its base. What that has no place for is named in
        warnings: speed limits, and meshes that are not found or that MuJoCo cannot read."""
        return self._written(lib.ATEMI_ROBOT_MJCF)

    def _written(self, form: int) -> str:
        text = ffi.new("char **")
        check(lib.atemi_robot_write, self._model, form, text, NULL, stacklevel=3)
        try:
            return decode(text[0])
        finally:
            lib.atemi_release(text[0])

    # ---- Configurations

    def neutral(self) -> Array:
        """(nq,) every joint at zero, the base at the world's origin, upright."""
        q = np.empty(self._nq)
        call(lib.atemi_configuration_neutral, self._model, doubles(q))
        return q

    @property
    def posture_names(self) -> tuple[str, ...]:
        """The postures that the description names."""
        return tuple(self._postures)

    def posture(self, name: str) -> Array:
        """(nq,) a posture that the description names; the base is at its neutral pose."""
        index = self._postures.get(name)
        if index is None:
            raise not_found("posture", name, self._postures)
        q = call(lib.atemi_model_posture, self._model, index)
        return np.frombuffer(ffi.buffer(q, 8 * self._nq)).copy() if self._nq else np.empty(0)

    def random(self, rng: np.random.Generator | int | None = None) -> Array:
        """(nq,) a random configuration within the limits.

        Uniform between the limits, within +-pi where there are none; the base's position within
        +-1 m, orientations uniform.

        Parameters
        ----------
        rng : numpy.random.Generator, int or None
            Draws the seed; is the seed, 0 <= rng < 2^64; or None for another result each time.
        """
        if rng is None:
            rng = np.random.default_rng()
        if isinstance(rng, np.random.Generator):
            seed = int(rng.integers(2**64, dtype=np.uint64))
        elif isinstance(rng, (int, np.integer)) and 0 <= rng < 2**64:
            seed = int(rng)
        else:
            raise ValueError(
                "rng must be a numpy.random.Generator, a seed from 0 to 2^64 - 1 or None, "
                f"got {rng!r}"
            )
        q = np.empty(self._nq)
        call(lib.atemi_configuration_random, self._model, seed, doubles(q))
        return q

    # ---- Inverse kinematics

    def inverse_kinematics(
        self,
        q: ArrayLike,
        goals: Iterable[PostureGoal],
        *,
        fixed: Iterable[str] = (),
        limits: bool = True,
        iterations: int = 100,
        retries: int = 3,
        tolerance: float = 1e-10,
    ) -> Posture:
        """A posture that meets goals of links, sites and of the centre of mass, near q.

        Minimizes the sum of the squares of all goals' errors, times their weights, within the joint
        limits. What the goals leave open stays near q. Goals out of reach are no error: see
        `Posture.outcome`.

        Parameters
        ----------
        q : (nq,) array_like
            Where to start.
        goals : iterable of PostureGoal
        fixed : iterable of str
            Joints that keep their positions; ``"base"`` for the base.
        limits : bool
            Whether the joint limits hold.
        iterations, retries : int
            At most; retries where no step gets nearer.
        tolerance : float
            Of every row that has a weight, m or rad.
        """
        start = self._configuration("q", q)
        return find_posture(self, start, goals, fixed, limits, iterations, retries, tolerance)


def _reread(cls: type[Robot], source: tuple[Any, ...]) -> Robot:
    """Unpickles a robot: reads its description again."""
    kind, data, label, options = source
    robot = cls.__new__(cls)
    robot._read(Source(kind, data, label, Options(*options)), stacklevel=2)
    return robot

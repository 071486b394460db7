# SPDX-License-Identifier: Apache-2.0
"""The package by itself: what it hands out, what it refuses, and how it says so."""

from __future__ import annotations

import copy
import importlib.metadata
import math
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
import robots

import atemi

BASES = {"fixed": (0, 0), "planar": (3, 3), "sagittal": (3, 3), "floating": (7, 6)}

# A slider that carries a turning arm with a mimicking finger, a fixed tool, and a loose ball.
URDF = """<?xml version="1.0"?>
<robot name="sample">
  <link name="root"><inertial><mass value="2"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="slide" type="prismatic"><parent link="root"/><child link="sled"/>
    <origin xyz="0.1 0.2 0.3"/><axis xyz="1 0 0"/>
    <limit lower="-0.5" upper="0.7" velocity="2" effort="30"/>
    <dynamics damping="4" friction="1"/></joint>
  <link name="sled"><inertial><mass value="1"/><origin xyz="0 0 0.1"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="revolute"><parent link="sled"/><child link="arm"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="2" velocity="3" effort="5"/>
    <dynamics damping="0.5" armature="0.25"/></joint>
  <link name="arm"><inertial><mass value="0.5"/><origin xyz="0.2 0 0"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry>
      <mesh filename="package://sample_mesh/arm.stl" scale="1 2 3"/></geometry></visual>
    <collision><origin xyz="0.1 0 0" rpy="0 0 1.5"/><geometry>
      <box size="1 2 3"/></geometry></collision>
  </link>
  <joint name="finger" type="revolute"><parent link="arm"/><child link="tip"/>
    <origin xyz="0.4 0 0"/><axis xyz="0 1 0"/><limit lower="-9" upper="9" velocity="3" effort="5"/>
    <mimic joint="turn" multiplier="-2" offset="0.3"/>
    <dynamics damping="0.25" armature="0.125"/></joint>
  <link name="tip"><inertial><mass value="0.1"/><origin xyz="0.05 0 0"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hold" type="fixed"><parent link="tip"/><child link="tool"/>
    <origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/></joint>
  <link name="tool"/>
  <joint name="loose" type="floating"><parent link="root"/><child link="ball"/></joint>
  <link name="ball"><inertial><mass value="0.3"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>
"""


@pytest.fixture
def sample():
    return atemi.Robot.from_string(URDF, base="fixed")


@pytest.fixture(scope="module")
def hrp2():
    return atemi.Robot.shipped("hrp2_like")


# ---- What it is


def test_versions_agree():
    assert atemi.__version__ == importlib.metadata.version("atemi")


def test_shipped_robots_are_those_of_the_checkout():
    assert atemi.robots() == [path.stem for path in robots.shipped()]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", atemi.robots())
def test_shipped_robot_is_its_file(name, base):
    robot = atemi.Robot.shipped(name, base=base)
    read = atemi.Robot(robots.CHECKOUT / "robots" / f"{name}.urdf", base=base)
    q = robot.random(1)
    assert robot.joint_names == read.joint_names and robot.link_names == read.link_names
    np.testing.assert_array_equal(robot.mass_matrix(q), read.mass_matrix(q))


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", atemi.robots())
def test_shapes(name, base):
    robot = atemi.Robot.shipped(name, base=base)
    base_q, base_v = BASES[base]
    joints, nq, nv = len(robot.joint_names), robot.nq, robot.nv
    assert (nq, nv) == (base_q + joints, base_v + joints)
    assert robot.base == base and robot.name == name and name in repr(robot)
    q, v = robot.random(3), np.linspace(-1.0, 1.0, nv)
    link = robot.link_names[-1]
    R, p = robot.link_pose(q, link)
    results = {
        (3, 3): [R],
        (3,): [p, robot.center_of_mass(q), robot.gravity],
        (6,): [
            robot.momentum(q, v),
            robot.link_velocity(q, v, link),
            robot.link_acceleration(q, v, v, link),
        ],
        (nq,): [robot.neutral(), q, robot.integrate(q, v, 0.1)],
        (nv,): [
            robot.difference(q, q),
            robot.inverse_dynamics(q, v, v),
            robot.bias_force(q, v),
            robot.gravity_torque(q),
            robot.joint_friction(v),
            robot.armature,
            robot.lower_limits,
            robot.upper_limits,
            robot.velocity_limits,
            robot.effort_limits,
        ],
        (6, nv): [
            robot.jacobian(q, link),
            robot.jacobian_rate(q, v, link),
            robot.momentum_matrix(q),
        ],
        (nv, nv): [robot.mass_matrix(q)],
        (joints, 6): [robot.joint_wrenches(q, v, v)],
    }
    for shape, arrays in results.items():
        for array in arrays:
            assert array.shape == shape and array.dtype == np.float64
            assert array.flags.c_contiguous and array.flags.writeable and array.flags.owndata
    assert isinstance(robot.mass, float) and isinstance(nq, int) and isinstance(nv, int)


def test_parts_of_the_sample(sample):
    assert (sample.nq, sample.nv, sample.name, sample.base) == (9, 8, "sample", "fixed")
    assert sample.joint_names == ("slide", "turn", "loose")
    assert sample.link_names == ("root", "sled", "arm", "tip", "tool", "ball")
    assert sample.mimic_joints == {"finger": ("turn", -2.0, 0.3)}
    assert sample.mass == pytest.approx(1.9)  # the root is bolted to the world
    assert sample.q_index("turn") == 1 and sample.joint_index("turn") == 1
    assert sample.q_index("loose") == slice(2, 9) and sample.joint_index("loose") == slice(2, 8)
    infinite = [np.inf] * 6
    np.testing.assert_array_equal(sample.lower_limits, [-0.5, -1.0, *np.negative(infinite)])
    np.testing.assert_array_equal(sample.upper_limits, [0.7, 2.0, *infinite])
    np.testing.assert_array_equal(sample.velocity_limits, [2.0, 3.0, *infinite])
    np.testing.assert_array_equal(sample.effort_limits, [30.0, 5.0, *infinite])
    assert sample.posture_names == () and sample.site_names == ()


def test_rotors_of_coupled_joints_act_at_the_joint_copied(sample):
    assert sample.armature[1] == 0.25 + 2.0**2 * 0.125
    bare = URDF.replace('armature="0.25"', "").replace('armature="0.125"', "")
    light = atemi.Robot.from_string(bare, base="fixed")
    q = sample.random(1)
    difference = sample.mass_matrix(q) - light.mass_matrix(q)
    np.testing.assert_allclose(difference, np.diag(sample.armature), atol=1e-14)


def test_independent_mimic_joints_have_coordinates():
    robot = atemi.Robot.from_string(URDF, base="fixed", mimic="independent")
    assert robot.joint_names == ("slide", "turn", "finger", "loose")
    assert robot.mimic_joints == {"finger": ("turn", -2.0, 0.3)}
    assert robot.armature[2] == 0.125


def test_friction_acts_against_motion(sample):
    v = np.array([0.5, -2.0, *np.zeros(6)])
    expected = [-4.0 * 0.5 - 1.0, 0.5 * 2.0 + 2.0 * 0.25 * (2.0 * 2.0), *np.zeros(6)]
    np.testing.assert_allclose(sample.joint_friction(v), expected)


def test_gravity_is_an_option():
    robot = atemi.Robot.from_string(URDF, base="floating", gravity=[0, 1.5, -2])
    np.testing.assert_array_equal(robot.gravity, [0.0, 1.5, -2.0])
    q = robot.random(1)
    R, _ = robot.link_pose(q, "root")
    load = R @ robot.gravity_torque(q)[:3]
    np.testing.assert_allclose(load, -robot.mass * robot.gravity, atol=1e-12)
    np.testing.assert_array_equal(atemi.Robot.shipped("two_link").gravity, [0.0, 0.0, -9.81])


def test_sites_and_postures(hrp2):
    assert set(hrp2.site_names) >= {"right_sole", "left_sole", "right_fist", "left_fist"}
    sole = next(site for site in hrp2.sites if site.name == "right_sole")
    assert sole.link in hrp2.link_names and sole.size == (0.24, 0.14)
    np.testing.assert_allclose(sole.rotation.T @ sole.rotation, np.eye(3), atol=1e-15)
    assert sole.position.shape == (3,)
    q = hrp2.posture("half_sitting")
    assert q[hrp2.q_index("right_knee")] == pytest.approx(math.radians(50))
    with pytest.raises(KeyError, match="half_sitting"):
        hrp2.posture("half_siting")


def test_geometries_and_package_path(tmp_path):
    mesh = tmp_path / "packages" / "sample_mesh" / "arm.stl"
    mesh.parent.mkdir(parents=True)
    mesh.write_bytes(b"")
    (mesh.parent / "package.xml").write_text("<package/>")
    path = tmp_path / "sample.urdf"
    path.write_text(URDF)
    for folders in (tmp_path / "packages", [str(tmp_path), tmp_path / "packages"]):
        robot = atemi.Robot(path, package_path=folders)
        seen, touched = robot.geometries
        assert (seen.link, seen.shape, seen.collision, seen.size) == (
            "arm",
            "mesh",
            False,
            (1, 2, 3),
        )
        assert seen.uri == "package://sample_mesh/arm.stl"
        assert seen.path is not None and os.path.samefile(seen.path, mesh)
        assert (touched.shape, touched.collision, touched.size) == ("box", True, (1, 2, 3))
        assert touched.uri is None and touched.path is None and len(touched.color) == 4
        np.testing.assert_allclose(touched.rotation[:, 0], [math.cos(1.5), math.sin(1.5), 0.0])
    assert atemi.Robot(path).geometries[0].path is None


# ---- Configurations


def test_random_is_a_function_of_the_seed_within_limits(hrp2):
    np.testing.assert_array_equal(hrp2.random(7), hrp2.random(7))
    np.testing.assert_array_equal(hrp2.random(np.uint64(7)), hrp2.random(7))
    draws = [hrp2.random(np.random.default_rng(7)) for _ in range(2)]
    np.testing.assert_array_equal(*draws)
    rng = np.random.default_rng(1)
    configurations = [hrp2.random(rng) for _ in range(50)] + [hrp2.random(), hrp2.random()]
    assert len({q.tobytes() for q in configurations}) == len(configurations)
    for q in configurations:
        assert np.linalg.norm(q[3:7]) == pytest.approx(1.0)
        assert (q[7:] >= hrp2.lower_limits[6:]).all() and (q[7:] <= hrp2.upper_limits[6:]).all()


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", np.random.RandomState(1)])
def test_random_refuses_what_is_no_seed(hrp2, seed):
    with pytest.raises(ValueError, match="rng"):
        hrp2.random(seed)


def test_sagittal_base_moves_in_the_vertical_plane():
    robot = atemi.Robot.shipped("humanoid17", base="sagittal")
    q = robot.neutral()
    q[:3] = 0.4, 0.9, 0.5  # x, z, turn about y
    R, p = robot.link_pose(q, robot.link_names[0])
    np.testing.assert_allclose(p, [0.4, 0.0, 0.9])
    c, s = math.cos(0.5), math.sin(0.5)
    np.testing.assert_allclose(R, [[c, 0, s], [0, 1, 0], [-s, 0, c]], atol=1e-15)


@pytest.mark.parametrize("base", BASES)
def test_difference_undoes_integrate(base):
    robot = atemi.Robot.shipped("r2_like", base=base)
    rng = np.random.default_rng(3)
    q, v = robot.random(rng), rng.uniform(-1.0, 1.0, robot.nv)
    np.testing.assert_allclose(robot.difference(q, robot.integrate(q, v, 0.5)), 0.5 * v, atol=1e-12)


# ---- Laws that tie the quantities together; Pinocchio has no sagittal base


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", ["hrp2_like", "humanoid17", "r2_like"])
def test_quantities_fit_together(name, base):
    robot = atemi.Robot.shipped(name, base=base)
    rng = np.random.default_rng(11)
    q = robot.random(rng)
    v, a, tau = rng.uniform(-2.0, 2.0, (3, robot.nv))
    external = rng.uniform(-30.0, 30.0, (len(robot.link_names), 6))
    M, h = robot.mass_matrix(q), robot.bias_force(q, v)
    pushes = sum(
        robot.jacobian(q, link).T @ force for link, force in zip(robot.link_names, external)
    )
    close = {"rtol": 1e-10, "atol": 1e-10}
    inverse = robot.inverse_dynamics(q, v, a, external)
    np.testing.assert_allclose(inverse, M @ a + h - pushes, **close)
    forward = robot.forward_dynamics(q, v, tau, external)
    np.testing.assert_allclose(robot.inverse_dynamics(q, v, forward, external), tau, **close)
    np.testing.assert_allclose(robot.solve_mass_matrix(q, tau), np.linalg.solve(M, tau), rtol=1e-9)
    np.testing.assert_allclose(robot.momentum(q, v), robot.momentum_matrix(q) @ v, **close)
    np.testing.assert_allclose(robot.energy(q, v).kinetic, 0.5 * v @ M @ v)
    height = -robot.gravity @ robot.center_of_mass(q)
    np.testing.assert_allclose(robot.energy(q, v).potential, robot.mass * height)
    np.testing.assert_array_equal(robot.gravity_torque(q), robot.bias_force(q, 0.0 * v))
    np.testing.assert_array_equal(M, M.T)
    for link in robot.link_names:
        J, rate = robot.jacobian(q, link), robot.jacobian_rate(q, v, link)
        np.testing.assert_allclose(robot.link_velocity(q, v, link), J @ v, **close)
        np.testing.assert_allclose(
            robot.link_acceleration(q, v, a, link), J @ a + rate @ v, **close
        )


@pytest.mark.parametrize("base", BASES)
def test_jacobian_rate_is_the_derivative_of_the_jacobian(base):
    robot = atemi.Robot.shipped("hrp2_like", base=base)
    rng = np.random.default_rng(5)
    q, v = robot.random(rng), rng.uniform(-2.0, 2.0, robot.nv)
    step = 1e-5  # truncation about step^2, rounding about 1e-16 / step
    ahead, behind = robot.integrate(q, v, step), robot.integrate(q, v, -step)
    for link in robot.link_names:
        difference = (robot.jacobian(ahead, link) - robot.jacobian(behind, link)) / (2.0 * step)
        rate = robot.jacobian_rate(q, v, link)
        np.testing.assert_allclose(rate, difference, atol=1e-7)


def test_wrench_along_the_axis_is_the_torque(sample):
    """Less the rotor, which sits on the other side of the load cell."""
    rng = np.random.default_rng(2)
    q, (v, a) = sample.random(rng), rng.uniform(-2.0, 2.0, (2, sample.nv))
    robot = atemi.Robot.from_string(URDF, base="fixed", mimic="independent")
    expand = np.insert(np.eye(8), 2, -2.0 * np.eye(8)[1], axis=0)
    q_full = np.insert(q, 2, -2.0 * q[1] + 0.3)
    tau = robot.inverse_dynamics(q_full, expand @ v, expand @ a)
    wrenches = robot.joint_wrenches(q_full, expand @ v, expand @ a)
    assert wrenches[0, 0] == pytest.approx(tau[0])
    assert wrenches[1, 4] == pytest.approx(tau[1] - 0.25 * a[1])
    assert wrenches[2, 4] == pytest.approx(tau[2] - 0.125 * -2.0 * a[1])
    np.testing.assert_allclose(wrenches[3], tau[3:], atol=1e-12)
    # The coupled robot has the same forces in the same joints.
    np.testing.assert_allclose(sample.joint_wrenches(q, v, a), wrenches[[0, 1, 3]], atol=1e-12)
    np.testing.assert_allclose(sample.inverse_dynamics(q, v, a), expand.T @ tau, atol=1e-12)


def test_external_forces_by_name_and_by_row(sample):
    q, zero = sample.random(4), np.zeros(sample.nv)
    force = [1.0, -2.0, 3.0, 0.1, 0.2, -0.3]
    rows = np.zeros((len(sample.link_names), 6))
    rows[sample.link_names.index("tool")] = force
    named = sample.inverse_dynamics(q, zero, zero, {"tool": force})
    np.testing.assert_array_equal(named, sample.inverse_dynamics(q, zero, zero, rows))
    expected = sample.gravity_torque(q) - sample.jacobian(q, "tool").T @ force
    np.testing.assert_allclose(named, expected, atol=1e-12)
    np.testing.assert_array_equal(
        sample.inverse_dynamics(q, zero, zero, {}), sample.gravity_torque(q)
    )


def test_energy_is_a_float_with_two_parts(hrp2):
    energy = hrp2.energy(hrp2.posture("half_sitting"), np.ones(hrp2.nv))
    kinetic, potential = energy
    assert isinstance(energy, float) and energy == energy.kinetic + energy.potential
    assert (kinetic, potential) == (energy.kinetic, energy.potential)
    assert float(np.asarray(energy)) == float(energy) == energy + 0.0
    for other in (pickle.loads(pickle.dumps(energy)), copy.deepcopy(energy)):
        assert (float(other), *other) == (float(energy), *energy)


def test_a_robot_without_coordinates_is_fine():
    robot = atemi.Robot.from_string('<robot name="stone"><link name="stone"/></robot>', "fixed")
    empty = robot.neutral()
    assert (robot.nq, robot.nv, robot.mass) == (0, 0, 0.0) and empty.shape == (0,)
    R, p = robot.link_pose([], "stone")
    np.testing.assert_array_equal(R, np.eye(3))
    np.testing.assert_array_equal(p, np.zeros(3))
    assert robot.mass_matrix([]).shape == (0, 0) and robot.jacobian([], "stone").shape == (6, 0)
    for result in (
        robot.random(1),
        robot.integrate([], [], 1.0),
        robot.difference([], []),
        robot.inverse_dynamics([], [], [], {"stone": np.ones(6)}),
        robot.forward_dynamics([], [], []),
        robot.solve_mass_matrix([], []),
        robot.joint_friction([]),
    ):
        assert result.shape == (0,)
    assert robot.joint_wrenches([], [], []).shape == (0, 6)
    assert robot.momentum_matrix([]).shape == (6, 0) and robot.energy([], []) == 0.0


# ---- Arrays


def test_lists_integers_and_strided_arrays_are_fine(hrp2):
    q, v = hrp2.random(1), np.arange(hrp2.nv)
    expected = hrp2.inverse_dynamics(q, v.astype(float), v.astype(float))
    wide = np.zeros((hrp2.nv, 3), dtype=np.float32)
    wide[:, 1] = v
    for other in (v, v.tolist(), tuple(v), v.astype(np.int8), wide[:, 1]):
        np.testing.assert_array_equal(hrp2.inverse_dynamics(q.tolist(), other, v), expected)
    backwards = q[::-1].copy()[::-1]
    np.testing.assert_array_equal(hrp2.inverse_dynamics(backwards, v, v), expected)
    q.setflags(write=False)
    np.testing.assert_array_equal(hrp2.inverse_dynamics(q, v, v), expected)


def test_inputs_stay_as_they_are_and_results_are_fresh(hrp2):
    q, v = hrp2.random(1), np.ones(hrp2.nv)
    before = q.copy(), v.copy()
    results = [hrp2.solve_mass_matrix(q, v), hrp2.inverse_dynamics(q, v, v), hrp2.neutral()]
    results += [hrp2.lower_limits, hrp2.gravity, hrp2.posture("half_sitting")]
    for result in results:
        result[:] = np.nan
    np.testing.assert_array_equal(q, before[0])
    np.testing.assert_array_equal(v, before[1])
    assert np.isfinite(hrp2.gravity).all() and np.isfinite(hrp2.posture("half_sitting")).all()
    assert not np.isnan(hrp2.lower_limits).any()


def test_quaternions_need_not_be_normalized(hrp2):
    q, v = hrp2.random(1), np.ones(hrp2.nv)
    scaled = q.copy()
    scaled[3:7] *= -7.5
    np.testing.assert_allclose(
        hrp2.inverse_dynamics(scaled, v, v), hrp2.inverse_dynamics(q, v, v), atol=1e-9
    )


STATE = {"q": 37, "v": 36, "a": 36, "tau": 36, "b": 36, "q0": 37, "q1": 37}
METHODS = {
    "integrate": ("q", "v", 0.1),
    "difference": ("q0", "q1"),
    "link_pose": ("q", "'waist'"),
    "link_velocity": ("q", "v", "'waist'"),
    "link_acceleration": ("q", "v", "a", "'waist'"),
    "jacobian": ("q", "'waist'"),
    "jacobian_rate": ("q", "v", "'waist'"),
    "center_of_mass": ("q",),
    "momentum": ("q", "v"),
    "energy": ("q", "v"),
    "inverse_dynamics": ("q", "v", "a"),
    "bias_force": ("q", "v"),
    "gravity_torque": ("q",),
    "joint_wrenches": ("q", "v", "a"),
    "mass_matrix": ("q",),
    "solve_mass_matrix": ("q", "b"),
    "forward_dynamics": ("q", "v", "tau"),
    "momentum_matrix": ("q",),
    "link_poses": ("q",),
    "joint_friction": ("v",),
    "constrained_dynamics": ("q", "v", "tau", ()),
    "impulse": ("q", "v", ()),
}
CHECKED = [(m, argument) for m, names in METHODS.items() for argument in names if argument in STATE]


def _arguments(robot, method):
    values = {name: robot.random(1) if name[0] == "q" else np.ones(36) for name in STATE}
    values["'waist'"] = "waist"
    return {name: values.get(name, name) for name in METHODS[method]}


@pytest.mark.parametrize(("method", "argument"), CHECKED)
def test_bad_arrays_are_refused_by_name(hrp2, method, argument):
    arguments = _arguments(hrp2, method)
    good, size = arguments[argument], STATE[argument]
    nan, inf = good.copy(), good.copy()
    nan[5], inf[-1] = np.nan, -np.inf
    bad = {
        rf"{argument} must have shape \({size},\) or \(n, {size}\), got \({size - 1},\)": good[:-1],
        rf"{argument} must have shape \({size},\) or \(n, {size}\), got \({size + 1},\)": np.append(good, 0.0),
        rf"{argument} must have shape \({size},\) or \(n, {size}\), got \({size}, 1\)": good[:, None],
        rf"{argument} must have shape .*, got \(1, 1, {size}\)": good[None, None],
        rf"{argument} must have shape \({size},\) or \(n, {size}\), got \(\)": 1.0,
        rf"{argument} must have shape \({size},\) or \(n, {size}\), got \(0,\)": [],
        rf"{argument} must be finite, but {argument}\[5\] is nan": nan,
        rf"{argument} must be finite, but {argument}\[{size - 1}\] is -inf": inf,
        rf"{argument} must be an array of real numbers": good.astype(complex),
        rf"{argument} must be an array of real numbers.*str": ["1"] * size,
        rf"{argument} must be an array of real numbers.*object": [None] * size,
        rf"{argument} must be an array": [[1.0], [1.0, 2.0]],
    }
    for message, value in bad.items():
        arguments[argument] = value
        with pytest.raises(ValueError, match=message):
            getattr(hrp2, method)(*arguments.values())


@pytest.mark.parametrize("length", [0.0, 1e-200, 1e200])
def test_quaternions_without_direction_are_refused(hrp2, length):
    q = hrp2.neutral()
    q[3:7] = 0.0, 0.0, 0.0, length
    with pytest.raises(ValueError, match=r"q\[3:7\] must be a quaternion"):
        hrp2.mass_matrix(q)
    with pytest.raises(ValueError, match=r"q1\[3:7\]"):
        hrp2.difference(hrp2.neutral(), q)


def test_quaternions_of_joints_are_checked_too(sample):
    q = sample.neutral()
    q[5:9] = 0.0
    with pytest.raises(ValueError, match=r"q\[5:9\] must be a quaternion"):
        sample.center_of_mass(q)


@pytest.mark.parametrize("dt", [np.nan, np.inf, "1 s", None, [[0.1]]])
def test_bad_times_are_refused(sample, dt):
    with pytest.raises(ValueError, match="dt must"):
        sample.integrate(sample.neutral(), np.zeros(sample.nv), dt)


def test_bad_external_forces_are_refused(sample):
    q, v = sample.neutral(), np.zeros(sample.nv)
    for external, message in (
        (np.zeros((5, 6)), r"external must have shape \(6, 6\) or \(n, 6, 6\), got \(5, 6\)"),
        ({"tool": [1.0, 2.0]}, r"external\['tool'\] must have shape \(6,\)"),
        ({"tool": [np.nan] * 6}, r"external\['tool'\] must be finite"),
        ({"tol": np.zeros(6)}, "did you mean 'tool'"),
        (3.0, "external must have shape"),
    ):
        for method in (sample.inverse_dynamics, sample.forward_dynamics, sample.joint_wrenches):
            with pytest.raises(ValueError, match=message):
                method(q, v, v, external)


# ---- Names


def test_unknown_names_are_key_errors_with_a_guess(sample):
    q = sample.neutral()
    for call in (
        lambda: sample.link_pose(q, "sledd"),
        lambda: sample.jacobian(q, "sledd"),
        lambda: sample.jacobian_rate(q, np.zeros(8), "sledd"),
    ):
        with pytest.raises(
            atemi.NotFoundError, match="no link 'sledd'; did you mean 'sled'"
        ) as raised:
            call()
        assert isinstance(raised.value, KeyError) and isinstance(raised.value, atemi.Error)
        assert raised.value.status == "not found"
    with pytest.raises(KeyError, match="there are root, sled, arm"):
        sample.link_pose(q, "zzz")
    with pytest.raises(KeyError, match="did you mean 'slide'"):
        sample.joint_index("slid")
    with pytest.raises(KeyError, match="'hold' has no coordinate of its own: it is fixed"):
        sample.q_index("hold")
    with pytest.raises(
        KeyError, match="'finger' has no coordinate of its own: it copies joint 'turn'"
    ):
        sample.joint_index("finger")
    with pytest.raises(KeyError, match="it has no postures"):
        sample.posture("standing")
    for odd in (3, None, ()):
        with pytest.raises(KeyError):
            sample.link_pose(q, odd)


def test_unknown_shipped_robot():
    with pytest.raises(atemi.NotFoundError, match="did you mean 'hrp2_like'") as raised:
        atemi.Robot.shipped("hrp2_lik")
    assert isinstance(raised.value, KeyError)


@pytest.mark.parametrize("option", [{"base": "free"}, {"mimic": "no"}, {"base": 3}])
def test_unknown_options(option):
    with pytest.raises(ValueError, match="must be one of '"):
        atemi.Robot.shipped("two_link", **option)
    with pytest.raises(ValueError, match=r"gravity must have shape \(3,\)"):
        atemi.Robot.shipped("two_link", gravity=9.81)


# ---- Files


def test_missing_file(tmp_path):
    path = tmp_path / "nothing.urdf"
    with pytest.raises(atemi.FileMissingError, match="nothing.urdf") as raised:
        atemi.Robot(path)
    error = raised.value
    assert isinstance(error, (FileNotFoundError)) and isinstance(error, atemi.Error)
    assert error.file == error.filename == str(path) and error.line is None
    with pytest.raises(FileNotFoundError, match=r"atemi.Robot.shipped\('hrp2_like'\)"):
        atemi.Robot("hrp2_like")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(atemi.FileError) as raised:
        atemi.Robot(tmp_path)
    assert isinstance(raised.value, OSError) and not isinstance(raised.value, FileNotFoundError)


@pytest.mark.parametrize("path", ["a\0b", None, 3])
def test_what_is_no_path(path):
    with pytest.raises((ValueError, TypeError)):
        atemi.Robot(path)


def test_errors_carry_the_place(tmp_path):
    path = tmp_path / "bad.urdf"
    path.write_text(URDF.replace('<mass value="1"/>', '<mass value="-1"/>'))
    with pytest.raises(atemi.Error) as raised:
        atemi.Robot(path)
    error = raised.value
    assert (error.file, error.status) == (str(path), "bad input")
    lines = path.read_text().splitlines()
    assert error.line is not None and "sled" in lines[error.line - 1]
    assert error.column is not None and error.column > 0
    assert str(error) == f"{path}:{error.line}:{error.column}: {error.message}"
    assert "sled" in error.message and "-1" in error.message
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.line == error.line


def test_text_errors_carry_its_name():
    for text, status in (("<robot", "syntax"), ("<robot name='a'/>", "input"), ("", "syntax")):
        with pytest.raises(atemi.Error, match="(?s)pasted") as raised:
            atemi.Robot.from_string(text, name="pasted")
        assert status in raised.value.status
        with pytest.raises(atemi.Error) as raised:
            atemi.Robot.from_string(text.encode())
        assert raised.value.file is None


def test_texts_in_other_encodings():
    name = "Z\u00fcrich"
    text = URDF.replace("sample", name)
    assert atemi.Robot.from_string(text).name == name
    latin = text.replace('version="1.0"', 'version="1.0" encoding="ISO-8859-1"')
    for source in (latin, latin.encode("latin-1"), text.encode()):
        assert atemi.Robot.from_string(source).name == name


def test_suspicious_descriptions_warn_where_they_are_read(tmp_path):
    text = URDF.replace('ixx="0.1" iyy="0.2"', 'ixx="0.1" iyy="9.2"')
    path = tmp_path / "odd.urdf"
    path.write_text(text)
    for read in (lambda: atemi.Robot(path), lambda: atemi.Robot.from_string(text)):
        with pytest.warns(atemi.Warning, match="triangle inequality") as caught:
            read()
        assert caught[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(atemi.Warning):
                read()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        atemi.Robot.from_string(URDF)  # nothing is left over


def test_robots_are_pickled_by_their_description(sample, tmp_path, monkeypatch):
    path = tmp_path / "here.urdf"
    path.write_text(URDF)
    monkeypatch.chdir(tmp_path)
    from_file = atemi.Robot("here.urdf", base="planar", gravity=[0, 0, -1], mimic="independent")
    monkeypatch.chdir("/")
    for robot in (sample, from_file, atemi.Robot.shipped("two_link", base="sagittal")):
        other = pickle.loads(pickle.dumps(robot))
        q = robot.random(1)
        assert other is not robot and other.base == robot.base
        np.testing.assert_array_equal(other.mass_matrix(q), robot.mass_matrix(q))
        np.testing.assert_array_equal(other.gravity, robot.gravity)
        assert copy.copy(robot) is robot and copy.deepcopy(robot) is robot


def test_robots_and_their_memory_go_together():
    """Many robots come and go without the process growing: each has about 0.2 MB."""
    code = (
        "import atemi, resource\n"
        "def use():\n"
        "    robot = atemi.Robot.shipped('hrp2_like'); q = robot.neutral(); v = [0.0] * robot.nv\n"
        "    robot.forward_dynamics(q, v, v); robot.mass_matrix(q); robot.momentum_matrix(q)\n"
        "    for count in 1, 3: robot.impulse(q, v, [atemi.Contact('waist')] * count)\n"
        "for _ in range(50): use()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for _ in range(500): use()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    grown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert int(grown.stdout) < 20_000  # kB

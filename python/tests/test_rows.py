# SPDX-License-Identifier: Apache-2.0
"""Rows of states give the rows of results that single states give, to the bit."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest

import atemi

N = 23
FEET = [atemi.Contact("right_sole"), atemi.Contact("left_sole", mode="surface")]
METHODS = {
    "integrate": ("q", "v", "dt"),
    "difference": ("q", "q1"),
    "link_pose": ("q", "'waist'"),
    "link_poses": ("q",),
    "link_velocity": ("q", "v", "'waist'"),
    "link_acceleration": ("q", "v", "a", "'waist'"),
    "jacobian": ("q", "'right_sole'"),
    "jacobian_rate": ("q", "v", "'right_sole'"),
    "center_of_mass": ("q",),
    "momentum": ("q", "v"),
    "energy": ("q", "v"),
    "inverse_dynamics": ("q", "v", "a", "external"),
    "bias_force": ("q", "v"),
    "gravity_torque": ("q",),
    "joint_wrenches": ("q", "v", "a", "external"),
    "mass_matrix": ("q",),
    "solve_mass_matrix": ("q", "a"),
    "forward_dynamics": ("q", "v", "a", "external"),
    "momentum_matrix": ("q",),
    "joint_friction": ("v",),
    "constrained_dynamics": ("q", "v", "a", "feet", "external"),
    "impulse": ("q", "v", "feet"),
    "inverse_dynamics_derivatives": ("q", "v", "a", "external"),
    "forward_dynamics_derivatives": ("q", "v", "a", "external"),
    "constrained_dynamics_derivatives": ("q", "v", "a", "feet"),
    "impulse_derivatives": ("q", "v", "feet"),
    "link_derivatives": ("q", "v", "a", "'waist'"),
    "momentum_derivatives": ("q", "v", "a"),
    "center_of_mass_jacobian": ("q",),
    "energy_gradients": ("q", "v"),
}
SEVERAL_RESULTS = ("energy", "impulse", "constrained_dynamics")
CONSTANT = {"'waist'": "waist", "'right_sole'": "right_sole", "feet": FEET}


@pytest.fixture(scope="module")
def robot():
    return atemi.Robot.shipped("hrp2_like")


@pytest.fixture(scope="module")
def states(robot):
    rng = np.random.default_rng(7)
    return {
        "q": np.array([robot.random(rng) for _ in range(N)]),
        "q1": np.array([robot.random(rng) for _ in range(N)]),
        "v": rng.uniform(-2, 2, (N, robot.nv)),
        "a": rng.uniform(-9, 9, (N, robot.nv)),
        "dt": rng.uniform(0, 0.1, N),
        "external": rng.uniform(-50, 50, (N, len(robot.link_names), 6)),
    }


def _results(value):
    return [np.asarray(value)] if isinstance(value, np.ndarray) else [np.asarray(x) for x in value]


def _call(robot, method, states, row=None, **options):
    arguments = [
        CONSTANT[name] if name in CONSTANT else states[name] if row is None else states[name][row]
        for name in METHODS[method]
    ]
    return getattr(robot, method)(*arguments, **options)


def test_all_methods_on_states_are_here(robot):
    no_state = {"neutral", "posture", "random", "shipped", "from_string", "joint_index", "q_index"}
    no_state |= {"to_mjcf", "to_urdf", "of_bodies", "with_bodies"}
    other = {name for name in dir(robot) if callable(getattr(robot, name)) and name[0] != "_"}
    assert other - no_state - {"inverse_kinematics"} <= set(METHODS) | {
        name for name in other if "pinocchio" in name or "mujoco" in name
    }


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_rows_are_single_states_to_the_bit(robot, states, method, threads):
    rows = _results(_call(robot, method, states, threads=threads))
    for i in range(N):
        for row, alone in zip(rows, _results(_call(robot, method, states, i))):
            assert row[i].tobytes() == alone.astype(row.dtype).tobytes()


@pytest.mark.parametrize("method", METHODS)
def test_results_go_where_the_caller_wants_them(robot, states, method):
    expected = _call(robot, method, states)
    arrays = [np.full_like(array, np.nan) for array in _results(expected)]
    if method in ("impulse", "constrained_dynamics"):  # the last four stand in one array
        arrays = [*arrays[:-4], np.full((N, 4), np.nan)]
    out = arrays[0] if isinstance(expected, np.ndarray) else tuple(arrays)
    result = _call(robot, method, states, out=out)
    assert _results(result)[0] is arrays[0]
    for array, wanted in zip(_results(result), _results(expected)):
        np.testing.assert_array_equal(array, wanted)


def test_one_state_holds_for_all_rows(robot, states):
    q, v = states["q"], states["v"][3]
    bias = robot.bias_force(q, v)
    np.testing.assert_array_equal(bias, robot.bias_force(q, np.tile(v, (N, 1))))
    half = {"waist": np.arange(6.0)}
    loaded = robot.inverse_dynamics(q, v, v, half)
    np.testing.assert_array_equal(loaded[5], robot.inverse_dynamics(q[5], v, v, half))
    many = {"waist": states["external"][:, 0]}
    loaded = robot.inverse_dynamics(q, v, v, many)
    alone = robot.inverse_dynamics(q[5], v, v, {"waist": states["external"][5, 0]})
    np.testing.assert_array_equal(loaded[5], alone)


def test_any_layout_will_do(robot, states):
    q, v = states["q"], states["v"]
    expected = robot.bias_force(q, v)
    for view in (np.asfortranarray(q), q[::-1][::-1], q.tolist(), q.astype(">f8")):
        np.testing.assert_array_equal(robot.bias_force(view, v), expected)
    close = robot.bias_force(q.astype(np.float32), v)
    np.testing.assert_allclose(close, expected, atol=1e-3)


def test_no_rows_give_no_rows(robot):
    assert robot.bias_force(np.empty((0, robot.nq)), np.zeros(robot.nv)).shape == (0, robot.nv)


def test_mistakes_are_named(robot, states):
    q, v = states["q"], states["v"]
    with pytest.raises(ValueError, match="q has 23 rows, but v has 22"):
        robot.bias_force(q, v[1:])
    bad = q.copy()
    bad[4, 9] = np.nan
    with pytest.raises(ValueError, match=r"q must be finite, but q\[4, 9\] is nan"):
        robot.bias_force(bad, v)
    bad[4] = q[4]
    bad[4, 3:7] = 0.0
    with pytest.raises(ValueError, match=r"q\[4\]\[3:7\] must be a quaternion"):
        robot.bias_force(bad, v)
    for out in (np.empty((N, 35)), np.empty(36), np.empty((N, 36), np.float32), [[0.0]]):
        with pytest.raises(ValueError, match=r"out must be .* of shape \(23, 36\)"):
            robot.bias_force(q, v, out=out)
    fixed = np.empty((N, 36))
    fixed.setflags(write=False)
    with pytest.raises(ValueError, match="out must be a writable"):
        robot.bias_force(q, v, out=fixed)
    with pytest.raises(ValueError, match="tuple of 2 arrays"):
        robot.link_pose(q, "waist", out=fixed)
    with pytest.raises(ValueError, match="must not share memory"):
        robot.bias_force(q, v, out=v)
    for threads in (0, -3):
        with pytest.raises(ValueError, match="threads must be 1 or more"):
            robot.bias_force(q, v, threads=threads)
    with pytest.raises(TypeError):
        robot.bias_force(q, v, threads="two")


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_state_without_a_solution_is_named(robot, states, threads):
    hand = [atemi.Contact("right_sole", mode="stick"), atemi.Contact("right_sole", (0, 0, 0.1))]
    v = np.zeros((N, robot.nv))
    v[[9, 12], 3] = 3.0  # turns the foot: its points cannot both be still
    with pytest.raises(atemi.SingularError, match="in state 9: the contacts contradict") as raised:
        robot.constrained_dynamics(states["q"], v, v, hand, threads=threads)
    assert (raised.value.rows, raised.value.rank) == (6, 5)
    with pytest.raises(atemi.SingularError, match="in state 9: the contacts contradict"):
        robot.constrained_dynamics_derivatives(states["q"], v, v, hand, threads=threads)


def test_a_joint_without_mass_is_named():
    robot = atemi.Robot.from_string(
        """<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1"
        izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="b"><inertial>
        <mass value="1"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="empty" type="continuous"><parent link="a"/><child link="b"/>
        <axis xyz="0 0 1"/></joint></robot>"""
    )
    q = np.tile(robot.neutral(), (3, 1))
    v = np.zeros(robot.nv)
    with pytest.raises(atemi.SingularError, match="in state 0: .*empty"):
        robot.solve_mass_matrix(q, v)
    with pytest.raises(atemi.SingularError, match="empty"):
        robot.forward_dynamics(q[0], v, v)


def test_nothing_leaks(robot, states):
    """References to what goes in and out, of good calls and of bad ones."""
    q, v = states["q"].copy(), states["v"].copy()
    out = np.empty_like(v)

    def work():
        robot.bias_force(q, v, out=out)
        robot.link_pose(q, "waist")
        for bad in (v[1:], v[:, 1:], np.full_like(v, np.nan)):
            with pytest.raises(ValueError):
                robot.bias_force(q, bad, out=out)
        with pytest.raises(ValueError):
            robot.bias_force(q, v, out=q)

    work()
    before = [sys.getrefcount(x) for x in (q, v, out, None, robot)]
    for _ in range(200):
        work()
    gc.collect()
    after = [sys.getrefcount(x) for x in (q, v, out, None, robot)]
    assert all(a - b < 150 for a, b in zip(after, before)), (before, after)  # one a call is 200

# SPDX-License-Identifier: Apache-2.0
"""Closed loops: of a file, of the caller, and beside MuJoCo."""

from __future__ import annotations

import numpy as np
import pytest

import atemi

BAR = """<body name="{name}" pos="{pos}"><joint name="{name}" axis="0 1 0"/>
  <geom type="capsule" fromto="0 0 0 {end}" size="0.02" density="1000" contype="0" conaffinity="0"/>
  {inside}</body>"""

FOUR_BAR = (
    '<mujoco><option timestep="1e-4"/><worldbody>'
    + BAR.format(
        name="crank",
        pos="0 0 1",
        end="0 0 -0.2",
        inside=BAR.format(name="coupler", pos="0 0 -0.2", end="0.6 0 0.3", inside=""),
    )
    + BAR.format(name="rocker", pos="0.6 0 1", end="0 0 0.1", inside="")
    + "</worldbody>{equality}</mujoco>"
)

CONNECT = """<equality><connect name="end" body1="coupler" body2="rocker" anchor="0.6 0 0.3"
  solref="0.0005 1" solimp="0.9999 0.9999 1e-4"/></equality>"""


@pytest.fixture
def file(tmp_path):
    def write(equality: str):
        path = tmp_path / "four_bar.xml"
        path.write_text(FOUR_BAR.format(equality=equality))
        return path

    return write


def test_loop_of_a_file_is_closed(file):
    robot = atemi.Robot(file(CONNECT), base="fixed")
    for method in ("events", "steps"):
        sim = atemi.Simulation(robot, contacts=None, surfaces=(), method=method)
        sim.reset(np.zeros(3), [3.0, 0.0, 0.0])
        sim.run(0.5)
        assert sim.loops.names == ("end",)
        assert sim.loops.openings[0] < 1e-9
        assert np.linalg.norm(sim.loops.forces[0, :3]) > 1.0
        np.testing.assert_array_equal(sim.loops.forces[0, 3:], 0.0)


def test_loop_of_the_caller_is_that_of_the_file(file):
    ends = []
    for equality, loops in (
        (CONNECT, ()),
        (
            "",
            (
                atemi.Loop(
                    "end",
                    "point",
                    "coupler",
                    "rocker",
                    point=(0.6, 0.0, 0.3),
                    second_point=(0.0, 0.0, 0.1),
                ),
            ),
        ),
    ):
        robot = atemi.Robot(file(equality), base="fixed")
        sim = atemi.Simulation(robot, contacts=None, surfaces=(), loops=loops)
        sim.reset(np.zeros(3), [3.0, 0.0, 0.0])
        sim.run(0.5)
        ends.append(sim.q.copy())
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-12)


def test_wrong_loops_are_refused(file):
    robot = atemi.Robot(file(""), base="fixed")
    with pytest.raises(ValueError, match="kind must be"):
        atemi.Loop("end", "glue", "coupler", "rocker")
    with pytest.raises(ValueError, match="no link 'rockr'"):
        atemi.Simulation(robot, loops=[atemi.Loop("end", "point", "coupler", "rockr")])


def test_four_bar_moves_as_in_mujoco(file):
    """MuJoCo's loop is a stiff spring: with a time constant of 0.5 ms, and steps of 0.1 ms of its
    first-order integrator, 2 mrad after 0.5 s."""
    mujoco = pytest.importorskip("mujoco")
    path = file(CONNECT)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    sim = atemi.Simulation(
        atemi.Robot(path, base="fixed"), contacts=None, surfaces=(), method="events"
    )
    sim.reset(np.zeros(3), [3.0, 0.0, 0.0])
    data.qvel[:] = sim.v
    sim.run(0.5)
    mujoco.mj_step(model, data, 5000)
    assert abs(sim.q[0]) > 0.3
    np.testing.assert_allclose(sim.q, data.qpos, atol=2e-3)

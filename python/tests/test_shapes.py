# SPDX-License-Identifier: Apache-2.0
"""Simulations whose collision shapes touch."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import atemi

G = 9.81
BRICK = """<robot name="brick"><link name="brick">
<inertial><mass value="2"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry>{shape}</geometry></collision></link></robot>"""
BOX = '<box size="0.3 0.2 0.1"/>'
CYLINDER = '<cylinder radius="0.1" length="0.2"/>'


@pytest.fixture
def brick():
    return atemi.Robot.from_string(BRICK.format(shape=BOX))


def test_a_box_stands_on_its_corners(brick):
    sim = atemi.Simulation(brick, "shapes", step=1e-3)
    start = np.array([0, 0, 3.0, 0, 0, 0, 1])
    sim.reset(sim.placed(start))
    assert sim.q[2] == pytest.approx(0.05, abs=1e-12)
    sim.step(count=100)
    contacts = sim.contacts
    assert len(contacts.names) == 4 and set(contacts.names) == {"brick on surface 0"}
    assert set(contacts.modes) == {"stick"}
    # Forces at rest are solved to a part of 1e-6 or so of the weight.
    assert contacts.forces[:, 2].sum() == pytest.approx(2 * G, rel=1e-5)
    np.testing.assert_allclose(sim.contact_forces(), [[0, 0, 2 * G, 0, 0, 0]], atol=1e-3)
    np.testing.assert_allclose(contacts.normals, np.tile([0, 0, 1], (4, 1)), atol=1e-9)


def test_a_tilted_cylinder_is_put_on_its_rim():
    sim = atemi.Simulation(atemi.Robot.from_string(BRICK.format(shape=CYLINDER)), "shapes")
    u = 0.4
    q = sim.placed(np.array([0, 0, 1, 0, np.sin(u / 2), 0, np.cos(u / 2)]))
    assert q[2] == pytest.approx(0.1 * np.cos(u) + 0.1 * np.sin(u), abs=1e-12)


def test_friction_decides_whether_a_box_slides(brick):
    """On a slope of 0.2: with friction 0.3 it stays, with 0.1 it goes down with g (sin - mu cos)."""
    angle = 0.2
    slope = atemi.Plane(normal=[np.sin(angle), 0, np.cos(angle)])
    upright = np.array([0, 0, 1, 0, np.sin(angle / 2), 0, np.cos(angle / 2)])
    reached = {}
    for friction in (0.1, 0.3):
        sim = atemi.Simulation(brick, atemi.Shapes(friction=friction), surfaces=[slope])
        sim.reset(sim.placed(upright))
        sim.step(count=500)
        reached[friction] = np.linalg.norm(sim.v[:3])
    assert reached[0.3] < 1e-6
    expected = 0.5 * G * (np.sin(angle) - 0.1 * np.cos(angle))
    assert reached[0.1] == pytest.approx(expected, rel=1e-3)  # a step of the 500 to begin with


def test_events_name_the_pair(brick):
    events = []
    sim = atemi.Simulation(brick, "shapes", on_event=events.append)
    sim.reset([0, 0, 0.1, 0, 0, 0, 1])
    sim.step(count=200)
    assert events[0].kind == "touchdown" and events[0].contact == "brick on surface 0"


def rail():
    """Two balls of 0.1 m on one rail, 0.5 m apart."""
    parts = ['<robot name="rail"><link name="rail"/>']
    for name, x in (("left", 0.0), ("right", 0.5)):
        parts.append(
            f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" '
            f'ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><sphere radius="0.1"/></geometry>'
            f'</collision></link><joint name="{name}" type="prismatic"><parent link="rail"/>'
            f'<child link="{name}"/><origin xyz="{x} 0 1"/><axis xyz="1 0 0"/>'
            f'<limit lower="-2" upper="2" effort="9" velocity="9"/></joint>')
    return atemi.Robot.from_string("".join(parts) + "</robot>", base="fixed")


def test_links_touch_each_other_unless_they_are_excluded():
    """Pressed together by 3 N they stand, 0.2 m apart, and each bears 3 N; excluded they pass."""
    robot = rail()
    sim = atemi.Simulation(robot, "shapes")
    sim.reset([0.0, 0.0])
    sim.step([3.0, -3.0], count=1500)
    assert sim.q[1] + 0.5 - sim.q[0] == pytest.approx(0.2, abs=1e-5)
    assert sim.contacts.names == ("left on right",)
    assert sim.contacts.forces[0, 0] == pytest.approx(-3.0, rel=1e-5)
    on = dict(zip(robot.link_names, sim.contact_forces()))
    assert on["left"][0] == pytest.approx(-3.0, rel=1e-5) and on["right"][0] == -on["left"][0]
    for shapes in (atemi.Shapes(exclude=[("right", "left")]), atemi.Shapes(each_other=False)):
        sim = atemi.Simulation(robot, shapes)
        sim.reset([0.0, 0.0])
        sim.step([3.0, -3.0], count=800)
        assert sim.q[1] + 0.5 < sim.q[0]


def test_a_batch_has_the_bits_of_single_simulations(brick):
    batch = atemi.SimulationBatch(brick, 3, "shapes", threads=2)
    starts = np.array([[0, 0, 0.08 + 0.01 * i, 0, 0.1, 0, np.sqrt(0.99)] for i in range(3)])
    batch.reset(starts)
    batch.step(count=300)
    for i in range(3):
        single = atemi.Simulation(brick, "shapes")
        single.reset(starts[i])
        single.step(count=300)
        np.testing.assert_array_equal(batch.q[i], single.q)
        np.testing.assert_array_equal(batch.contact_forces()[i], single.contact_forces())


def test_a_robot_without_shapes_and_a_word_are_refused(brick):
    bare = BRICK.replace("<collision><geometry>{shape}</geometry></collision>", "")
    with pytest.raises(ValueError, match="no collision shapes"):
        atemi.Simulation(atemi.Robot.from_string(bare), "shapes")
    with pytest.raises(ValueError, match='"sites", "shapes"'):
        atemi.Simulation(brick, "shape")
    with pytest.raises(atemi.NotFoundError, match="brik"):
        atemi.Simulation(brick, atemi.Shapes(exclude=[("brik", "brick")]))


def test_lost_meshes_are_told():
    mesh = '<mesh filename="nowhere.stl"/>'
    both = BRICK.format(shape=BOX + "</geometry></collision><collision><geometry>" + mesh)
    robot = atemi.Robot.from_string(both)
    with pytest.warns(atemi.Warning, match="'nowhere.stl' was not found"):
        atemi.Simulation(robot, "shapes")


def test_things_around_a_robot(brick):
    """A box that is put on a table of 0.4 m falls on it, and a ball beside it on the floor."""
    table = atemi.Body("table", size=[0.6, 0.6, 0.4], position=[0, 0, 0.2], fixed=True)
    ball = atemi.Body("ball", "sphere", 0.05, mass=0.2, position=[1, 0, 0.2])
    scene = brick.with_bodies([table, ball])
    assert scene.joint_names == ("base", "ball")
    sim = atemi.Simulation(scene, "shapes")
    q = scene.neutral()
    q[2] = 0.5
    sim.reset(q)
    sim.step(count=1000)
    assert sim.q[2] == pytest.approx(0.45, abs=1e-4)
    assert scene.link_pose(sim.q, "ball")[1][2] == pytest.approx(0.05, abs=1e-4)
    on = dict(zip(scene.link_names, sim.contact_forces()[:, 2]))
    assert on["brick"] == pytest.approx(2 * G, rel=1e-4) and on["ball"] == pytest.approx(0.2 * G, rel=1e-4)


def test_a_scene_is_placed_pickled_and_made_of_bodies_alone(brick):
    ball = atemi.Body("ball", "sphere", 0.05, mass=0.2, position=[1, 0, 0.2])
    scene = brick.with_bodies([ball])
    sim = atemi.Simulation(scene, "shapes")
    q = scene.neutral()
    q[2] = 3.0
    assert sim.placed(q)[2] == pytest.approx(0.05, abs=1e-12)
    again = pickle.loads(pickle.dumps(scene))
    assert again.joint_names == scene.joint_names and again.nq == 14
    np.testing.assert_allclose(again.mass_matrix(q), scene.mass_matrix(q), rtol=1e-14)
    alone = atemi.Robot.of_bodies([ball, atemi.Body("twin", robot=brick)])
    assert alone.joint_names[0] == "ball" and "twin/brick" in alone.link_names
    with pytest.raises(ValueError, match="shape"):
        atemi.Robot.of_bodies([atemi.Body("x", "cone")])
    with pytest.raises(atemi.Error, match="called like"):
        brick.with_bodies([atemi.Body("brick")])

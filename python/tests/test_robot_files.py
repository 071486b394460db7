# SPDX-License-Identifier: Apache-2.0
"""Robots as files: written as URDF and MJCF they are the same, and SRDF and xacro are read.

Whether the MJCF is the same robot is MuJoCo's to say (`MjcfTwin`: M, bias, poses, Jacobians).
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
import robots
from mjcf_twin import MjcfTwin, mujoco

import atemi

SHARED = robots.CHECKOUT.parent / "shared" / "robots"
FILES = [*sorted(SHARED.glob("*.urdf")), *sorted(SHARED.glob("mjcf/*.xml"))]
SHIPPED = ["hrp2_like", "humanoid17", "r2_like"]  # MuJoCo wants mass in bodies that move

# Moving bodies of these have an inertia that no mass has: MuJoCo refuses the robot, and we say so.
IMPOSSIBLE = {"hrp4c", "r2"}


@pytest.fixture(autouse=True)
def _no_log_file():
    mujoco.set_mju_user_warning(lambda message: None)
    yield
    mujoco.set_mju_user_warning(None)


def _load(path: Path) -> atemi.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = atemi.Robot(path, mimic="independent")
        fixed = robot.link_names[0] == "world"
        return atemi.Robot(path, "fixed", mimic="independent") if fixed else robot


def _written(robot: atemi.Robot) -> tuple[str, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        text = robot.to_mjcf()
    return text, [str(warning.message) for warning in caught]


def _check_same(robot: atemi.Robot, again: atemi.Robot) -> None:
    rng = np.random.default_rng(5)
    assert again.joint_names == robot.joint_names
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    for name, ours, theirs in (
        ("M", robot.mass_matrix(q), again.mass_matrix(q)),
        ("bias", robot.bias_force(q, v), again.bias_force(q, v)),
    ):
        assert np.abs(ours - theirs).max() <= 1e-12 * np.abs(ours).max(), name
    assert again.lower_limits == pytest.approx(robot.lower_limits, rel=1e-12)
    assert again.servo_stiffness == pytest.approx(robot.servo_stiffness, rel=1e-12)
    assert again.servo_damping == pytest.approx(robot.servo_damping, rel=1e-12)
    assert again.posture_names == robot.posture_names
    for name in robot.posture_names:
        assert again.posture(name) == pytest.approx(robot.posture(name), abs=1e-15)


def _check_effort(robot: atemi.Robot, again: atemi.Robot) -> None:
    """MJCF has no limit for joints that copy others, and none of 0."""
    driven = np.ones(robot.nv, bool)
    for name in robot.mimic_joints:
        driven[robot.joint_index(name)] = False
    driven &= robot.effort_limits != 0.0
    assert again.effort_limits[driven] == pytest.approx(robot.effort_limits[driven], rel=1e-12)


@pytest.mark.skipif(not FILES, reason="no robots beside this checkout")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.stem}{path.suffix}")
def test_a_robot_written_as_mjcf_is_the_same_in_mujoco(tmp_path, path):
    robot = _load(path)
    text, messages = _written(robot)
    (tmp_path / "again.xml").write_text(text)
    if path.stem in IMPOSSIBLE:
        assert any("inertia that no mass has" in message for message in messages)
        return
    twin = MjcfTwin(tmp_path / "again.xml")
    twin.check(np.random.default_rng(1))
    _check_same(robot, twin.robot)
    _check_effort(robot, twin.robot)
    assert twin.robot.mass == pytest.approx(robot.mass, rel=1e-12)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_robot_written_as_mjcf_is_the_same_in_mujoco(tmp_path, name):
    robot = atemi.Robot.shipped(name)
    (tmp_path / "again.xml").write_text(_written(robot)[0])
    twin = MjcfTwin(tmp_path / "again.xml")
    twin.check(np.random.default_rng(1))
    _check_same(robot, twin.robot)
    assert twin.robot.site_names == robot.site_names
    assert len(twin.robot.geometries) == len(robot.geometries)


@pytest.mark.skipif(not FILES, reason="no robots beside this checkout")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.stem}{path.suffix}")
def test_a_robot_written_as_urdf_is_the_same(path):
    robot = _load(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = atemi.Robot.from_string(robot.to_urdf(), robot.base, mimic="independent")
    _check_same(robot, again)
    assert again.effort_limits == pytest.approx(robot.effort_limits)
    assert again.velocity_limits == pytest.approx(robot.velocity_limits)
    assert again.apart == robot.apart


def test_what_mjcf_has_no_place_for_is_named():
    _, messages = _written(atemi.Robot.shipped("hrp2_like"))
    assert any("speed limits of 30 joints" in message for message in messages)


def test_closed_loops_come_back_from_mjcf(tmp_path):
    text = """<mujoco><worldbody><body name="a"><joint name="one"/><geom size="0.1"/>
        <body name="b" pos="1 0 0"><joint name="two"/><geom size="0.1"/></body></body></worldbody>
        <equality><weld name="w" body1="a" body2="b"/></equality></mujoco>"""
    robot = atemi.Robot.from_string(text, "fixed")
    path = tmp_path / "again.xml"
    path.write_text(robot.to_mjcf())
    model = mujoco.MjModel.from_xml_path(str(path))
    assert model.neq == 1 and model.eq_type[0] == mujoco.mjtEq.mjEQ_WELD
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    first, second = data.site("w/first"), data.site("w/second")
    assert first.xpos == pytest.approx(second.xpos, abs=1e-12)
    with pytest.warns(atemi.Warning, match="URDF has no place for its 1 closed loops"):
        robot.to_urdf()


# ---- Actuators' gains


def test_gains_armature_and_damping_of_actuators_are_felt_at_the_joint(tmp_path):
    """Against MuJoCo: its M, and the force of its servos and dampers for a small motion."""
    path = tmp_path / "servos.xml"
    path.write_text("""<mujoco><compiler angle="radian"/><default><position kp="30"/></default>
        <worldbody><body name="a"><joint name="one" axis="0 1 0" damping="0.1"/>
        <geom size="0.1" pos="0.2 0 0"/><body name="b" pos="0.4 0 0"><joint name="two"/>
        <geom size="0.1"/><body name="c" pos="0 0 0.4"><joint name="three"/><geom size="0.1"/>
        </body></body></body></worldbody><actuator>
        <position joint="one" kv="2" gear="3" armature="0.02" damping="0.5"/>
        <general joint="two" gainprm="50" biastype="affine" biasprm="0 -50 -4"/>
        <velocity joint="three" kv="7" gear="2"/></actuator></mujoco>""")
    twin = MjcfTwin(path)
    twin.check(np.random.default_rng(2))
    q, v = np.array([0.1, -0.2, 0.3]), np.array([0.5, 0.7, -0.9])
    twin.data.qpos[:], twin.data.qvel[:] = q, v
    mujoco.mj_forward(twin.model, twin.data)
    robot = twin.robot
    servo = -robot.servo_stiffness * q - robot.servo_damping * v
    theirs = twin.data.qfrc_actuator + twin.data.qfrc_passive
    assert servo + robot.joint_friction(v) == pytest.approx(theirs, rel=1e-12)


# ---- SRDF and xacro

XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="segment" params="name parent">
    <link name="${name}"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0"
      ixz="0" iyz="0"/></inertial></link>
    <joint name="to_${name}" type="revolute"><parent link="${parent}"/><child link="${name}"/>
      <origin xyz="0 0 ${2 * 0.2}"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="10" velocity="3"/></joint>
  </xacro:macro>
  <link name="base"/>
  <xacro:segment name="a" parent="base"/>
  <xacro:segment name="b" parent="a"/>
</robot>"""

SRDF = """<robot name="arm"><group_state name="up" group="arm"><joint name="to_b" value="0.5"/>
  </group_state><disable_collisions link1="base" link2="b" reason="Never"/></robot>"""


def test_xacro_and_srdf_are_read(tmp_path):
    pytest.importorskip("xacrodoc", reason="needs the PyPI package xacrodoc")
    (tmp_path / "arm.urdf.xacro").write_text(XACRO)
    (tmp_path / "arm.srdf").write_text(SRDF)
    robot = atemi.Robot(tmp_path / "arm.urdf.xacro", "fixed", srdf=tmp_path / "arm.srdf")
    assert robot.joint_names == ("to_a", "to_b")
    assert robot.link_pose(robot.neutral(), "b")[1] == pytest.approx([0, 0, 0.8])
    assert robot.posture("up") == pytest.approx([0, 0.5])
    assert robot.apart == (("base", "b"),)
    (tmp_path / "wrong.xacro").write_text(XACRO.replace("2 * 0.2", "nothing"))
    with pytest.raises(atemi.Error, match="xacro makes no URDF of it"):
        atemi.Robot(tmp_path / "wrong.xacro", "fixed")


def test_without_xacrodoc_the_cure_is_named(tmp_path, monkeypatch):
    (tmp_path / "arm.xacro").write_text(XACRO)
    monkeypatch.setitem(__import__("sys").modules, "xacrodoc", None)
    with pytest.raises(ImportError, match=r"pip install 'atemi\[xacro\]'"):
        atemi.Robot(tmp_path / "arm.xacro", "fixed")


def test_a_scenario_takes_an_srdf_and_its_recording_keeps_it(tmp_path):
    urdf = atemi.Robot.shipped("two_link", "fixed").to_urdf()
    (tmp_path / "arm.urdf").write_text(urdf)
    (tmp_path / "arm.srdf").write_text(
        """<robot name="two_link"><group_state name="bent" group="g"><joint name="joint2"
        value="0.7"/></group_state><disable_collisions link1="base" link2="tip"/></robot>"""
    )
    (tmp_path / "s.yaml").write_text(
        "robot: arm.urdf\nsrdf: arm.srdf\nbase: fixed\nstart: {posture: bent}\nduration: 0.01 s\n"
    )
    robot = atemi.Robot(tmp_path / "arm.urdf", "fixed", srdf=tmp_path / "arm.srdf")
    recording = atemi.simulate(tmp_path / "s.yaml")
    assert recording["q.joint2"][0] == pytest.approx(0.7)
    again = atemi.Robot.from_string(recording.urdf, "fixed")
    assert again.apart == robot.apart and len(robot.apart) == 1
    (tmp_path / "arm.srdf").unlink()
    folder = tmp_path / "kept"
    recording.write(folder)
    assert atemi.Recording.load(folder).scenario

# SPDX-License-Identifier: Apache-2.0
"""Robots of MJCF files are MuJoCo's own robots: M, bias, Jacobians, poses, limits, keyframes.

Random files have every way to say where things are, how they move and what they weigh. The models
of MuJoCo's Menagerie are read where some checkouts have them beside them. Everything agrees to
1e-9 of its largest value; what is measured is 1e-13, the rest is for deep trees of long links.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
import robots
from mjcf_random import RandomMjcf, star, write_obj, write_stl
from mjcf_twin import MjcfTwin, mujoco

import atemi

MENAGERIE = sorted(robots.CHECKOUT.parent.glob("shared/robots/mjcf/*.xml"))


@pytest.fixture(autouse=True)
def _no_log_file():
    """MuJoCo's warnings go nowhere, otherwise into a file of the current folder."""
    mujoco.set_mju_user_warning(lambda message: None)
    yield
    mujoco.set_mju_user_warning(None)


def _written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    return path


def _body(inside: str, before: str = "", after: str = "") -> str:
    """A file with one body."""
    return f"""<mujoco model="one">{before}<worldbody><body name="b">{inside}
        <geom size="0.1"/></body></worldbody>{after}</mujoco>"""


def _robot(path: Path, base: str = "fixed", **options) -> tuple[atemi.Robot, list[str]]:
    """The robot, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        robot = atemi.Robot(path, base, **options)
    return robot, [str(warning.message) for warning in caught]


# ---- Random files


@pytest.mark.parametrize("seed", range(120))
def test_random_files_are_the_same_robots(tmp_path, seed):
    text = RandomMjcf(seed).xml
    MjcfTwin(_written(tmp_path, text)).check(np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(1000, 1030))
def test_random_files_with_meshes_are_the_same_robots(tmp_path, seed):
    """Volumes of dented spheres, solid (both ways to count them) and hollow, from STL and OBJ.

    MuJoCo turns a mesh into its principal axes, and stops once the products of inertia for density
    1 are below 1e-12. That is 1e-8 of a mesh whose moments are 1e-4. Measured: 1e-9 at most.
    """
    rng = np.random.default_rng(seed)
    write_stl(tmp_path / "a.stl", *star(rng))
    write_obj(tmp_path / "b.obj", *star(rng))
    text = RandomMjcf(seed, meshes=("a.stl", "b.obj")).xml
    MjcfTwin(_written(tmp_path, text)).check(rng, tolerance=2e-8)


# ---- The Menagerie


def _with_meshes(path: Path, folder: Path) -> Path:
    """The file in a folder that has the meshes it names: the same dented sphere for each."""
    text = path.read_text()
    meshdir = re.search(r'meshdir="([^"]*)"', text)
    assets = folder / (meshdir[1] if meshdir else ".")
    vertices, triangles = star(np.random.default_rng(1))
    for name in re.findall(r'<mesh[^>]*file="([^"]*)"', text, re.S):
        (assets / name).parent.mkdir(parents=True, exist_ok=True)
        write = write_obj if name.lower().endswith(".obj") else write_stl
        write(assets / name, vertices, triangles)
    for name in re.findall(r'<texture[^>]*file="([^"]*)"', text, re.S):
        text = re.sub(rf'<texture[^>]*file="{re.escape(name)}"[^>]*/>', "", text)
    text = re.sub(r'\stexture="[^"]*"', "", text)
    target = folder / path.name
    target.write_text(text)
    return target


@pytest.mark.skipif(not MENAGERIE, reason="no models of the Menagerie beside this checkout")
@pytest.mark.parametrize("path", MENAGERIE, ids=lambda path: path.stem)
def test_models_of_the_menagerie_are_the_same_robots(tmp_path, path):
    twin = MjcfTwin(_with_meshes(path, tmp_path))
    rng = np.random.default_rng(7)
    for _ in range(5):
        twin.check(rng)
    static = twin.model.body_mass[twin.model.body_weldid == 0].sum()
    assert twin.robot.mass == pytest.approx(twin.model.body_subtreemass[0] - static, rel=1e-12)
    _check_keyframes(twin)
    _check_limits(twin)


def _check_keyframes(twin: MjcfTwin) -> None:
    """The joints' part of each."""
    free = 7 if twin.types and twin.types[0] == mujoco.mjtJoint.mjJNT_FREE else 0
    for key in range(twin.model.nkey):
        ours = twin.qpos(twin.robot.posture(twin.model.key(key).name))
        theirs = twin.model.key_qpos[key].copy()
        for joint in np.flatnonzero(twin.model.jnt_type == mujoco.mjtJoint.mjJNT_BALL):
            at = slice(twin.model.jnt_qposadr[joint], twin.model.jnt_qposadr[joint] + 4)
            theirs[at] /= np.linalg.norm(theirs[at])
        assert ours[free:] == pytest.approx(theirs[free:], abs=1e-12)


def _check_limits(twin: MjcfTwin) -> None:
    for joint in range(twin.model.njnt):
        about, kind = twin.model.joint(joint), twin.types[joint]
        if kind not in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            continue
        index = twin.robot.joint_index(about.name)
        lower, upper = twin.robot.lower_limits[index], twin.robot.upper_limits[index]
        theirs = tuple(about.range) if twin.model.jnt_limited[joint] else (-np.inf, np.inf)
        assert (lower, upper) == pytest.approx(theirs, rel=1e-12)
        assert twin.robot.effort_limits[index] == pytest.approx(_effort(twin.model, joint))


def _effort(model, joint: int) -> float:
    """The largest force at a joint that MuJoCo's compiled actuators allow."""
    total, driven = 0.0, False
    for i in range(model.nu):
        if model.actuator_trntype[i] != mujoco.mjtTrn.mjTRN_JOINT:
            continue
        if model.actuator_trnid[i, 0] == joint:
            force = np.abs(model.actuator_forcerange[i]).max()
            force = force if model.actuator_forcelimited[i] else np.inf
            plain = model.actuator_biastype[i] == mujoco.mjtBias.mjBIAS_NONE
            if plain and model.actuator_ctrllimited[i]:
                gain = abs(model.actuator_gainprm[i, 0])
                force = min(force, gain * np.abs(model.actuator_ctrlrange[i]).max())
            total, driven = total + abs(model.actuator_gear[i, 0]) * force, True
    total = total if driven else np.inf
    if model.jnt_actfrclimited[joint]:
        total = min(total, np.abs(model.jnt_actfrcrange[joint]).max())
    return total


# ---- One thing at a time


def test_coupled_joints_have_the_reduced_mass_matrix(tmp_path):
    """M of q = S q_free is S^T M S; the offset has the refs of both joints."""
    text = """<mujoco><compiler angle="radian"/><worldbody>
        <body name="a"><joint name="one" axis="0 1 0" ref="0.3"/><geom size="0.1" pos="0.2 0 0"/>
        <body name="b" pos="0.4 0 0"><joint name="two" axis="0 1 0" ref="-0.2"/>
        <geom size="0.1" pos="0.2 0.1 0"/></body></body></worldbody>
        <equality><joint joint1="two" joint2="one" polycoef="0.1 -2 0 0 0"/></equality></mujoco>"""
    twin = MjcfTwin(_written(tmp_path, text))
    coupled, _ = _robot(tmp_path / "robot.xml")
    assert coupled.nq == 1
    q = 0.7
    whole = np.array([q, -0.2 + 0.1 - 2 * (q - 0.3)])
    S = np.array([[1.0], [-2.0]])
    assert coupled.mass_matrix([q]) == pytest.approx(S.T @ twin.robot.mass_matrix(whole) @ S)
    rotation, _ = coupled.link_pose([q], "b")
    assert rotation == pytest.approx(twin.robot.link_pose(whole, "b")[0], abs=1e-12)


def test_included_files_are_found_from_the_first_one(tmp_path):
    """As MuJoCo does: a file of a folder includes another of the same folder by its whole path."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "leg.xml").write_text(
        '<mujoco><worldbody><body name="b"><joint name="j"/><include file="parts/mass.xml"/>'
        "</body></worldbody></mujoco>"
    )
    (tmp_path / "parts" / "mass.xml").write_text('<x><geom size="0.2"/><geom size="0.1"/></x>')
    path = _written(tmp_path, '<mujoco><include file="parts/leg.xml"/></mujoco>')
    MjcfTwin(path).check(np.random.default_rng(3))


def test_scenes_around_a_free_robot_are_left_out_by_name(tmp_path):
    text = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body name="table" pos="1 0 0"><geom type="box" size="1 1 1"/></body>
        <body name="robot"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"""
    robot, messages = _robot(_written(tmp_path, text), "floating")
    assert robot.link_names == ("robot",)
    assert any("robot.xml:2:" in text and "stand in the world" in text for text in messages)
    assert any("robot.xml:1:" in text and "geoms and sites of the world" in text for text in messages)


def test_a_file_that_is_wholly_understood_has_no_warnings(tmp_path):
    _, messages = _robot(_written(tmp_path, _body('<joint name="j" range="-10 10"/>')))
    assert messages == []


def test_gravity_is_the_files_unless_another_is_asked_for(tmp_path):
    path = _written(tmp_path, _body("<joint/>", before='<option gravity="0 0 -1.62"/>'))
    assert _robot(path)[0].gravity == pytest.approx([0, 0, -1.62])
    assert _robot(path, gravity=[0, 0, -3.7])[0].gravity == pytest.approx([0, 0, -3.7])


def test_a_scenario_simulates_the_robot_of_a_file(tmp_path):
    """A pendulum of 0.5 m falls from the side: energy is kept, and the recording has its robot."""
    _written(
        tmp_path,
        """<mujoco model="pendulum"><worldbody><body name="arm"><joint name="j" axis="0 1 0"/>
        <inertial pos="0.5 0 0" mass="2" diaginertia="0.01 0.01 0.01"/></body></worldbody>
        <keyframe><key name="up" qpos="-1"/></keyframe></mujoco>""",
    )
    (tmp_path / "s.yaml").write_text("robot: robot.xml\nstart: {posture: up}\nduration: 0.3 s\n")
    recording = atemi.simulate(tmp_path / "s.yaml")
    again = atemi.Robot.from_string(recording.urdf, "fixed")
    assert again.joint_names == ("j",) and again.mass == pytest.approx(2.0)
    assert again.posture("up") == pytest.approx([-1.0])
    inertia, model = 0.01 + 2 * 0.25, mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    q, v = (float(recording[name][-1]) for name in ("q.j", "v.j"))
    fallen = 2 * 9.81 * 0.5 * (np.sin(1.0) - np.sin(-q))
    assert 0.5 * inertia * v**2 == pytest.approx(fallen, rel=1e-6)
    assert model.nq == 1


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ('<joint axis="0 0 x"/>', 'robot.xml:1:47: <joint>: axis: "x" is not a number'),
        ("<replicate/>", "mj_saveLastXML"),
        ('<geom type="mesh" mesh="m"/>', "there is no mesh 'm'"),
        ('<include file="none.xml"/>', "no such file"),
    ],
)
def test_errors_name_place_cause_and_cure(tmp_path, inside, message):
    with pytest.raises(atemi.Error) as caught:
        _robot(_written(tmp_path, _body(inside)))
    assert message in str(caught.value)

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
    """Volumes of dented spheres, solid (both ways to count them) and hollow, from STL and OBJ."""
    rng = np.random.default_rng(seed)
    write_stl(tmp_path / "a.stl", *star(rng))
    write_obj(tmp_path / "b.obj", *star(rng))
    text = RandomMjcf(seed, meshes=("a.stl", "b.obj")).xml
    MjcfTwin(_written(tmp_path, text)).check(rng)


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

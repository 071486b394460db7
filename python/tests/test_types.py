# SPDX-License-Identifier: Apache-2.0
"""Type checkers accept the package, and what users write; options are those of the library."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import atemi
from atemi import options
from atemi._library import ffi

PACKAGE = Path(atemi.__file__).parent

USER = """
import numpy as np
import atemi

robot = atemi.Robot.shipped("hrp2_like")
q = robot.posture("half_sitting")
tau: np.ndarray = robot.inverse_dynamics(np.stack([q, q]), None, None, threads=2)
found = robot.inverse_kinematics(q, [atemi.PostureGoal("right_fist", (0.4, 0.0, 0.2))])
mass: float = robot.mass + len(found.q)
walker = atemi.WalkingController(robot, step_length=0.3)
biped = atemi.Biped(robot, forwards=0.2)
base: tuple[np.ndarray, np.ndarray] = atemi.BaseEstimator(biped, q).update(
    1e-3, q, robot.neutral()[1:], (0, 0, 9.81), (0, 0, 0), (300, 300)
)
sim = atemi.Simulation(robot, ["right_sole"], step=1e-3)
sim.reset(sim.placed(q))
forces = sim.contacts.forces
batch = atemi.SimulationBatch(robot, 4, threads=None)
frame = atemi.simulate("slide.yaml").to_pandas()
"""
WRONG = """
import atemi

robot = atemi.Robot.shipped("hrp2_like")
atemi.WalkingController(robot, step_lenght=0.3)
robot.mass_matrix(robot.neutral(), thread=2)
"""


@pytest.fixture
def programs(tmp_path):
    for name, text in (("user_program", USER), ("wrong_program", WRONG)):
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def check(folder, tool, *arguments):
    """All of it is fine, but for the program that is wrong."""
    command = [sys.executable, "-m", tool, *map(str, arguments)]
    said = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env={**os.environ, "MYPYPATH": str(folder)}
    ).stdout
    errors = [line for line in said.splitlines() if "error:" in line or " - error" in line]
    assert [line for line in errors if "wrong_program" not in line] == [], said
    wrong = " ".join(errors)
    assert "step_lenght" in wrong and '"thread"' in wrong, said


def test_mypy_accepts_the_package_and_its_use(programs):
    pytest.importorskip("mypy")
    extra = [] if importlib.util.find_spec("gymnasium") else ["--exclude", "environments"]
    modules = ["-p", "atemi", "-m", "user_program", "-m", "wrong_program"]
    check(programs, "mypy", "--strict", f"--cache-dir={programs}/cache", *extra, *modules)


def test_pyright_accepts_the_package_and_its_use(programs):
    pytest.importorskip("pyright")
    files = programs / "user_program.py", programs / "wrong_program.py"
    check(programs, "pyright", "--pythonpath", sys.executable, PACKAGE, *files)


@pytest.mark.parametrize(
    ("typed", "native", "elsewhere"),
    [
        (options.JointDrive, "atemi_joint_drive", set()),
        (options.JointControlOptions, "atemi_joint_control_options", set()),
        (options.JointPlantOptions, "atemi_joint_plant_options", set()),
        (options.WalkingOptions, "atemi_walking_options", set()),
        (options.BipedOptions, "atemi_biped_options", set()),
        (options.BaseEstimatorOptions, "atemi_base_estimator_options", set()),
        (options.CoordinatedJointOptions, "atemi_coordinated_joint", set()),
        (
            options.CoordinationOptions,
            "atemi_coordination_options",
            {
                "joints",
                "base_link",
                "base_pose",
                "goals",
                "goal_capacity",
                "contacts",
                "contact_count",
            },
        ),
        (options.WholeBodyOptions, "atemi_whole_body_options", set()),
        (options.NodeMotionOptions, "atemi_node_motion", {"joints", "posture"}),
    ],
)
def test_typed_options_are_those_of_the_library(typed, native, elsewhere):
    fields = {name for name, _ in ffi.typeof(native).fields}
    assert set(typed.__annotations__) == fields - elsewhere

# SPDX-License-Identifier: Apache-2.0
"""Compliant control: whole runs, one joint tick by tick, all joints step by step."""

from __future__ import annotations

import doctest
import importlib
import math
from dataclasses import asdict

import numpy as np
import pytest

import atemi

ARM = {
    "robot": "two_link",
    "gravity": [0, 0, 0],
    "drives": [{"of": "all", "spring": 5000, "torque_constant": 0.3, "back_emf": 0.3}],
    "joints": [{"of": "all", "natural_frequency": 20, "damping_ratio": 1, "integral_rate": 5}],
    "tasks": [{"do": "joints", "at": 0.4, "joints": {"joint1": 0.2, "joint2": -0.1}}],
    "duration": 2,
}


@pytest.fixture(scope="module")
def arm():
    """Two links that go a little way."""
    return atemi.control(ARM)


def test_a_run_reaches_its_goal(arm):
    assert arm.completed and arm.safe_stops == 0 and arm.duration == pytest.approx(2.0)
    assert [goal[:3] for goal in arm.goals] == [(1, "joints", "reached")]
    assert arm.goals[0].begun == pytest.approx(0.4) and arm.goals[0].joint is None
    np.testing.assert_allclose(arm.motion.q[-1], [0.2, -0.1], atol=2e-3)
    assert np.isnan(arm.error) and arm.motions == ()


def test_people_feel_a_force_that_is_held_against_limits(arm):
    assert arm.people == () and np.isnan(arm.largest_force_part)
    wall = {"kind": "plane", "position": [0, -0.1, 0], "normal": [0, 1, 0]}
    run = atemi.control({
        **ARM,
        "surfaces": {"chest": wall},
        "contacts": [{"link": "tip", "surface": "chest"}],
        "people": [{"surface": "chest", "stiffness": 5000, "damping": 50, "force_limit": 1}],
    })
    person, = run.people
    assert (person.name, person.verdict) == ("chest", "beyond its limit")
    assert (person.force_limit, person.transient_limit) == (1, 2) and person.transient > 2
    worst = max(person.pressing / 1, person.transient / 2)
    assert run.largest_force_part == pytest.approx(worst) and not run.completed
    assert run.outcome.split()[0] in ("hits", "presses")


def test_progress_is_told_and_can_stop_it():
    heard = []
    half = atemi.control(ARM, progress=lambda done: heard.append(done) or done < 0.5)
    assert heard == sorted(heard) and half.outcome.startswith("interrupted")
    assert half.motion.t[-1] == pytest.approx(1.0, abs=0.05) and not half.completed


def test_errors_name_line_and_column():
    with pytest.raises(atemi.Error) as caught:
        atemi.control(text="robot: two_link\nduration: 5 kg\n", name="x.yaml")
    assert (caught.value.file, caught.value.line) == ("x.yaml", 2)


def test_a_recording_is_a_run_again(arm, tmp_path):
    arm.recording.write(tmp_path / "run")
    assert atemi.Control(atemi.Recording.load(tmp_path / "run")).goals == arm.goals


# ---- One joint


def _run(control, plant, command, ticks=2000):
    for _ in range(ticks):
        output = control.step(plant.measure(), command)
        plant.apply(output.voltage)
        plant.advance(control.options["period"])
    return output


def test_commands_are_limp_by_default_as_in_C():
    from atemi._library import lib
    from atemi._record import plain

    native = plain(lib.atemi_joint_command_default())
    assert native.pop("level") == lib.ATEMI_JOINT_IMPEDANCE
    ours = asdict(atemi.JointCommand())
    assert ours.pop("level") == "impedance" and ours == native


def test_a_joint_gives_way_as_its_stiffness_says():
    """500 N m/rad yield 0.02 rad to 10 N m; the sensors' noise is 1e-4 rad."""
    control, plant = atemi.JointControl(), atemi.JointPlant(link_inertia=1.0)
    command = atemi.JointCommand(position=0.0, stiffness=500, damping=45)
    for _ in range(5000):
        plant.apply(control.step(plant.measure(), command).voltage)
        plant.advance(control.options["period"], load=10.0)
    assert plant.joint_position == pytest.approx(0.02, abs=1e-3)
    assert plant.torque == pytest.approx(-10.0, abs=0.5)


def test_options_are_those_given_and_defaults():
    control = atemi.JointControl(speed_limit=1.5, drive={"gear": 80.0})
    default = atemi.JointControl().options
    assert control.options["speed_limit"] == 1.5 and control.options["drive"]["gear"] == 80.0
    assert control.options["period"] == default["period"] == 0.0002
    assert control.options["drive"]["spring"] == default["drive"]["spring"]


def test_a_wrist_goes_where_it_is_told():
    control, plant = atemi.JointControl(rigid=True), atemi.JointPlant(rigid=True)
    output = _run(control, plant, atemi.JointCommand(level="position", position=0.3), 1000)
    assert output.state == "ok" and plant.joint_position == pytest.approx(0.3, abs=0.01)


def test_a_reading_that_is_no_number_ends_in_a_safe_stop():
    control, plant = atemi.JointControl(), atemi.JointPlant()
    holding = atemi.JointCommand(stiffness=1000, damping=100)
    assert _run(control, plant, holding, 100).state == "ok"
    blind = atemi.JointMeasurement(float("nan"), 0.0, 0.0)
    first = control.step(blind)
    assert first.state == "warning" and len(first.faults) == 1
    for _ in range(1000):
        last = control.step(blind)
    assert last.state == "safe stop" and last.voltage == 0.0
    control.restart()
    assert _run(control, plant, holding, 100).state == "ok"
    assert set(first.faults) <= set(control.history)


def test_all_joints_in_one_call_are_each_alone():
    """Bit for bit, over readings that differ and with one that is no number."""
    rng, count = np.random.default_rng(3), 5
    group = atemi.JointControls(count, each=[{"torque_limit": 50.0 + i} for i in range(count)])
    alone = [atemi.JointControl(torque_limit=50.0 + i) for i in range(count)]
    for tick in range(40):
        readings = rng.normal(0.0, 1e-4, (count, 3))
        readings[2, 1] = np.nan if tick > 20 else readings[2, 1]
        for k, name in enumerate(("motor_position", "joint_position", "current")):
            group.measurements[name] = readings[:, k]
        position = rng.normal(0.0, 0.01, count)
        group.commands["position"], group.commands["stiffness"] = position, 900.0
        group.step(commanded=tick % 10 == 0)
        for i, control in enumerate(alone):
            command = atemi.JointCommand(position=position[i], stiffness=900.0)
            expected = control.step(
                atemi.JointMeasurement(*readings[i]), command if tick % 10 == 0 else None
            )
            ours = group.outputs[i]
            assert ours["voltage"] == expected.voltage and ours["torque"] == expected.torque
            assert group.faults(i) == expected.faults
            assert ("ok", "warning", "safe stop")[ours["state"]] == expected.state
    assert group.outputs["state"][2] == 2
    group.restart(2)
    group.measurements[:] = 0.0
    group.step(commanded=True)
    assert group.outputs["state"][2] == 0


def test_torques_of_29_joints_at_1_kHz_are_those_of_their_impedance():
    group = atemi.JointControls(29, period=1e-3, takes_torque=True, torque_rate=math.inf)
    group.commands["stiffness"] = np.arange(29.0)
    group.commands["position"] = 0.5
    group.commands["level"] = group.levels["impedance"]
    group.step(commanded=True)
    assert group.outputs["torque_demand"] == pytest.approx(0.5 * np.arange(29.0))


def test_all_joints_say_what_they_cannot_take():
    with pytest.raises(ValueError, match="count must be 1 or more, not 0"):
        atemi.JointControls(0)
    with pytest.raises(ValueError, match="each has options of 1 joints, not of 2"):
        atemi.JointControls(2, each=[{}])
    with pytest.raises(atemi.Error, match="its motor answers to voltages too fast"):
        atemi.JointControls(2, period=1e-3)
    with pytest.raises(IndexError):
        atemi.JointControls(2).faults(2)


def test_joints_say_what_they_cannot_take():
    with pytest.raises(ValueError, match="no 'perod'; did you mean 'period'"):
        atemi.JointControl(perod=1e-3)
    with pytest.raises(ValueError, match="joint control's drive has no 'gaer'"):
        atemi.JointControl(drive={"gaer": 100})
    with pytest.raises(ValueError, match="period of the joint control cannot be 'fast'"):
        atemi.JointControl(period="fast")
    with pytest.raises(ValueError, match="drive of the joint control cannot be 3"):
        atemi.JointControl(drive=3)
    with pytest.raises(atemi.Error):
        atemi.JointControl(period=-1.0)
    with pytest.raises(ValueError, match="level must be one of.*'impedance'"):
        atemi.JointCommand(level="impedence")


# ---- All joints


class Rig:
    """Joints that do what they are told."""

    def __init__(self, **options) -> None:
        self.robot = atemi.Robot.shipped("r2_like")
        self.coordination = atemi.Coordination(self.robot, base_link="left_foot", **options)
        ready = self.robot.posture("ready")
        self.positions = np.array([ready[self.robot.q_index(n)] for n in self.robot.joint_names])
        self.velocities = np.zeros(len(self.positions))
        self.commands = self.step()

    def step(self, count: int = 1):
        for _ in range(count):
            commands = self.coordination.step(self.positions, self.velocities)
            told = [(c.position, c.velocity, c.acceleration) for c in commands.values()]
            p, v, a = np.array(told).T
            self.positions, self.velocities = p + 0.02 * (v + 0.01 * a), v + 0.02 * a
        return commands

    def position(self, joint: str) -> float:
        return self.positions[self.robot.joint_names.index(joint)]


def test_joints_arrive_together_and_in_time():
    rig = Rig()
    rig.coordination.move_joints({"right_arm_joint3": -1.0, "neck_joint0": 0.1}, duration=1.5)
    rig.step(74)
    assert rig.coordination.report.moving and rig.coordination.goals[-1].outcome == "active"
    rig.step(10)
    assert rig.coordination.goals[-1].outcome == "reached"
    assert not rig.coordination.report.moving
    assert rig.position("right_arm_joint3") == pytest.approx(-1.0, abs=1e-6)
    assert rig.position("neck_joint0") == pytest.approx(0.1, abs=1e-6)


def test_a_node_goes_where_it_is_told():
    rig = Rig()
    R, p = rig.robot.link_pose(rig.coordination.posture, "right_hand")
    target = p + [0.05, 0.0, 0.02]
    rig.coordination.move_nodes([atemi.Node("right_hand", target=(R, target))], duration=1.0)
    rig.step(100)
    assert rig.coordination.goals[-1].outcome == "reached"
    reached = rig.robot.link_pose(rig.coordination.posture, "right_hand")
    np.testing.assert_allclose(reached[1], target, atol=1e-3)
    np.testing.assert_allclose(reached[0], R, atol=2e-3)

def standing(robot: atemi.Robot, **options) -> tuple[atemi.Coordination, np.ndarray]:
    """hrp2_like, half sitting on its soles, after two seconds."""
    q = robot.posture("half_sitting")
    contacts = [
        atemi.StandingContact(site.link, frame=(site.rotation, site.position), size=site.size)
        for site in robot.sites
        if site.name.endswith("_sole")
    ]
    coordination = atemi.Coordination(
        robot,
        base_link=contacts[0].link,
        base_pose=robot.link_pose(q, contacts[0].link),
        contacts=contacts,
        **options,
    )
    positions = np.array([q[robot.q_index(name)] for name in robot.joint_names])
    for _ in range(100):
        coordination.step(positions, np.zeros(len(positions)))
    return coordination, positions


def test_a_robot_stands_on_its_soles():
    robot = atemi.Robot.shipped("hrp2_like")
    coordination, _ = standing(robot)
    report = coordination.standing
    assert report.missing < 1e-6 and report.capture < 1e-6 and report.drift == 0
    assert 0 < report.effort < 1 and report.joint in robot.joint_names
    borne = [coordination.contact_wrench(i) for i in range(2)]
    assert sum(w[2] for w in borne) == pytest.approx(9.81 * robot.mass, rel=1e-6)
    with pytest.raises(IndexError):
        coordination.contact_wrench(2)
    with pytest.raises(atemi.Error, match="contact margin"):
        standing(robot, contact_margin=0.6)


def test_a_robot_that_is_held_reports_nothing_of_standing():
    coordination = Rig().coordination
    assert coordination.standing == (0, 0, 0, 0, None)


def test_a_target_out_of_reach_stops_the_motion():
    rig = Rig()
    far = atemi.Node("right_hand", target=(np.eye(3), [9.0, 0.0, 1.0]))
    arm = [name for name in rig.robot.joint_names if name.startswith("right_arm")]
    rig.coordination.move_nodes([far], joints=arm, velocity=1.0, acceleration=2.0)
    rig.step(300)
    assert rig.coordination.goals[-1].outcome == "out of reach"
    assert not rig.coordination.report.moving
    assert rig.position("left_leg_joint1") == rig.robot.posture("ready")[
        rig.robot.q_index("left_leg_joint1")
    ]


def test_breadcrumbs_are_followed_one_a_step():
    rig = Rig()
    start = rig.position("right_arm_joint3")
    crumbs = start + 0.1 * (1 - np.cos(np.linspace(0, np.pi, 50)))
    rig.coordination.follow(["right_arm_joint3"], crumbs[:, None])
    rig.step(60)
    assert rig.coordination.posture[rig.robot.q_index("right_arm_joint3")] == pytest.approx(
        start + 0.2, abs=1e-6
    )


def test_stiffness_and_limits_reach_the_joints():
    rig = Rig(joints={"right_arm_joint3": {"torque_limit": 30.0}})
    rig.step(200)
    stiff = rig.step()["right_arm_joint3"]
    rig.coordination.set_dynamics(5.0, 1.5)
    rig.coordination.set_torque_limit(8.0, joint="right_arm_joint3", source="supervisor")
    rig.coordination.set_gravity(0.0)
    rig.step(200)
    soft = rig.step()["right_arm_joint3"]
    assert stiff.feedback_limit == pytest.approx(30.0) and soft.feedback_limit == pytest.approx(8.0)
    assert soft.stiffness == pytest.approx(stiff.stiffness / 16, rel=1e-3)
    assert soft.gravity_torque == 0.0


def test_the_base_is_switched_step_by_step():
    rig = Rig()
    assert rig.coordination.report.base_link == "left_foot"
    rig.coordination.set_base("right_foot")
    rig.step(20)
    assert 0 < rig.coordination.report.base_fraction < 1
    rig.step(60)
    assert rig.coordination.report[3:5] == ("right_foot", 1.0)


def test_what_is_refused_changes_nothing():
    rig = Rig()
    rig.coordination.move_joints({"right_arm_joint3": -1.0}, duration=1.0)
    with pytest.raises(atemi.Error):
        rig.coordination.move_joints({"right_arm_joint3": float(1e9)})
    with pytest.raises(KeyError, match="no joint 'right_arm_joint33'"):
        rig.coordination.move_joints({"right_arm_joint33": 0.1})
    with pytest.raises(ValueError, match="source must be one of"):
        rig.coordination.set_gravity(1.0, source="nobody")
    with pytest.raises(ValueError, match="positions must have shape"):
        rig.coordination.step(np.zeros(3), np.zeros(3))
    with pytest.raises(ValueError, match="at least one joint, none of them twice"):
        rig.coordination.follow(["right_arm_joint3"] * 2, [[-0.1, -0.1]])
    with pytest.raises(ValueError, match="no 'durration'; did you mean 'duration'"):
        rig.coordination.move_nodes([], durration=1.0)
    rig.coordination.set_mode("supervisor")
    with pytest.raises(atemi.Error):
        rig.coordination.move_joints({"right_arm_joint3": -0.2})
    rig.step(80)
    assert rig.position("right_arm_joint3") == pytest.approx(-1.0, abs=1e-6)


def test_a_measurement_that_is_no_number_is_a_fault():
    rig = Rig()
    rig.coordination.step(np.full(len(rig.positions), np.nan), rig.velocities)
    assert len(rig.coordination.report.faults) == 1


@pytest.mark.parametrize("module", ["atemi._control", "atemi.joint_control", "atemi.coordination"])
def test_docstrings(module):
    failures, tests = doctest.testmod(importlib.import_module(module))
    assert failures == 0 and tests > 0

# SPDX-License-Identifier: Apache-2.0

import csv
import json
import pathlib
import re

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
COMMANDS = SCENARIOS.parent / "docs/command.md"

# Two links behind springs, in orbit: quick.
ARM = """\
robot: two_link
gravity: [0, 0, 0]
drives: [{of: all, spring: 5000, spring_damping: 5, torque_constant: 0.3, back_emf: 0.3}]
joints: [{of: all, natural_frequency: 20, damping_ratio: 1, torque_limit: 10}]
tasks: [{do: joints, at: 0.4 s, joints: {joint1: 0.2}, duration: 0.5 s}]
duration: 1.5 s
"""

# Long enough to be interrupted on any machine.
ENDLESS = ARM.replace("1.5 s", "90000 s")


class Answer:
    def __init__(self, answer):
        self.outcome = answer["outcome"]
        self.completed = answer["completed"]
        self.tables = answer["tables"]
        self.results = {name: value["value"] for name, value in answer["results"].items()}

    def __getattr__(self, name):
        return self.results[name]

    def column(self, table, name):
        """The numbers of a column, by the labels of their rows."""
        table = self.tables[table]
        index = [column["name"] for column in table["columns"]].index(name)
        return dict(zip(table["labels"], (row[index] for row in table["rows"])))


@pytest.fixture
def shipped(atemi):
    """Runs a shipped scenario, which is completed."""
    def run(name, *arguments):
        result = atemi("control", SCENARIOS / f"{name}.yaml", "--json", *arguments)
        assert (result.code, result.err) == (0, "")
        answer = Answer(result.json)
        assert answer.completed and answer.safe_stops == 0 and answer.energy_given < 1
        return answer
    return run


# ---- What [R2] claims, by the shipped scenarios

def test_reach_is_over_1_m_with_less_than_1_cm_of_error(shipped, tmp_path):
    answer = shipped("reach", "--out", tmp_path / "run")
    assert answer.way > 1.0 and answer.error < 0.01 and answer.turn_error < 0.01
    assert answer.largest_feedback < 70  # of 100, in the leg that carries the robot
    assert '<mass value="82"/>' in (tmp_path / "run/robot.urdf").read_text()  # 295 kg in all
    rows = list(csv.DictReader((tmp_path / "run/recording.csv").open()))
    assert len(rows) == 601
    limits = {float(rows[-1][f"limit.{leg}_leg_joint3 [N m]"]) for leg in ("left", "right")}
    assert limits == {100.0, 20.0}
    assert max(abs(float(row["current.left_leg_joint3 [A]"])) for row in rows) > 0.1


def test_reach_at_50_Hz_is_no_worse_than_at_500_Hz(atemi, shipped, scenario):
    text = (SCENARIOS / "reach.yaml").read_text()
    fast = text + ("coordination: {period: 2 ms, stiffness_step: 20, damping_step: 2, "
                   "torque_step: 0.2, gravity_step: 0.002, base_step: 0.002}\n")
    answer = Answer(atemi("control", scenario(fast), "--json").json)
    assert answer.completed and shipped("reach").error < answer.error + 0.005


def test_climb_closes_grippers(shipped):
    answer = shipped("climb")
    assert answer.grips_closed == 2 and answer.goals_obstructed == 0
    assert all(off > 0.003 for off in answer.column("grips", "off").values())
    assert all(force < 20 for force in answer.column("grips", "force").values())
    assert all(error < 0.01 for error in answer.column("motions", "error").values())


def test_climb_switches_the_base_smoothly(atemi, scenario):
    """Without the sensors' noise, whose product with damping hides what the switch does."""
    text = (SCENARIOS / "climb.yaml").read_text() + "sensors: {noise: false}\n"
    assert Answer(atemi("control", scenario(text), "--json").json).largest_base_step < 5


def test_climb_needs_softening(atemi, scenario):
    text = (SCENARIOS / "climb.yaml").read_text()
    soft = "natural_frequency: 0.5, damping_ratio: 1.5"
    assert soft in text
    result = atemi("control", scenario(text.replace(soft, "natural_frequency: 20, damping_ratio: 1.2")),
                   "--json")
    assert result.code == 1
    assert "right_gripper did not close on b" in result.json["outcome"]


def test_draw_is_precise_and_presses_as_told(shipped):
    answer = shipped("draw")
    lines = [f"task {i}: right_gripper" for i in range(2, 10)]
    off, force = answer.column("motions", "off_line"), answer.column("motions", "contact_force")
    assert max(off[line] for line in lines) < 0.003
    assert all(5 < force[line] < 16 for line in lines)
    assert answer.goals_obstructed == 0 and answer.largest_feedback <= 20


def test_yield_stops_softly_waits_for_a_tap_and_goes_on(shipped, tmp_path):
    answer = shipped("yield", "--out", tmp_path / "run")
    assert answer.goals_obstructed == 1 and answer.goals_reached == 1 and answer.taps == 1
    assert 5 < answer.largest_contact_force < 40
    events = json.loads((tmp_path / "run/summary.json").read_text())["events"]
    when = {event["kind"]: event["t"] for event in events}
    assert when["obstructed"] < 6 < 7.5 < when["tap"] < when["reached"]


def test_beside_a_person_an_arm_stays_within_the_limits_on_a_bad_day(atemi, shipped, scenario):
    answer = shipped("beside")
    table = answer.tables["people"]
    row = dict(zip((column["name"] for column in table["columns"]), table["rows"][0]))
    assert table["labels"] == ["arm: within its limits"]
    assert 5 < row["pressing"] <= row["force_limit"] == 100 and 5 < row["transient"] <= 200
    assert answer.largest_force_part == max(row["pressing"] / 100, row["transient"] / 200) < 1
    assert row["moved"] == pytest.approx(0.05)  # it was clamped

    text = (SCENARIOS / "beside.yaml").read_text().replace("force_limit: 100 N", "force_limit: 20 N")
    result = atemi("control", scenario(text))
    assert result.code == 1 and "presses arm with" in result.out
    assert "its force_limit of 20 N; lower the torque_limit" in result.out
    assert "not passed" in result.out


def test_gravity_comes_and_goes_without_being_noticed(shipped):
    answer = shipped("gravity")
    assert answer.goals_reached == 3
    assert answer.largest_hold_force > 2890 and answer.largest_deviation < 0.01


def test_push_moves_the_robot_which_stays_there(shipped):
    answer = shipped("push")
    assert answer.column("hands", "led")["backpack"] > 0.5
    assert answer.column("hands", "off")["backpack"] < 0.1
    assert answer.largest_hand_force < 50 and answer.largest_feedback <= 20


# What the scenario gives is no estimate; the rest of the same drive is. The comments are YAML.
def test_explained_scenario_has_the_drives_and_what_was_estimated(atemi, tmp_path):
    def rows(drives):
        path = tmp_path / "arm.yaml"
        path.write_text(re.sub(r"^drives: .*\n", drives, ARM, flags=re.M))
        text = atemi("control", path, "--explain").out
        path.write_text(text)
        assert comment(atemi("control", path, "--explain").out) == comment(text)
        return dict(re.findall(r"^# (joint\d) +(.*)$", text, re.M))

    def comment(text):
        return text[text.index("# Drives"):]
    given = rows("drives: [{of: joint1, spring: 5000}]\n")
    assert given["joint1"].split()[3:] == ["5000", given["joint1"].split()[4], "effort", "speed",
                                           "rotor", "damping"]
    assert given["joint2"].split()[5:] == ["effort", "speed", "rotor", "spring", "damping"]
    assert given["joint2"] == rows("")["joint2"]


# ---- Answers

def test_text_tells_goals_and_figures(atemi, scenario):
    result = atemi("control", scenario(ARM))
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("two_link: 1 task in 1.5 s, the last motion reached")
    assert "1 of 1 reached" in result.out and "1 joints: reached" in result.out
    assert all(line == line.rstrip() for line in result.out.splitlines())


def test_report_is_written(atemi, scenario, tmp_path):
    result = atemi("control", scenario(ARM), "--report", tmp_path / "arm.html")
    if result.code == 0:
        assert (tmp_path / "arm.html").stat().st_size > 10000
    else:
        assert "without" in result.err  # built without the page of reports


# ---- Refusals and failures

@pytest.mark.parametrize("old, new, message", [
    ("joint1: 0.2", "joint3: 0.2", "no joint 'joint3'"),
    ("do: joints", "do: jonts", "did you mean 'joints'?"),
    ("at: 0.4 s", "at: 0.4 m", "is not a time"),
    ("damping_ratio: 1, ", "", "give both"),
])
def test_errors_name_line_and_column(refused, scenario, old, new, message):
    path = scenario(ARM.replace(old, new))
    line = ARM[:ARM.index(old)].count("\n") + 1
    error = refused("control", path)
    assert re.search(rf"{re.escape(str(path))}:{line}:\d+: ", error) and message in error


def test_errors_of_usage(refused, scenario, tmp_path):
    assert "no_such.yaml" in refused("control", "no_such.yaml")
    assert "SCENARIO.yaml is missing" in refused("control")
    assert "nowhere" in refused("control", scenario(ENDLESS), "--out", tmp_path / "nowhere/run")


def test_a_task_that_cannot_be_done_exits_with_1(atemi, scenario):
    result = atemi("control", scenario(ARM.replace("tasks: [", "tasks: [{do: continue}, ")), "--json")
    assert result.code == 1 and result.err == ""
    assert "task 0 (continue): there was no motion" in result.json["outcome"]


def test_ctrl_c_keeps_what_there_is(interrupted, scenario, tmp_path):
    code, out, err = interrupted("control", scenario(ENDLESS))
    assert code == 130 and err.startswith("warning: the recording will have about ")
    assert json.loads(out)["completed"] is False and json.loads(out)["rows"] > 1
    assert (tmp_path / "run/summary.json").exists()



# ---- The manual

def test_scenario_of_the_manual_runs(atemi, scenario, manual):
    result = atemi("control", scenario(manual("control").scenario), "--json")
    assert (result.code, result.err) == (0, "")


def test_manual_names_every_key(atemi, manual):
    parts = ("payloads", "jaws", "people", "hands", "joints", "drives", "loops", "coordination",
             "tasks")
    assert manual("control").unnamed(atemi("control", "--explain").out, *parts) == []


def test_manual_names_every_result(atemi, scenario):
    manual = COMMANDS.read_text().split("\n## atemi control")[1].split("\n## ")[0]
    for name in atemi("control", scenario(ARM), "--json").json["results"]:
        assert f"`{name}`" in manual, name


@pytest.mark.parametrize("loops", ["", "loops: [{of: all, torque_rate: 1000}]\n"])
def test_a_robot_that_is_kicked_comes_to_rest(atemi, scenario, tmp_path, loops):
    """Feedback at its limit whose torque changed too slowly shook the legs at 10 Hz with 0.6 rad/s, and
    went on with it: whatever rate is asked for, it turns round in time. Noise alone leaves less than
    0.05 rad/s."""
    text = f"""job: control
robot: r2_like
start: {{posture: ready}}
holds: [left_foot, right_foot]
{loops}forces: [{{link: pelvis, force: [2000, 1000, 0], from: 1.5 s, until: 1.55 s}}]
duration: 3 s
record: {{every: 10 ms}}
"""
    atemi("control", scenario(text), "--out", str(tmp_path / "run"))
    rows = list(csv.DictReader((tmp_path / "run/recording.csv").open()))
    speeds = [name for name in rows[0] if name.startswith("v.") and "base" not in name]
    fastest = [max(abs(float(row[name])) for name in speeds) for row in rows]
    assert len(speeds) == 32 and max(fastest) > 0.5
    assert max(fastest[-20:]) < 0.05


def test_both_feet_bear_the_robot(atemi, scenario):
    """One leg of r2_like cannot bear 213 kg that lean forward: 330 N m do not hold it. Two stay within
    what joints are asked for, 0.95 of their limits; neither foot bears three quarters of the weight."""
    text = """job: control
robot: r2_like
start: {posture: ready, joints: {left_leg_joint1: 0.23, left_leg_joint3: 1.1, left_leg_joint5: 0.9,
                                 right_leg_joint1: 0.23, right_leg_joint3: 1.1, right_leg_joint5: 0.9}}
holds: [left_foot, right_foot]
duration: 1 s
"""
    answer = Answer(atemi("control", scenario(text), "--json").json)
    assert answer.completed and answer.largest_torque_part < 0.95 and answer.safe_stops == 0
    assert answer.largest_hold_force < 0.75 * 213 * 9.81


# ---- Standing

STANDING = """\
job: control
robot: hrp2_like
start: {posture: half_sitting}
holds: [{link: right_foot, stands: true}, {link: left_foot, stands: true}]
sensors: {noise: false}
"""


def standing(extra):
    return STANDING + extra


def test_a_robot_stands_and_reaches_while_a_person_pushes_it(shipped, tmp_path):
    answer = shipped("stand_and_reach", "--out", tmp_path / "run")
    assert answer.goals_reached == 2 and answer.fell == 0
    assert answer.error < 0.001 and answer.largest_slide < 0.001
    assert answer.largest_hand_force == pytest.approx(20, rel=0.01)
    assert answer.least_pressure_margin > 0.4 and answer.largest_missing < 1e-4
    rows = list(csv.DictReader((tmp_path / "run/recording.csv").open()))
    weight = sum(float(rows[-1][f"sole.{side}_foot.push [N]"]) for side in ("left", "right"))
    planned = sum(float(rows[-1][f"planned.{side}_foot.push [N]"]) for side in ("left", "right"))
    assert weight == pytest.approx(planned, rel=1e-3) and 550 < weight < 600


def test_a_motion_that_would_tip_a_robot_ends_and_it_goes_on_standing(atemi, scenario):
    bow = "{right_hip_pitch: -1.6, left_hip_pitch: -1.6}"
    result = atemi("control", scenario(standing(
        f"tasks: [{{do: joints, at: 1.5 s, joints: {bow}, duration: 2 s}}]\nduration: 6 s\n")), "--json")
    answer = Answer(result.json)
    assert result.code == 1 and not answer.completed and answer.fell == 0
    assert answer.outcome.endswith("the last motion would lose balance")


def test_a_robot_that_is_pushed_too_hard_falls(atemi, scenario):
    result = atemi("control", scenario(standing(
        "forces: [{link: chest, force: [150, 0, 0], from: 1 s, until: 2 s}]\nduration: 6 s\n")), "--json")
    answer = Answer(result.json)
    assert result.code == 1 and answer.fell == 1 and answer.duration < 4
    assert "fell at" in answer.outcome and "its centre of mass sank by" in answer.outcome


def test_feet_slide_on_ice_that_nobody_expected(atemi, scenario):
    push = "forces: [{link: chest, force: [0, 60, 0], from: 1 s, until: 1.4 s}]\nduration: 3 s\n"
    firm, ice = (Answer(atemi("control", scenario(standing(push + ground)), "--json").json)
                 for ground in ("", "ground: {friction: 0.05}\n"))
    assert firm.largest_slide < 0.001 < 0.01 < ice.largest_slide


def test_a_hand_leans_on_a_rail_or_is_held(atemi, scenario):
    for hand in ("{link: left_hand, stands: true, point: [0, 0, 0]}", "left_hand"):
        text = STANDING.replace("left_foot, stands: true}]", f"left_foot, stands: true}}, {hand}]")
        answer = Answer(atemi("control", scenario(
            text + "tasks: [{do: nodes, at: 1 s, duration: 2 s, nodes: [{link: right_hand, "
            "by: [0.1, 0, 0.05]}]}]\nduration: 4 s\n"), "--json").json)
        assert answer.completed and answer.fell == 0 and answer.error < 0.001


@pytest.mark.parametrize("old, new, part", [
    ("right_foot, stands: true}", "chest, stands: true}", "holds[0]: 'chest' is no foot that was found"),
    ("left_foot", "right_foot", "holds[1]: 'right_foot' stands already"),
    ("{link: left_foot, stands: true}", "right_foot", "'right_foot' is held as well"),
    ("start: {posture: half_sitting}", "start: {joints: {right_ankle_pitch: 0.3}}",
     "the sole of 'right_foot' is tilted by 0.3 rad"),
    ("sensors", "gravity: [0, 0, 0]\nsensors", "a robot stands by its weight"),
    ("sensors", "offload: 0.5\nsensors", "leave offload out"),
    ("right_foot, stands: true}", "right_foot, stands: true, sole: [0.1, 0]}", "has one side"),
    ("right_foot, stands: true}", "right_foot, stands: true, normal: [0, 0, 0]}", "has no direction"),
])
def test_what_cannot_stand_is_said(atemi, scenario, old, new, part):
    assert old in STANDING
    result = atemi("control", scenario(STANDING.replace(old, new, 1)))
    assert result.code == 2 and part in result.err


PRESSING = STANDING + """\
surfaces: {wall: {kind: plane, position: [0.335, 0, 0], normal: [-1, 0, 0]}}
contacts:
  - {link: right_hand, surface: wall, compliance: {law: kelvin_voigt, stiffness: 10 kN/m, damping: 100}}
joints: [{of: all, natural_frequency: 20, damping_ratio: 1.2, velocity: 1}]
tasks:
  - {do: nodes, at: 1 s, duration: 2.5 s, nodes: [{link: right_hand, by: [0.2, 0, 0.15]}]}
  - do: nodes
    when: reached
    nodes: [{link: right_hand, by: [0.05, 0, 0], force: [20, 0, 0]}]
    force_travel: 0.3
    force_rate: 1e-3
duration: 12 s
"""


def test_a_robot_that_stands_presses_with_what_is_wanted(atemi, scenario, tmp_path):
    """Though its legs share what the hand feels: friction of the gears leaves some percent."""
    assert Answer(atemi("control", scenario(PRESSING), "--json", "--out", tmp_path / "run").json).fell == 0
    last = list(csv.DictReader((tmp_path / "run/recording.csv").open()))[-1]
    assert float(last["contact.right_hand.0.force_x [N]"]) == pytest.approx(-20, abs=1.2)


def test_a_robot_presses_no_harder_than_it_stands(atemi, scenario):
    hard = PRESSING.replace("force: [20, 0, 0]", "force: [90, 0, 0]").replace("1e-3", "5e-4")
    answer = Answer(atemi("control", scenario(hard), "--json").json)
    assert answer.outcome.endswith("would lose balance") and answer.fell == 0
    assert 30 < answer.largest_contact_force < 70


def test_a_robot_stands_on_one_foot_and_moves_the_other(atemi, scenario, tmp_path):
    """In the posture to which it goes with that foot held."""
    held = STANDING.replace(STANDING.split("\n")[3], "holds: [right_foot]") + (
        "tasks: [{do: nodes, at: 1 s, duration: 3 s, nodes: [{link: waist, by: [0, -0.095, 0]}, "
        "{link: left_foot, by: [0, 0, 0.06]}]}]\nduration: 5 s\n")
    assert Answer(atemi("control", scenario(held), "--json", "--out", tmp_path / "held").json).completed
    last = list(csv.DictReader((tmp_path / "held/recording.csv").open()))[-1]
    joints = {name[len("target."):].split(" ")[0]: value
              for name, value in last.items() if name.startswith("target.")}
    text = STANDING.replace("{posture: half_sitting}", "{joints: {%s}}" % ", ".join(
        f"{name}: {value}" for name, value in joints.items()))
    text = text.replace(", {link: left_foot, stands: true}", "") + (
        "tasks:\n"
        "  - {do: nodes, at: 1 s, duration: 2 s, nodes: [{link: left_hand, by: [0.1, 0, 0.1]}]}\n"
        "  - {do: nodes, when: reached, duration: 2 s, nodes: [{link: left_foot, by: [-0.1, 0, 0]}]}\n"
        "duration: 6 s\n")
    answer = Answer(atemi("control", scenario(text), "--json").json)
    assert answer.completed and answer.goals_reached == 2 and answer.error < 0.001
    assert answer.least_pressure_margin > 0.3 and answer.largest_slide < 0.001

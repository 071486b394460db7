# SPDX-License-Identifier: Apache-2.0

import csv
import json
import pathlib
import re

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
COMMANDS = SCENARIOS.parent / "docs/command.md"
RECORDINGS = SCENARIOS.parent / "docs/recordings.md"

SHORT = "steps: 6\n"


# ---- The shipped scenarios

@pytest.fixture
def shipped(atemi):
    def run(name):
        result = atemi("walk", SCENARIOS / f"{name}.yaml", "--json")
        assert (result.code, result.err) == (0, "")
        assert result.json["completed"]
        return {name: value["value"] for name, value in result.json["results"].items()}, result.json
    return run


def test_walk_is_that_of_the_paper(shipped):
    results, answer = shipped("walk")
    assert results["steps"] == 40 and results["slips"] == 0
    assert abs(results["step_length"] - 0.42) < 0.15 * 0.42
    assert abs(2 * results["step_period"] - 1.42) < 0.15 * 1.42
    assert answer["tables"]["slips"]["rows"] == []


def test_ice_is_crossed_with_slips_on_it(shipped):
    results, answer = shipped("ice")
    assert results["distance"] >= 10
    places = [row[1] for row in answer["tables"]["slips"]["rows"]]
    assert places and all(2.8 < place < 4.2 for place in places)


def test_shoves_are_stood_on_a_slope(shipped):
    results, _ = shipped("shove")
    assert results["steps"] == 40 and results["fell"] == 0


def test_stairs_are_climbed_and_come_down_from(shipped, atemi, tmp_path):
    results, _ = shipped("stairs")
    assert results["distance"] >= 4.6 and results["fell"] == 0
    atemi("walk", SCENARIOS / "stairs.yaml", "--out", tmp_path / "run")
    rows = list(csv.DictReader((tmp_path / "run/recording.csv").open()))
    standing = [row for row in rows if row["stride.phase [-]"] == "2" and row["stride.support [-]"] == "0"]
    for row in standing:
        toe, heel = (float(row[f"contact.right_{end}_left.position_x [m]"]) for end in ("front", "back"))
        assert stair(toe) == stair(heel)
    highest = max(float(row["contact.right_front_left.position_z [m]"]) for row in standing)
    assert abs(highest - 0.4) < 0.01


def stair(x):
    """Which tread of the shipped stairs is there."""
    return sum(x > 0.5 + 0.3 * i for i in range(5)) - sum(x > 2.7 + 0.3 * i for i in range(5))


# ---- Footsteps

FEET = """\
robot: hrp2_like
base: floating
faults: {ideal: true}
"""


def footsteps(*steps):
    return FEET + "stride:\n  footsteps:\n" + "".join(f"    - {{{step}}}\n" for step in steps)


def test_footsteps_are_walked_and_reported(atemi, scenario):
    text = footsteps("foot: left, place: [15 cm, 9.5 cm]", "foot: right, place: [30 cm, -9 cm], yaw: 5 deg",
                     "foot: left, place: [0.3, 0.1], time: 0.7 s")
    answer = atemi("walk", scenario(text), "--json").json
    results = {name: value["value"] for name, value in answer["results"].items()}
    assert answer["completed"] and results["footsteps"] == 3 and results["footstep_error"] < 0.01
    table = answer["tables"]["footsteps"]
    assert table["labels"] == ["left foot", "right foot", "left foot"]
    assert [row[:4] for row in table["rows"]] == [
        [0.15, 0.095, 0.0, 0.0], pytest.approx([0.3, -0.09, 0.0, 0.0872665]), pytest.approx([0.3, 0.1, 0.0, 0.0872665])]
    for row in table["rows"]:
        assert row[4:6] == pytest.approx(row[:2], abs=0.01) and row[7] == pytest.approx(row[3], abs=0.02)


def test_footsteps_are_as_high_as_the_floor_unless_they_say(atemi, scenario):
    floor = "surfaces: {floor: {kind: plane, position: [0, 0, 0.2]}}\n"
    text = footsteps("foot: left, place: [0.1, 0.095]", "foot: right, place: [0.1, -0.095]") + floor
    answer = atemi("walk", scenario(text), "--json").json
    assert answer["completed"] and [row[2] for row in answer["tables"]["footsteps"]["rows"]] == [0.2, 0.2]


@pytest.mark.parametrize("steps, line, message", [
    (["foot: left, place: [0.1, 0.1]", "foot: left, place: [0.2, 0.1]"], 7, "the right foot is next"),
    (["foot: left, place: [0.6, 0.1]"], 6, "is 0.6 m ahead of the sole before it, and a step is 0.48 m at most"),
    (["foot: left, place: [0.1, 0.0]"], 6, "narrowest"),
    (["foot: left, place: [0.1, 0.1]", "foot: right, place: [0.2, -0.1], height: 0.3"], 7, "above the sole before it"),
    (["foot: left, place: [0.1, 0.1], time: 0.1 s"], 6, "on both feet"),
    (["foot: left, place: [0.1, 0.1], yaw: 2"], 6, "turned by 2 rad"),
    (["place: [0.1, 0.1]"], 6, "foot: is missing"),
    (["foot: middle, place: [0.1, 0.1]"], 6, "right or left"),
])
def test_footsteps_out_of_reach_are_refused_with_their_line(refused, scenario, steps, line, message):
    path = scenario(footsteps(*steps))
    error = refused("walk", path)
    assert re.search(rf"{re.escape(str(path))}:{line}:\d+: stride.footsteps", error) and message in error


def test_a_walk_has_commands_or_footsteps(refused, scenario):
    text = footsteps("foot: left, place: [0.1, 0.1]") + "  commands: [{at: 1 s, walk: false}]\n"
    assert "either commands or footsteps" in refused("walk", scenario(text))


@pytest.mark.parametrize("text, key", [
    (footsteps("foot: left, place: [0.1, 0.1]") + "  forwards: 0.2\n", "stride.forwards"),
    (footsteps("foot: left, place: [0.1, 0.1]") + "steps: 3\n", "steps"),
    (FEET + "steps: 3\nstride: {correction: 0.1}\n", "stride.correction"),
    (FEET.replace("ideal: true", "localization: 1 cm") + "steps: 3\n", "faults.localization"),
])
def test_what_footsteps_leave_without_effect_is_warned_of(atemi, scenario, text, key):
    result = atemi("walk", scenario(text))
    assert result.code == 0 and f"{key}: has no effect" in result.err


# ---- Answers

def test_text_tells_way_floor_and_energy(atemi, scenario):
    result = atemi("walk", scenario(SHORT))
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("humanoid17: done at ")
    for word in "6 steps", "cost of transport", "Collisions of heels and toes", "sole stick, air":
        assert word in result.out
    assert all(line == line.rstrip() for line in result.out.splitlines())


def test_fall_exits_with_1(atemi, scenario):
    text = "forces: [{link: waist, force: [600, 0, 0], from: 1 s, until: 1.5 s}]\n"
    result = atemi("walk", scenario(text), "--json")
    assert result.code == 1 and result.err == ""
    assert "it was pushed" in result.json["outcome"] and not result.json["completed"]


def test_report_is_written(atemi, scenario, tmp_path):
    result = atemi("walk", scenario(SHORT), "--report", tmp_path / "walk.html")
    if result.code == 0:
        assert (tmp_path / "walk.html").stat().st_size > 10000
    else:
        assert "without" in result.err  # built without the page of reports


def test_figures_show_the_gait(atemi, scenario, tmp_path):
    atemi("walk", scenario(SHORT), "--out", tmp_path / "run")
    result = atemi("report", tmp_path / "run", "--figures", tmp_path / "figures")
    assert (result.code, result.err) == (0, "")
    picture = (tmp_path / "figures/gait.svg").read_text()
    for word in "left foot", "right foot", "air", "heel stick", "sole stick":
        assert f">{word}<" in picture


def test_recording_begins_at_the_start(atemi, scenario, tmp_path):
    atemi("walk", scenario(SHORT), "--out", tmp_path / "run")
    _, first, second = (tmp_path / "run/recording.csv").read_text().splitlines()[:3]
    assert [float(row.split(",")[0]) for row in (first, second)] == [0.0, 0.008]


def test_recording_names_its_columns_as_the_manual_does(atemi, scenario, tmp_path):
    atemi("walk", scenario(SHORT), "--out", tmp_path / "run")
    manual = RECORDINGS.read_text().split("\n### walk\n")[1].split("\n## ")[0]
    head = (tmp_path / "run/recording.csv").open().readline()
    for name in re.findall(r"(?:gait|walk)\.\w+", head):
        assert f"`{name}`" in manual, name


def test_states_are_text_or_a_picture(atemi):
    text = atemi("walk", "--states")
    assert (text.code, text.err) == (0, "") and "sole stick" in text.out
    picture = atemi("walk", "--states", "--svg")
    assert picture.code == 0 and picture.out.startswith("<") and "</svg>" in picture.out


# ---- Refusals

@pytest.mark.parametrize("text, line, message", [
    ("robot: humanoid71", 1, "did you mean 'humanoid17'?"),
    ("steps: 3\nfriction: 0.7 m", 2, "friction"),
    ("forces: [{link: waist, force: [0, 5, 0]}]", 1, "leave both out"),
    ("gait: {capture_gain: 0.5}", 1, "out of range"),
])
def test_errors_name_line_and_column(refused, scenario, text, line, message):
    path = scenario(text)
    error = refused("walk", path)
    assert re.search(rf"{re.escape(str(path))}:{line}:\d+: ", error) and message in error


def test_errors_of_usage(refused, scenario, tmp_path):
    assert "no_such.yaml" in refused("walk", "no_such.yaml")
    assert "SCENARIO.yaml is missing" in refused("walk")
    assert "--states" in refused("walk", "--svg")
    assert "nowhere" in refused("walk", scenario(SHORT), "--out", tmp_path / "nowhere/run")


def test_ctrl_c_keeps_what_was_walked(interrupted, scenario, tmp_path):
    code, out, err = interrupted("walk", scenario("steps: 30000\n"))
    assert code == 130 and err.startswith("warning: the recording will have about ")
    assert json.loads(out)["completed"] is False and json.loads(out)["rows"] > 1
    assert (tmp_path / "run/summary.json").exists()


# ---- The manual

def test_scenario_of_the_manual_runs(atemi, scenario, manual):
    result = atemi("walk", scenario(manual("walk").scenario), "--json")
    assert (result.code, result.err) == (0, "")


def test_manual_names_every_key(atemi, manual):
    parts = "patches", "forces", "gait", "record"
    assert manual("walk").unnamed(atemi("walk", "--explain").out, *parts) == []


def test_manual_names_every_result(atemi, scenario):
    manual = COMMANDS.read_text().split("\n## atemi walk")[1].split("\n## ")[0]
    for name in atemi("walk", scenario(SHORT), "--json").json["results"]:
        assert f"`{name}`" in manual, name

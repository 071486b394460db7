# SPDX-License-Identifier: Apache-2.0

import csv
import json
import os
import pathlib
import pty
import re
import subprocess
import time

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
SHIPPED = SCENARIOS / "strike.yaml"
TEXT = SHIPPED.read_text()

# Nothing but the speed of the hand is decided, at the posture where the search begins.
POSTURE = TEXT.partition("decide:")[2].partition("  speed:")[0]
FAR = (TEXT.partition("decide:")[0].replace("z: 0.7 m", "z: 3 m") + "decide:"
       + re.sub(r"\[([^,\]]+), [^\]]+\]", r"[\1]", POSTURE)
       + "  speed: [1, 0, 2]\nsearch: {iterations: 3}\n")

# Long enough to be interrupted on any machine.
ENDLESS = TEXT + "search: {starts: 10000}\n"


# ---- Answers

def test_shipped_scenario_stands_and_is_kept(atemi, tmp_path):
    folder = tmp_path / "run"
    result = atemi("strike", SHIPPED, "--json", "--out", folder)
    assert (result.code, result.err) == (0, "")
    answer = result.json
    assert answer["robot"] == "hrp2_like" and answer["completed"] is True
    results = {name: value["value"] for name, value in answer["results"].items()}
    assert results["peak_force"] == pytest.approx(300 * results["speed"])
    assert results["violation"] <= 1e-6 and results["stands"] == 1
    assert results["verified_lift_offs"] == results["verified_slips"] == 0
    assert answer["results"]["speed"]["unit"] == "m/s"
    assert set(answer["tables"]) - {"overlaps"} == {"reasons", "decided", "limits", "constraints",
                                                            "blow", "first_touch"}
    assert ("overlaps" in answer["tables"]) == (results["deepest_overlap"] > 0)
    assert (" cm into " in answer["outcome"]) == (results["deepest_overlap"] > 0)
    assert "the peak force is damping times speed for this contact law" in answer["outcome"]
    decided = answer["tables"]["decided"]
    assert [column["name"] for column in decided["columns"]] == ["value", "lower", "upper", "worth"]
    assert len(decided["labels"]) == len(decided["rows"]) == 22
    speed = decided["rows"][decided["labels"].index("speed of the hand")]
    assert speed[0] == results["speed"] and speed[2] is None
    assert all(row[3] > 0 for row in answer["tables"]["limits"]["rows"])
    assert set(answer["tables"]["limits"]["labels"]) <= set(answer["tables"]["constraints"]["labels"])
    blow = answer["tables"]["blow"]["rows"]
    assert blow[0][:2] == [0, pytest.approx(results["peak_force"])]
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["job"] == "strike" and summary["rows"] == answer["rows"] == 1401
    rows = list(csv.DictReader((folder / "recording.csv").open()))
    assert [float(rows[i]["t [s]"]) for i in (0, -1)] == pytest.approx([-0.7, 0.7])
    assert float(rows[0]["v.right_elbow [rad/s]"]) == pytest.approx(0, abs=1e-9)
    assert float(rows[702]["verify.force [N]"]) > 100


def test_text_tells_what_was_decided(atemi, scenario):
    result = atemi("strike", scenario(FAR))
    assert result.code == 1 and result.err == ""
    assert result.out.startswith("hrp2_like: no strike meets all constraints")
    assert re.search(r"\b0 of \d+ searches feasible", result.out)
    assert re.search(r"planning  [\d.]+ s, [\d.]+ ms an evaluation: posture .* solver \d+ %", result.out)
    assert "What was decided" in result.out and "speed of the hand" in result.out
    assert "What cannot be met together" in result.out
    assert re.search("; where the hand hits along z: [0-9.]+ m are missing", result.out)
    assert "verified" not in result.out and "FALLS" not in result.out
    assert all(line == line.rstrip() for line in result.out.splitlines())


# ---- Refusals and failures

def test_a_target_out_of_reach_exits_with_1(atemi, scenario, tmp_path):
    result = atemi("strike", scenario(FAR), "--json", "--out", tmp_path / "run")
    assert result.code == 1 and result.err == ""
    assert result.json["completed"] is False
    assert "no strike meets all constraints" in result.json["outcome"]
    assert result.json["results"]["verified_impulse"]["value"] is None
    assert (tmp_path / "run/summary.json").exists()


def test_a_posture_that_nothing_holds_exits_with_1(atemi, scenario):
    """Feet above the base: a blow of that posture may never end, which is no error of the scenario."""
    above = TEXT.replace("foot_z: [-0.30, -0.60, -0.30]", "foot_z: [0.3, 0.1, 0.6]")
    above = above.replace("[-35 deg, -75 deg, -15 deg]", "[-17.9 deg, -75 deg, -10 deg]")
    result = atemi("strike", scenario(above + "search: {iterations: 5}\n"), "--json")
    assert result.code == 1 and result.err == ""
    assert "no strike meets all constraints" in result.json["outcome"]


def test_without_speed_there_is_no_blow(atemi, scenario):
    result = atemi("strike", scenario(FAR.replace("speed: [1, 0, 2]", "speed: [0]")), "--json")
    assert result.code == 1 and result.err == ""
    assert result.json["tables"]["blow"]["rows"] == []


@pytest.mark.parametrize("old, new, message", [
    ("right_elbow:", "right_elbw:", "no joint 'right_elbw' (did you mean 'right_elbow'?)"),
    ("right_elbow:", "right_knee:", "'right_knee' is part of a leg"),
    ("speed: [2, 0, inf]", "hand_before: 0", "a phase of 0 s is too short"),
    ("speed: [2, 0, inf]", "third_foot_x: 0", "there is no such foot"),
    ("mass: 5 kg", "mass: 0", "target.mass: '0' is out of range; give from 1e-6 to 1e6 kg"),
    ("[right_sole, left_sole]", "[right_sole, right_sole]", "is listed twice"),
    ("speed: [2, 0, inf]", "speed: [2, 0]", "decide.speed: has two numbers"),
    ("speed: [2, 0, inf]", "speed: [2, 3, 0]", "is empty"),
    ("[right_sole, left_sole]", "[right_sole, left_foot]", "no site 'left_foot'"),
    ("[right_sole, left_sole]", "[right_fist]", "has no area"),
    ("feet: [right_sole, left_sole]", "sites: [{name: toe, link: rigt_foot}]\nfeet: [right_sole]",
     "sites[0].link: there is no link 'rigt_foot' (did you mean 'right_foot'?)"),
])
def test_errors_name_line_and_column(refused, scenario, old, new, message):
    path = scenario(TEXT.replace(old, new))
    line = TEXT[:TEXT.index(old)].count("\n") + 1
    error = refused("strike", path)
    assert re.search(rf"{re.escape(str(path))}:{line}:\d+: ", error) and message in error
    assert message in refused("strike", path, "--json")


def test_errors_of_usage(refused, scenario):
    assert "no_such.yaml" in refused("strike", "no_such.yaml")
    assert "SCENARIO.yaml is missing" in refused("strike")
    assert "give base: floating" in refused("strike", scenario(TEXT + "base: fixed\n"))


def test_folder_is_checked_before_the_run(refused, scenario, tmp_path):
    begin = time.monotonic()
    assert "nowhere" in refused("strike", scenario(ENDLESS), "--out", tmp_path / "nowhere/run")
    assert time.monotonic() - begin < 10


# ---- Interruption and pipes

def test_ctrl_c_keeps_the_best_until_then(interrupted, scenario, tmp_path):
    code, out, err = interrupted("strike", scenario(ENDLESS), seconds=2.0)
    assert (code, err) == (130, "")
    answer = json.loads(out)
    assert answer["outcome"].startswith("interrupted; the best so far: ")
    assert answer["completed"] is False and answer["rows"] == 1401
    assert 0 < answer["results"]["tries"]["value"] < 10000
    assert (tmp_path / "run/summary.json").exists()


def test_bar_tells_the_objective_and_the_worst_constraint(command, scenario):
    ours, theirs = pty.openpty()
    long_enough = FAR.replace("iterations: 3", "iterations: 3, starts: 200")
    process = subprocess.Popen([command, "strike", scenario(long_enough)],
                               stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:
        pass
    assert process.wait(timeout=600) == 1
    assert re.search(r"\r\[#* *\] +\d+ %  \S+ N, off by \S+: ", shown.decode())
    assert shown.endswith(b"\r")



def test_search_that_is_cut_short_has_stalled_and_fails(atemi, scenario):
    """What limits it is not said: harder blows are near."""
    kick = (SCENARIOS / "kick.yaml").read_text()
    result = atemi("strike", scenario(kick + "search: {starts: 1, patience: 0, iterations: 4}\n"),
                   "--json")
    assert result.code == 1
    assert "but the search stalled: limits do not hold it back" in result.json["outcome"]
    assert "limited by" not in result.json["outcome"]


# ---- The manual

def test_scenario_of_the_manual_runs(atemi, scenario, manual):
    result = atemi("strike", scenario(manual("strike").scenario), "--json")
    assert (result.code, result.err) == (0, "")


def test_manual_names_every_key(atemi, manual):
    parts = ("start", "hand", "hit", "decide", "objective", "constraints", "doubt", "search",
             "verify")
    assert manual("strike").unnamed(atemi("strike", "--explain").out, *parts) == []


# ---- Threads and a budget

BRIEF = TEXT + "search: {starts: 1, patience: 1, iterations: 30}\nverify: {run: false}\n"


def brief(text):
    return text.replace("verify:\n  friction: 1.0\n", "")


def test_threads_change_nothing(atemi):
    answers = [atemi("strike", "-", "--json", "--threads", count, stdin=brief(BRIEF)).json
               for count in ("1", "3")]
    assert answers[0]["results"] == answers[1]["results"]
    assert answers[0]["tables"] == answers[1]["tables"]


@pytest.mark.parametrize("count", ["0", "1.5", "many", "-1"])
def test_threads_are_a_whole_number(atemi, count):
    result = atemi("strike", SHIPPED, "--threads", count)
    assert result.code == 2
    assert "--threads" in result.err


def test_budget_that_is_spent_is_told(atemi):
    text = brief(BRIEF).replace("search: {starts: 1", "search: {budget: 1 ms, starts: 1")
    result = atemi("strike", "-", stdin=text)
    assert result.code == 1
    assert "search.budget of 0.001 s cut the search off" in result.out


def test_searches_that_are_spent_are_told(atemi):
    text = re.sub(r"^search: .*$", "search: {searches: 2}", brief(BRIEF), flags=re.M)
    result = atemi("strike", "-", "--threads", "2", stdin=text)
    assert "search.searches, 2, cut the search off" in result.out


def test_what_is_written_depends_on_no_clock(atemi, tmp_path):
    path = tmp_path / "punch.yaml"
    assert atemi("init", "strike", "hrp2_like", "--out", str(path)).code == 0
    search = next(line for line in path.read_text().splitlines() if line.startswith("search:"))
    assert "searches:" in search and "budget" not in search


# ---- Fingers

ROBOT = (SCENARIOS.parent / "robots" / "hrp2_like.urdf").read_text()


def finger(parent, name, place, friction):
    """A segment of 20 g on a hinge whose lower limit is zero."""
    return f"""<link name="{name}"><inertial><origin xyz="0.01 0 0"/><mass value="0.02"/>
<inertia ixx="2e-6" iyy="3e-6" izz="3e-6" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="{name}_joint" type="revolute"><parent link="{parent}"/><child link="{name}"/>
<origin xyz="{place}"/><axis xyz="0 1 0"/><limit lower="0" upper="1.5" effort="5" velocity="6"/>
{'<dynamics damping="0.05" friction="0.1"/>' if friction else ''}</joint>"""


def with_fingers(friction):
    """hrp2_like with 15 finger joints on each hand."""
    added = [finger(f"{side}_f{f}_{s - 1}" if s else f"{side}_hand", f"{side}_f{f}_{s}",
                    "0.02 0 0" if s else f"0 {0.01 * (f - 2)} 0", friction)
             for side in ("right", "left") for f in range(5) for s in range(3)]
    return ROBOT.replace("</robot>", "".join(added) + "</robot>")


# Locked joints have no part in the blow, so what brakes them costs nothing: the same searches with
# the same evaluations end at the same bits.
def test_friction_of_locked_fingers_changes_nothing(atemi, tmp_path):
    answers = []
    for friction in (False, True):
        (tmp_path / "fingers.urdf").write_text(with_fingers(friction))
        (tmp_path / "strike.yaml").write_text(
            brief(BRIEF).replace("patience: 1", "patience: 0")
            .replace("robot: hrp2_like", "robot: fingers.urdf\nbase: floating"))
        answers.append(atemi("strike", "strike.yaml", "--json", cwd=tmp_path).json)
        del answers[-1]["tables"]["first_touch"]  # what the servos and joints are, friction too
    assert answers[0]["results"]["peak_force"]["value"] > 100
    assert answers[0]["results"] == answers[1]["results"]
    assert answers[0]["tables"] == answers[1]["tables"]

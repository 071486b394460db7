# SPDX-License-Identifier: Apache-2.0

import csv
import json
import pathlib
import re
import time

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
IMPACTS = ["punch", "nail", "wall"]

PUNCH = (SCENARIOS / "punch.yaml").read_text().partition("sweep:")[0]

# Long enough to be interrupted on any machine.
ENDLESS = PUNCH + """full_dynamics: {run: true}
sweep:
  speeds: [%s]
  target_masses: [%s]
""" % ((", ".join(str(0.01 * (i + 1)) for i in range(100)),) * 2)


# ---- Answers

@pytest.mark.parametrize("name", IMPACTS)
def test_shipped_scenarios_run_and_are_explained(atemi, name):
    path = SCENARIOS / f"{name}.yaml"
    result = atemi("impact", path, "--explain")
    assert (result.code, result.err) == (0, "")
    assert re.search(r"^hand:", result.out, re.M)
    result = atemi("impact", path, "--full", "--sweep", "--json")
    assert (result.code, result.err) == (0, "")
    results = result.json["results"]
    assert abs(results["impulse_error"]["value"]) < 0.03
    assert results["full_lift_offs"]["value"] == 0


def test_json_has_results_and_tables(atemi):
    result = atemi("impact", SCENARIOS / "punch.yaml", "--full", "--sweep", "--json")
    assert (result.code, result.err) == (0, "")
    answer = result.json
    assert answer["robot"] == "hrp2_like" and answer["completed"] is True
    assert answer["results"]["virtual_mass"]["value"] == pytest.approx(6.0, abs=0.01)
    assert answer["results"]["virtual_mass"]["unit"] == "kg"
    assert set(answer["tables"]) == {"ways", "joints", "sweep", "first_touch"}
    ways = answer["tables"]["ways"]
    assert ways["labels"] == ["estimate", "as published", "virtual mass", "full dynamics"]
    names = [column["name"] for column in ways["columns"]]
    assert all(len(row) == len(names) for row in ways["rows"])
    assert ways["rows"][0][names.index("impulse")] == answer["results"]["impulse"]["value"]
    assert ways["rows"][0][names.index("lift-offs")] is None
    sweep = answer["tables"]["sweep"]
    assert sweep["labels"] == 3 * ["punch_4kg"] + 3 * ["punch_6kg"] + 3 * ["punch_8kg"]
    assert [row[0] for row in sweep["rows"]] == pytest.approx(3 * [0.4, 0.7, 1.0])


def test_json_is_the_same_again(atemi):
    first = atemi("impact", SCENARIOS / "punch.yaml", "--full", "--json").out
    assert atemi("impact", SCENARIOS / "punch.yaml", "--full", "--json").out == first


def test_text_is_short_and_tells_what_happened(atemi):
    result = atemi("impact", SCENARIOS / "punch.yaml")
    assert (result.code, result.err) == (0, "")
    assert re.match(r"hrp2_like: 4\.\d+ N s in \d+\.\d ms, at most 210 N\n", result.out)
    assert "kg of virtual mass at 0.7 m/s" in result.out and "inside the edge" in result.out
    assert "full dynamics" not in result.out
    assert len(result.out.splitlines()) < 15
    assert all(line == line.rstrip() for line in result.out.splitlines())
    assert "of full dynamics" in atemi("impact", SCENARIOS / "punch.yaml", "--full").out


def test_out_keeps_a_recording_and_report_a_page(atemi, tmp_path):
    folder, page = tmp_path / "run", tmp_path / "run.html"
    answer = atemi("impact", SCENARIOS / "punch.yaml", "--full", "--sweep", "--out", folder,
                   "--report", page, "--json").json
    assert (answer["recording"], answer["report"]) == (str(folder), str(page))
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["job"] == "impact" and summary["rows"] == answer["rows"]
    assert [table["name"] for table in summary["tables"]] == ["ways", "joints", "sweep",
                                                           "first_touch"]
    assert summary["tables"][2]["values"] == answer["tables"]["sweep"]["rows"]
    assert {name: result["value"] for name, result in answer["results"].items()} == \
        {name: result["value"] for name, result in summary["results"].items()}
    rows = list(csv.DictReader((folder / "recording.csv").open()))
    assert float(rows[0]["force.estimate [N]"]) == pytest.approx(210)
    assert float(rows[0]["force.full [N]"]) == pytest.approx(210)
    assert page.read_text().lstrip().lower().startswith("<!doctype html>")


def test_report_is_made_again_of_the_recording(atemi, tmp_path):
    atemi("impact", SCENARIOS / "wall.yaml", "--out", tmp_path / "run")
    result = atemi("report", tmp_path / "run", "--figures", tmp_path / "figures")
    assert (result.code, result.err) == (0, "")
    assert (tmp_path / "figures/strip.svg").exists()


def test_explanation_is_a_scenario_that_says_the_same(atemi, scenario):
    text = atemi("impact", SCENARIOS / "nail.yaml", "--explain").out
    again = atemi("impact", scenario(text), "--json").json
    first = atemi("impact", SCENARIOS / "nail.yaml", "--json").json
    assert again["results"] == first["results"]


# ---- Refusals and failures

def test_errors_name_line_and_column(refused, scenario):
    path = scenario("robot: hrp2_like\nhand: {site: right_fist, direction: [0, 0, 0]}\n")
    assert f"{path}:2:37: hand.direction: the direction has no length" in refused("impact", path)
    path = scenario("robot: hrp2_like\nspeed: 5\n")
    assert f"{path}:" in refused("impact", path, "--json")
    assert "no_such.yaml" in refused("impact", "no_such.yaml")
    assert "SCENARIO.yaml is missing" in refused("impact")
    assert "did you mean '--sweep'?" in refused("impact", path, "--swep")


def test_threads_are_of_a_sweep(atemi, refused):
    answers = [atemi("impact", SCENARIOS / "punch.yaml", "--sweep", "--threads", count, "--json").out
               for count in ("1", "3")]
    assert answers[0] == answers[1]
    assert "--threads is for --sweep" in refused("impact", SCENARIOS / "punch.yaml", "--threads", "2")
    assert "'0' is not" in refused("impact", SCENARIOS / "punch.yaml", "--sweep", "--threads", "0")


# It once took the command down: the key that is missing had no place.
def test_a_sweep_needs_its_key(refused, scenario):
    path = scenario(PUNCH)
    assert f"{path}:" in refused("impact", path, "--sweep")
    assert "no key 'sweep'" in refused("impact", path, "--sweep", "--json")


def test_a_hand_that_moves_away_exits_with_1(atemi, scenario, tmp_path):
    path = scenario(PUNCH.replace("0.7 m/s", "-0.7 m/s"))
    result = atemi("impact", path, "--full", "--json", "--out", tmp_path / "run")
    assert result.code == 1 and result.err == ""
    assert result.json["completed"] is False
    assert "moves away from the target at 0.7 m/s" in result.json["outcome"]
    assert result.json["results"]["impulse"]["value"] == 0
    assert (tmp_path / "run/summary.json").exists()
    assert atemi("impact", path).code == 1


# A link in contact is grounded: it has no freedom to strike.
def test_a_hand_without_freedom_exits_with_1(atemi, scenario):
    path = scenario(PUNCH.replace("site: right_fist", "site: right_sole"))
    result = atemi("impact", path)
    assert result.code == 1 and result.out == ""
    assert "cannot move along the direction of the blow" in result.err


def test_folder_is_checked_before_the_run(refused, scenario, tmp_path):
    begin = time.monotonic()
    path = scenario(ENDLESS)
    assert "nowhere" in refused("impact", path, "--sweep", "--out", tmp_path / "nowhere/run")
    assert "nowhere" in refused("impact", path, "--sweep", "--report", tmp_path / "nowhere/x.html")
    assert time.monotonic() - begin < 10


# ---- Interruption and pipes

def test_ctrl_c_keeps_the_cases_until_then(interrupted, scenario, tmp_path):
    code, out, err = interrupted("impact", scenario(ENDLESS), "--sweep", seconds=2.0)
    assert (code, err) == (130, "")
    answer = json.loads(out)
    assert answer["completed"] is False and answer["outcome"] == "the sweep was interrupted"
    assert 0 < len(answer["tables"]["sweep"]["rows"]) < 10000
    summary = json.loads((tmp_path / "run/summary.json").read_text())
    assert summary["outcome"] == answer["outcome"]


def test_ctrl_c_is_heard_in_full_dynamics(interrupted, scenario):
    text = PUNCH + "full_dynamics: {run: true, step: 1e-7 s}\nduration: 1 s\n"
    code, out, err = interrupted("impact", scenario(text))
    assert (code, err) == (130, "")
    answer = json.loads(out)
    assert answer["completed"] is False and answer["outcome"] == "interrupted in full dynamics"
    assert answer["results"]["full_impulse"]["value"] is None
    assert answer["results"]["impulse"]["value"] > 0




# ---- The manual

def test_scenario_of_the_manual_runs(atemi, scenario, manual):
    result = atemi("impact", scenario(manual("impact").scenario), "--sweep", "--json")
    assert (result.code, result.err) == (0, "")


def test_manual_names_every_key(atemi, manual):
    parts = "hand", "servo", "target", "grounding", "full_dynamics", "sweep"
    assert manual("impact").unnamed(atemi("impact", "--explain").out, *parts) == []

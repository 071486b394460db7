# SPDX-License-Identifier: Apache-2.0

import fnmatch
import json
import re
import signal
import subprocess
import sys
import time

import pytest
from conftest import COMMAND, ROOT, run

sys.path.insert(0, str(ROOT / "tests/machines"))
import accuracy  # noqa: E402
import answers  # noqa: E402

PAGE = ROOT / "docs/reproduction.md"
STATEMENTS = ROOT / "docs/statements.md"
KEYS = ["paper", "kind", "quantity", "printed", "ours", "difference", "unit", "bound", "tolerance",
        "ok"]
KINDS = ["predicted", "fitted", "identity", "input"]


@pytest.fixture(scope="module")
def ene():
    """The table, and the same as JSON."""
    return run("reproduce", "ene"), run("reproduce", "ene", "--json")


def test_every_number_of_ene_agrees(ene):
    _, answer = ene
    assert answer.code == 0 and answer.err == ""
    assert answer.json["papers"] == ["ene"] and answer.json["ok"] is True
    assert len(answer.json["rows"]) > 90
    for row in answer.json["rows"]:
        assert [key for key in row if key != "note"] == KEYS
        assert row["paper"] == "ene" and row["ok"] is True
        assert row["difference"] == row["ours"] - row["printed"]
        assert is_kept(row)


def is_kept(row):
    """What the verdict should be."""
    return {"equal": abs(row["difference"]) <= row["tolerance"], "at most": row["difference"] <= 0,
            "at least": row["difference"] >= 0}[row["bound"]]


def test_no_quantity_stands_there_twice(ene):
    quantities = [row["quantity"] for row in ene[1].json["rows"]]
    assert len(set(quantities)) == len(quantities)


def test_hand_stays_on_the_floor_in_all_four_figures(ene):
    """Without projection: 1 % of the reach of two and of three links of 0.5 m."""
    heights = [row for row in ene[1].json["rows"] if row["unit"] == "m"]
    assert [row["quantity"][:6] for row in heights] == ["Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6"]
    assert [row["printed"] for row in heights] == [0.01, 0.01, 0.015, 0.015]
    assert all(row["bound"] == "at most" for row in heights)


def test_table_shows_what_json_says(ene):
    table, answer = ene
    assert table.code == 0 and table.err == ""
    lines = table.out.splitlines()
    rows = answer.json["rows"]
    predicted = sum(row["kind"] == "predicted" for row in rows)
    assert lines[-1] == (f"{predicted} predicted, {predicted} within tolerance; "
                         f"{len(rows)} of {len(rows)} numbers in all")
    shown = [line for line in lines if line.startswith("  ") and not line.startswith("  [")]
    heads = [line for line in shown if line.split()[0] == "quantity"]
    assert {tuple(head.split()) for head in heads} == {
        ("quantity", "printed", "ours", "difference", "unit", "tolerance", "ok")}
    assert len(heads) == len({row["kind"] for row in rows})
    shown = [line for line in shown if line not in heads]
    assert len(shown) == len(rows)
    for line, row in zip(shown, rows):
        quantity, printed, ours, apart, unit, tolerance, ok = re.split(r"\s\s+", line.strip())
        assert (quantity, unit, ok[:2]) == (row["quantity"], row["unit"], "ok")
        assert float(printed) == pytest.approx(row["printed"], rel=1e-5)
        assert float(ours) == pytest.approx(row["ours"], rel=1e-5)
        assert float(apart) == pytest.approx(row["ours"] - row["printed"], rel=0.06, abs=1e-300)
        if row["bound"] == "equal":
            assert float(tolerance) == row["tolerance"]
        else:
            assert tolerance == row["bound"]
    assert all(line == line.rstrip() for line in lines)


def test_notes_stand_below_the_table_once(ene):
    table, answer = ene
    notes = dict(re.findall(r"^  \[(\d+)\] (.*)$", table.out, re.M))
    assert list(notes) == [str(i + 1) for i in range(len(notes))]
    assert len(set(notes.values())) == len(notes)
    lines = [line for line in table.out.splitlines() if re.search(r"  ok( \[\d+\])?$", line)]
    lines = [line for line in lines if not line.strip().startswith("quantity")]
    assert len(lines) == len(answer.json["rows"])
    for line, row in zip(lines, answer.json["rows"]):
        number = re.search(r"\[(\d+)\]$", line)
        assert (notes[number[1]] if number else None) == row.get("note")


def test_papers_are_listed(atemi):
    papers = atemi("reproduce", "--list", "--json").json["papers"]
    assert [sorted(paper) for paper in papers] == [["name", "title"]] * len(papers)
    table = atemi("reproduce", "--list")
    assert table.code == 0 and table.err == ""
    for paper in papers:
        assert re.search(rf"^  {paper['name']} +{re.escape(paper['title'])}$", table.out, re.M)


def test_wrong_usage_is_refused(refused):
    assert "did you mean 'ene'?" in refused("reproduce", "enr")
    assert "did you mean 'all'?" in refused("reproduce", "al", "--json")
    assert "'xyzzy'" in refused("reproduce", "xyzzy")
    assert "unexpected argument 'ene'" in refused("reproduce", "ene", "ene")
    assert "did you mean '--json'?" in refused("reproduce", "ene", "--jsn")


# ---- sdc

@pytest.fixture(scope="module")
def sdc(tmp_path_factory):
    """The answer, its page and its figures."""
    folder = tmp_path_factory.mktemp("sdc")
    answer = run("reproduce", "sdc", "--json", "--report", folder / "sdc.html", "--figures",
                 folder / "figures")
    return answer, folder


def test_sdc_agrees_but_for_impulses_of_its_estimate_in_posture_b(sdc):
    """Gains fitted to posture A alone predict C, and of B full dynamics: docs/reproduction.md."""
    answer, _ = sdc
    assert answer.err == "" and answer.code == 1
    assert len(answer.json["rows"]) == 132
    failed = {row["quantity"] for row in answer.json["rows"] if not row["ok"]}
    assert failed == {f"Table II: {what}" for what in (
        *(f"SDC's error of the impulse, {name}" for name in ("B-1", "B-2")),
        *(f"impulse by SDC, {name}" for name in ("B-1", "B-2", "B-3")))}


def test_rows_come_kind_by_kind_and_what_is_fitted_says_what(sdc):
    rows = sdc[0].json["rows"]
    kinds = [KINDS.index(row["kind"]) for row in rows]
    assert kinds == sorted(kinds)
    assert all(row["note"].startswith("fitted: ") for row in rows if row["kind"] == "fitted")


def test_sdc_draws_its_figures(sdc):
    _, folder = sdc
    names = {path.name for path in (folder / "figures").iterdir()}
    assert {f"table-sdc-{name}.svg" for name in ("fig3", "fig4", "fig7-C-1", "fig7-C-3")} <= names
    assert (folder / "sdc.html").read_text().lstrip().lower().startswith("<!doctype html>")


def test_places_of_page_and_figures_are_checked(refused, tmp_path):
    assert "nowhere" in refused("reproduce", "sdc", "--report", tmp_path / "nowhere/x.html")
    assert "nowhere" in refused("reproduce", "sdc", "--figures", tmp_path / "nowhere/x")


# ---- strike, and all papers

@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """The answer of all papers, and the figures."""
    folder = tmp_path_factory.mktemp("all")
    process = subprocess.run([COMMAND, "reproduce", "--json", "--figures", folder / "figures"],
                             capture_output=True, text=True, timeout=1800)
    return process, json.loads(process.stdout), folder / "figures"


def rows_of(answer, paper):
    return {row["quantity"]: row for row in answer["rows"] if row["paper"] == paper}


def test_all_is_every_paper(atemi, everything):
    process, answer, _ = everything
    names = [paper["name"] for paper in atemi("reproduce", "--list", "--json").json["papers"]]
    assert answer["papers"] == names
    assert {row["paper"] for row in answer["rows"]} == set(names)
    assert process.returncode == (0 if answer["ok"] else 1)


# Cells of a row of the page: quantity, printed, ours, difference, unit, tolerance, verdict. In the
# command's own tables, all but the first cell is ours.
ROW = re.compile(r"^\| (.*) \| (.*) \| (.*) \| (.*) \| (.*) \| (.*) \| (ok|\*\*FAILED\*\*)(.*) \|$",
                 re.M)
TABLE = re.compile(r"(?<=^<!-- table ).*?(?=^<!-- end -->$)", re.M | re.S)


def without_ours(page):
    page = ROW.sub(r"| \1 | \2 | | | \5 | \6 | \7\8 |", page)
    first_cells = re.compile(r"(?<=^\| )(.*?) \|.*\d.*$", re.M)
    return TABLE.sub(lambda match: first_cells.sub(r"\1", match[0]), page)


def test_page_is_what_the_command_says(everything, tmp_path):
    """atemi reproduce --json | tools/make_reproduction docs/reproduction.md writes it anew."""
    made = tmp_path / "reproduction.md"
    made.write_text(PAGE.read_text())
    subprocess.run([ROOT / "tools/make_reproduction", made], input=everything[0].stdout, text=True,
                   check=True)
    assert without_ours(made.read_text()) == without_ours(PAGE.read_text())


# Ours is another one with every compiler: the page is one of the machines whose answers agree as
# tests/machines/accuracy.toml promises. It prints four digits. Per cent of optima, each promised to a
# thousandth of itself, may differ by a tenth.
def test_page_shows_our_numbers(everything):
    cells, stated = ROW.findall(PAGE.read_text()), accuracy.Accuracy()
    assert len(cells) == len(everything[1]["rows"])
    for (quantity, _, ours, *_), row in zip(cells, everything[1]["rows"]):
        here = answers.rows(0, {"rows": [row]})[row["quantity"]]
        room = 5e-4 * abs(row["ours"]) + (0.1 if row["unit"] == "%" else 0.0)
        beyond = max(abs(float(ours) - row["ours"]) - room, 0.0)
        there = accuracy.Answer(row["ours"] + beyond, here.tolerance)
        name = f"reproduce/{row['paper']}/{row['quantity']}"
        verdict = stated.promise(name).judge(name, {"page": there, "here": here})
        assert verdict.is_kept, f"{quantity}: {verdict.words}"


def test_strike_reaches_the_papers_speed_and_force(everything):
    rows = rows_of(everything[1], "strike")
    for quantity in ("Table I: collision speed v_c", "Fig. 9: estimated peak force",
                     "Fig. 9: simulated peak force", "Fig. 9: simulated impulse",
                     "error of the estimated peak force", "error of the estimated impulse",
                     "eq. 14: largest violation of a constraint", "simulated: falls",
                     "with friction: falls"):
        assert rows[quantity]["ok"], quantity
    assert rows["Fig. 9: estimated peak force"]["printed"] == 734.9
    assert len(rows) == 45


# Nothing is chosen in them, and they miss: docs/reproduction.md.
def test_strike_tells_what_the_papers_own_starts_lead_to(everything):
    rows = rows_of(everything[1], "strike")
    begun = [row for quantity, row in rows.items() if ", from the paper's " in quantity]
    assert len(begun) == 8
    assert all(row["kind"] == "predicted" and row["ours"] > 0 for row in begun)
    assert {row["printed"] for row in begun} == {2.4, 734.9}


# docs/reproduction.md says which of them miss.
def test_strike_tells_feet_and_starts_whether_they_are_as_wanted_or_not(everything):
    rows = rows_of(everything[1], "strike")
    for quantity in ("20 starts: feasible ones", "with friction: lift-offs",
                     "with friction: slips"):
        row = rows[quantity]
        assert row["ok"] is is_kept(row)


# ---- The page of statements

def verdicts():
    """(paper, verdict, [pattern of rows]) of each statement."""
    found, paper = [], None
    for line in STATEMENTS.read_text().splitlines():
        if line.startswith("## "):
            paper = line[3:].lower()
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 4 and cells[0] != "where":
            found.append((paper, re.match(r"\w+", cells[3])[0], re.findall(r"`([^`]+)`", cells[3])))
    return found


def rows_on_the_page():
    """Whether each row that the page shows is ok, by paper and quantity."""
    parts = re.findall(r"<!-- rows of (\w+) -->(.*?)<!-- end -->", PAGE.read_text(), re.S)
    return {paper: {cells[0].replace("\\|", "|"): cells[6] == "ok" for cells in ROW.findall(text)}
            for paper, text in parts}


def predicted_on_the_page():
    """The quantities that are predicted, by paper."""
    parts = re.findall(r"<!-- rows of (\w+) -->(.*?)<!-- end -->", PAGE.read_text(), re.S)
    kinds = {paper: re.search(r"^\*\*Predicted\*\*(.*?)(?=^\*\*|\Z)", text, re.S | re.M)
             for paper, text in parts}
    return {paper: [cells[0].replace("\\|", "|") for cells in ROW.findall(found[1])]
            for paper, found in kinds.items()}


def test_statements_say_what_their_rows_say():
    rows = rows_on_the_page()
    assert len(verdicts()) > 200
    for paper, verdict, patterns in verdicts():
        oks = []
        for pattern in patterns:
            fits = [ok for quantity, ok in rows[paper].items() if fnmatch.fnmatchcase(quantity, pattern)]
            assert fits, f"{paper}: no row {pattern}"
            oks += fits
        assert verdict in ("yes", "no", "fitted", "input", "differs", "missing"), verdict
        if verdict == "no":
            assert oks and not all(oks), f"{paper}: {patterns}"
        elif verdict in ("yes", "fitted"):
            assert all(oks), f"{paper}: {patterns}"


def test_every_prediction_belongs_to_a_statement():
    patterns = {}
    for paper, _, found in verdicts():
        patterns.setdefault(paper, []).extend(found)
    for paper, rows in predicted_on_the_page().items():
        for quantity in rows:
            assert any(fnmatch.fnmatchcase(quantity, pattern) for pattern in patterns[paper]), quantity


def test_strike_draws_its_figures(everything):
    names = {path.name for path in everything[2].iterdir()}
    assert {f"table-strike-{name}.svg" for name in ("fig7-momentum", "fig7-angular", "fig9",
                                                    "fig10", "fig11-x", "fig11-y", "fig12-x",
                                                    "fig12-y")} <= names


# ---- r2

# The joints of the leg that carries the robot feel each other: docs/reproduction.md.
COUPLED = {f"4 rad/s and 1.2, a leg that carries 295 kg: {quantity}"
           for quantity in ("natural frequency", "damping ratio")}


def test_r2_does_what_the_paper_claims_but_for_the_leg_that_carries_it(everything):
    rows = rows_of(everything[1], "r2")
    assert {quantity for quantity, row in rows.items() if not row["ok"]} == COUPLED
    assert all(abs(rows[quantity]["ours"] / rows[quantity]["printed"] - 1) < 0.09 for quantity in COUPLED)
    assert len(rows) == 36
    assert rows["mass of the robot"]["ours"] > 290
    assert rows["reach: way of the gripper"]["ours"] > 1
    assert rows["reach: error at the end"]["printed"] == 10  # mm
    assert rows["reach: error at the end"]["bound"] == "at most"
    assert rows["yield: largest force on the person"]["ours"] > 5


def test_r2_draws_its_figures(everything):
    names = {path.name for path in everything[2].iterdir()}
    assert {f"table-r2-{name}.svg" for name in ("step-response", "carrier-response", "reach",
                                                "climb", "draw", "yield")} <= names


def test_ctrl_c_keeps_the_papers_until_then():
    process = subprocess.Popen([COMMAND, "reproduce", "strike", "--json"], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, err) == (130, "")
    assert json.loads(out) == {"papers": [], "rows": [], "ok": True, "tables": {}}

# SPDX-License-Identifier: Apache-2.0

import re

import pytest
from conftest import run

KEYS = ["paper", "quantity", "printed", "ours", "unit", "tolerance", "ok"]


@pytest.fixture
def ene(atemi):
    """The table, and the same as JSON."""
    return atemi("reproduce", "ene"), atemi("reproduce", "ene", "--json")


def test_every_number_of_ene_agrees(ene):
    _, answer = ene
    assert answer.code == 0 and answer.err == ""
    assert answer.json["papers"] == ["ene"] and answer.json["ok"] is True
    assert len(answer.json["rows"]) > 100
    for row in answer.json["rows"]:
        assert [key for key in row if key != "note"] == KEYS
        assert row["paper"] == "ene" and row["ok"] is True
        assert abs(row["ours"] - row["printed"]) <= row["tolerance"]


def test_no_quantity_stands_there_twice(ene):
    quantities = [row["quantity"] for row in ene[1].json["rows"]]
    assert len(set(quantities)) == len(quantities)


def test_hand_stays_on_the_floor_in_all_four_figures(ene):
    heights = [row for row in ene[1].json["rows"] if row["unit"] == "m"]
    assert [row["quantity"][:6] for row in heights] == ["Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6"]
    assert all(row["tolerance"] == 1e-9 for row in heights)


def test_table_shows_what_json_says(ene):
    table, answer = ene
    assert table.code == 0 and table.err == ""
    lines = table.out.splitlines()
    assert lines[1].split() == ["quantity", "printed", "ours", "unit", "tolerance", "ok"]
    assert lines[-1] == "{0} of {0} within tolerance".format(len(answer.json["rows"]))
    for line, row in zip(lines[2:], answer.json["rows"]):
        quantity, printed, ours, unit, tolerance, ok = re.split(r"\s\s+", line.strip())
        assert (quantity, unit, ok[:2]) == (row["quantity"], row["unit"], "ok")
        assert float(printed) == pytest.approx(row["printed"], rel=1e-5)
        assert float(ours) == pytest.approx(row["ours"], rel=1e-5)
        assert float(tolerance) == row["tolerance"]
    assert all(line == line.rstrip() for line in lines)


def test_notes_stand_below_the_table_once(ene):
    table, answer = ene
    notes = dict(re.findall(r"^  \[(\d+)\] (.*)$", table.out, re.M))
    assert list(notes) == [str(i + 1) for i in range(len(notes))]
    assert len(set(notes.values())) == len(notes)
    for line, row in zip(table.out.splitlines()[2:], answer.json["rows"]):
        number = re.search(r"\[(\d+)\]$", line)
        assert (notes[number[1]] if number else None) == row.get("note")


def test_without_a_paper_the_papers_are_listed(atemi):
    papers = atemi("reproduce", "--json").json["papers"]
    assert [sorted(paper) for paper in papers] == [["name", "title"]] * len(papers)
    table = atemi("reproduce")
    assert table.code == 0 and table.err == ""
    for paper in papers:
        assert re.search(rf"^  {paper['name']} +{re.escape(paper['title'])}$", table.out, re.M)


def test_all_is_every_paper(atemi):
    names = [paper["name"] for paper in atemi("reproduce", "--json").json["papers"]]
    answer = atemi("reproduce", "all", "--json")
    assert answer.code == 0
    assert answer.json["papers"] == names
    assert {row["paper"] for row in answer.json["rows"]} == set(names)


def test_wrong_usage_is_refused(refused):
    assert "did you mean 'ene'?" in refused("reproduce", "enr")
    assert "did you mean 'all'?" in refused("reproduce", "al", "--json")
    assert "'xyzzy'" in refused("reproduce", "xyzzy")
    assert "unexpected argument 'ene'" in refused("reproduce", "ene", "ene")
    assert "did you mean '--json'?" in refused("reproduce", "ene", "--jsn")


def test_help_is_narrow_and_says_what_codes_mean(atemi):
    result = atemi("reproduce", "--help")
    assert result.code == 0 and result.out.startswith("usage: atemi reproduce [PAPER]")
    assert max(map(len, result.out.splitlines())) <= 80 and result.out.isascii()
    assert "Exit code 1" in result.out


# ---- sdc

@pytest.fixture(scope="module")
def sdc(tmp_path_factory):
    """The answer, its page and its figures."""
    folder = tmp_path_factory.mktemp("sdc")
    answer = run("reproduce", "sdc", "--json", "--report", folder / "sdc.html", "--figures",
                 folder / "figures")
    return answer, folder


def test_every_number_of_sdc_agrees(sdc):
    answer, _ = sdc
    assert answer.err == ""
    assert [row["quantity"] for row in answer.json["rows"] if not row["ok"]] == []
    assert answer.code == 0 and len(answer.json["rows"]) == 86


def test_sdc_draws_its_figures(sdc):
    _, folder = sdc
    names = {path.name for path in (folder / "figures").iterdir()}
    assert {f"table-sdc-{name}.svg" for name in ("fig3", "fig4", "fig7-C-1", "fig7-C-3")} <= names
    assert (folder / "sdc.html").read_text().lstrip().lower().startswith("<!doctype html>")


def test_places_of_page_and_figures_are_checked(refused, tmp_path):
    assert "nowhere" in refused("reproduce", "sdc", "--report", tmp_path / "nowhere/x.html")
    assert "nowhere" in refused("reproduce", "sdc", "--figures", tmp_path / "nowhere/x")

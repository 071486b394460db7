# SPDX-License-Identifier: Apache-2.0

import pytest

# docs/robots.md; r2_like to all digits of its file
FIGURES = {
    "hrp2_like": (30, 36, 58.507, "floating"),
    "humanoid17": (16, 22, 64.2, "floating"),
    "r2_like": (32, 38, 213.05157, "floating"),
    "three_link": (3, 3, 3.0, "fixed"),
    "two_link": (2, 2, 2.0, "fixed"),
}


def test_json_lists_every_shipped_robot_with_its_figures(atemi):
    robots = {robot["name"]: robot for robot in atemi("robots", "--json").json["robots"]}
    assert set(robots) >= set(FIGURES)
    for name, (joints, nv, mass, base) in FIGURES.items():
        assert robots[name]["joints"] == joints
        assert robots[name]["nv"] == nv
        assert robots[name]["mass"] == pytest.approx(mass, abs=1e-9)
        assert robots[name]["base"] == base


def test_descriptions_are_those_of_the_files(atemi, robots):
    for robot in atemi("robots", "--json").json["robots"]:
        text = (robots / f"{robot['name']}.urdf").read_text()
        assert robot["description"]
        assert f"{robot['name']}: {robot['description']}" in text


def test_every_file_in_robots_is_listed(atemi, robots):
    names = [robot["name"] for robot in atemi("robots", "--json").json["robots"]]
    assert names == sorted(path.stem for path in robots.glob("*.urdf"))


def test_table_is_aligned_and_quiet(atemi):
    result = atemi("robots")
    assert result.code == 0 and result.err == ""
    lines = result.out.splitlines()
    column = lines[0].index("description")
    rows = [line for line in lines if line.strip().split(" ")[0] in FIGURES]
    assert len(rows) == len(FIGURES)
    assert all(row[column - 1] == " " and row[column] != " " for row in rows)
    assert all(line == line.rstrip() for line in lines)
    assert "\033" not in result.out


def test_files_of_the_same_name_are_no_shipped_robots(atemi, tmp_path):
    (tmp_path / "two_link").write_text("not a robot")
    assert atemi("robots", cwd=tmp_path).code == 0

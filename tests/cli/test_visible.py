# SPDX-License-Identifier: Apache-2.0
"""What people read holds no control characters and no marks of direction, whatever names hold."""

import re
import unicodedata

import pytest

# ESC and BEL cannot be in XML, nor in a scenario, but in names of files and in arguments.
CONTROLS = "\x1b[31m\x07\x08\x7f"
# CSI of eight bits, bidi marks, isolates, a joiner, a line separator, a byte order mark, a tag.
MARKS = "\u009b31m\u202e\u2066\u200f\u061c\u200d\u2028\ufeff\U000e0041"
ROBOT = """<?xml version="1.0" encoding="utf-8"?>
<robot name="{odd}"><link name="base{odd}"/>
<joint name="j{odd}" type="revolute"><parent link="base{odd}"/><child link="c{odd}"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="3"/></joint>
<link name="c{odd}"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


def check(text):
    """No character that Unicode calls a control, a format character or a separator of lines."""
    odd = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Co") and c != "\n"}
    assert not odd, sorted(map(hex, map(ord, odd)))


@pytest.fixture
def odd_robot(tmp_path):
    path = tmp_path / "odd.urdf"
    path.write_text(ROBOT.format(odd=MARKS), encoding="utf-8")
    return path


def test_tables_show_marks_as_escapes(atemi, odd_robot):
    result = atemi("info", odd_robot)
    assert result.code == 0, result.err
    check(result.out)
    check(result.err)
    assert r"\u009b31m\u202e\u2066\u200f\u061c\u200d\u2028\ufeff\U000e0041" in result.out


def test_columns_stay_aligned(atemi, odd_robot):
    lines = atemi("info", odd_robot).out.splitlines()
    heading = next(i for i, line in enumerate(lines) if re.match(r"\s+joint\s", line))
    row = next(line for line in lines[heading:] if "j\\u009b" in line)
    # 'type' begins at the same character in the heading and in the row, where it is "revolute".
    assert row.index("revolute") == lines[heading].index("type")


def test_json_has_the_names_as_they_are(atemi, odd_robot):
    assert atemi("info", odd_robot, "--json").json["name"] == MARKS


@pytest.mark.parametrize("odd", [CONTROLS, MARKS, "\udcff\udc9b"])
def test_names_of_files_and_arguments_in_errors(refused, tmp_path, odd):
    check(refused("info", tmp_path / f"{odd}.urdf"))
    check(refused("simulate", f"{odd}.yaml"))
    check(refused(f"nothing{odd}"))


def test_paths_of_results(atemi, tmp_path, scenario):
    folder = tmp_path / f"run{CONTROLS}{MARKS}"
    result = atemi("simulate", scenario("robot: two_link\nduration: 0.01\ncontacts: []\n"), "--out", folder)
    assert result.code == 0 and folder.is_dir()
    check(result.out)


def test_explained_scenario_with_escapes_is_the_same_scenario(atemi, tmp_path, scenario):
    text = ('robot: two_link\ncontacts: []\n'
            'sites: [{name: "a\\u202eb\\U000e0041 \\\\u202e", link: link1}]\n')
    first = atemi("simulate", scenario(text), "--explain")
    assert first.code == 0, first.err
    check(first.out)
    (tmp_path / "again.yaml").write_text(first.out)
    second = atemi("simulate", tmp_path / "again.yaml", "--explain")
    pick = re.compile(r"name: *(\S.*?) +#")
    assert pick.search(first.out)[1] == pick.search(second.out)[1] == r'"a\u202eb\U000e0041 \\u202e"'


def test_letters_of_all_scripts_stay(atemi, tmp_path):
    name = "膝関節 колено ركبة ♞ é e\u0301 😀"
    path = tmp_path / "letters.urdf"
    path.write_text(ROBOT.format(odd=name), encoding="utf-8")
    assert name in atemi("info", path).out

# SPDX-License-Identifier: Apache-2.0
"""atemi init: scenarios for any humanoid."""

import csv
import re

import pytest


def test_a_scenario_is_read_by_its_job(atemi, tmp_path):
    path = tmp_path / "punch.yaml"
    assert atemi("init", "strike", "hrp2_like", "--out", path).code == 0
    text = path.read_text()
    assert "feet: [right_sole, left_sole]" in text and "site: right_fist" in text
    explained = atemi("strike", path, "--explain")
    assert explained.code == 0 and explained.err == ""


def test_without_out_it_goes_to_stdout(atemi):
    result = atemi("init", "strike", "hrp2_like")
    assert result.code == 0 and result.out.startswith("# The hardest blow")
    assert "job: strike\nrobot: hrp2_like\n" in result.out


def test_json_has_the_same_text(atemi, tmp_path):
    path = tmp_path / "punch.yaml"
    made = atemi("init", "strike", "hrp2_like", "-o", path, "--json").json
    assert made == {"scenario": str(path), "text": path.read_text()}
    assert atemi("init", "strike", "hrp2_like", "--json").json["scenario"] is None


def test_what_is_given_is_written(atemi):
    text = atemi("init", "strike", "hrp2_like", "--sole", "0.2x0.1", "--target", "0.8,3",
                 "--feet", "left_foot,right_foot").out
    assert text.count("size: [0.2, 0.1]") == 2
    assert text == atemi("init", "strike", "--feet", "left_foot", "right_foot", "hrp2_like",
                         "--sole=0.2x0.1", "--target=0.8,3").out
    assert "hit: {z: 0.8 m" in text and "target: {mass: 3 kg" in text


def test_a_robot_beside_the_scenario_is_found_from_there(atemi, robots, tmp_path):
    (tmp_path / "robot.urdf").write_text((robots / "hrp2_like.urdf").read_text())
    (tmp_path / "deep").mkdir()
    assert atemi("init", "strike", "robot.urdf", "--out", "deep/punch.yaml", cwd=tmp_path).code == 0
    assert atemi("strike", "deep/punch.yaml", "--explain", cwd=tmp_path).code == 0
    assert "robot: ./robot.urdf" in re.sub('"', "", atemi("init", "strike", "robot.urdf",
                                                          cwd=tmp_path).out)


@pytest.mark.parametrize("job", ["strike", "walk", "control"])
def test_a_name_of_several_lines_adds_no_keys(atemi, robots, tmp_path, job):
    """The comment at the top has the robot's name, which ended the comment and went on with keys."""
    text = (robots / "hrp2_like.urdf").read_text()
    name = "odd&#10;unheard_of: 1&#x2028;more: 2"
    (tmp_path / "odd.urdf").write_text(text.replace('robot name="hrp2_like"', f'robot name="{name}"'))
    made = atemi("init", job, "odd.urdf", "--out", "odd.yaml", cwd=tmp_path)
    assert made.code == 0, made.err
    assert r"odd\x0aunheard_of: 1\u2028more: 2" in (tmp_path / "odd.yaml").read_text()
    assert atemi(job, "odd.yaml", "--explain", cwd=tmp_path).code == 0


def box_of_stl(x, y, z):
    """The corners of a box about the origin, as facets."""
    corners = [(a * x / 2, b * y / 2, c * z / 2) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    facets = (f"facet normal 0 0 0\nouter loop\n{''.join(corner)}endloop\nendfacet\n"
              for corner in zip(*[iter(f"vertex {a} {b} {c}\n" for a, b, c in corners + corners[:1])] * 3))
    return f"solid foot\n{''.join(facets)}endsolid foot\n"


def test_soles_come_from_meshes_where_there_are_no_shapes(atemi, robots, tmp_path):
    """The foot's box of the file, as a mesh."""
    text = re.sub(r"<atemi:site[^>]*/>", "", (robots / "hrp2_like.urdf").read_text())
    box = '<geometry><box size="0.24 0.14 0.04"/></geometry></collision>'
    assert text.count(box) == 2
    text = text.replace(box, '<geometry><mesh filename="foot.stl"/></geometry></collision>')
    (tmp_path / "robot.urdf").write_text(text)
    (tmp_path / "foot.stl").write_text(box_of_stl(0.24, 0.14, 0.04))
    made = atemi("init", "strike", "robot.urdf", cwd=tmp_path)
    assert made.code == 0, made.err
    assert "Soles from meshes" in made.out
    assert made.out.count("point: [0, 0, -0.105]\n    size: [0.24, 0.14]") == 2


@pytest.mark.parametrize("words, part", [
    (("strike", "hrp2_like", "--sole", "large"), "--sole 'large' is not a length and a width"),
    (("strike", "hrp2_like", "--target", "high"), "--target 'high' is not a height"),
    (("strike", "hrp2_like", "--feet", "left_foot"), "is not two names"),
    (("strike", "hrp2_like", "--hand", "right_fost"), "no link or site 'right_fost'"),
    (("strike", "two_link"), "neither legs nor an arm"),
    (("walk", "hrp2_like", "--hand", "right_fist"), "a scenario of walk has no use for --hand"),
    (("walk", "hrp2_like", "--target", "1"), "a scenario of walk has no use for --target"),
    (("simulate", "hrp2_like", "--sole", "0.2x0.1"), "a scenario of simulate has no use for --sole"),
    (("impact", "hrp2_like", "--target", "1"), "a scenario of impact has no use for --target"),
    (("impact", "two_link"), "neither legs nor an arm"),
    (("strik", "hrp2_like"), "there is no job 'strik' (did you mean 'strike'?)"),
    (("dance", "hrp2_like"), "there is no job 'dance'; 'atemi jobs' lists them"),
])
def test_what_is_wrong_is_said(atemi, words, part):
    result = atemi("init", *words)
    assert result.code == 2 and part in result.err, result.err


def pedestal_robot(effort):
    """Two arms of 4 joints and 0.6 m each on a heavy pedestal, which is the root of the file. Stretched
    out, an arm weighs 4 * 9.81 * 0.3 = 11.8 N m on its shoulder."""
    parts = ['<robot name="clerk">' + link("pedestal", 80, 0)]
    for side, y in (("right", -0.3), ("left", 0.3)):
        above = "pedestal"
        for i, (axis, x) in enumerate((("0 0 1", 0), ("0 1 0", 0), ("0 1 0", 0.3), ("0 0 1", 0.15))):
            name = f"{side}_{i}"
            place = f"0.2 {y} 0.4" if i == 0 else f"{x} 0 0"
            parts.append(link(name, 0.1 if i == 0 else 1.3, 0.15) +
                         f'<joint name="{name}" type="revolute"><parent link="{above}"/><child link="{name}"/>'
                         f'<origin xyz="{place}"/><axis xyz="{axis}"/>'
                         f'<limit effort="{effort}" velocity="3" lower="-2.5" upper="2.5"/></joint>')
            above = name
    return "".join(parts) + "</robot>"


def link(name, mass, x):
    return (f'<link name="{name}"><inertial><origin xyz="{x} 0 0"/><mass value="{mass}"/>'
            f'<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>')


def test_two_arms_on_a_pedestal_are_held_by_it(atemi, tmp_path):
    """They hung lowest, were taken for legs, and refused."""
    (tmp_path / "clerk.urdf").write_text(pedestal_robot(60))
    assert atemi("init", "control", "clerk.urdf", "--out", "reach.yaml", cwd=tmp_path).code == 0
    assert 'holds: ["pedestal"]' in (tmp_path / "reach.yaml").read_text()
    result = atemi("control", "reach.yaml", cwd=tmp_path)
    assert result.code == 0, result.out + result.err


def test_a_reach_is_one_whose_weight_is_borne(atemi, tmp_path):
    """With 60 N m it goes forwards; what bears four fifths of an arm near its body goes elsewhere, and
    reaches."""
    reaches = {}
    for effort in (60, 12):
        (tmp_path / "clerk.urdf").write_text(pedestal_robot(effort))
        assert atemi("init", "control", "clerk.urdf", "--out", "reach.yaml", cwd=tmp_path).code == 0
        reaches[effort] = re.search(r"by: (\[.*?\])", (tmp_path / "reach.yaml").read_text())[1]
        result = atemi("control", "reach.yaml", cwd=tmp_path)
        assert result.code == 0, result.out + result.err
    assert reaches[60] != reaches[12]


@pytest.mark.parametrize("robot", ["hrp2_like", "r2_like", "clerk.urdf"])
def test_an_impact_runs_as_it_is_written(atemi, tmp_path, robot):
    (tmp_path / "clerk.urdf").write_text(pedestal_robot(60))
    made = atemi("init", "impact", robot, "--out", "blow.yaml", cwd=tmp_path)
    assert made.code == 0, made.err
    result = atemi("impact", "blow.yaml", "--json", cwd=tmp_path)
    assert result.code == 0, result.err
    assert 0 < result.json["results"]["impulse"]["value"] < 100


@pytest.mark.parametrize("robot", ["hrp2_like", "r2_like", "two_link", "clerk.urdf"])
def test_a_simulation_runs_as_it_is_written(atemi, tmp_path, robot):
    """It stands, or is held: after 2 s it is within a hand's breadth of where it was."""
    (tmp_path / "clerk.urdf").write_text(pedestal_robot(60))
    made = atemi("init", "simulate", robot, "--out", "still.yaml", cwd=tmp_path)
    assert made.code == 0, made.err
    result = atemi("simulate", "still.yaml", "--out", "still", cwd=tmp_path)
    assert result.code == 0, result.out + result.err
    with (tmp_path / "still/recording.csv").open() as file:
        rows = list(csv.DictReader(file))
    if robot != "clerk.urdf":  # which has no shapes, and falls
        assert abs(float(rows[-1]["com.z [m]"]) - float(rows[0]["com.z [m]"])) < 0.1


def test_walk_of_legs_that_stop_short_names_the_joint(atemi, robots, tmp_path):
    text = (robots / "hrp2_like.urdf").read_text()
    head, tail = text.split('<joint name="left_ankle_pitch"', 1)
    tail = re.sub(r'lower="[^"]*"', 'lower="0"', tail, count=1)
    (tmp_path / "stiff.urdf").write_text(head + '<joint name="left_ankle_pitch"' + tail)
    result = atemi("init", "walk", "stiff.urdf", cwd=tmp_path)
    assert result.code == 2
    assert "'left_ankle_pitch' is at its limit" in result.err and "0.7 rad" in result.err


@pytest.mark.parametrize("robot", ["hrp2_like", "r2_like"])
def test_a_robot_stands_as_it_is_written(atemi, tmp_path, robot):
    path = tmp_path / "stand.yaml"
    assert atemi("init", "control", robot, "--stand", "--out", path).code == 0
    assert path.read_text().count("stands: true") == 2
    result = atemi("control", path, "--json")
    results = {name: value["value"] for name, value in result.json["results"].items()}
    assert result.code == 0 and results["goals_reached"] == 2 and results["fell"] == 0
    assert results["least_pressure_margin"] > 0.5 and results["largest_slide"] < 0.001


def test_standing_is_for_control_and_for_legs(atemi):
    refused = atemi("init", "strike", "hrp2_like", "--stand")
    assert refused.code == 2 and "has no use for --stand" in refused.err
    arm = atemi("init", "control", "clerk.urdf", "--stand")
    assert arm.code == 2

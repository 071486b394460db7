# SPDX-License-Identifier: Apache-2.0
"""atemi init: scenarios for robots that nobody has described."""

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
    assert "hit: {z: 0.8 m" in text and "target: {mass: 3 kg" in text


def test_a_robot_beside_the_scenario_is_found_from_there(atemi, robots, tmp_path):
    (tmp_path / "robot.urdf").write_text((robots / "hrp2_like.urdf").read_text())
    (tmp_path / "deep").mkdir()
    assert atemi("init", "strike", "robot.urdf", "--out", "deep/punch.yaml", cwd=tmp_path).code == 0
    assert atemi("strike", "deep/punch.yaml", "--explain", cwd=tmp_path).code == 0
    assert "robot: ./robot.urdf" in re.sub('"', "", atemi("init", "strike", "robot.urdf",
                                                          cwd=tmp_path).out)


@pytest.mark.parametrize("words, part", [
    (("strike", "hrp2_like", "--sole", "large"), "--sole 'large' is not a length and a width"),
    (("strike", "hrp2_like", "--target", "high"), "--target 'high' is not a height"),
    (("strike", "hrp2_like", "--feet", "left_foot"), "is not two names"),
    (("strike", "hrp2_like", "--hand", "right_fost"), "no link or site 'right_fost'"),
    (("strike", "three_link"), "stands on its feet"),
    (("simulate", "hrp2_like"), "no scenario can be written for the job 'simulate' yet"),
    (("strik", "hrp2_like"), "there is no job 'strik'"),
])
def test_what_is_wrong_is_said(atemi, words, part):
    result = atemi("init", *words)
    assert result.code == 2 and part in result.err, result.err

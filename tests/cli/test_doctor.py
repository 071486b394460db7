# SPDX-License-Identifier: Apache-2.0


def states(result):
    return {found["subject"]: found["state"] for found in result.json["findings"]}


def test_doctor_finds_the_robots_well(atemi):
    result = atemi("doctor", "--json")
    assert (result.code, result.err) == (0, "")
    assert states(result)["robots"] == "ok"
    assert result.json["version"] in atemi("--version").out


def test_what_is_missing_has_a_cure_and_is_no_failure(atemi, tmp_path):
    nothing = {"PATH": str(tmp_path), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    result = atemi("doctor", "--json", environment=nothing)
    assert result.code == 0
    assert states(result)["browser"] == states(result)["python"] == "missing"
    for found in result.json["findings"]:
        assert (found["cure"] is None) == (found["state"] == "ok")
    text = atemi("doctor", environment=nothing).out
    assert "pip install ./python" in text and "missing" in text


def test_a_browser_and_python_are_found_where_they_are(atemi, tmp_path):
    for name in "xdg-open", "python3":
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    found = states(atemi("doctor", "--json",
                         environment={"PATH": f"/none::{tmp_path}", "DISPLAY": ":0"}))
    assert found["browser"] == found["python"] == "ok"

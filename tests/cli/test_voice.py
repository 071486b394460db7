# SPDX-License-Identifier: Apache-2.0
"""All commands speak alike: the same options, words, forms of answers, errors and exit codes."""

import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import time

import pytest
from conftest import jobs, shipped_scenario

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = CHECKOUT / "scenarios"

# A short scenario of each job.
JOBS = {job: shipped_scenario(job) for job in jobs()}
COMMON = ["--out", "--report", "--figures", "--json", "--explain"]


# ---- Options

def options_of(text):
    """The options that a help names, each with its own lines."""
    listed = text.split("\noptions:\n")[1].split("\n\n")[0]
    return dict(re.findall(r"^  (?:-\w, )?(--[a-z-]+)(.*(?:\n {10,}.*)*)", listed, re.M))


def commands_of(text):
    return [name for name in re.findall(r"^  ([a-z]+) ", text.split("options:")[0], re.M)
            if name != "help"]


@pytest.mark.parametrize("job", JOBS)
def test_jobs_share_their_options_word_by_word(atemi, job):
    options = options_of(atemi(job, "--help").out)
    first = options_of(atemi("simulate", "--help").out)
    assert [name for name in options if name in COMMON] == COMMON
    assert {name: options[name] for name in COMMON} == {name: first[name] for name in COMMON}


def test_help_is_narrow_and_says_what_codes_mean(atemi):
    for name in commands_of(atemi("--help").out):
        result = atemi(name, "--help")
        assert result.code == 0 and result.out.startswith(f"usage: atemi {name}")
        assert max(map(len, result.out.splitlines())) <= 80 and result.out.isascii()
    for name in *JOBS, "reproduce":
        assert "130" in atemi(name, "--help").out


def values_of(explained):
    return [line.split("#")[0].rstrip() for line in explained.splitlines()]


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.yaml")), ids=lambda path: path.stem)
def test_explanation_is_a_scenario_that_says_the_same(atemi, path):
    first = atemi("run", path, "--explain")
    again = atemi("run", "-", "--explain", stdin=first.out, cwd=SCENARIOS)
    assert again.code == 0 and values_of(again.out) == values_of(first.out)


def test_json_is_offered_by_every_command(atemi):
    for name in commands_of(atemi("--help").out):
        assert "--json" in options_of(atemi(name, "--help").out), name


def test_out_has_a_letter(atemi, tmp_path):
    for name in *JOBS, "report":
        assert re.search(r"^  -o, --out ", atemi(name, "--help").out, re.M)
    made = atemi("simulate", SCENARIOS / "slide.yaml", "-o", tmp_path / "run", "--json")
    assert made.json["recording"] == str(tmp_path / "run")
    assert (tmp_path / "run/summary.json").exists()


def test_what_an_option_would_be_ignored_with_is_refused(refused, tmp_path):
    for job in JOBS:
        for extra in ["--json"], ["--out", tmp_path / "run"], ["--report", tmp_path / "a.html"]:
            assert "--explain runs nothing" in refused(job, "--explain", *extra)
    for extra in ["--json"], [SCENARIOS / "walk.yaml"], ["--explain"]:
        assert "--states walks nowhere" in refused("walk", "--states", *extra)
    assert list(tmp_path.iterdir()) == []


def test_manual_has_every_option_in_the_section_of_its_command(atemi):
    sections = re.split(r"^## ", (CHECKOUT / "docs/command.md").read_text(), flags=re.M)
    robots = next(section for section in sections if section.startswith("Robots"))
    for name in commands_of(atemi("--help").out):
        section = next(section for section in sections if section.startswith(f"atemi {name}"))
        shared = robots if name in ("info", "joint", "eval", "export") else ""
        for option in set(options_of(atemi(name, "--help").out)) - {"--help"}:
            assert re.search(rf"{option}\b", section + shared), (name, option)


# ---- Answers

@pytest.mark.parametrize("job", JOBS)
def test_answers_have_one_form(atemi, job, tmp_path):
    path = SCENARIOS / JOBS[job]
    result = atemi(job, path, "--out", tmp_path / "run", "--report", tmp_path / "run.html",
                   "--figures", tmp_path / "figures")
    assert (result.code, result.err) == (0, "")
    heading, verdict, *lines = result.out.split("\n\n")[0].splitlines()
    assert re.match(r"[a-z0-9_]+: \S", heading)
    assert re.match(r"\S.*\w\.$", verdict)
    assert lines[0].startswith("  time      ")
    assert all(re.match(r"  (\w+ +|  +)", line) and line[11] == " " != line[12] for line in lines)
    assert result.out.endswith(f"\n\n  recording {tmp_path}/run\n  report    {tmp_path}/run.html\n"
                               f"  figures   {tmp_path}/figures\n")
    assert (tmp_path / "figures/strip.svg").exists()


@pytest.mark.parametrize("job", JOBS)
def test_json_answers_have_the_same_keys(once, job):
    answer = once(job, SCENARIOS / JOBS[job], "--json").json
    assert set(answer) - {"final"} == {"scenario", "robot", "base", "outcome", "verdict",
                                       "completed", "warnings", "rows", "results", "tables", "recording",
                                       "report", "figures"}
    assert answer["recording"] is answer["report"] is answer["figures"] is None
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in answer["results"])


def test_zmp_on_the_edge_is_not_outside_by_rounding(atemi):
    text = atemi("simulate", SCENARIOS / "fall.yaml").out
    assert re.search(r"^  ZMP       0 mm inside the edge", text, re.M)


# ---- Files of another kind

@pytest.mark.parametrize("job", JOBS)
def test_scenario_of_another_job_is_told(refused, job):
    for other, file in JOBS.items():
        if other != job:
            for extra in [], ["--explain"]:
                message = refused(job, SCENARIOS / file, *extra)
                assert re.match(rf"error: {SCENARIOS / file}:\d+:6: job: the scenario is for the job "
                                rf"{other}, not for {job}; run 'atemi {other}'", message)


# Without the key, slide.yaml is one of control as well: no job can be told.
@pytest.mark.parametrize("job", sorted({*JOBS} - {"simulate"}))
def test_scenario_without_the_key_job_is_told_by_its_keys(refused, scenario, job):
    path = scenario((SCENARIOS / JOBS[job]).read_text().replace(f"job: {job}\n", ""))
    for other in sorted({*JOBS} - {job}):
        assert refused(other, path).endswith(
            f"; its keys are those of the job {job}: run 'atemi {job}'\n")


def test_run_goes_by_the_key_job_or_by_the_keys(atemi, refused, scenario):
    told = atemi("run", SCENARIOS / "punch.yaml", "--explain").out
    assert told.startswith("job: impact ") and told == atemi(
        "impact", SCENARIOS / "punch.yaml", "--explain").out
    keys = "robot: two_link\ncontacts: []\n"
    assert atemi("run", scenario("job: simulate\n" + keys)).code == 0
    assert atemi("run", scenario(keys + "torques: []\n")).code == 0
    assert atemi("run", "-", stdin=keys + "torques: []\n").code == 0
    path = scenario(keys)
    several = f"{path}:1:1: 2 jobs take this scenario, among them simulate and control; " \
              "say which by a line such as 'job: simulate'"
    assert several in refused("run", path) and several in refused(path)
    path = scenario(keys + "hop: 3\n")
    assert f"{path}:3:1: no job takes this scenario; the nearest is simulate, which has no key " \
           "'hop'" in refused("run", path)
    path = scenario("contacts: []\ntorques: []\n")
    assert "nearest is simulate, which also needs the key 'robot'" in refused("run", path)
    path = scenario("job: simulat\n" + keys)
    assert f"{path}:1:6: job: 'simulat' is not known here (did you mean 'simulate'?)" in \
        refused("run", path)


def test_run_needs_a_scenario(refused):
    for extra in [], ["--explain"]:
        assert "SCENARIO.yaml is missing; see 'atemi run --help'" in refused("run", *extra)


def test_registry_says_what_jobs_do_and_what_codes_mean(atemi):
    listed = atemi("jobs", "--json").json["jobs"]
    text, first = atemi("jobs").out, atemi("--help").out
    for job in listed:
        assert re.search(rf"^  {job['name']} +{re.escape(job['summary'])}$", text, re.M)
        assert re.search(rf"^  {job['name']} +{re.escape(job['summary'])}$", first, re.M)
        told = atemi(job["name"], "--help").out
        assert all(f"--{flag}" in told for flag in job["flags"])
        assert f"The exit code is 1 if\n{job['exit_codes']['1']}\n" in told
    columns = {column["name"]: column for column in listed[0]["columns"]}
    assert columns["contact.NAME.mode"]["labels"] == ["open", "stick", "slip", "surface", "soft"]
    assert columns["energy.kinetic"]["unit"] == "J"


# The page has a list of its own, by the numbers in recordings; plots carry theirs.
def test_page_and_plots_call_labels_as_the_registry_does(atemi, scenario, tmp_path):
    text = (CHECKOUT / "viewer/src/contacts.ts").read_text()
    listed = re.findall(r'"([a-z]+)"', re.search(r"const modeNames = \[(.*?)\]", text, re.S)[1])
    walk, = (job for job in atemi("jobs", "--json").json["jobs"] if job["name"] == "walk")
    labels = {column["name"]: column["labels"] for column in walk["columns"]}
    assert listed == labels["contact.NAME.mode"]
    atemi("walk", scenario("steps: 1\n"), "--out", tmp_path / "run")
    plots = json.loads((tmp_path / "run/summary.json").read_text())["plots"]
    drawn = {column["name"]: plot["states"] for plot in plots if "states" in plot
             for column in plot["columns"]}
    assert drawn["contact.*.mode"] == labels["contact.NAME.mode"]
    for name in "gait.left", "gait.right", "gait.support":
        assert drawn[name] == labels[name]


# The columns that a recording has are those that the registry declares, and no others.
@pytest.mark.parametrize("job", sorted({*JOBS} - {"strike"}))
def test_registry_declares_the_columns_of_recordings(atemi, job, tmp_path):
    about, = (about for about in atemi("jobs", "--json").json["jobs"] if about["name"] == job)
    atemi("run", SCENARIOS / JOBS[job], "--out", tmp_path / "run")
    with open(tmp_path / "run/recording.csv", encoding="utf-8") as file:
        named = [re.sub(r" \[.*", "", cell) for cell in file.readline().strip().split(",")]
    patterns = [re.escape(column["name"]).replace("NAME", ".+").replace("_x,\\ _y,\\ _z", "_[xyz]")
                for column in about["columns"]]
    for name in named:
        assert any(re.fullmatch(pattern, name) for pattern in patterns), name


def test_mistake_in_the_right_scenario_is_not_blamed_on_the_job(refused, scenario):
    text = (SCENARIOS / "strike.yaml").read_text().replace("feet:", "foots:")
    assert "its keys are those" not in refused("strike", scenario(text))
    text = re.sub(r"^sweep:\n(?: .*\n)*", "", (SCENARIOS / "punch.yaml").read_text(), flags=re.M)
    message = refused("impact", scenario(text), "--sweep")
    assert "has no key 'sweep'" in message and "its keys are those" not in message


@pytest.mark.parametrize("job, file", {**JOBS, "simulate": "fall.yaml"}.items())
def test_scenario_comes_from_standard_input_too(atemi, refused, job, file):
    text = (SCENARIOS / file).read_text()
    piped = atemi(job, "-", "--explain", stdin=text)
    assert (piped.code, piped.err) == (0, "")
    assert piped.out == atemi(job, SCENARIOS / file, "--explain").out
    assert "error: standard input:1:1: " in refused(job, "-", stdin="nonsense: 1\n" + text)


def test_paths_in_a_scenario_without_a_folder_are_from_the_current_one(atemi, command):
    text = (SCENARIOS / "bounce.yaml").read_text()
    assert "robots/ball.urdf" in text
    assert atemi("simulate", "-", "--json", stdin=text, cwd=SCENARIOS).json["completed"] is True
    line = '"$1" simulate <(cat bounce.yaml) --json'
    assert subprocess.run(["bash", "-c", line, "bash", command], capture_output=True,
                          cwd=SCENARIOS, check=False).returncode == 0


def test_scenario_from_a_pipe_is_read_once(command):
    script = f'timeout 200 "$1" walk <(cat {SCENARIOS}/strike.yaml)'
    result = subprocess.run(["bash", "-c", script, "bash", command], capture_output=True, text=True)
    assert result.returncode == 2 and "its keys are those" not in result.stderr


def test_urdf_and_scenario_are_told_from_each_other(refused, robots):
    strike = SCENARIOS / "strike.yaml"
    assert refused("info", strike) == \
        f"error: {strike}: this is no URDF but a scenario; 'atemi strike' takes it\n"
    assert refused(strike) == \
        f"error: {strike}: this is a scenario and no command; run 'atemi strike {strike}'\n"
    for job in JOBS:
        assert "robot: FILE.urdf for a URDF" in refused(job, robots / "two_link.urdf")


# The base is not given, so the job looks at the robot before it loads it.
def test_what_is_odd_about_a_robot_is_said_once(atemi, tmp_path):
    (tmp_path / "odd.urdf").write_text(
        '<robot name="odd"><link name="body"><inertial><mass value="1"/>'
        '<inertia ixx="9" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>')
    (tmp_path / "odd.yaml").write_text("robot: odd.urdf\nduration: 0.01\n")
    result = atemi("simulate", "odd.yaml", cwd=tmp_path)
    assert result.code == 0 and result.err.count("no body has the principal moments") == 1


def test_folder_is_no_robot_unless_one_is_shipped_by_its_name(atemi, refused, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "two_link").mkdir()
    assert "error: mine: this is a folder" in refused("info", "mine", cwd=tmp_path)
    assert atemi("info", "two_link", cwd=tmp_path).code == 0


def test_page_should_have_the_name_of_one(atemi, refused, tmp_path):
    slide = SCENARIOS / "slide.yaml"
    atemi("simulate", slide, "--out", tmp_path / "run")
    for name in "page.txt", "page.pdf", "./page":
        for arguments in ["simulate", slide, "--report", name], ["report", "run", "--out", name]:
            said = refused(*arguments, cwd=tmp_path)
            assert said == f"error: {name}: this is to be a page; let its name end with .html\n"
            assert not (tmp_path / name).exists()
    assert "this is no page" in refused("view", slide)
    for name in "page.html", "page.HTM":
        result = atemi("report", "run", "-o", name, cwd=tmp_path)
        assert (result.out, result.err) == (f"{name}\n", "")
    piped = atemi("report", "run", "-o", "/dev/stdout", cwd=tmp_path)
    assert piped.out.lower().startswith("<!doctype html>") and piped.err == ""


def test_places_are_checked_before_the_run_and_named_as_given(refused, tmp_path):
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/note.txt").write_text("mine")
    for job, file in JOBS.items():
        for option, place, why in [("--out", "taken", "this folder holds other files and no recording"),
                                   ("--figures", "taken/note.txt/x", "a part of the path"),
                                   ("--figures", "none/figures", "its parent folder does not exist"),
                                   ("--report", "none/a.html", "its parent folder does not exist")]:
            message = refused(job, SCENARIOS / file, option, place, cwd=tmp_path)
            assert message.startswith(f"error: {place}: {why}")


# The answer is there all the same.
def test_answer_is_shown_where_its_files_cannot_be_written(atemi, scenario, tmp_path):
    scenario("<robot name='x'><link name='world'/><joint name='j' type='continuous'>"
             "<parent link='world'/><child link='a'/><axis xyz='1 0 0'/></joint>"
             "<link name='a'><inertial><mass value='1'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' "
             "iyz='0' izz='0'/></inertial></link></robot>", "x.urdf")
    result = atemi("simulate", scenario("robot: x.urdf\n"), "--figures", tmp_path / "f", "--json")
    assert result.code == 1 and "nothing to draw" in result.err
    assert result.json["figures"] is None and result.json["outcome"].startswith("failed at 0 s")


def test_full_disk_fails_the_job(atemi, tmp_path):
    slide = SCENARIOS / "slide.yaml"
    first = atemi("simulate", slide, "--out", tmp_path / "run", "--report", "/dev/full", "--json")
    second = atemi("report", tmp_path / "run", "--out", "/dev/full")
    assert first.code == second.code == 1
    assert first.err == second.err and "the disk is full; free some space" in first.err
    assert first.json["report"] is None and first.json["recording"] == str(tmp_path / "run")


# ---- Terminals

class Terminal:
    """Runs the command with stdout and stderr on a terminal; Ctrl-C after some seconds, if any."""

    def __init__(self, command, *arguments, interrupt_after=None, environment=None):
        pid, self.descriptor = pty.fork()
        if pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execve(command, [command, *map(str, arguments)],
                      {**os.environ, "TERM": "xterm", **(environment or {})})
        if interrupt_after:
            time.sleep(interrupt_after)
            os.write(self.descriptor, b"\x03")
        self.text = self.read()
        self.code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def read(self):
        text = b""
        try:
            while part := os.read(self.descriptor, 65536):
                text += part
        except OSError:
            pass
        os.close(self.descriptor)
        return text.decode()


def test_headings_are_bold_and_errors_red_on_terminals_that_want_it(command):
    assert "\033[1mtwo_link\033[0m\r\n" in Terminal(command, "info", "two_link").text
    assert "\033[1;31merror:\033[0m " in Terminal(command, "info", "nobody").text
    for refusal in {"NO_COLOR": "1"}, {"TERM": "dumb"}:
        for arguments in ["info", "two_link"], ["info", "nobody"], ["doctor"]:
            assert "\033" not in Terminal(command, *arguments, environment=refusal).text


# Long enough to be interrupted on any machine.
ENDLESS = {
    "simulate": "robot: hrp2_like\ncontacts: []\nduration: 1e5 s\nrecord: {every: 1000 s}\n",
    "walk": "steps: 5000\n",
}


@pytest.mark.parametrize("job", ["simulate", "strike", "control", "walk"])
def test_terminal_shows_a_bar_and_ctrl_c_keeps_what_there_is(command, job, scenario, tmp_path):
    path = scenario(ENDLESS[job]) if job in ENDLESS else \
        SCENARIOS / {"strike": "strike.yaml", "control": "climb.yaml"}[job]
    shown = Terminal(command, job, path, "--out", tmp_path / "run", interrupt_after=1.0)
    assert shown.code == 130
    assert re.search(r"\r\[#* *\] +\d+ %", shown.text)
    assert "interrupted" in shown.text
    assert shown.text.endswith(f"  recording {tmp_path}/run\r\n")
    assert (tmp_path / "run/summary.json").exists()


def test_reproduction_is_interrupted_like_a_job(command):
    shown = Terminal(command, "reproduce", interrupt_after=1.0)
    assert shown.code == 130 and re.search(r"\r\[#* *\] +\d+ %", shown.text)
    assert "interrupted; " in shown.text


# ---- Numbers

def test_numbers_have_points_in_every_language(atemi):
    german = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    for arguments in ["info", "two_link"], ["impact", SCENARIOS / "punch.yaml", "--json"]:
        assert atemi(*arguments, environment=german).out == atemi(*arguments).out

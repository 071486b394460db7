# SPDX-License-Identifier: Apache-2.0
"""The blocks of the pages: every one says what it is, and commands, scenarios, robots, messages and
programs do what the page says, in a folder with the sources. Python of the README and of
docs/python.md is for python/tests/test_docs.py, C for tests/consumer/check, and equations are for
tests/site."""

import pathlib
import re
import subprocess
import sys

import pytest
from conftest import jobs

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [path.relative_to(CHECKOUT).as_posix() for pattern in
         ("README.md", "CONTRIBUTING.md", "python/README.md", "examples/*.md", "docs/**/*.md")
         for path in sorted(CHECKOUT.glob(pattern))]

# Languages of blocks that only some pages have, since something reads them there. "text" is what
# is printed, or the form of it.
READ = {"python": {"README.md", "python/README.md", "docs/python.md", "docs/recordings.md",
                   "docs/tutorials/impact_map.md", "docs/tutorials/cluster.md"},
        "c": {"README.md", "docs/tutorials/hardware.md"},
        "math": {page for page in PAGES if page.startswith("docs/theory/")},
        "yaml": {"docs/guide.md", "docs/scenarios.md"},
        "xml": {"docs/urdf.md"}}

# Blocks of commands that are not run here, by their beginnings, and why.
NOT_RUN = {"./run ": "installs and builds; tests/long/fresh runs it on a bare Debian",
           "pip install ./python": "./test begins the tests of the package with it",
           "cc -std=c17": "the examples are built and run by tests/CMakeLists.txt and "
                          "python/tests/test_examples.py, with pkg-config by tests/consumer/check",
           "atemi reproduce   ": "takes two minutes, and test_reproduce.py runs it",
           "./test  ": "is what runs this",
           "cmake --build": "./test does that",
           "objdump -p": "tests/consumer/check looks at that name",
           "bench": "measures, for minutes",
           "cp bench/page_opening.yaml": "needs TALOS, and measures",
           "tests/long/": "takes minutes or hours",
           "tools/": "./test does what is the same and takes less",
           "atemi export hrp2_like --out my_robot.urdf\ncc ": "tests/consumer/check builds and runs it"}

# Blocks whose strikes are read and explained, but not planned, and why.
EXPLAINED = {"atemi strike my_strike.yaml --report my_strike.html --out": "docs/guide.md runs this strike",
             "sed 's/mass: 5.2 kg": "and another one would say no more",
             "cp my_strike.yaml sure.yaml": "takes a minute; tests/jobs/strike has strikes in doubt"}

# Code that stands in blocks of text, by its beginning, and why. That of docs/python_reference.md is of
# docstrings, which python/tests/test_docs.py runs.
SHOWN = {"atemi_biped_create": "the form of three calls; tools/check_links knows the names",
         "atemi_whole_body_begin": "the form of six calls; tools/check_links knows the names",
         "find_package(atemi": "tests/consumer/CMakeLists.txt has these lines",
         "client = dask": "needs a cluster; python/tests/test_sweep.py has one of processes, and MPI",
         '<script type="application/json"': "the form of a page's elements"}
CODE = re.compile(r"\batemi_\w+\(|\batemi\.\w+\(|^find_package|^import |^ *<\w+ ", re.M)

# What the commands of a page leave behind.
LEFT = {"docs/guide.md": ["strike.html", "figures/strip.svg"],
        "docs/tutorials/walk_on_ice.md": ["ice.html", "my_walk.html"],
        "docs/command.md": ["nail.html", "run1.html", "figures/strip.svg"]}


def blocks(page, language=None):
    found = re.findall(r"^```(.*)\n((?:.*\n)*?)```$", (CHECKOUT / page).read_text(), re.M)
    return [text for name, text in found if name == language] if language else found


def commands(page):
    scripts = [script for script in blocks(page, "sh")
               if not any(script.startswith(beginning) for beginning in NOT_RUN)]
    return [re.sub(r"^(atemi strike \S+).*", r"\1 --explain", script, flags=re.M)
            if any(script.startswith(beginning) for beginning in EXPLAINED) else script
            for script in scripts]


@pytest.fixture
def shell(command, tmp_path, tmp_path_factory):
    """Runs a script with the command on the path, where new files go to a folder of the test: beside
    the sources, or in an empty one."""
    tools = tmp_path_factory.mktemp("bin")
    (tools / "atemi").symlink_to(command)

    def run(script, empty=False):
        path = f"PATH={tools}:$PATH\nset -euo pipefail\n"
        for link in () if empty else ("robots", "scenarios", "examples", "build/release/atemi"):
            (tmp_path / link).parent.mkdir(parents=True, exist_ok=True)
            if not (tmp_path / link).exists():
                (tmp_path / link).symlink_to(command if link.endswith("atemi") else CHECKOUT / link)
        return subprocess.run(["bash", "-c", path + script], cwd=tmp_path, text=True,
                              capture_output=True)
    return run


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_of_a_kind_that_is_read(page):
    for language, text in blocks(page):
        assert language in ("sh", "text") or page in READ.get(language, ()), text


@pytest.mark.parametrize("page", [page for page in PAGES if "python_reference" not in page])
def test_code_that_is_only_shown_is_known(page):
    for text in blocks(page, "text"):
        assert not CODE.search(text) or text.startswith(tuple(SHOWN)), text


@pytest.mark.parametrize("page", PAGES)
def test_blocks_are_fenced(page):
    """What is indented by four columns below a blank line would be one without a kind."""
    text = re.sub(r"^```.*?^```$", "", (CHECKOUT / page).read_text(), flags=re.M | re.S)
    assert not re.findall(r"(?:^|\n\n|^#.*\n) {4,}[^ \n]", text)


def test_blocks_that_are_not_run_are_there():
    scripts = [script for page in PAGES for script in blocks(page, "sh")]
    texts = [text for page in PAGES for text in blocks(page, "text")]
    for beginning in NOT_RUN | EXPLAINED:
        assert any(script.startswith(beginning) for script in scripts), beginning
    for beginning in SHOWN:
        assert any(text.startswith(beginning) for text in texts), beginning


@pytest.mark.parametrize("page", PAGES)
def test_tools_that_are_not_run_are_there(page):
    for script in set(blocks(page, "sh")) - set(commands(page)):
        for tool in re.findall(r"^(?:[A-Z]+=\S* )?((?:bench|tests|tools)/\S+)", script, re.M):
            assert (CHECKOUT / tool).exists(), tool


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)])
def test_commands_of_the_page_work(page, shell, tmp_path):
    """Those of tutorials need nothing but the command, as a newcomer has it."""
    for script in commands(page):
        result = shell(script, empty=page.startswith("docs/tutorials/"))
        assert result.returncode == 0, script + result.stderr
        assert "error" not in result.stderr
    for name in LEFT.get(page, ()):
        assert (tmp_path / name).stat().st_size > 1e4


# ---- Scenarios

def test_keys_are_those_of_the_command(command, tmp_path):
    """tools/make_scenario_keys COMMAND docs/scenario_keys.md writes the page anew."""
    made = tmp_path / "scenario_keys.md"
    subprocess.run([CHECKOUT / "tools/make_scenario_keys", command, made], check=True)
    assert made.read_text() == (CHECKOUT / "docs/scenario_keys.md").read_text()


def test_every_number_has_bounds_and_a_reason_for_them():
    """Counts are bounded by memory, and say so by themselves."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]]
            for line in (CHECKOUT / "docs/scenario_keys.md").read_text().splitlines()
            if line.startswith("| `")]
    numbers = [row for row in rows if "number" in row[1] and not row[1].startswith("whole")]
    assert len(numbers) > 150
    for key, _, _, bounds, reason, *_ in numbers:
        assert re.match(r"(0, or )?from -?[\d.e-]+ to [\d.e-]+(, or inf)?$", bounds), key
        assert len(reason.split()) > 2, key


def defaults_of_keys():
    """The default of each key that has a number for one, in SI units, by the key's last name."""
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]]
            for line in (CHECKOUT / "docs/scenario_keys.md").read_text().splitlines()
            if line.startswith("| `")]
    found = {}
    for key, *_, default, _ in rows:
        if re.fullmatch(r"-?[\d.]+(e-?\d+)?", default):
            found.setdefault(key.rpartition(".")[2], set()).add(float(default))
    return found


SCALES = {"mm": 1e-3, "cm": 1e-2, "ms": 1e-3, "%": 1e-2}


def rounds_to(value, number, scale=1):
    """Whether a value is what a page says, to as many digits as the page has."""
    digits = len(number.partition(".")[2])
    return abs(value - float(number) * scale) <= 0.5001 * scale * 10**-digits


@pytest.mark.parametrize("page", [page for page in PAGES if "theory" in page])
def test_defaults_that_the_page_names_are_those_of_the_keys(page):
    """Written as `key`, NUMBER UNIT."""
    known = defaults_of_keys()
    text = re.sub(r"\s+", " ", (CHECKOUT / page).read_text())
    for key, number, unit in re.findall(r"`(?:\w+\.)?(\w+)`, (-?[\d.]*\d) ?([a-z%]*)", text):
        if key in known:
            assert any(rounds_to(value, number, SCALES.get(unit, 1)) for value in known[key]), key


# What the table at the top of a theory page says. biped.md is on its own.
ROWS = ["computes", "from", "assumes", "exact", "code", "tests"]


@pytest.mark.parametrize("page", [page for page in PAGES if "theory" in page and "biped" not in page])
def test_the_page_says_what_from_what_and_where(page):
    text = (CHECKOUT / page).read_text()
    rows = dict(re.findall(r"^\| (\w+) \| (.*) \|$", text[:text.index("\n## ")], re.M))
    assert [row for row in rows if row in ROWS] == ROWS
    for place in re.findall(r"(?<![\w/.-])(?:src|tests|papers)/[\w/.]*\w", f'{rows["code"]} {rows["tests"]}'):
        assert (CHECKOUT / place).exists(), place


# Rows of walk.md's table of gains: the words, and the keys of their numbers.
GAINS = {"step length, period": ["step_length", "step_period"],
         "capture gain k": ["capture_gain"],
         "double support": ["double_support"],
         "last change of the foothold": ["last_change"],
         "pressure's travel": ["pressure_travel"],
         "part of the friction felt": ["felt_part", "forgetting"],
         "hips over ankles": ["hip_height"],
         "sole, foot": ["sole_rate", "foot_rate"],
         "clearance, landing speed": ["clearance", "landing_speed"],
         "waist, head": ["trunk_rate", "head_rate"],
         "toe up on landing, heel up on leaving": ["heel_strike", "push_off"],
         "joints, arms": ["joint_rate", "arm_rate"]}


def test_gains_of_the_walk_are_its_defaults(atemi):
    page = (CHECKOUT / "docs/theory/walk.md").read_text()
    known = dict(re.findall(r"^  (\w+): (-?[\d.e-]+)", atemi("walk", "--explain").out, re.M))
    for words, keys in GAINS.items():
        cell, = re.findall(rf"\| {re.escape(words)} \| ([^|]*) \|", page)
        for number, key in zip(re.findall(r"\d+\.?\d*", cell), keys, strict=True):
            assert rounds_to(float(known[key]), number), key


def test_every_key_is_in_the_page(atemi):
    page = (CHECKOUT / "docs/scenario_keys.md").read_text()
    for job in jobs():
        lines = atemi(job, "--explain").out.splitlines()
        top = [match[1] for line in lines if (match := re.match(r"(?:# )?(\w+):", line))]
        assert len(top) > 8
        for key in top:
            assert f"| `{key}` |" in page, key


def test_sites_of_the_guide_are_on_the_robot(shell, tmp_path):
    (tmp_path / "my_robot.urdf").write_text((CHECKOUT / "robots/hrp2_like.urdf").read_text())
    scenario, = blocks("docs/guide.md", "yaml")
    (tmp_path / "sites.yaml").write_text(scenario)
    result = shell("atemi simulate sites.yaml --explain")
    assert result.returncode == 0, result.stderr
    assert "name: my_sole" in result.stdout


def scenarios_of_the_manual():
    """Those that are whole, and the one whose sweep stands in a block of its own."""
    texts = blocks("docs/scenarios.md", "yaml")
    whole = [text for text in texts if text.startswith("job:")]
    impact, = (text for text in whole if text.startswith("job: impact"))
    sweep, = (text for text in texts if text.startswith("sweep:"))
    return [*whole, impact[:impact.index("sweep:")] + sweep]


@pytest.mark.parametrize("index", range(len(scenarios_of_the_manual())))
def test_scenarios_of_the_manual_run(index, shell, tmp_path):
    text = scenarios_of_the_manual()[index]
    (tmp_path / "manual.yaml").write_text(text)
    job = re.match(r"job: (\w+)", text)[1]
    result = shell(f"atemi {job} manual.yaml {'--sweep' * ('sweep:' in text)}", empty=True)
    assert result.returncode == 0, result.stdout + result.stderr


# The first scenario of the page; with these changes it is wrong, as the page says.
SLIPS = [("500 ms  ", "5 kg    "), ("friction: 0.6", "friction: -0.5"),
         ("friction: 0.6", "frction: 0.6"), ("kind: servo, ", ""),
         ("- {kind: servo, stiffness: {others: 200, right_knee: 800}}", "- stiff"),
         ("start:\n", "start: &posture\n")]


@pytest.fixture
def explained(shell, tmp_path):
    def explain(old="", new=""):
        scenario = blocks("docs/scenarios.md", "yaml")[0]
        assert old in scenario
        (tmp_path / "punch.yaml").write_text(scenario.replace(old, new) if old else scenario)
        return shell("atemi simulate punch.yaml --explain")
    return explain


def test_explanation_of_the_manual_is_the_commands(explained):
    result = explained()
    assert result.returncode == 0, result.stderr
    for line in blocks("docs/scenarios.md", "yaml")[1].splitlines():
        assert line in result.stdout.splitlines()


def test_messages_of_the_manual_are_the_commands(explained):
    messages = blocks("docs/scenarios.md", "text")[0].splitlines()
    assert [explained(*slip).stderr for slip in SLIPS] == [f"error: {line}\n" for line in messages]


# ---- Robots

def test_robot_of_the_manual_has_what_is_said_of_it(atemi, tmp_path):
    path = tmp_path / "example.urdf"
    path.write_text(blocks("docs/urdf.md", "xml")[0])
    answer = atemi("info", path, "--json").json
    assert [site["name"] for site in answer["sites"]] == ["sole"]
    assert answer["postures"].keys() == {"bent"}
    assert answer["joints"][0]["armature"] == 0.02


ARM = """<robot name="arm">
  <link name="base"/>
  <link name="arm"><inertial>
    <mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0 0.3"/><limit lower="-1.5" upper="1.5"/></joint>
</robot>
"""
BREAKS = [('value="1"', 'value="-1"'), ("0 0 0.3", "0 0.3"),
          ('lower="-1.5" upper="1.5"', 'lower="1.5" upper="-1.5"'),
          ("</inertial></link>", "</inertial></joint>")]


def without_place(message):
    return re.sub(r"^(?:\S+:)?\d+:\d+: |line \d+", "", message)


def test_messages_about_robots_are_the_commands(refused, tmp_path):
    messages = blocks("docs/urdf.md", "text")[0].splitlines()
    assert len(messages) == len(BREAKS)
    for message, (old, new) in zip(messages, BREAKS):
        path = tmp_path / "arm.urdf"
        path.write_text(ARM.replace(old, new))
        said = refused("info", path).strip().rpartition(f"{path}:")[2]
        assert without_place(said) == without_place(message)


# ---- Recordings

def test_python_of_the_manual_reads_a_recording(shell, tmp_path):
    program, = blocks("docs/recordings.md", "python")
    assert shell("atemi simulate scenarios/bounce.yaml --out run1").returncode == 0
    result = subprocess.run([sys.executable, "-c", program + "\nprint(len(rows), time[-1], lost)"],
                            cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert float(result.stdout.split()[1]) > 0

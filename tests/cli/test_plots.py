# SPDX-License-Identifier: Apache-2.0
"""The page and the figures of a recording draw the plots that its summary describes, and nothing
else: the same titles, axes, units and lines, in the same order. The oracle reads summary.json and
recording.csv by itself. That the browser draws what the page holds: viewer/test/reports.mjs."""

import collections
import csv
import json
import pathlib
import re
import shutil
import xml.etree.ElementTree as xml

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"

# Nothing but the speed of the hand is decided, which is quick; nothing is verified. A verified
# strike is among the reports of viewer/test/reports.mjs.
STRIKE = (SCENARIOS / "strike.yaml").read_text()
POSTURE = STRIKE.partition("decide:")[2].partition("  speed:")[0]
STRIKE = (STRIKE.partition("decide:")[0] + "decide:"
          + re.sub(r"\[([^,\]]+), [^\]]+\]", r"[\1]", POSTURE)
          + "  speed: [1, 0, 2]\nsearch: {iterations: 3}\n")

JOBS = {"simulate": "robot: hrp2_like\nstart: {posture: half_sitting, place_on: floor}\n"
                    "contacts: [{site: right_sole}, {site: left_sole}]\nduration: 50 ms\n",
        "impact": (SCENARIOS / "punch.yaml").read_text(),
        "strike": STRIKE,
        "walk": "steps: 2\n",
        "control": re.sub(r"^duration:.*", "duration: 0.2 s", (SCENARIOS / "yield.yaml").read_text(),
                          flags=re.M)}


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    return tmp_path_factory.mktemp("plots"), {}


@pytest.fixture(params=JOBS)
def recorded(request, recordings, atemi):
    """The folder of a recording of each shipped job."""
    home, made = recordings
    job = request.param
    if job not in made:
        path = home / f"{job}.yaml"
        path.write_text(JOBS[job])
        result = atemi(job, path, "--out", home / job)
        assert result.code in (0, 1), result.err
        made[job] = home / job
    return made[job]


# ---- What the summary says

def fits(pattern, name):
    """What '*' stands for, or what is behind the dot; None where the name does not fit."""
    found = re.fullmatch(re.escape(pattern).replace(r"\*", "(.+)", 1), name, re.S)
    if not found:
        return None
    return found[1] if "*" in pattern else name.partition(".")[2] or name


def labelled(plot, name):
    wanted = [{**entry, "name": entry["name"].removeprefix("~")}
              for entry in plot.get("columns", []) if not entry["name"].startswith("!")]
    banned = [entry["name"][1:] for entry in plot.get("columns", []) if entry["name"][0] == "!"]
    if any(fits(pattern, name) is not None for pattern in banned):
        return None
    for place, entry in enumerate(wanted):
        label = fits(entry["name"], name)
        if label is not None:
            return place, entry.get("label", label)
    return None


def shown_unit(plot, unit):
    """Angles are shown in degrees, and what is compared with limits in % of them."""
    return "%" if plot.get("of_limits") else {"rad": "°", "rad/s": "°/s"}.get(unit, unit)


def expected(folder):
    """Each plot that the summary describes and the columns have: figure, title, axis, unit, kind,
    and the labels of its lines with their columns."""
    summary = json.loads((folder / "summary.json").read_text())
    with (folder / "recording.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    known = [any(row[i] for row in rows) for i in range(len(summary["columns"]))]
    moves = [any(float(row[i] or 0) for row in rows) for i in range(len(summary["columns"]))]
    plots = []
    for plot in summary["plots"]:
        head = [plot[key] for key in ("figure", "title", "axis")]
        if plot["kind"].endswith("forces"):
            if any(is_known and re.match(r"contact\..*\.force_z$", column["name"])
                   for column, is_known in zip(summary["columns"], known)):
                plots.append([*head, "N", plot["kind"], []])
            continue
        lines = []
        for index, column in enumerate(summary["columns"]):
            has = moves[index] if plot.get("skips_zero") else known[index]
            label = labelled(plot, column["name"]) if index and has else None
            if label and plot.get("unit", column["unit"]) == column["unit"]:
                lines.append((label[0], index, label[1], column["unit"]))
        if "band" in plot and not any(summary["columns"][index]["group"] == "zmp"
                                      for _, index, *_ in lines):
            continue  # the support is drawn beside a ZMP
        lines.sort()
        for unit in dict.fromkeys(unit for *_, unit in lines):
            chosen = [(label, index) for _, index, label, one in lines if one == unit]
            plots.append([*head, shown_unit(plot, unit), plot["kind"], chosen])
    return plots


def with_unit(axis, unit):
    return axis if unit == "-" else f"{axis} [{unit}]"


# ---- What is drawn

def page_plots(path):
    text = re.search(r'id="atemi-report">(.*?)</script>', path.read_text(), re.S)[1]
    return [[plot["figure"], plot["title"], plot["axis"], plot["unit"], plot["kind"],
             [(line["label"], line["column"]) for line in plot["lines"]]]
            for plot in json.loads(text)["plots"]]


def texts_of(svg):
    """Titles, and all texts."""
    texts = xml.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}text")
    found = [(text.get("class") == "title", "".join(text.itertext())) for text in texts]
    return [text for is_title, text in found if is_title], [text for _, text in found]


def check_figures(plots, folder):
    figures = dict.fromkeys(figure for figure, *_ in plots)
    drawn = {path.stem for path in folder.glob("*.svg")}
    assert {name for name in drawn if not re.match("strip|motion|zmp|table", name)} == set(figures)
    for figure in figures:
        titles, texts = texts_of(folder / f"{figure}.svg")
        inside = [plot for plot in plots if plot[0] == figure]
        wanted = [title for i, (_, title, *_) in enumerate(inside)
                  if i == 0 or title != inside[i - 1][1] or inside[i][4] == "states"]
        assert titles == wanted, figure
        places = [-1]
        for _, title, axis, unit, kind, _ in inside:
            head = title if kind == "states" else with_unit(axis, unit)
            places.append(texts.index(head, places[-1] + 1))
        for (*_, kind, lines), begin, end in zip(inside, places[1:], [*places[2:], None]):
            # A joint's position and its command share a label.
            labels = collections.Counter(label for label, _ in lines)
            shown = sum(min(count, texts[begin + 1:end].count(label))
                        for label, count in labels.items())
            assert shown == min(len(lines), 40 if kind == "states" else 8), figure


def draw(atemi, folder, target):
    result = atemi("report", folder, "-o", target.with_suffix(".html"), "--figures", target)
    assert result.code == 0, result.err
    return page_plots(target.with_suffix(".html"))


def test_page_and_figures_draw_the_plots_of_the_summary(atemi, has_page, recorded, tmp_path):
    plots = expected(recorded)
    assert len(plots) >= 6
    assert draw(atemi, recorded, tmp_path / "drawn") == plots
    check_figures(plots, tmp_path / "drawn")


# Not drawn, because there are too many: accelerations, wrenches in joints, torques on the base (zero
# or a constraint's), where contacts are. All can be found by name in the page.
HIDDEN = r"t$|a\.|wrench\.|tau\.base\.|com\.z|contact\..*\.(gap|position_.|force_.)$"


def test_no_column_of_a_job_is_forgotten(recorded):
    summary = json.loads((recorded / "summary.json").read_text())
    for column in summary["columns"]:
        if not re.match(HIDDEN, column["name"]):
            assert any(labelled(plot, column["name"]) and
                       plot.get("unit", column["unit"]) == column["unit"]
                       for plot in summary["plots"]), column["name"]


def test_new_column_appears_in_both(atemi, has_page, recorded, tmp_path):
    """A column, and one entry in the description: nothing else is told to page or figures."""
    folder = tmp_path / "more"
    shutil.copytree(recorded, folder)
    head, *rows = (folder / "recording.csv").read_text().splitlines()
    lines = [head + ",battery.charge [A h]", *(f"{row},{9 - i % 2}" for i, row in enumerate(rows))]
    text = "\n".join(lines) + "\n"
    (folder / "recording.csv").write_text(text)
    summary = json.loads((folder / "summary.json").read_text())
    summary["files"]["recording.csv"] = len(text.encode())
    summary["columns"].append({"name": "battery.charge", "unit": "A h", "group": "battery"})
    summary["plots"].insert(1, {"figure": "battery", "title": "Battery", "axis": "charge",
                                "kind": "lines", "columns": [{"name": "battery.*"}]})
    (folder / "summary.json").write_text(json.dumps(summary))
    plots = draw(atemi, folder, tmp_path / "drawn")
    assert plots == expected(folder)
    assert ["battery", "Battery", "charge", "A h", "lines",
            [("charge", len(summary["columns"]) - 1)]] in plots
    check_figures(plots, tmp_path / "drawn")


def test_recording_without_a_description_shows_its_columns(atemi, has_page, recorded, tmp_path):
    """As other tools and older versions write it: every group is there, a plot for each unit."""
    folder = tmp_path / "older"
    shutil.copytree(recorded, folder)
    summary = json.loads((folder / "summary.json").read_text())
    before = {column for *_, lines in expected(folder) for _, column in lines}
    del summary["plots"]
    (folder / "summary.json").write_text(json.dumps(summary))
    plots = draw(atemi, folder, tmp_path / "drawn")
    shown = {column for *_, lines in plots for _, column in lines}
    assert before <= shown
    with (folder / "recording.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    assert not any(float(row[column] or 0) for row in rows for column in shown - before)
    for _, _, _, unit, _, lines in plots:
        assert {shown_unit({}, summary["columns"][column]["unit"]) for _, column in lines} <= {unit}
    check_figures(plots, tmp_path / "drawn")

# SPDX-License-Identifier: Apache-2.0
"""The pictures of the pages are those that the command makes: tools/make_figures COMMAND docs/figures."""

import pathlib
import re
import subprocess

import pytest
from conftest import COMMAND

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
FIGURES = CHECKOUT / "docs/figures"

# Made otherwise, and how.
OTHERS = {"architecture": "by hand, below",
          "contact_scenes": "bench/contact_scenes.py --plot, which measures",
          "gait_states": "tests/io/figures/test_gait_graph.c draws it again"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    subprocess.run([CHECKOUT / "tools/make_figures", COMMAND, folder], check=True)
    return folder


def numbers(path):
    return sorted(float(text) for text in re.findall(r"(?<![\w#.])-?\d+\.?\d*", path.read_text()))


def words(path):
    return re.findall(r"<text[^>]*>([^<]*)", path.read_text())


@pytest.mark.parametrize("picture", sorted({path.stem for path in FIGURES.glob("*.svg")} - set(OTHERS)))
def test_the_command_makes_the_picture(picture, made):
    """Motions on another machine differ in their last digits, and an optimum's posture by a thousandth. So
    places are compared in order, a thousand of them, in pixels: their mean changes by 0.004 with the
    processor, by 0.07 with a face that is drawn or not, by 0.2 with another motion of an arm."""
    old, new = (numbers(folder / f"{picture}.svg") for folder in (FIGURES, made))
    assert words(FIGURES / f"{picture}.svg") == words(made / f"{picture}.svg")
    assert len(new) == pytest.approx(len(old), rel=0.01)
    places = [i / 1000 for i in range(1001)]
    off = [abs(new[int(x * (len(new) - 1))] - old[int(x * (len(old) - 1))]) for x in places]
    assert sum(off) / len(off) < 0.05


def test_pictures_are_shown():
    pages = "".join(path.read_text() for path in [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md")])
    for path in FIGURES.glob("*.svg"):
        assert f"figures/{path.name})" in pages, path.name


def test_architecture_shows_the_layers():
    picture = " ".join(words(FIGURES / "architecture.svg"))
    for folder in (CHECKOUT / "src").iterdir():
        if folder.is_dir():
            assert re.search(rf"\b{folder.name}\b", picture), folder.name

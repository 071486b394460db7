# SPDX-License-Identifier: Apache-2.0
"""Reports and figures of recordings."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
import robots

import atemi
from atemi._library import lib

SCENARIOS = robots.CHECKOUT / "scenarios"


@pytest.fixture
def recording():
    return atemi.simulate(SCENARIOS / "slide.yaml")


def test_report_is_a_page_with_the_recording_in_it(recording, tmp_path):
    path = tmp_path / "slide.html"
    if not lib.atemi_report_available():
        with pytest.raises(atemi.Error, match="npm"):
            recording.report(path)
        return
    recording.report(path)
    text = path.read_text()
    assert '"format": "atemi-report"' in text and "simulated 1 s" in text


def test_a_notebook_shows_the_same_page_in_a_frame_of_its_own(recording, tmp_path):
    if not lib.atemi_report_available():
        pytest.skip("built without the page")
    recording.report(tmp_path / "slide.html")
    page = recording.show(height=300)
    assert page.html == (tmp_path / "slide.html").read_text()
    frames: list[dict[str, str | None]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            frames.append({"": tag, **dict(attributes)})

    Reader().feed(page._repr_html_())
    (frame,) = frames  # nothing of the page gets out of its attribute
    assert frame[""] == "iframe" and frame["srcdoc"] == page.html
    assert "allow-same-origin" not in (frame["sandbox"] or "") and "300px" in (frame["style"] or "")
    with pytest.raises(ValueError, match="height"):
        recording.show(height=0)


def test_two_recordings_are_on_one_page(recording, tmp_path):
    if not lib.atemi_report_available():
        pytest.skip("built without the page")
    recording.report(tmp_path / "pair.html", beside=atemi.simulate(SCENARIOS / "bounce.yaml"))
    text = (tmp_path / "pair.html").read_text()
    assert text.count('"format": "atemi-report"') >= 1 and len(text) > len(recording.show().html)


def test_figures_are_written_into_a_folder(recording, tmp_path):
    recording.figures(tmp_path / "figures")
    assert (tmp_path / "figures/strip.svg").read_text().startswith("<svg ")


def test_bad_places_are_errors(recording, tmp_path):
    with pytest.raises(atemi.Error):
        recording.report(tmp_path / "none/slide.html")
    with pytest.raises(atemi.Error, match="does not exist"):
        recording.figures(tmp_path / "none/figures")

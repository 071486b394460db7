# SPDX-License-Identifier: Apache-2.0
"""Reports and figures of recordings."""

from __future__ import annotations

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


def test_figures_are_written_into_a_folder(recording, tmp_path):
    recording.figures(tmp_path / "figures")
    assert (tmp_path / "figures/strip.svg").read_text().startswith("<svg ")


def test_bad_places_are_errors(recording, tmp_path):
    with pytest.raises(atemi.Error):
        recording.report(tmp_path / "none/slide.html")
    with pytest.raises(atemi.Error, match="does not exist"):
        recording.figures(tmp_path / "none/figures")

# SPDX-License-Identifier: Apache-2.0
"""Tables of recordings."""

from __future__ import annotations

import gc
import json

import numpy as np
import pytest

import atemi

SWEEP = {
    "name": "sweep",
    "title": "The force by the speed.",
    "columns": [
        {"name": "speed", "unit": "m/s"},
        {"name": "friction"},
        {"name": "force", "unit": "N"},
    ],
    "labels": ["C-1", "C-2"],
    "values": [[0.1, 0.5, 310.2], [1 / 3, -0.0, None]],
    "plot": {"x": 0, "y": [2], "series": 1, "join": "rows"},
}
PLAIN = {"name": "plain", "columns": [{"name": "x"}], "values": []}


@pytest.fixture
def folder(tmp_path):
    """A recording without rows, written by other means."""
    (tmp_path / "recording.csv").write_text("t [s]\n")
    summary = {
        "format": "atemi-recording",
        "version": 1,
        "atemi": "0.1.0",
        "files": {"recording.csv": 6},
        "rows": 0,
        "columns": [{"name": "t", "unit": "s"}],
        "tables": [SWEEP, PLAIN],
    }
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    return tmp_path


def test_tables_are_found_by_name(folder):
    recording = atemi.Recording.load(folder)
    assert list(recording.tables) == ["sweep", "plain"]
    table = recording.tables["sweep"]
    assert table.title == "The force by the speed."
    assert table.columns == ("speed", "friction", "force") and table.units == ("m/s", "-", "N")
    assert table.labels == ("C-1", "C-2")
    assert table.plot == atemi.TablePlot("speed", ("force",), "friction", by_rows=True)
    np.testing.assert_array_equal(table.values, [[0.1, 0.5, 310.2], [1 / 3, -0.0, np.nan]])
    np.testing.assert_array_equal(table["speed"], [0.1, 1 / 3])
    with pytest.raises(KeyError, match="the table has no column 'sped'.*'speed'"):
        table["sped"]


def test_a_table_may_be_empty_and_plain(folder):
    table = atemi.Recording.load(folder).tables["plain"]
    assert table.values.shape == (0, 1)
    assert table.title is None and table.labels is None and table.plot is None


def test_a_recording_may_have_no_rows(folder):
    recording = atemi.Recording.load(folder)
    assert len(recording) == 0 and recording.time.shape == (0,)


def test_values_keep_the_recording_alive_and_are_not_written(folder):
    values = atemi.Recording.load(folder).tables["sweep"].values
    gc.collect()
    assert values[0, 2] == 310.2 and not values.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        values.setflags(write=True)


def test_tables_are_written_and_drawn(folder, tmp_path):
    recording = atemi.Recording.load(folder)
    recording.write(tmp_path / "again")
    again = atemi.Recording.load(tmp_path / "again").tables["sweep"]
    assert again.values.tobytes() == recording.tables["sweep"].values.tobytes()
    recording.figures(tmp_path / "figures")
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["table-sweep.svg"]

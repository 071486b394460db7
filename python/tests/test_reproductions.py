# SPDX-License-Identifier: Apache-2.0
"""The papers' numbers, as the command has them."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

import atemi


def test_rows_are_those_of_the_command():
    command = os.environ.get("ATEMI_COMMAND")
    if not command:
        pytest.skip("ATEMI_COMMAND names no command")
    said = subprocess.run([command, "reproduce", "ene", "--json"], capture_output=True, text=True)
    theirs = json.loads(said.stdout)["rows"]
    ours = atemi.reproduce("ene")
    assert [row.quantity for row in ours.rows] == [row["quantity"] for row in theirs]
    for row, other in zip(ours.rows, theirs):
        assert (row.kind, row.bound, row.unit, row.ok) == tuple(
            other[name] for name in ("kind", "bound", "unit", "ok")
        )
        assert row.printed == pytest.approx(other["printed"], rel=1e-12)
        assert row.ours == pytest.approx(other["ours"], rel=1e-6, abs=1e-6)  # two builds


def test_the_recording_outlives_the_reproduction():
    recording = atemi.reproduce("ene").recording
    assert recording.tables and all(table.values.size for table in recording.tables.values())


def test_it_is_ended_early():
    cut = atemi.reproduce("ene", progress=lambda done: False)
    assert not cut.completed and len(cut.rows) < len(atemi.reproduce("ene").rows)


def test_papers_are_known_by_name():
    assert {"ene", "sdc", "strike", "walk", "r2"} <= set(atemi.papers())
    with pytest.raises(atemi.NotFoundError, match="en"):
        atemi.reproduce("en")

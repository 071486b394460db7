# SPDX-License-Identifier: Apache-2.0
"""Recordings as Parquet files."""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any

from ._packages import optional

if TYPE_CHECKING:
    from .recording import Recording


def write(recording: Recording, path: Any) -> None:
    """See `Recording.to_parquet`."""
    arrow = optional("pyarrow", "Recording.to_parquet()", "parquet")
    parquet = optional("pyarrow.parquet", "Recording.to_parquet()", "parquet")
    fields = [
        arrow.field(name, arrow.float64(), metadata={"unit": recording.unit(name)})
        for name in recording
    ]
    metadata: dict[str, Any] = {"atemi": json.dumps(about(recording))}
    if recording.scenario:
        metadata["scenario.yaml"] = recording.scenario
    if recording.urdf:
        metadata["robot.urdf"] = recording.urdf
    columns = [arrow.array(recording[name], from_pandas=True) for name in recording]  # NaN: null
    table = arrow.table(columns, schema=arrow.schema(fields, metadata=metadata))
    parquet.write_table(table, os.fspath(path))


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def about(recording: Recording) -> dict[str, Any]:
    """All of it but the columns, as JSON has it."""
    return {
        "job": recording.job,
        "robot": recording.robot,
        "outcome": recording.outcome,
        "results": {
            name: {"value": _known(value), "unit": value.unit}
            for name, value in recording.results.items()
        },
        "events": [
            {
                "t": event.t,
                "kind": event.kind,
                "what": event.what,
                "text": event.text,
                "values": {name: _known(value) for name, value in event.values.items()},
            }
            for event in recording.events
        ],
        "tables": {
            name: {
                "title": table.title,
                "columns": table.columns,
                "units": table.units,
                "labels": table.labels,
                "values": [[_known(x) for x in row] for row in table.values.tolist()],
            }
            for name, table in recording.tables.items()
        },
    }

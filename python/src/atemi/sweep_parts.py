# SPDX-License-Identifier: Apache-2.0
"""The parts of a sweep on the disk: Parquet files, each written whole."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._packages import optional

_SECONDS = 1.0  # between two parts, so that short tasks do not make thousands of files

Row = tuple[int, dict[str, float], str]


class Parts:
    """What a sweep has computed so far, in a folder."""

    def __init__(self, folder: str | bytes | os.PathLike[Any], points: Sequence[Mapping[str, Any]]) -> None:
        self._arrow = optional("pyarrow", "atemi.sweep(folder=...)", "sweep")
        self._parquet = optional("pyarrow.parquet", "atemi.sweep(folder=...)", "sweep")
        self._folder = Path(os.fsdecode(folder))
        self._folder.mkdir(parents=True, exist_ok=True)
        self._waiting: list[Row] = []
        self._written = time.monotonic()
        self._claim(points)

    def _claim(self, points: Sequence[Mapping[str, Any]]) -> None:
        """The folder is of this grid, or of none yet."""
        text = json.dumps([dict(point) for point in points], sort_keys=True, default=_plain)
        mark = {"points": len(points), "sha256": hashlib.sha256(text.encode()).hexdigest()}
        path = self._folder / "sweep.json"
        if not path.exists():
            self._whole(path, lambda target: target.write_text(json.dumps(mark) + "\n"))
        elif json.loads(path.read_text()) != mark:
            raise ValueError(
                f"{self._folder} holds another sweep: its grid is not this one; give another folder, "
                "or remove it"
            )

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("part-*.parquet"))

    def load(self) -> dict[int, Row]:
        """What is there, by the number of the point; later parts count more."""
        rows: dict[int, Row] = {}
        for path in self._files():
            for entry in self._parquet.read_table(path).to_pylist():
                number, error = entry.pop("point"), entry.pop("error")
                numbers = {name: value for name, value in entry.items() if value is not None}
                rows[number] = number, {} if error else numbers, error
        return rows

    def keep(self, rows: Sequence[Row]) -> None:
        """Adds rows; writes a part now and then."""
        self._waiting += rows
        if time.monotonic() - self._written > _SECONDS:
            self.close()

    def close(self) -> None:
        """Writes what was added since the last part."""
        if self._waiting:
            self._write()

    def _write(self) -> None:
        names = list(dict.fromkeys(name for _, numbers, _ in self._waiting for name in numbers))
        columns: dict[str, Any] = {"point": [row[0] for row in self._waiting]}
        columns.update({name: [row[1].get(name) for row in self._waiting] for name in names})
        columns["error"] = [row[2] for row in self._waiting]
        types = {name: self._arrow.float64() for name in names}
        types.update(point=self._arrow.int64(), error=self._arrow.string())
        table = self._arrow.table({n: self._arrow.array(c, types[n]) for n, c in columns.items()})
        number = 1 + max((int(path.stem[5:]) for path in self._files()), default=0)
        path = self._folder / f"part-{number:06d}.parquet"
        self._whole(path, lambda target: self._parquet.write_table(table, target))
        self._waiting, self._written = [], time.monotonic()

    def _whole(self, path: Path, write: Any) -> None:
        """A file that is there with all of it, or not at all."""
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        try:
            write(partial)
            with open(partial, "rb") as file:
                os.fsync(file.fileno())
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return repr(value)

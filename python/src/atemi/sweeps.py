# SPDX-License-Identifier: Apache-2.0
"""Many cases of a function or of a scenario, by threads, processes or clusters."""

from __future__ import annotations

import copy
import itertools
import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future, as_completed
from dataclasses import dataclass, field
from typing import Any, Callable, Union

import numpy as np
from numpy.typing import NDArray

from . import _html, _run
from ._packages import optional
from ._source import Path
from .recording import Recording
from .sweep_parts import Parts

Point = dict[str, Any]
Row = tuple[int, dict[str, float], str]
Grid = Union[Mapping[str, Iterable[Any]], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Sweep:
    """The table of a sweep: a row for each point of its grid, in the order of the grid."""

    points: tuple[Point, ...]
    """What was asked for."""
    columns: dict[str, NDArray[np.float64]]
    """What came out, by name; NaN where a point failed or was not computed."""
    errors: dict[int, str]
    """Why points failed, by their number."""
    missing: tuple[int, ...] = field(default=())
    """The points that were not computed, as the sweep was ended early."""

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column of results, or of the grid."""
        if name in self.columns:
            return self.columns[name]
        if any(name in point for point in self.points):
            return np.array([point.get(name) for point in self.points])
        raise KeyError(name)

    def to_pandas(self) -> Any:
        """A DataFrame with the grid, the results, and the column ``error``. Needs pandas."""
        pandas = optional("pandas", "Sweep.to_pandas()", "tables")
        frame = pandas.DataFrame(list(self.points))
        for name, values in self.columns.items():
            frame[name] = values
        frame["error"] = [self.errors.get(i, "") for i in range(len(self))]
        return frame

    def __repr__(self) -> str:
        return (
            f"<atemi.Sweep of {len(self)} points: {', '.join(self.columns)}; "
            f"{len(self.errors)} failed, {len(self.missing)} missing>"
        )

    def _repr_html_(self) -> str:
        names = list(dict.fromkeys(name for point in self.points for name in point))
        shown = range(min(len(self), 20))
        rows = [
            (*(self.points[i].get(n) for n in names), *(float(c[i]) for c in self.columns.values()))
            for i in shown
        ]
        errors = [(i, text) for i, text in self.errors.items()]
        return _html.page(
            f"{len(self)} points, {len(self.errors)} failed, {len(self.missing)} missing",
            _html.table((*names, *self.columns), rows),
            _html.folded(f"{len(errors)} errors", _html.table(("point", "error"), errors)),
        )


def sweep(
    function: Callable[..., Any] | Mapping[str, Any],
    grid: Grid,
    *,
    executor: Any = None,
    folder: Path | None = None,
    progress: Callable[[float], Any] | bool | None = None,
    chunk: int | None = None,
) -> Sweep:
    """Computes a function, or runs a scenario, at every point of a grid.

    >>> squares = sweep(lambda x: {"square": x * x}, {"x": [1.0, 2.0, 3.0]})
    >>> squares["square"]
    array([1., 4., 9.])

    The table is the same for any executor. A point that raises is a row of NaN with its error in
    `Sweep.errors`; all others are computed.

    Parameters
    ----------
    function : callable or mapping
        ``function(**point)`` returns a number, a mapping from names to numbers, or a `Recording`,
        whose results count. Or a scenario as a mapping: keys of the grid such as ``"target.mass"``
        or ``"contacts.0.friction"`` replace its values, and its job's results count.
    grid : mapping or sequence of mappings
        Names with their values: all combinations, the last name varies fastest. Or the points
        themselves.
    executor : concurrent.futures.Executor or dask.distributed.Client, optional
        Where it is computed: a ThreadPoolExecutor, a ProcessPoolExecutor, Dask's client, an
        ``mpi4py.futures.MPIPoolExecutor``. Here, one after the other, if missing.
    folder : path, optional
        Keeps what is computed, as Parquet files that are written whole (needs pyarrow). If the sweep
        is killed, the same call goes on from there; points that failed are computed again.
    progress : callable or bool, optional
        Receives how much is done, from 0 to 1, and ends the sweep early by returning False; True
        for a line on stderr.
    chunk : int, optional
        Points that one task of the executor computes; chosen if missing.
    """
    points = _points(grid)
    if not points:
        raise ValueError("the grid has no points: every name needs one value or more")
    work = _Scenario(function) if isinstance(function, Mapping) else function
    if not callable(work):
        raise ValueError(
            f"give a function or a scenario as a mapping, got {type(function).__name__}; a file is "
            "run by lambda **keys: atemi.run(path)"
        )
    parts = None if folder is None else Parts(folder, points)
    rows: dict[int, Row] = {} if parts is None else parts.load()
    left = [i for i in range(len(points)) if i not in rows or rows[i][2]]
    tell = _teller(progress)
    done = len(points) - len(left)
    try:
        for found in _results(work, points, left, _executor(executor), chunk):
            rows.update((row[0], row) for row in found)
            if parts is not None:
                parts.keep(found)
            done += len(found)
            if tell(done / len(points)) is False:
                break
    finally:
        if parts is not None:
            parts.close()
    return _table(points, rows)


# ---- The grid


def _points(grid: Grid) -> tuple[Point, ...]:
    if isinstance(grid, Mapping):
        values = [list(value) for value in grid.values()]
        return tuple(dict(zip(grid, point)) for point in itertools.product(*values))
    return tuple(dict(point) for point in grid)


class _Scenario:
    """Runs a scenario with some of its values replaced. Can be pickled."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        self.scenario = copy.deepcopy(dict(scenario))

    def __call__(self, **point: Any) -> Recording:
        scenario = copy.deepcopy(self.scenario)
        for key, value in point.items():
            _replace(scenario, key, value)
        return _run.run(scenario)


def _replace(scenario: Any, key: str, value: Any) -> None:
    *path, last = key.split(".")
    place = scenario
    for name in path:
        if isinstance(place, list):
            place = place[int(name)]
        else:
            place = place.setdefault(name, {})
    if isinstance(place, list):
        place[int(last)] = value
    else:
        place[last] = value


# ---- Where it is computed


def _executor(executor: Any) -> Executor | None:
    if hasattr(executor, "get_executor"):  # of Dask
        executor = executor.get_executor()
    if executor is None or hasattr(executor, "submit"):
        found: Executor | None = executor
        return found
    raise ValueError(f"executor must be a concurrent.futures.Executor or alike, got {executor!r}")


def _results(
    work: Callable[..., Any],
    points: Sequence[Point],
    left: Sequence[int],
    executor: Executor | None,
    chunk: int | None,
) -> Iterable[list[Row]]:
    if executor is None:
        for i in left:
            yield _compute(work, [(i, points[i])])
        return
    workers = getattr(executor, "_max_workers", None) or 4
    size = chunk or max(1, min(100, len(left) // (8 * workers)))
    tasks: dict[Future[list[Row]], list[int]] = {}
    try:
        for first in range(0, len(left), size):
            numbers = list(left[first : first + size])
            task = executor.submit(_compute, work, [(i, points[i]) for i in numbers])
            tasks[task] = numbers
        for task in as_completed(tasks):
            yield _answer(task, tasks[task])
    finally:
        for task in tasks:
            task.cancel()


def _answer(task: Future[list[Row]], numbers: list[int]) -> list[Row]:
    """What a task computed; the executor may have lost it."""
    try:
        return task.result()
    except (Exception, CancelledError) as error:
        return [(i, {}, f"lost: {type(error).__name__}: {error}") for i in numbers]


def _compute(work: Callable[..., Any], cases: Sequence[tuple[int, Point]]) -> list[Row]:
    """Some points, wherever this runs."""
    rows: list[Row] = []
    for number, point in cases:
        try:
            rows.append((number, _numbers(work(**point)), ""))
        except Exception as error:
            rows.append((number, {}, f"{type(error).__name__}: {error}"))
    return rows


def _numbers(result: Any) -> dict[str, float]:
    if hasattr(result, "recording"):  # a strike, a walk
        result = result.recording
    if isinstance(result, Recording):
        result = result.results
    if isinstance(result, Mapping):
        return {str(name): float(value) for name, value in result.items()}
    return {"result": float(result)}


# ---- The table


def _table(points: tuple[Point, ...], rows: dict[int, Row]) -> Sweep:
    names: dict[str, None] = {}
    for i in sorted(rows):
        names.update(dict.fromkeys(rows[i][1]))
    columns = {name: np.full(len(points), math.nan) for name in names}
    for i, numbers, _ in rows.values():
        for name, value in numbers.items():
            columns[name][i] = value
    errors = {i: rows[i][2] for i in sorted(rows) if rows[i][2]}
    missing = tuple(i for i in range(len(points)) if i not in rows)
    return Sweep(points, columns, errors, missing)


def _teller(progress: Callable[[float], Any] | bool | None) -> Callable[[float], Any]:
    if progress is True:
        return _Line()
    return progress if callable(progress) else lambda done: None


class _Line:
    """Progress on one line of stderr, at most ten times a second."""

    def __init__(self) -> None:
        self.last = 0.0

    def __call__(self, done: float) -> None:
        now = time.monotonic()
        if now - self.last > 0.1 or done >= 1.0:
            self.last = now
            print(f"\r{100 * done:5.1f} %", end="\n" if done >= 1.0 else "", file=sys.stderr, flush=True)

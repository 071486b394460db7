# SPDX-License-Identifier: Apache-2.0
"""What a job leaves behind: numbers over time, events, results and tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _arguments, _html, _mcap, _parquet, _recording_exports, _rerun, page
from ._library import check, decode, ffi, lib, load
from ._source import Path
from .comparison import Comparison, compare
from .errors import NotFoundError, not_found
from .page import Page

if TYPE_CHECKING:
    from .robot import Robot

def _text(pointer: Any) -> str | None:
    return decode(pointer) if pointer else None


class Event(NamedTuple):
    """Something that happened at an instant."""

    t: float
    """When, s."""
    kind: str
    """Such as ``"touchdown"``."""
    what: Optional[str]
    """What it happened to, such as ``"right_sole.0"``."""
    text: Optional[str]
    """A sentence for a person."""
    values: dict[str, float]
    """Numbers that belong to it, SI units."""


class RecordedWarning(NamedTuple):
    """Something in the scenario that was done, but is hardly what was meant."""

    file: Optional[str]
    """The scenario's, as it was given."""
    line: int
    """Counted from 1."""
    column: int
    """Counted from 1."""
    message: str
    """The key, what is odd about it, and how to mend it."""


class Result(float):
    """A number that a job came to, with its unit and what it is to be held against.

    >>> force = Result(310.2, "N", printed=305.0, tolerance=10.0, source="[SDC] Table 2")
    >>> force, force.unit, force.printed
    (310.2, 'N', 305.0)
    """

    unit: str
    printed: float
    tolerance: float
    source: Optional[str]

    def __new__(
        cls,
        value: float,
        unit: str = "-",
        printed: float = math.nan,
        tolerance: float = math.nan,
        source: str | None = None,
    ) -> Result:
        """A result; `printed` is a paper's number, `tolerance` how near it should be."""
        self = super().__new__(cls, value)
        self.unit = unit
        self.printed = printed
        self.tolerance = tolerance
        self.source = source
        return self


class TablePlot(NamedTuple):
    """How a table is best drawn: curves of the columns `y` over the column `x`."""

    x: Optional[str]
    """None for the number of the row, from 1."""
    y: tuple[str, ...]
    series: Optional[str]
    """Rows with the same value in this column make one curve."""
    by_rows: bool = False
    """Whether curves are joined in the order of the rows, not of x: a path may go back."""
    is_map: bool = False
    """Whether it is cells in the colour of `y`, over `x` and `series`."""
    tile: Optional[str] = None
    """Of a map: a picture for each value in this column."""


class Motion(NamedTuple):
    """A motion: a row for each instant, columns as of `Robot`."""

    t: NDArray[np.float64]
    """s, one a row."""
    q: NDArray[np.float64]
    v: NDArray[np.float64]
    a: NDArray[np.float64]
    tau: NDArray[np.float64]
    """Of the drives; of a planned strike what the motion needs, without the blow and the friction
    of joints."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table beside the numbers over time: ``table["force"]`` is a column.

    With pandas: ``DataFrame(table.values, index=table.labels, columns=table.columns)``.
    """

    name: str
    title: Optional[str]
    """A sentence for a person."""
    columns: tuple[str, ...]
    """Their names."""
    units: tuple[str, ...]
    """Of the columns; ``"-"`` where there is none."""
    labels: Optional[tuple[str, ...]]
    """What each row is."""
    values: NDArray[np.float64]
    """Rows by columns, NaN where there is none; read-only, no copy."""
    plot: Optional[TablePlot]

    def __getitem__(self, column: str) -> NDArray[np.float64]:
        """The values of a column, one a row."""
        if column not in self.columns:
            raise _no_column(column, self.columns, "the table")
        return self.values[:, self.columns.index(column)]


def _no_column(column: str, columns: Iterable[str], owner: str) -> NotFoundError:
    message = not_found("column", column, columns).message
    return NotFoundError(message.replace("the robot", owner, 1), "not found")


class Recording:
    """A recording of a job, immutable: ``recording["q.right_knee"]`` is a column.

    Made by `simulate`, or by `Recording.load` from a folder. Columns are arrays of one number a
    row, NaN where there is none; they show the recording's own memory and are read-only.
    docs/recordings.md tells which columns there are.
    """

    def __init__(self) -> None:
        raise TypeError("recordings are made by atemi.simulate and atemi.Recording.load")

    @classmethod
    def _of(cls, handle: Any) -> Recording:
        self = cls.__new__(cls)
        self._handle = handle
        return self

    _handle: Any

    @classmethod
    def load(cls, folder: Path) -> Recording:
        """Loads a recording from a folder, exactly as it was written."""
        path = _arguments.c_string("folder", folder)
        return cls._of(
            load(
                lib.atemi_recording_load, path, kind="atemi_recording", path=path, stacklevel=2
            )
        )

    def write(self, folder: Path) -> None:
        """Writes it to a folder, which then holds all of it or, after an error, is as before."""
        path = _arguments.c_string("folder", folder)
        check(lib.atemi_recording_write, self._handle, path, stacklevel=2)

    def report(self, path: Path, *, beside: Recording | None = None) -> None:
        """Writes a page that opens offline in any browser, with the robot in 3D and all columns.

        `beside` is a second recording to compare with: a ghost in the 3D view, dashed lines in the
        plots. Raises `NotFoundError` where the package was built without node and npm, which make
        the page.
        """
        self._write_page(path, beside, stacklevel=2)

    def show(self, *, beside: Recording | None = None, height: int = 640) -> Page:
        """The same page for the output of a notebook: Jupyter, VS Code and alike."""
        return page.make(lambda path: self._write_page(path, beside, stacklevel=4), height)

    def _write_page(self, path: Path, beside: Recording | None, stacklevel: int) -> None:
        place = _arguments.c_string("path", path)
        if beside is None:
            check(lib.atemi_report_write, self._handle, place, stacklevel=stacklevel + 1)
        else:
            pair = self._handle, beside._handle
            check(lib.atemi_report_write_pair, *pair, place, stacklevel=stacklevel + 1)

    def figures(self, folder: Path) -> None:
        """Writes pictures (SVG) for papers into a folder: postures, forces, torques and others."""
        check(
            lib.atemi_report_write_figures,
            self._handle,
            _arguments.c_string("folder", folder),
            stacklevel=2,
        )

    # ---- Columns

    @cached_property
    def _channels(self) -> dict[str, tuple[int, str]]:
        channels: dict[str, tuple[int, str]] = {}
        for i in range(lib.atemi_recording_channel_count(self._handle)):
            channel = lib.atemi_recording_channel(self._handle, i)
            channels[decode(channel.name)] = i, decode(channel.unit)
        return channels

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, in the order of the file."""
        return tuple(self._channels)

    def unit(self, column: str) -> str:
        """The unit of a column, such as ``"rad/s"``; ``"-"`` where it has none."""
        return self._channel(column)[1]

    def _channel(self, column: str) -> tuple[int, str]:
        try:
            return self._channels[column]
        except (KeyError, TypeError):
            raise _no_column(column, self._channels, "the recording") from None

    def __getitem__(self, column: str) -> NDArray[np.float64]:
        """The values of a column, one a row; a read-only view, no copy."""
        pointer = lib.atemi_recording_values(self._handle, self._channel(column)[0])
        return self._view(pointer, len(self))

    def _view(self, pointer: Any, count: int) -> NDArray[np.float64]:
        """An array of the recording's own memory, which lives as long as the array."""
        if count == 0:
            return np.empty(0)
        handle = self._handle
        kept = ffi.gc(ffi.cast("char *", pointer), lambda _: handle)
        # Over a read-only buffer: numpy refuses to make the array writable again.
        return np.frombuffer(memoryview(ffi.buffer(kept, 8 * count)).toreadonly(), np.float64)

    def __contains__(self, column: object) -> bool:
        return column in self._channels

    def __iter__(self) -> Iterator[str]:
        return iter(self._channels)

    def __len__(self) -> int:
        return int(lib.atemi_recording_row_count(self._handle))

    def keys(self) -> tuple[str, ...]:
        """The same as `columns`, so that ``dict(recording)`` works."""
        return self.columns

    @property
    def time(self) -> NDArray[np.float64]:
        """The time of every row, s; the column ``"t"``."""
        return self["t"]

    def stacked(self, names: Iterable[str]) -> NDArray[np.float64]:
        """(rows, number of names) columns side by side; a read-only copy."""
        columns = np.column_stack([self[name] for name in names])
        return np.asarray(memoryview(columns.data).toreadonly())

    @property
    def motion(self) -> Motion:
        """Its columns ``q.``, ``v.``, ``a.`` and ``tau.``, as read-only copies."""
        groups = ("q.", "v.", "a.", "tau.")
        names = ([name for name in self if name.startswith(group)] for group in groups)
        return Motion(self.time, *map(self.stacked, names))

    # ---- What else it holds

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What happened, in the order in which it was recorded."""
        count = lib.atemi_recording_event_count(self._handle)
        return tuple(_event(lib.atemi_recording_event(self._handle, i)) for i in range(count))

    @cached_property
    def results(self) -> dict[str, Result]:
        """What the job came to, by name."""
        results: dict[str, Result] = {}
        for i in range(lib.atemi_recording_result_count(self._handle)):
            record = lib.atemi_recording_result(self._handle, i)
            results[decode(record.name)] = Result(
                record.value,
                decode(record.unit),
                record.printed,
                record.tolerance,
                _text(record.source),
            )
        return results

    @cached_property
    def warnings(self) -> tuple[RecordedWarning, ...]:
        """What the job warned of, as `Warning` did when it ran."""
        count = lib.atemi_recording_warning_count(self._handle)
        records = (lib.atemi_recording_warning(self._handle, i) for i in range(count))
        return tuple(
            RecordedWarning(_text(r.file), r.line, r.column, decode(r.message)) for r in records
        )

    @cached_property
    def tables(self) -> dict[str, Table]:
        """What stands beside the numbers over time, by name."""
        tables: dict[str, Table] = {}
        for i in range(lib.atemi_recording_table_count(self._handle)):
            table = self._table(lib.atemi_recording_table(self._handle, i))
            tables[table.name] = table
        return tables

    def _table(self, record: Any) -> Table:
        rows, width = record.row_count, record.column_count
        columns = tuple(decode(record.columns[i].name) for i in range(width))
        return Table(
            name=decode(record.name),
            title=_text(record.title),
            columns=columns,
            units=tuple(decode(record.columns[i].unit) for i in range(width)),
            labels=tuple(decode(record.labels[i]) for i in range(rows)) if record.labels else None,
            values=self._view(record.values, rows * width).reshape(rows, width),
            plot=_plot(record.plot, columns),
        )

    @property
    def job(self) -> str | None:
        """Which job it is of, such as ``"simulate"``."""
        return _text(lib.atemi_recording_job(self._handle))

    @property
    def outcome(self) -> str | None:
        """How it ended, in one sentence."""
        return _text(lib.atemi_recording_outcome(self._handle))

    @property
    def robot(self) -> str | None:
        """The robot's name."""
        robot = lib.atemi_recording_robot(self._handle)
        return decode(robot.name) if robot else None

    @property
    def urdf(self) -> bytes | None:
        """The robot's description as it was read, for `Robot.from_string`."""
        return self._bytes(lib.atemi_recording_urdf)

    @property
    def scenario(self) -> bytes | None:
        """The scenario as it was read."""
        return self._bytes(lib.atemi_recording_scenario)

    def _bytes(self, function: Any) -> bytes | None:
        size = ffi.new("size_t *")
        text = function(self._handle, size)
        return bytes(ffi.buffer(text, size[0])) if text else None

    def load_robot(self, package_path: Path | Sequence[Path] | None = None) -> Robot:
        """The robot as it was, with its base, gravity and meshes; `package_path` as of `Robot`."""
        from .robot import Robot

        return Robot._of_recording(self, package_path)

    # ---- For other packages

    def to_parquet(self, path: Path) -> None:
        """Writes all columns into a Parquet file. Needs pyarrow (``pip install 'atemi[parquet]'``).

        Each column has its unit in its metadata (``unit``); the file's metadata have outcome,
        events, results and tables as JSON (``atemi``), scenario and URDF as they were read.
        """
        _parquet.write(self, path)

    def to_mcap(self, path: Path, *, package_path: Path | Sequence[Path] | None = None) -> None:
        """Writes an MCAP file for Foxglove. Needs mcap and Foxglove's schemas
        (``pip install 'atemi[mcap]'``).

        Topics: ``/tf`` (a frame for each link), ``/joint_states``, ``/robot`` (its shapes),
        ``/contacts`` (forces as arrows, 1 m for the robot's weight), ``/events``, and ``/values``
        with all other columns. Times begin at 0; the metadata ``atemi`` have the first row's time.
        """
        _mcap.write(self, path, package_path)

    def to_rerun(self, path: Path, *, package_path: Path | Sequence[Path] | None = None) -> None:
        """Writes an .rrd file for Rerun's viewer: robot, contact forces, events, and all columns
        as curves. Needs rerun-sdk (``pip install 'atemi[rerun]'``)."""
        _rerun.write(self, path, package_path)

    def to_pandas(self) -> Any:
        """A DataFrame of all columns, with the time as index; units, outcome and results are in its
        ``attrs``. Needs pandas."""
        return _recording_exports.to_pandas(self)

    def to_xarray(self) -> Any:
        """A Dataset of all columns over the dimension ``t``, with their units; outcome and results
        are in its ``attrs``. Needs xarray."""
        return _recording_exports.to_xarray(self)

    def plot(self, *columns: str, axes: Any = None) -> Any:
        """Draws columns over time, one picture for each unit; returns the figure. Needs matplotlib.

        Parameters
        ----------
        columns : str
            Names, or patterns such as ``"contact.*.force_z"``; without any, ``"q.*"``.
        axes : matplotlib axes or sequence of them, optional
            To draw into, one for each unit; a new figure if missing.
        """
        return _recording_exports.plot(self, columns, axes)

    def compare(self, other: Recording) -> Comparison:
        """How another recording differs: columns, over the time that both have, and results."""
        if not isinstance(other, Recording):
            raise ValueError(f"other must be an atemi.Recording, got {other!r}")
        return compare(self, other)

    def _repr_html_(self) -> str:
        results = [
            (name, value, "" if value.unit == "-" else value.unit)
            for name, value in self.results.items()
        ]
        return _html.page(
            f"{self.job} of {self.robot}: {self.outcome}",
            _html.table(("result", "", "unit"), results),
            _html.folded(
                f"{len(self._channels)} columns of {len(self)} rows",
                _html.table(("column", "unit"), ((name, self.unit(name)) for name in self)),
            ),
            _html.folded(
                f"{len(self.events)} events",
                _html.table(
                    ("t, s", "event", "of", ""), ((e.t, e.kind, e.what, e.text) for e in self.events)
                ),
            ),
        )

    def __repr__(self) -> str:
        return (
            f"<atemi.Recording of {self.job!r}, robot {self.robot!r}: {self.outcome}; "
            f"{len(self)} rows, {len(self._channels)} columns, {len(self.events)} events>"
        )


def _event(record: Any) -> Event:
    values = {
        decode(record.values[i].name): record.values[i].value for i in range(record.value_count)
    }
    return Event(record.t, decode(record.kind), _text(record.what), _text(record.text), values)


def _plot(record: Any, columns: tuple[str, ...]) -> TablePlot | None:
    def name(column: int) -> str | None:
        return None if column == lib.ATEMI_NONE else columns[column]

    if record.y_count == 0:
        return None
    y = tuple(columns[record.y[i]] for i in range(record.y_count))
    return TablePlot(name(record.x), y, name(record.series), record.by_rows, record.is_map, name(record.tile))

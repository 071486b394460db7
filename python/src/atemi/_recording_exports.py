# SPDX-License-Identifier: Apache-2.0
"""Recordings for pandas, xarray and matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ._packages import optional
from .errors import not_found

if TYPE_CHECKING:
    from .recording import Recording


def to_pandas(recording: Recording) -> Any:
    """See `Recording.to_pandas`."""
    pandas = optional("pandas", "Recording.to_pandas()", "tables")
    columns = {name: recording[name] for name in recording if name != "t"}
    frame = pandas.DataFrame(columns, index=pandas.Index(recording.time, name="t"))
    frame.attrs.update(_attributes(recording))
    frame.attrs["units"] = {name: recording.unit(name) for name in recording}
    return frame


def to_xarray(recording: Recording) -> Any:
    """See `Recording.to_xarray`."""
    xarray = optional("xarray", "Recording.to_xarray()", "tables")
    variables = {
        name: ("t", recording[name], {"units": recording.unit(name)})
        for name in recording
        if name != "t"
    }
    time = ("t", recording.time, {"units": "s"})
    return xarray.Dataset(variables, {"t": time}, _attributes(recording))


def _attributes(recording: Recording) -> dict[str, Any]:
    results = {f"result.{name}": float(value) for name, value in recording.results.items()}
    return {
        "job": recording.job or "",
        "robot": recording.robot or "",
        "outcome": recording.outcome or "",
        **results,
    }


def plot(recording: Recording, patterns: Sequence[str], axes: Any) -> Any:
    """See `Recording.plot`."""
    pyplot = optional("matplotlib.pyplot", "Recording.plot()", "plots")
    names = _matching(recording, patterns)
    units = list(dict.fromkeys(recording.unit(name) for name in names))
    if axes is None:
        size = (8.0, 1.0 + 2.2 * len(units))
        _, made = pyplot.subplots(len(units), sharex=True, squeeze=False, figsize=size)
        axes = list(made[:, 0])
    else:
        axes = [axes] * len(units) if not hasattr(axes, "__len__") else list(axes)
        if len(axes) < len(units):
            raise ValueError(f"axes must be one for each of the units {units}, got {len(axes)}")
    for axis, unit in zip(axes, units):
        for name in names:
            if recording.unit(name) == unit:
                axis.plot(recording.time, recording[name], label=name)
        axis.set_ylabel(unit)
        axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel("t, s")
    return axes[0].figure


def _matching(recording: Recording, patterns: Sequence[str]) -> list[str]:
    names = [name for name in recording if name != "t"]
    chosen: list[str] = []
    for pattern in patterns or ("q.*",):
        found = [name for name in names if fnmatchcase(name, pattern)]
        if not found:
            message = not_found("column", pattern, names)
            message.message = message.message.replace("the robot", "the recording", 1)
            raise message
        chosen += [name for name in found if name not in chosen]
    return chosen

# SPDX-License-Identifier: Apache-2.0
"""Small dense quadratic programs, as the controllers solve them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments
from ._library import NULL, call, doubles, ffi, lib, on_arena

Array = NDArray[np.float64]

_STATUSES = {
    lib.ATEMI_QUADRATIC_SOLVED: "solved",
    lib.ATEMI_QUADRATIC_INFEASIBLE: "infeasible",
    lib.ATEMI_QUADRATIC_UNBOUNDED: "unbounded",
    lib.ATEMI_QUADRATIC_NONCONVEX: "not convex",
    lib.ATEMI_QUADRATIC_UNFINISHED: "unfinished",
    lib.ATEMI_QUADRATIC_INACCURATE: "inaccurate",
}


class QuadraticSolution(NamedTuple):
    """What came of a quadratic program."""

    x: Array
    """(n,) the solution; the last iterate where it is not solved."""
    status: str
    """``"solved"``, ``"infeasible"``, ``"unbounded"``, ``"not convex"``, ``"unfinished"`` or
    ``"inaccurate"``."""
    objective: float
    multipliers: Array
    """(n + rows,) of the limits of x, then of the rows: positive at an upper limit, negative at a
    lower one."""
    active: NDArray[np.int8]
    """(n + rows,) 1 at the upper limit, -1 at the lower one, 0 between; where it is infeasible,
    those that contradict each other. A guess for the next program like this one."""
    violation: float
    """The largest, of a limit that is not met."""
    slope: float
    """The largest of the gradient with its multipliers: 0 at an optimum."""
    iterations: int
    """Changes of the active set."""

    @property
    def solved(self) -> bool:
        """Whether x is the optimum, within the tolerance."""
        return self.status == "solved"


def quadratic_program(
    H: ArrayLike,
    g: ArrayLike | None = None,
    A: ArrayLike | None = None,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    least: ArrayLike | None = None,
    most: ArrayLike | None = None,
    guess: ArrayLike | None = None,
    iterations: int = 1000,
    tolerance: float = 1e-9,
) -> QuadraticSolution:
    """The least ``x @ H @ x / 2 + g @ x`` with lower <= A x <= upper and least <= x <= most.

    >>> found = quadratic_program(np.eye(2), [-1.0, -2.0], [[1.0, 1.0]], upper=[2.0])
    >>> found.x, found.solved
    (array([0.5, 1.5]), True)

    Parameters
    ----------
    H : (n, n) array_like
        Symmetric, positive semidefinite or zero.
    g : (n,) array_like, optional
    A : (rows, n) array_like, optional
        Equations have lower = upper. Rows may depend on each other, or contradict each other.
    lower, upper : (rows,) array_like, optional
        May be infinite.
    least, most : (n,) array_like, optional
        Of x; may be infinite.
    guess : (n + rows,) array_like, optional
        Which limits are active, as of `QuadraticSolution.active`.
    iterations : int
        Changes of the active set, at most.
    tolerance : float
        Of the residuals, beside the terms that they are sums of.
    """
    H = _symmetric(H)
    n = len(H)
    rows = 0 if A is None else len(np.atleast_2d(A))
    given = {
        "g": None if g is None else _arguments.array("g", g, (n,)),
        "A": None if A is None else _arguments.array("A", A, (rows, n)),
        "lower": _limits("lower", lower, rows),
        "upper": _limits("upper", upper, rows),
        "least": _limits("least", least, n),
        "most": _limits("most", most, n),
    }
    native = ffi.new("atemi_quadratic_program *", {"variables": n, "rows": rows, "H": doubles(H)})
    for name, array in given.items():
        setattr(native, name, NULL if array is None else doubles(array))
    options = ffi.new("atemi_quadratic_options *", (_count(iterations), _tolerance(tolerance)))
    _, solver = on_arena(lib.atemi_quadratic_solver_take, n, rows, stacklevel=2)
    x, multipliers, active = np.zeros(n), np.zeros(n + rows), _guess(guess, n + rows)
    result = call(
        lib.atemi_quadratic_solve,
        solver,
        native,
        options,
        doubles(x),
        doubles(multipliers),
        ffi.from_buffer("signed char[]", active),
    )
    return QuadraticSolution(
        x,
        _STATUSES[result.status],
        result.objective,
        multipliers,
        active,
        result.violation,
        result.slope,
        result.iterations,
    )


# ---- Arguments


def _symmetric(given: ArrayLike) -> Array:
    n = len(np.atleast_2d(given))
    H = _arguments.array("H", given, (n, n))
    if n == 0 or abs(H - H.T).max() > 1e-12 * abs(H).max():
        raise ValueError("H must be symmetric, (n, n) with n of at least 1")
    return H


def _limits(name: str, given: ArrayLike | None, count: int) -> Array | None:
    if given is None:
        return None
    limits = _arguments.rows(name, given, (count,))
    if limits.shape != (count,) or np.isnan(limits).any():
        raise ValueError(f"{name} must have shape ({count},) and no NaN, got {given}")
    return limits


def _guess(given: ArrayLike | None, count: int) -> NDArray[np.int8]:
    guess = np.zeros(count, dtype=np.int8) if given is None else np.array(given, dtype=np.int8)
    if guess.shape != (count,) or not np.isin(guess, (-1, 0, 1)).all():
        raise ValueError(f"guess must be {count} numbers of -1, 0 or 1")
    return guess


def _count(given: Any) -> int:
    if int(given) != given or given < 1:
        raise ValueError(f"iterations must be a whole number from 1 on, got {given}")
    return int(given)


def _tolerance(given: float) -> float:
    tolerance = _arguments.number("tolerance", given)
    if tolerance <= 0.0:
        raise ValueError(f"tolerance must be positive, got {tolerance}")
    return tolerance

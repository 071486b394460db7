# SPDX-License-Identifier: Apache-2.0
"""What all methods of `Robot` on states have in common: one state or rows of states, results into
arrays of the caller, threads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional

from . import _rows
from ._library import NULL, check, doubles, lib
from .contact import Contact, Touch
from .description import Array, Description
from .errors import SingularError

if TYPE_CHECKING:
    from ._rows import Kernel

Out = Optional[Array]
Outs = Optional[tuple[Array, ...]]
Threads = Optional[int]

RowFailed = _rows.RowFailed


def kernel(name: str) -> Any:
    """The number of a kernel of native/kernels.c; annotate it with what it computes."""
    return _rows.kernels.index(name)


class Rowwise(Description):
    """Calls kernels.

    ``self._rows.compute(kernel, link, parameters, out, threads, *inputs)`` takes inputs of one
    state, or of n states as rows; it checks them, and raises `RowFailed` where a state has no
    solution.
    """

    def _massless(self, failure: BaseException, q: Any) -> SingularError:
        """The error for a state in which a joint moves no mass; names the joint."""
        row, place = failure.args[0], ""
        q = self._states("q", q)
        if row is not None:
            place = f"in state {row}: "
        if q.ndim > 1:
            q = q[row]
        data = self._data.of()
        lib.atemi_update_kinematics(data, doubles(q), NULL, NULL)
        try:
            check(lib.atemi_update_factor, data, stacklevel=3)
        except SingularError as error:
            error.message = place + error.message
            return error
        return SingularError(place + "a joint moves no mass: give its link an inertia or a rotor")

    def _with_contacts(
        self,
        number: Kernel[Any],
        contacts: Iterable[Contact],
        out: Any,
        threads: Threads,
        *inputs: Any,
        report: int | None = None,
        restitution: float = 0.0,
        published: bool = False,
    ) -> Any:
        """Calls a kernel whose result number `report` says how the contacts' system was solved."""
        touch = Touch(contacts, self._link, restitution, published)
        try:
            result = self._rows.compute(number, 0, touch.address, out, threads, *inputs)
        except RowFailed as failure:
            row, result = failure.args
            if report is None:
                raise SingularError(
                    ("" if row is None else f"in state {row}: ")
                    + "the contacts contradict each other, or one jams by friction"
                ) from None
            numbers = result[report] if row is None else result[report][row]
            raise touch.failure(row, numbers) from None
        if report is not None:
            touch.check(result[0], result[report])
        return result

# SPDX-License-Identifier: Apache-2.0
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

class Kernel(Generic[Result]):
    """The number of a kernel, an int, with what it computes; there is no such class."""

kernels: list[str]

class RowFailed(Exception): ...

class Rows:
    def __new__(
        cls, model: int, joints: tuple[int, ...], quaternions: tuple[int, ...]
    ) -> Rows: ...
    def compute(
        self,
        kernel: Kernel[Result],
        link: int,
        parameters: int,
        out: Any,
        threads: int | None,
        *inputs: Any,
    ) -> Result: ...

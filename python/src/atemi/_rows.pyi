# SPDX-License-Identifier: Apache-2.0
from typing import Any

kernels: list[str]

class RowFailed(Exception): ...

class Rows:
    def __new__(
        cls, model: int, joints: tuple[int, ...], quaternions: tuple[int, ...]
    ) -> Rows: ...
    def compute(
        self, kernel: int, link: int, parameters: int, out: Any, threads: int | None, *inputs: Any
    ) -> Any: ...

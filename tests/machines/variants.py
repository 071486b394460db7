# SPDX-License-Identifier: Apache-2.0
"""The machines that answers are compared on: compilers, instruction sets, optimization, rounding.

Two variants differ in the last bits of almost every number, as two machines of users do. Each is
built in build/machines/NAME; build/release counts as "gcc-native" where ./test has built it.
"""

import dataclasses
import os
import pathlib
import shlex
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/machines"
ARM64 = FOLDER / "arm64"
PAGE = ROOT / "build/release/viewer/dist/index.html"  # of reports, which no compiler changes
CORES = len(os.sched_getaffinity(0))


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    compiler: str = "gcc"
    processor: str = "x86-64"  # -march
    optimization: str = "-O3"
    contract: str = "fast"
    build: str = ""  # the folder in build/; without it, machines/NAME
    environment: tuple = ()  # (name, value), of everything that runs

    @property
    def folder(self):
        return ROOT / "build" / (self.build or f"machines/{self.name}")

    @property
    def is_emulated(self):
        return self.processor == "aarch64"

    @property
    def command(self):
        """How to call atemi of this variant."""
        emulator = ["qemu-aarch64", "-L", str(ARM64)] if self.is_emulated else []
        return [*emulator, str(self.folder / "atemi")]

    @property
    def surroundings(self):
        return {**os.environ, **dict(self.environment)}

    @property
    def options(self):
        """Of CMake."""
        options = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_C_FLAGS_RELEASE={self.optimization}",
                   f"-DATEMI_CONTRACT={self.contract}", "-DATEMI_VIEWER=OFF"]
        if self.is_emulated:
            options += [f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/aarch64.cmake",
                        f"-DATEMI_ARM64_ROOT={ARM64}"]
        else:
            options += [f"-DCMAKE_C_COMPILER={self.compiler}",
                        f"-DCMAKE_C_FLAGS=-march={self.processor}"]
        if PAGE.exists():
            options.append(f"-DATEMI_VIEWER_PAGE={PAGE}")
        if shutil.which("ccache"):
            options.append("-DCMAKE_C_COMPILER_LAUNCHER=ccache")
        return options

    def __str__(self):
        processor = "under qemu-user" if self.is_emulated else f"-march={self.processor}"
        return (f"{self.compiler} {self.optimization} {processor} -ffp-contract={self.contract}"
                + "".join(f", {name}={value}" for name, value in self.environment))


# glibc chooses sin, cos and exp by the processor. These are the ones of a processor without FMA.
OLD_LIBM = (("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"),)

GENERIC = Variant("gcc-generic", contract="off")
GENERIC_OLD_LIBM = dataclasses.replace(GENERIC, name="gcc-old-libm", build="machines/gcc-generic",
                                       environment=OLD_LIBM)

ALL = [
    Variant("gcc-native", processor="native"),
    GENERIC,
    GENERIC_OLD_LIBM,
    Variant("gcc-v2-O1", processor="x86-64-v2", optimization="-O1"),
    Variant("gcc-v3-off", processor="x86-64-v3", contract="off"),
    Variant("gcc-v3-O1", processor="x86-64-v3", optimization="-O1"),
    Variant("clang-native", "clang-19", processor="native"),
    Variant("clang-generic-O1", "clang-19", optimization="-O1", contract="off"),
    Variant("clang-v2", "clang-19", processor="x86-64-v2"),
    Variant("clang-v3-off", "clang-19", processor="x86-64-v3", contract="off"),
    Variant("gcc-aarch64", "aarch64-linux-gnu-gcc", processor="aarch64"),
]

# Those that ./test compares: two compilers, three instruction sets, with and without FMA in our code
# and in libm.
FEW = [
    Variant("gcc-native", processor="native", build="release"),
    GENERIC_OLD_LIBM,
    Variant("clang-v3-O1", "clang-19", processor="x86-64-v3", optimization="-O1"),
]


def named(names):
    """The variants of these names, in their order; all without names."""
    known = {variant.name: variant for variant in [*FEW, *ALL]}
    for name in names:
        if name not in known:
            raise SystemExit(f"error: there is no variant {name}; there are: {' '.join(known)}")
    return [known[name] for name in names] or ALL


def setup(command, log=None):
    """Runs a line of bash with what tools/setup.sh defines; its output goes into the log."""
    script = f"set -euo pipefail; source tools/setup.sh; {command}"
    with open(log or os.devnull, "a", encoding="utf-8") as file:
        output = {} if log is None else {"stdout": file, "stderr": subprocess.STDOUT}
        return subprocess.run(["bash", "-c", script], cwd=ROOT, check=False, **output).returncode


def install(variants):
    """Debian packages, and for aarch64 a folder of libraries."""
    emulated = any(variant.is_emulated for variant in variants)
    if setup("setup_packages build test" + " arm64" * emulated) != 0:
        raise SystemExit(1)
    FOLDER.mkdir(parents=True, exist_ok=True)
    if emulated and setup(f"tools/make_arm64_root {ARM64}", FOLDER / "arm64.log") != 0:
        raise SystemExit("error: no libraries for arm64; build/machines/arm64.log has the reason")


def install_for_tests():
    """The page of reports, which tests of the command ask for, and the environment of Python."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    make = "setup_node; setup_configure release $(release_options); setup_compile release atemi_command"
    if setup(f"setup_packages page; setup_venv; {make}", FOLDER / "release.log") != 0:
        raise SystemExit("error: what tests need was not built; build/machines/release.log has the reason")


def build(variant, *targets):
    """Builds targets of a variant, its command by default: whether that worked."""
    log = FOLDER / f"{variant.name}.log"
    log.unlink(missing_ok=True)
    folder = variant.folder.relative_to(ROOT / "build")
    targets = targets or ("atemi_command",)
    options = "$(release_options)" if variant.build == "release" else shlex.join(variant.options)
    line = (f"setup_configure {folder} {options} && setup_compile {folder} {shlex.join(targets)}")
    return setup(line, log) == 0

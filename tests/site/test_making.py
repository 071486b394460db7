# SPDX-License-Identifier: Apache-2.0
"""tools/make_site makes no site of pages with something wrong, and says where. Runs in a copy of the
pages, with the packages of build/:

    build/site_venv/bin/python tests/site/test_making.py
"""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
LINKED = {"docs", "build", "tools"}  # not these
WRONG = {"a link to a page that is not there": ("abi.md", "[x](nothing.md)", "nothing.md"),
         "a link to a heading that is not there": ("abi.md", "[x](guide.md#nowhere)", "#nowhere"),
         "a page without menu": ("lost.md", "# Lost", "lost.md"),
         "an equation": ("theory/motion.md", "```math\nx = \\foo\n```", "docs/theory/motion.md:")}

# As make_venv of tools/setup.sh notes it, so that it does not install again.
INSTALLED = """source tools/setup.sh
{ echo "$root/build/site_venv" "$("$(system_python)" -VV)"; cat tools/requirements-site.{in,txt}; } |
    sha256sum >build/site_venv/.stamp"""


class Making(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for path in CHECKOUT.iterdir():
            if path.name not in LINKED and path.name[0] != ".":
                (self.root / path.name).symlink_to(path)
        shutil.copytree(CHECKOUT / "docs", self.root / "docs")
        shutil.copytree(CHECKOUT / "tools", self.root / "tools")
        (self.root / "build/site_venv").mkdir(parents=True)
        (self.root / "build/site_venv/bin").symlink_to(CHECKOUT / "build/site_venv/bin")
        (self.root / "build/site_node").symlink_to(CHECKOUT / "build/site_node")
        subprocess.run(["bash", "-c", INSTALLED], cwd=self.root, check=True)

    def test_each_of_these_is_named(self):
        for page, text, _ in WRONG.values():
            with (self.root / "docs" / page).open("a") as file:
                file.write(f"\n{text}\n")
        self.assert_refused({part for _, _, part in WRONG.values() if "motion" in part})
        shutil.copy(CHECKOUT / "docs/theory/motion.md", self.root / "docs/theory/motion.md")
        self.assert_refused({part for _, _, part in WRONG.values() if "motion" not in part})

    def assert_refused(self, parts):
        made = subprocess.run([self.root / "tools/make_site"], capture_output=True, text=True)
        self.assertNotEqual(made.returncode, 0)
        for part in parts:
            self.assertIn(part, made.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Equations of the pages become MathML, and what is none is refused with file and line. Runs with
the packages of tools/make_site:

    build/site_venv/bin/python tests/site/test_equations.py
"""

import pathlib
import sys
import unittest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = CHECKOUT / "build/site_node"
sys.path.insert(0, str(CHECKOUT / "tools/site"))
from equations import typeset  # noqa: E402

# What an author may get wrong, and the line within the block where that is.
WRONG = {"an unknown command": (r"x = \foo", 1),
         "a brace that is not closed": (r"x_{a", 1),
         "one that was not opened": ("x = y\n+ z}", 2),
         "a fraction of one part": (r"x = \frac{1}", 1),
         "two subscripts": ("x\n= a_b_c", 2),
         "a macro that GitHub refuses": ("x\n= \\operatorname{tr} D", 2),
         "an environment without end": (r"\begin{aligned} x", 1),
         "a column where there are none": ("x & y", 1)}


def page(latex):
    return f"# Title\n\nText:\n\n```math\n{latex}\n```\n\nMore.\n"


class Equations(unittest.TestCase):
    def test_an_equation_becomes_mathml(self):
        made = typeset("page.md", page(r"f = \frac{k d_i}{2}"), PACKAGES)
        self.assertNotIn("```", made)
        for part in ("<math", "<mfrac>", "<msub><mi>d</mi><mi>i</mi></msub>", "# Title", "More."):
            self.assertIn(part, made)

    def test_other_blocks_stay(self):
        text = "```sh\natemi info\n```\n\nIn words: `x'`, M⁻¹.\n"
        self.assertEqual(typeset("page.md", text, PACKAGES), text)

    def test_what_is_wrong_is_refused_with_file_and_line(self):
        for what, (latex, line) in WRONG.items():
            with self.subTest(what), self.assertRaisesRegex(ValueError, rf"^page\.md:{5 + line}: ."):
                typeset("page.md", page(latex), PACKAGES)

    def test_every_page_of_the_theory_has_none_left(self):
        pages = sorted((CHECKOUT / "build/site/theory").glob("*.html"))
        self.assertGreater(len(pages), 10)
        counts = {path.stem: path.read_text().count('<div class="equation">') for path in pages}
        for path in (CHECKOUT / "docs/theory").glob("*.md"):
            self.assertEqual(counts[path.stem], path.read_text().count("```math\n"), path)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""What the site has besides docs/: the README and its sisters, the files that pages link to, the list of
public headers, and the gallery. Links are those of the tree; here they become those of the site."""

import html
import itertools
import os
import pathlib
import posixpath
import re
import sys

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from equations import typeset  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SISTERS = {"README.md": "index.md", "CHANGELOG.md": "CHANGELOG.md", "ARCHITECTURE.md": "ARCHITECTURE.md",
           "CONTRIBUTING.md": "CONTRIBUTING.md"}
LINK = re.compile(r"(\]\()([^()\s]+)(\))")
FENCE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)
LANGUAGES = {".c": "c", ".h": "c", ".cpp": "cpp", ".py": "python", ".yaml": "yaml", ".urdf": "xml",
             ".toml": "toml", ".cmake": "cmake", ".csv": "text", "": "bash"}
SEARCH = "assets/iframe-worker.js"
PARTS = pathlib.Path(os.environ.get("ATEMI_SITE_PARTS", ROOT / "build/site_parts"))  # of tools/make_site
PACKAGES = ROOT / "build/site_node"  # of tools/make_site
STYLES = {"assets/site.css": ROOT / "tools/site/site.css",
          "assets/Temml-Local.css": PACKAGES / "node_modules/temml/dist/Temml-Local.css"}
FONT = PACKAGES / "node_modules/temml/dist/Temml.woff2"  # of primes


# ---- Where a file of the tree is on the site

def site_path(path):
    """Of a file or folder, relative to the root of the tree."""
    if path in SISTERS:
        return SISTERS[path]
    if path.startswith("docs/") and (ROOT / path).is_file():
        return path.removeprefix("docs/")
    return f"files/{path}/index.md" if (ROOT / path).is_dir() else f"files/{path}.md"


def tree_path(source):
    """Of a page of the site."""
    back = {site: path for path, site in SISTERS.items()}
    return back.get(source) or f"docs/{source}"


def target_of(source, link):
    """(file or folder of the tree, anchor) that a link of a page points to; None if it leaves the tree."""
    path, _, anchor = link.partition("#")
    if not path or "://" in link or link.startswith("mailto:"):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(tree_path(source)), path)), anchor


def links(text):
    return LINK.finditer(FENCE.sub(lambda match: " " * len(match[0]), text))


# ---- Pages made of files

def page_of_file(path):
    file = ROOT / path
    if file.is_dir():
        names = sorted(item.name + "/" * item.is_dir() for item in file.iterdir() if item.name[0] != ".")
        return f"# {path}/\n\n" + "".join(f"- `{name}`\n" for name in names)
    language = LANGUAGES.get(file.suffix, "text")
    searched = path.startswith(("include/", "scenarios/", "examples/"))  # behind the pages
    search = "boost: 0.2" if searched else "exclude: true"
    return f"---\nsearch: {{{search}}}\n---\n# {path}\n\n~~~~~{language}\n{file.read_text()}\n~~~~~\n"


def headers_page():
    """The public headers, by layer, with their first sentences."""
    text = ["# Public headers\n"]
    if (PARTS / "c/index.html").exists():
        text.append('<a href="c/index.html">Every function, by header</a> (Doxygen).\n')
    text.append("`#include <atemi/atemi.h>` has all of them.\n\n| header | layer | what for |\n|---|---|---|")
    for header in sorted((ROOT / "include/atemi").glob("*.h")):
        brief = re.search(r"/// @file\n((?:/// .*\n)+)", header.read_text())
        words = re.sub(r"\s*/// ", " ", brief[1]).strip() if brief else ""
        layer = re.match(r"Layers? ([\w, ]+)\. ", words)
        words = words[layer.end():] if layer else words
        text.append(f"| [{header.name}](files/include/atemi/{header.name}.md) | {layer[1] if layer else ''} "
                    f"| {html.escape(words)} |")
    return "\n".join(text) + "\n"


def first_sentence(scenario):
    """Of the comment that a scenario begins with."""
    lines = itertools.takewhile(lambda line: line.startswith("#"), scenario.splitlines())
    told = " ".join(line[1:].strip() for line in lines if "SPDX" not in line)
    return re.split(r"(?<=\.)\s", told, maxsplit=1)[0]


def gallery_page():
    """The scenarios that ship; with page and picture of each where tools/make_site --gallery has made
    them."""
    text = ["# Gallery\n", "Every scenario that ships. `tools/make_site --gallery` runs them all and adds "
            "a picture and a page of each: the robot in 3D with a time line, its plots and its numbers, and "
            "for blows what if.\n", "| scenario | what happens | |", "|---|---|---|"]
    for path in sorted((ROOT / "scenarios").glob("*.yaml")):
        told = html.escape(first_sentence(path.read_text()))
        page, picture = (PARTS / "gallery" / f"{path.stem}{ending}" for ending in (".html", ".svg"))
        shown = (f'<img src="gallery/{picture.name}" alt="{path.stem} in motion" width="260">'
                 if picture.exists() else "open")
        live = f'<a href="gallery/{page.name}">{shown}</a>' if page.exists() else ""
        text.append(f"| [{path.stem}](files/scenarios/{path.name}.md) | {told} | {live} |")
    return "\n".join(text) + "\n"


# ---- What MkDocs calls

def on_config(config):
    """A folder in the navigation (decisions/*) stands for its pages."""
    def pages(entry):
        if isinstance(entry, dict):
            return [{title: [page for item in items for page in pages(item)] for title, items in entry.items()}]
        if not entry.endswith("/*"):
            return [entry]
        folder = pathlib.Path(config.docs_dir, entry[:-2])
        return [f"{entry[:-1]}{path.name}" for path in sorted(folder.glob("*.md"))]
    config.nav = [item for entry in config.nav for item in pages(entry)]
    return config


def on_files(files, config):
    made = {site: (ROOT / path).read_text() for path, site in SISTERS.items()}
    made["headers.md"], made["gallery.md"] = headers_page(), gallery_page()
    made[SEARCH] = (ROOT / "tools/site/iframe-worker.js").read_text()
    made |= {style: path.read_text() for style, path in STYLES.items()}
    for source, text in made.items():
        files.append(File.generated(config, source, content=text))
    files.append(File.generated(config, f"assets/{FONT.name}", abs_src_path=str(FONT)))
    for file in [file for file in files if file.src_uri.endswith(".md")]:
        for match in links(file.content_string):
            target = target_of(file.src_uri, match[2])
            if target is None or file.src_uri in ("headers.md", "gallery.md"):
                continue
            add_linked(files, config, target[0])
    for header in (ROOT / "include/atemi").glob("*.h"):
        add_linked(files, config, f"include/atemi/{header.name}")
    for scenario in (ROOT / "scenarios").glob("*.yaml"):
        add_linked(files, config, f"scenarios/{scenario.name}")
    return files


def add_linked(files, config, path):
    source = site_path(path)
    if (ROOT / path).exists() and files.get_file_from_path(source) is None:
        file = File.generated(config, source, content=page_of_file(path))
        file.inclusion = file.inclusion.NOT_IN_NAV
        files.append(file)


def on_page_markdown(markdown, page, config, files):
    source = page.file.src_uri
    if source.startswith("files/") or source in ("headers.md", "gallery.md"):
        return markdown
    parts, end = [], 0
    for match in links(markdown):
        target = target_of(source, match[2])
        if target is None:
            continue
        path = posixpath.relpath(site_path(target[0]), posixpath.dirname(source) or ".")
        parts += [markdown[end:match.start()], match[1].replace("](", "]("), path,
                  f"#{target[1]}" if target[1] else "", match[3]]
        end = match.end()
    try:
        return typeset(tree_path(source), "".join(parts) + markdown[end:], PACKAGES)
    except ValueError as error:
        raise PluginError(str(error)) from error

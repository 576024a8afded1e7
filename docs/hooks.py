"""What MkDocs and the API reference need beyond their settings in mkdocs.yml."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from griffe import Extension, Module, Object
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
ROOT_PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "license.md",
}
"""Files beside docs/ that are pages of the site."""
MERMAID = "assets/mermaid.js"
ASSETS = {
    "assets/mouse.svg": "client/public/mouse.svg",
    MERMAID: "client/node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js",  # the theme would load it from unpkg.com
}
LINK = re.compile(r"(?<=\]\()[^)#\s]+")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and assets that are not in docs/."""
    for source, page in ROOT_PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    for asset, source in ASSETS.items():
        if not (ROOT / source).exists():
            raise FileNotFoundError(f"{source} is missing: run make page first")
        files.append(File.generated(config, asset, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between files of the repository into links between pages of the site."""
    here = page.file.src_uri
    sources = {target: source for source, target in ROOT_PAGES.items()}
    folder = dirname(sources.get(here, f"docs/{here}"))

    def on_site(link: re.Match[str]) -> str:
        target = normpath(join(folder, link[0]))
        if target in ROOT_PAGES:
            return relpath(ROOT_PAGES[target], dirname(here) or ".")
        if target.startswith("docs/"):
            return relpath(target.removeprefix("docs/"), dirname(here) or ".")
        return link[0]  # another site; or a file that the site does not have, and MkDocs warns

    return LINK.sub(on_site, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Load Mermaid on pages with diagrams; the theme uses it if it is there."""
    if 'class="mermaid"' not in html:
        return html
    return f'{html}<script src="{relpath(MERMAID, dirname(page.url) or ".")}"></script>'


class Docstrings(Extension):
    """Turns the examples in docstrings, which are doctests, into blocks of code in Markdown."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring:
            obj.docstring.value = with_code_blocks(obj.docstring.value)

    def on_package(self, *, pkg: Module, **_: Any) -> None:
        """The top package is not among the objects."""
        self.on_object(obj=pkg)


def with_code_blocks(docstring: str) -> str:
    """Put fences around doctests: from ``>>>`` to the next empty line."""
    return re.sub(r"^>>> .*?(?=\n\s*\n|\Z)", r"```pycon\n\g<0>\n```", docstring, flags=re.MULTILINE | re.DOTALL)

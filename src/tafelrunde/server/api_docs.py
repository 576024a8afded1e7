"""Pages without scripts: the API for people to read, and a hint if the page has not been built."""

from __future__ import annotations

from html import escape
from typing import Any

STYLE = """
:root { color-scheme: light dark; --ink: #3a2a20; --paper: #fbf4e6; --line: #d9c7a8; --mark: #b8432f; }
@media (prefers-color-scheme: dark) { :root { --ink: #f1e6d2; --paper: #241a14; --line: #57463a; --mark: #f0a08c; } }
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1.2rem 4rem; font: 1.05rem/1.55 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.8rem; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .4rem; }
a { color: var(--mark); } code, pre { font: .92em ui-monospace, monospace; }
pre { border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem; overflow-x: auto; }
article { border-top: 1px solid var(--line); padding: .7rem 0; } article p { margin: .25rem 0; }
.verb { color: var(--mark); font-weight: 600; }
"""


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/api/style.css">{body}</html>'
    )


def unbuilt_page() -> str:
    """Shown instead of the page if it has not been built."""
    return _page(
        "Tafelrunde",
        """<h1>Tafelrunde</h1>
<p>The page to play on has not been built yet: <code>make play</code> in the folder of the sources does that.</p>
<p>Programs can play all the same: <a href="/api">the API</a>.</p>""",
    )


def api_page(openapi: dict[str, Any]) -> str:
    """The OpenAPI description as HTML."""
    parts = [
        f"<h1>{escape(openapi['info']['title'])} API</h1><p>{escape(openapi['info']['description'])}</p>",
        '<p><a href="/api/openapi.json">openapi.json</a> · <a href="/api/socket.json">socket.json</a></p>',
    ]
    for path, methods in openapi["paths"].items():
        for method, described in methods.items():
            parts.append(_endpoint(path, method, described))
    parts.append("<h2>Bodies</h2>")
    for name, schema in openapi["components"]["schemas"].items():
        parts.append(_body(name, schema))
    return _page("Tafelrunde API", "".join(parts))


def _endpoint(path: str, method: str, described: dict[str, Any]) -> str:
    answers = ", ".join(sorted(described["responses"]))
    takes = _reference(described.get("requestBody", {}))
    gives = _reference(described["responses"].get("200", described["responses"].get("201", {})))
    return (
        f'<article><p><code><span class="verb">{escape(method.upper())}</span> {escape(path)}</code></p>'
        f"<p>{escape(described.get('description', ''))}</p>"
        f"<p>{f'takes {takes}, ' if takes else ''}{f'gives {gives}, ' if gives else ''}answers {answers}</p></article>"
    )


def _reference(part: dict[str, Any]) -> str:
    for content in part.get("content", {}).values():
        name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
        if name:
            return f'<a href="#{escape(name)}">{escape(name)}</a>'
    return ""


def _body(name: str, schema: dict[str, Any]) -> str:
    fields = "".join(
        f"<p><code>{escape(key)}</code> {escape(_kind(field))} {escape(field.get('description', ''))}</p>"
        for key, field in schema.get("properties", {}).items()
    )
    summary = escape(schema.get("description", ""))
    return f'<article id="{escape(name)}"><p><b>{escape(name)}</b> {summary}</p>{fields}</article>'


def _kind(field: dict[str, Any]) -> str:
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if "anyOf" in field:
        return " | ".join(_kind(one) for one in field["anyOf"])
    if field.get("type") == "array":
        return f"[{_kind(field.get('items', {}))}]"
    return str(field.get("type", field.get("const", "any")))

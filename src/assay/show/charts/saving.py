"""Pictures as files: PNG, SVG, PDF, and HTML that needs nothing but itself."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.io.whole import replacing

__all__ = ["FORMS", "form_of", "html", "pdf", "png", "save", "svg"]

FORMS = ("png", "svg", "pdf", "html")
LESS, AMPERSAND = "\ue000lt\ue000", "\ue000amp\ue000"  # private characters: no label holds them
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:"
)


def save(chart: Any, path: str | Path) -> None:
    """Write a picture in the form that the file's suffix names; it appears whole or not at all."""
    form = form_of(path)
    made: Any = {"png": png, "svg": svg, "pdf": pdf, "html": html}[form](chart)
    with replacing(path) as place:
        place.write_bytes(made.encode() if isinstance(made, str) else made)


def form_of(path: str | Path) -> str:
    """The form that the file's suffix names."""
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in FORMS:
        found = f"found .{form}" if form else "found none"
        raise AssayError(f"{path}: expected a suffix of {', '.join(FORMS)}, {found}")
    return form


def svg(chart: Any) -> str:
    """The picture as SVG, to embed or to edit."""
    text: str = _converter().vegalite_to_svg(*_still(chart))
    return _named(text)


def _named(text: str) -> str:
    """The same with ids made of the picture itself.

    The converter numbers them as it goes: they would differ from call to call, and two pictures in
    one page could share one.
    """
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', text))
    plain = re.sub(r'(\bid="|url\(#)[^")]+', r"\1", text)
    mark = hashlib.sha256(plain.encode()).hexdigest()[:10]
    for number, old in enumerate(ids):
        new = f"v{mark}-{number}"
        text = text.replace(f'id="{old}"', f'id="{new}"').replace(f"url(#{old})", f"url(#{new})")
    return text


def png(chart: Any) -> bytes:
    """The picture as PNG, in the resolution of its preset."""
    spec, version = _still(chart)
    scale = spec.get("usermeta", {}).get("assay", {}).get("scale", 2)
    image: bytes = _converter().vegalite_to_png(spec, version, scale=scale)
    return image


def pdf(chart: Any) -> bytes:
    """The picture as PDF."""
    document: bytes = _converter().vegalite_to_pdf(*_still(chart))
    return document


def html(chart: Any) -> str:
    """A page that holds the picture and all that it needs: no request leaves it."""
    spec, version = _spec(chart)
    title = spec.get("title", {})
    words = title.get("text", "") if isinstance(title, dict) else title
    page: str = _converter().vegalite_to_html(_hidden(spec), version, bundle=True)
    # The converter sets the data into a script as they are, where `</script>` would end it.
    page = page.replace(LESS, "\\u003c").replace(AMPERSAND, "\\u0026")
    head = (
        f'<head>\n    <meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"    <title>{_escaped(words)}</title>"
    )
    return page.replace("<html>", '<html lang="en">', 1).replace("<head>", head, 1)


def _hidden(value: Any) -> Any:
    """The specification with stand-ins for the characters that mean something in HTML."""
    if isinstance(value, str):
        return (
            value.replace("<", LESS).replace("&", AMPERSAND)
            if "<" in value or "&" in value
            else value
        )
    if isinstance(value, dict):
        return {_hidden(key): _hidden(each) for key, each in value.items()}
    return [_hidden(each) for each in value] if isinstance(value, list) else value


def _escaped(words: str | list[str]) -> str:
    from html import escape

    return escape(words if isinstance(words, str) else " ".join(words))


def _spec(chart: Any) -> tuple[dict[str, Any], str]:
    """The specification, with every number plain, and the version of Vega-Lite it is written in."""
    import altair as alt

    spec: dict[str, Any] = json.loads(json.dumps(chart.to_dict()))
    return spec, ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def _still(chart: Any) -> tuple[dict[str, Any], str]:
    """The specification without the layers that only answer a pointer."""
    spec, version = _spec(chart)
    spec.pop("params", None)
    for panel in (spec, *spec.get("vconcat", ())):
        if "layer" in panel:
            panel["layer"] = [
                layer
                for layer in panel["layer"]
                if not re.search(r"_(grab|hovered)(_\d+)?$", layer.get("name", ""))
            ]
    return spec, version


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise AssayError(
            "pictures need Altair and vl-convert; type: pip install 'assay[show]'"
        ) from None
    return vl_convert

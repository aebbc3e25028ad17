"""The Cystic Fibrosis collection's XML: elements with their texts and the lines they begin on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.smart.lines import Filed

__all__ = ["Element", "elements"]


@dataclass
class Element:
    """An element, its text and the elements inside."""

    name: str
    where: str  # file:line
    attributes: dict[str, str]
    words: list[str] = field(default_factory=list)
    inside: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its own text, without that of the elements inside."""
        return "".join(self.words).strip()

    def find(self, name: str) -> Element | None:
        """The first element of this name directly inside."""
        return next((each for each in self.inside if each.name == name), None)

    def needed(self, name: str) -> str:
        """The text of an element inside that must be there."""
        found = self.find(name)
        if found is None or not found.text:
            raise AssayError(f"{self.where}: expected <{name}> with text inside <{self.name}>")
        return found.text

    def walk(self, name: str) -> Iterator[Element]:
        """All elements of this name, however deep."""
        for each in self.inside:
            if each.name == name:
                yield each
            yield from each.walk(name)


def elements(filed: Filed) -> Element:
    """The root of a document."""
    top = Element("", filed.file, {})
    open_ = [top]
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, f"{filed.file}:{parser.CurrentLineNumber}", attributes)
        open_[-1].inside.append(element)
        open_.append(element)

    def end(_: str) -> None:
        open_.pop()

    def words(data: str) -> None:
        open_[-1].words.append(data)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = words
    try:
        parser.Parse(filed.text, True)  # noqa: FBT003 - expat's signature
    except expat.ExpatError as error:
        why = expat.errors.messages[error.code]
        raise AssayError(f"{filed.file}:{error.lineno}: not well-formed XML: {why}") from None
    return top.inside[0]

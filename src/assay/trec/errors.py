"""How trec_eval stops: an exit status, and lines that say why."""

from __future__ import annotations

from assay.errors import AssayError

__all__ = ["TrecError"]


OWN = "assay: "  # begins the line that says more than trec_eval does: for programs, that alone


class TrecError(AssayError):
    """End the program with this status; the message goes to standard error as it is."""

    def __init__(self, code: int, *lines: str, out: str = "") -> None:
        own = [line.removeprefix(OWN) for line in lines if line.startswith(OWN)]
        super().__init__("; ".join(line.strip() for line in own or lines))
        self.code = code
        self.lines = lines
        self.out = out  # for standard output, as help is

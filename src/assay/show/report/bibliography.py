"""Papers by DOI, and which of them a test or a correction goes back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ENTRIES", "TESTS", "Entry"]

_TEX = str.maketrans(
    {"ä": '{\\"a}', "ö": '{\\"o}', "ü": '{\\"u}', "é": "{\\'e}", "&": "\\&", "_": "\\_", "%": "\\%"}
)


@dataclass(frozen=True)
class Entry:
    """One entry of BibTeX."""

    key: str
    kind: str
    fields: Mapping[str, str]

    def bibtex(self) -> str:
        """The entry as a bibliography file has it."""
        lines = [
            f"  {name} = {{{value if name == 'doi' else value.translate(_TEX)}}}"
            for name, value in self.fields.items()
        ]
        return f"@{self.kind}{{{self.key},\n" + ",\n".join(lines) + "\n}"


def _entry(key: str, kind: str, author: str, title: str, year: int, doi: str, **more: str) -> Entry:
    fields = {"author": author, "title": f"{{{title}}}", "year": str(year), **more}
    return Entry(key, kind, fields | ({"doi": doi} if "/" in doi else {}))


def _article(
    key: str, author: str, title: str, year: int, doi: str, journal: str, volume: str, pages: str
) -> Entry:
    number: dict[str, str] = {}
    if "(" in volume:
        volume, _, issue = volume.rstrip(")").partition("(")
        number = {"number": issue}
    return _entry(
        key, "article", author, title, year, doi,
        journal=journal, volume=volume, **number, pages=pages,
    )  # fmt: skip


def _talk(
    key: str, author: str, title: str, year: int, doi: str, booktitle: str, pages: str
) -> Entry:
    return _entry(key, "inproceedings", author, title, year, doi, booktitle=booktitle, pages=pages)


_ALL = (
    _article(
        "jarvelin2002",
        "Järvelin, Kalervo and Kekäläinen, Jaana",
        "Cumulated gain-based evaluation of IR techniques",
        2002,
        "10.1145/582415.582418",
        "ACM Transactions on Information Systems",
        "20(4)",
        "422--446",
    ),
    _talk(
        "burges2005",
        "Burges, Chris and Shaked, Tal and Renshaw, Erin and Lazier, Ari and Deeds, Matt and "
        "Hamilton, Nicole and Hullender, Greg",
        "Learning to rank using gradient descent",
        2005,
        "10.1145/1102351.1102363",
        "Proceedings of the 22nd International Conference on Machine Learning",
        "89--96",
    ),
    _talk(
        "buckley2000",
        "Buckley, Chris and Voorhees, Ellen M.",
        "Evaluating evaluation measure stability",
        2000,
        "10.1145/345508.345543",
        "Proceedings of SIGIR 2000",
        "33--40",
    ),
    _talk(
        "buckley2004",
        "Buckley, Chris and Voorhees, Ellen M.",
        "Retrieval evaluation with incomplete information",
        2004,
        "10.1145/1008992.1009000",
        "Proceedings of SIGIR 2004",
        "25--32",
    ),
    _talk(
        "yilmaz2006",
        "Yilmaz, Emine and Aslam, Javed A.",
        "Estimating average precision with incomplete and imperfect judgments",
        2006,
        "10.1145/1183614.1183633",
        "Proceedings of CIKM 2006",
        "102--111",
    ),
    _article(
        "sakai2007",
        "Sakai, Tetsuya",
        "On the reliability of information retrieval metrics based on graded relevance",
        2007,
        "10.1016/j.ipm.2006.07.020",
        "Information Processing & Management",
        "43(2)",
        "531--548",
    ),
    _article(
        "moffat2008",
        "Moffat, Alistair and Zobel, Justin",
        "Rank-biased precision for measurement of retrieval effectiveness",
        2008,
        "10.1145/1416950.1416952",
        "ACM Transactions on Information Systems",
        "27(1)",
        "2:1--2:27",
    ),
    _talk(
        "chapelle2009",
        "Chapelle, Olivier and Metzler, Donald and Zhang, Ya and Grinspan, Pierre",
        "Expected reciprocal rank for graded relevance",
        2009,
        "10.1145/1645953.1646033",
        "Proceedings of CIKM 2009",
        "621--630",
    ),
    _article(
        "kantor2000",
        "Kantor, Paul B. and Voorhees, Ellen M.",
        "The TREC-5 confusion track: Comparing retrieval methods for scanned text",
        2000,
        "10.1023/A:1009902609570",
        "Information Retrieval",
        "2(2/3)",
        "165--176",
    ),
    _article(
        "kent1955",
        "Kent, Allen and Berry, Madeline M. and Luehrs, Fred U. and Perry, J. W.",
        "Machine literature searching VIII: Operational criteria for designing information "
        "retrieval systems",
        1955,
        "10.1002/asi.5090060209",
        "American Documentation",
        "6(2)",
        "93--101",
    ),
    _article(
        "sanderson2010",
        "Sanderson, Mark",
        "Test collection based evaluation of information retrieval systems",
        2010,
        "10.1561/1500000009",
        "Foundations and Trends in Information Retrieval",
        "4(4)",
        "247--375",
    ),
    _article(
        "zhou2010",
        "Zhou, Bing and Yao, Yiyu",
        "Evaluating information retrieval system performance based on user preference",
        2010,
        "10.1007/s10844-009-0096-5",
        "Journal of Intelligent Information Systems",
        "34(3)",
        "227--248",
    ),
    _article(
        "cooper1968",
        "Cooper, William S.",
        "Expected search length: A single measure of retrieval effectiveness based on the weak "
        "ordering action of retrieval systems",
        1968,
        "10.1002/asi.5090190108",
        "American Documentation",
        "19(1)",
        "30--41",
    ),
    # tests and corrections
    _article(
        "student1908",
        "{Student}",
        "The probable error of a mean",
        1908,
        "10.1093/biomet/6.1.1",
        "Biometrika",
        "6(1)",
        "1--25",
    ),
    _article(
        "wilcoxon1945",
        "Wilcoxon, Frank",
        "Individual comparisons by ranking methods",
        1945,
        "10.2307/3001968",
        "Biometrics Bulletin",
        "1(6)",
        "80--83",
    ),
    _article(
        "friedman1937",
        "Friedman, Milton",
        "The use of ranks to avoid the assumption of normality implicit in the analysis of "
        "variance",
        1937,
        "10.1080/01621459.1937.10503522",
        "Journal of the American Statistical Association",
        "32(200)",
        "675--701",
    ),
    _entry(
        "conover1999",
        "book",
        "Conover, W. J.",
        "Practical nonparametric statistics",
        1999,
        "conover",
        edition="3rd",
        publisher="Wiley",
    ),
    _article(
        "tukey1949",
        "Tukey, John W.",
        "Comparing individual means in the analysis of variance",
        1949,
        "10.2307/3001913",
        "Biometrics",
        "5(2)",
        "99--114",
    ),
    _article(
        "carterette2012",
        "Carterette, Benjamin A.",
        "Multiple testing in statistical analysis of systems-based information retrieval "
        "experiments",
        2012,
        "10.1145/2094072.2094076",
        "ACM Transactions on Information Systems",
        "30(1)",
        "4:1--4:34",
    ),
    _talk(
        "smucker2007",
        "Smucker, Mark D. and Allan, James and Carterette, Ben",
        "A comparison of statistical significance tests for information retrieval evaluation",
        2007,
        "10.1145/1321440.1321528",
        "Proceedings of CIKM 2007",
        "623--632",
    ),
    _talk(
        "sakai2006",
        "Sakai, Tetsuya",
        "Evaluating evaluation metrics based on the bootstrap",
        2006,
        "10.1145/1148170.1148261",
        "Proceedings of SIGIR 2006",
        "525--532",
    ),
    _article(
        "holm1979",
        "Holm, Sture",
        "A simple sequentially rejective multiple test procedure",
        1979,
        "holm",
        "Scandinavian Journal of Statistics",
        "6(2)",
        "65--70",
    ),
    _article(
        "dunn1961",
        "Dunn, Olive Jean",
        "Multiple comparisons among means",
        1961,
        "10.1080/01621459.1961.10482090",
        "Journal of the American Statistical Association",
        "56(293)",
        "52--64",
    ),
    _article(
        "benjamini1995",
        "Benjamini, Yoav and Hochberg, Yosef",
        "Controlling the false discovery rate: A practical and powerful approach to multiple "
        "testing",
        1995,
        "10.1111/j.2517-6161.1995.tb02031.x",
        "Journal of the Royal Statistical Society, Series B",
        "57(1)",
        "289--300",
    ),
    _article(
        "piepho2004",
        "Piepho, Hans-Peter",
        "An algorithm for a letter-based representation of all-pairwise comparisons",
        2004,
        "10.1198/1061860043515",
        "Journal of Computational and Graphical Statistics",
        "13(2)",
        "456--466",
    ),
)

ENTRIES: dict[str, Entry] = {entry.fields.get("doi", entry.key): entry for entry in _ALL}

TESTS = {
    "t": ("10.1093/biomet/6.1.1",),
    "wilcoxon": ("10.2307/3001968",),
    "sign": ("conover1999",),
    "randomization": ("10.1145/1321440.1321528",),
    "bootstrap": ("10.1145/1148170.1148261",),
    "friedman": ("10.1080/01621459.1937.10503522", "conover1999"),
    "anova": (),
    "tukey-hsd": ("10.2307/3001913",),
    "randomized-tukey-hsd": ("10.1145/2094072.2094076",),
    "holm": ("holm1979",),
    "bonferroni": ("10.1080/01621459.1961.10482090",),
    "bh": ("10.1111/j.2517-6161.1995.tb02031.x",),
    "letters": ("10.1198/1061860043515",),
}

"""Pieces of files: cut at line ends, whole topics, physical line numbers, compression."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import sys

import pytest

from assay.errors import AssayError
from assay.io.stream import FOREIGN, label_of, pieces

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstd.compress}
MAGIC = {"gz": 3, "bz2": 4, "xz": 6, "zst": 4}  # bytes that show the kind


@pytest.fixture
def write(tmp_path):
    def write(data: bytes, name: str = "a.run"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def run_bytes(topics: int, docs: int, end: str = "\n", comment: str = "") -> bytes:
    lines = [f"t{t} Q0 d{d} {d} {-d}.5 tag" for t in range(topics) for d in range(docs)]
    return (comment + end.join(lines) + end).encode()


def check_pieces(data: bytes, found: list) -> None:
    """The pieces are the data, each ended by a line feed and knowing its first line."""
    assert b"".join(piece.data for piece in found) == data
    line = 1
    for piece in found:
        assert piece.data.endswith(b"\n")
        assert piece.line == line
        line += piece.data.count(b"\n")


@pytest.mark.parametrize("size", [1, 4, 7, 64, 100, 1000, 1 << 20])
@pytest.mark.parametrize("whole_topics", [True, False])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_pieces_are_the_file(write, size, whole_topics, end):
    data = run_bytes(7, 5, end, comment="# comment\n\n")
    found = list(pieces(write(data), size, whole_topics=whole_topics))
    check_pieces(data, found)
    assert len(found) > 1 or size > 100


@pytest.mark.parametrize("size", [4, 64, 200])
def test_a_topic_is_never_cut(write, size):
    found = list(pieces(write(run_bytes(9, 6)), size, whole_topics=True))
    topics = [{line.split()[0] for line in piece.data.splitlines()} for piece in found]
    assert sum(map(len, topics)) == 9
    assert len(found) >= 3


def test_a_topic_of_many_pieces_makes_one_piece(write):
    data = run_bytes(1, 500)
    assert [piece.data for piece in pieces(write(data), 64, whole_topics=True)] == [data]


def test_comments_and_blank_lines_do_not_end_a_topic(write):
    data = b"a 1\n# b\n\n  \na 2\n#\nb 3\n"
    first, second = pieces(write(data), 4, whole_topics=True)
    assert (first.data, second.data) == (b"a 1\n# b\n\n  \na 2\n", b"#\nb 3\n")
    assert second.line == 6


def test_scattered_topics_are_still_cut(write):
    data = b"".join(f"t{i % 2} Q0 d{i} 1 {i} tag\n".encode() for i in range(100))
    assert len(list(pieces(write(data), 64, whole_topics=True))) > 10


def test_random_text_survives_any_size(write):
    rng = random.Random(4)
    for _ in range(200):
        data = bytes(rng.choice(b"ab \r\n\n#") for _ in range(rng.randint(1, 90)))
        path = write(data)
        for whole_topics in (True, False):
            found = list(pieces(path, rng.randint(1, 70), whole_topics=whole_topics))
            check_pieces(data if data.endswith(b"\n") else data + b"\n", found)


def test_a_line_longer_than_a_piece(write):
    data = b"a" * 1000 + b"\n" + b"b\n"
    check_pieces(data, list(pieces(write(data), 16)))


def test_the_last_line_is_closed(write):
    assert [piece.data for piece in pieces(write(b"a b"), 64)] == [b"a b\n"]


def test_an_empty_file_has_no_pieces(write):
    assert list(pieces(write(b""))) == []


@pytest.mark.parametrize("size", [1, 3, 64])
def test_byte_order_mark_at_the_start_only(write, size):
    data = b"\xef\xbb\xbfa b\n\xef\xbb\xbfc d\n"
    joined = b"".join(piece.data for piece in pieces(write(data), size))
    assert joined == data[3:]


@pytest.mark.parametrize("mark", FOREIGN)
def test_foreign_files_are_named(write, mark):
    what = FOREIGN[mark].split(";")[0]
    with pytest.raises(AssayError, match=f"a.run: {what}; "):
        list(pieces(write(mark + b"q 0 d 1\n")))


def test_utf16_with_a_mark_is_named(write):
    with pytest.raises(AssayError, match=r"UTF-16 text; expected UTF-8. Convert it: iconv"):
        list(pieces(write("q 0 d 1\n".encode("utf-16"))))


class TestCompression:
    @pytest.mark.parametrize("kind", COMPRESS)
    def test_content_decides_not_the_name(self, write, kind):
        data = run_bytes(3, 50)
        for name in (f"a.run.{kind}", "a.run", "a.gz"):
            check_pieces(data, list(pieces(write(COMPRESS[kind](data), name), 64)))

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_several_members(self, write, kind):
        data = run_bytes(3, 50)
        parts = data[:100], data[100:]
        path = write(b"".join(map(COMPRESS[kind], parts)))
        assert b"".join(piece.data for piece in pieces(path, 64)) == data

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_cut_short(self, write, kind):
        whole = COMPRESS[kind](run_bytes(3, 500))
        for end in range(MAGIC[kind] + 2, len(whole) - 1, max(1, len(whole) // 40)):
            with pytest.raises(AssayError, match=r"a.run: the compressed data is damaged or cut"):
                list(pieces(write(whole[:end]), 64))

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_damaged(self, write, kind):
        """A damaged byte is an error, or (where no checksum covers it) changes nothing."""
        data, rng = run_bytes(3, 500), random.Random(kind)
        whole, caught = COMPRESS[kind](data), 0
        for _ in range(60):
            at = rng.randrange(MAGIC[kind], len(whole))
            broken = whole[:at] + bytes([whole[at] ^ (1 << rng.randrange(8))]) + whole[at + 1 :]
            try:
                found = b"".join(piece.data for piece in pieces(write(broken)))
            except AssayError as error:
                caught += "the compressed data is damaged" in str(error)
            else:
                assert kind == "zst" or found == data  # zstd's default has no checksum
        assert caught > (10 if kind == "zst" else 40)

    @pytest.mark.parametrize("kind", COMPRESS)
    def test_magic_alone(self, write, kind):
        with pytest.raises(AssayError, match="damaged or cut short"):
            list(pieces(write(COMPRESS[kind](b"q 0 d 1\n")[: MAGIC[kind] + 1])))


class TestCannotOpen:
    def test_missing_file_suggests_the_nearest_name(self, write):
        near = write(b"", "bm25.run")
        with pytest.raises(AssayError, match=rf"bm52.run: no such file; did you mean {near}\?"):
            list(pieces(near.parent / "bm52.run"))

    def test_missing_file_with_nothing_near(self, tmp_path):
        with pytest.raises(AssayError, match=r"zzz: no such file$"):
            list(pieces(tmp_path / "zzz"))

    def test_missing_folder(self, tmp_path):
        with pytest.raises(AssayError, match=r"no such file, and no folder .*/runs"):
            list(pieces(tmp_path / "runs" / "a.run"))

    def test_a_folder(self, tmp_path):
        with pytest.raises(AssayError, match="a folder; expected a file"):
            list(pieces(tmp_path))

    @pytest.mark.parametrize("name", ["a\0b", "a" * 5000])
    def test_impossible_names(self, name):
        with pytest.raises(AssayError, match="cannot be opened: "):
            list(pieces(name))


@pytest.mark.parametrize(
    ("source", "label"),
    [
        ("runs/bm25.run", "bm25"),
        ("bm25.run.gz", "bm25"),
        ("BM25.TXT.zst", "BM25"),
        ("v1.2", "v1.2"),
        ("v1.2.txt", "v1.2"),
        ("qrels.covid-round3.txt", "qrels.covid-round3"),
        ("input.bm25", "input.bm25"),
        (".run", ".run"),
        ("run", "run"),
        ("-", "stdin"),
    ],
)
def test_labels_come_from_file_names(source, label):
    assert label_of(source) == label

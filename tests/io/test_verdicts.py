"""Files of preferences: each form, told apart or named; what is refused, with file and line."""

from __future__ import annotations

import gzip
import json
from collections import Counter

import hypothesis.strategies as st
import pytest
from hypothesis import given

from assay import AssayError, Preferences, read_preferences

SAME = [("q", "a", ">", "b"), ("q", "b", "=", "c"), ("p", "c", ">", "a")]
FORMS = {
    "pairs": "q a b\nq b = c\np c a\n",
    "pairs, signs": "q a > b\nq c = b\np a < c\n",
    "pairs, tie behind": "q a b\nq b c =\np c a\n",
    "verdicts": "q a b a\nq b c =\np a c c\n",
    "marked": "@ q a b !\n@ q c b =\n@ p a b ?\n@ p c a !\n",
    "tabs": "q\ta\tb\nq\tb\t=\tc\np\tc\ta\n",
    "commas": "q,a,b\nq,b,=,c\np,c,a\n",
    "csv": 'topic,better,worse,tie\nq,a,b,\nq,b,"c",=\np,c,a,0\n',
    "csv, winner": "winner,doc2,doc1,topic\na,b,a,q\n=,c,b,q\nc,c,a,p\n",
    "tsv": "topic\tbetter\tworse\ttie\nq\ta\tb\tfalse\nq\tb\tc\ttrue\np\tc\ta\tno\n",
    "blanks with a head": "qid better worse tie\nq a b 0\nq b c 1\np c a 0\n",
    "json lines": '{"topic": "q", "better": "a", "worse": "b"}\n'
    '{"topic": "q", "doc1": "b", "doc2": "c", "winner": "="}\n'
    '{"query": "p", "better": "c", "worse": "a"}\n',
}


@pytest.fixture
def write(tmp_path):
    def write(data, name="prefs.txt"):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


@pytest.mark.parametrize("name", FORMS)
def test_every_form_says_the_same(name, write):
    assert list(read_preferences(write(FORMS[name]))) == SAME


@pytest.mark.parametrize("name", ["pairs", "verdicts", "marked"])
def test_a_form_can_be_named(name, write):
    assert list(read_preferences(write(FORMS[name]), format=name)) == SAME


def test_comments_blank_lines_line_ends_and_compression(write):
    data = b"\xef\xbb\xbf# a comment\r\nq a b\r\n\r\nq b = c\r\np c a"
    assert list(read_preferences(write(data))) == SAME
    assert list(read_preferences(write(gzip.compress(data), "prefs.gz"))) == SAME


@pytest.mark.parametrize(
    "text",
    [
        "q j a b\nq k = b c\nq k b = c\n",
        "q j a b a\nq k b c =\n",
        "topic,judge,better,worse\nq,j,a,b\nq,k,c,b\n",
    ],
    ids=["pairs", "verdicts", "csv"],
)
def test_judges(text, write):
    text = text.replace("q k = b c\n", "")
    assert read_preferences(write(text)).judges == ["j", "k"]


def test_repeated_votes_are_counted_and_their_lines_kept(write):
    frame = read_preferences(write("q a b\nq b a\nq a b\nq a = b\nq b = a\n")).frame
    assert frame["votes"].to_list() == [2, 1, 2]
    assert frame["lines"].to_list() == [[1, 3], [2], [4, 5]]
    assert read_preferences(write("topic,better,worse,votes\nq,a,b,7\nq,a,b,2\n")).frame[
        "votes"
    ].to_list() == [9]


def test_trec_prefs_make_pairs_within_sub_groups_closed_by_transitivity(write):
    text = "q g 0 a 2\nq g 0 b 1.5\nq g 0 c 1.5\nq g 1 b 9\nq g 1 d 0\nq h 0 a 0\nq h 0 d 0\n"
    found = read_preferences(write(text))
    assert list(found.by_judge()["g"]) == [
        ("q", "a", ">", "b"),
        ("q", "a", ">", "c"),
        ("q", "b", ">", "d"),
        ("q", "a", ">", "d"),
    ]
    assert found.by_judge()["g"].frame["lines"].to_list() == [[1, 2], [1, 3], [4, 5], []]
    assert list(found.by_judge()["h"]) == [("q", "a", "=", "d")]  # one sub-group is a weak order


def test_trec_evals_own_file_states_as_many_preferences_as_it_counts(shared):
    folder = shared / "peers" / "trec_eval"
    rows = [line.split() for line in (folder / "out.test.prefs").read_text().splitlines()]
    wanted = {
        t: int(n)
        for name, t, n in rows
        if name == "prefs_num_prefs_poss" and t != "all" and n != "0"
    }
    for name in ("prefs.test", "prefs.comment.test"):
        frame = read_preferences(folder / name).frame
        found = dict(frame.filter(~frame["tie"]).group_by("topic").len().iter_rows())
        assert found == wanted


def lines_of(path):
    """Fields of a file's lines, by an obvious loop."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [line.split() for line in data.decode().splitlines()]


def statements(path):
    """What the lines of one of dl21's files state, each as often as it is stated."""
    found = Counter()
    for fields in lines_of(path):
        if fields[0] == "@":
            _, topic, a, b, mark = fields
            found[(topic, *sorted((a, b)), "=") if mark == "=" else (topic, a, b, ">")] += 1
        elif len(fields) == 4:
            topic, a, b, winner = fields
            found[topic, winner, b if winner == a else a, ">"] += 1
        else:
            found[(*fields, ">")] += 1
    return found


VERDICTS = ["human.human.gz", "judge.04", "judge.05", "judge.human.gz"]
VERDICTS += [f"judge.0{i}.gz" for i in range(4)]


@pytest.mark.parametrize("name", VERDICTS)
def test_real_verdicts_are_read(name, shared):
    path = shared / "dl21" / "prefs" / name
    found = read_preferences(path)
    rows = found.frame.select("topic", "better", "worse", "tie", "votes").iter_rows()
    read = {(t, a, b, "=" if tie else ">"): votes for t, a, b, tie, votes in rows}
    assert read == statements(path)
    three = [f"{path}: three columns, read as topic, better, worse"]
    assert list(found.notes) == ([] if "human" in name else three)


def test_real_files_that_state_no_preference_are_refused(shared):
    folder = shared / "dl21" / "prefs"
    assert {path.name for path in folder.iterdir()} == {
        *VERDICTS,
        "prefs.dl21",
        "requests.unacceptable.gz",
    }
    grades, requests = folder / "prefs.dl21", folder / "requests.unacceptable.gz"
    message = r"prefs\.dl21:1: these look like judgments .*to_preferences\(\)"
    with pytest.raises(AssayError, match=message):
        read_preferences(grades)
    with pytest.raises(AssayError, match=r"gz:1: .* pairs still to be judged, .*format='pairs'"):
        read_preferences(requests)
    sizes = Counter(topic for topic, *_ in lines_of(grades)).values()
    pairs = sum(n * (n - 1) // 2 for n in sizes)
    assert len(read_preferences(grades, format="qrels_prefs")) == pairs
    assert len(read_preferences(requests, format="pairs")) == len(lines_of(requests))


def test_the_better_document_stands_in_the_second_column(shared):
    """Where the published level is below 4, it is the number of verdicts won in round 0."""
    folder = shared / "dl21" / "prefs"
    frame = read_preferences(folder / "judge.00.gz").frame
    wins = Counter(zip(frame["topic"], frame["better"], strict=True))
    levels = {(t, doc): int(level) for t, _, doc, level in lines_of(folder / "prefs.dl21")}
    low = {key: level for key, level in levels.items() if level < 4}
    assert len(low) > 1000
    assert all(wins[key] == level for key, level in low.items())


BAD = {
    "no data": ("", r"no data: expected preferences"),
    "winner": (
        "q a b a\nq a b b\nq a b x\n",
        r":3: the winner 'x' is neither 'a' nor 'b', nor `=`",
    ),
    "columns": (
        "q a b\nq a b\nq a\n",
        r":3: expected 3 columns, `topic better worse`.* found 2: 'q a'",
    ),
    "verdict columns": (
        "q a b a\nq b a a\nq a b\n",
        r":3: expected 4 columns, `topic doc doc winner`",
    ),
    "itself": ("q a b\nq a a\n", r":2: document 'a' is compared with itself"),
    "run": ("q Q0 a 1 3.5 tag\n", r":1: expected preferences.*found 6 columns.*looks like a run"),
    "judgments": ("# c\nq 0 a 0\nq 0 b 2\n", r":2: these look like judgments"),
    "mark": ("@ q a b !\n@ q a b +\n", r":2: expected `@ topic better worse !`.*'@ q a b \+'"),
    "level": (
        "q g 0 a 1\nq g 0 b x\n",
        r":2: expected a finite number as level in column 5, found 'x'",
    ),
    "twice": (
        "q g 0 a 1\nq g 0 b 2\nq g 0 a 3\n",
        r":3: document 'a' of topic 'q' stands twice in sub-group g 0, first on line 1",
    ),
    "contradiction": (
        "q g 0 a 1\nq g 0 b 2\nq g 1 a 5\nq g 1 b 3\n",
        r":4: the sub-groups of one judge contradict each other",
    ),
    "names": (
        "topic,better,wrose\nq,a,b\n",
        r":1: expected columns named topic, better, worse.*found topic, better, wrose",
    ),
    "fields": ("topic,better,worse\nq,a\n", r":2: expected 3 columns as in the head, found 2"),
    "empty": ("topic,better,worse\nq,a,\n", r":2: no worse"),
    "votes": (
        "topic,better,worse,votes\nq,a,b,-1\n",
        r":2: votes must be a whole number from 1, found '-1'",
    ),
    "tie": (
        "topic,better,worse,tie\nq,a,b,maybe\n",
        r":2: tie must be true or false, found 'maybe'",
    ),
    "quotes": ('topic,better,worse\nq,"a,b\n', r":2: .*a quoted field must end on its own line"),
    "json": ('{"topic": "q", "better": "a", "worse": "b"}\n{"topic"\n', r":2: not JSON"),
    "json list": (
        '{"topic": "q", "better": "a", "worse": "b"}\n[1]\n',
        r":2: expected a JSON object",
    ),
    "json number": ('{"topic": "q", "better": "a", "worse": 1.5}\n', r":1: no worse"),
    "nul": (b"q a b\nq a \0b\n", r":2: a NUL byte"),
    "utf-8": (b"q a b\nq a \xff\n", r":2: byte 0xff is not valid UTF-8"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_lines_are_refused_with_file_and_line(name, write):
    data, message = BAD[name]
    with pytest.raises(AssayError, match=rf"prefs\.txt.*{message}"):
        read_preferences(write(data))


def test_an_unknown_form(write):
    with pytest.raises(AssayError, match="format='qrels': must be one of 'pairs'"):
        read_preferences(write("q a b\n"), format="qrels")


def test_lenient_counts_what_it_leaves_out(write):
    found = read_preferences(write("q a b\nq a a\nq\nq x y\nq b b\n"), strict=False)
    assert len(found) == 2
    assert found.dropped.counts == {
        "a document compared with itself": 2,
        "a wrong number of columns": 1,
    }
    assert found.dropped.first["a document compared with itself"].endswith("prefs.txt:2")
    found = read_preferences(
        write("q g 0 a 1\nq g 0 b 2\nq g 1 a 5\nq g 1 b 3\nq g 1 a 1\n"), strict=False
    )
    assert not found.check().consistent
    with pytest.raises(AssayError, match="no preference is stated; left out 1 row"):
        read_preferences(write("q a a\n"), strict=False, format="pairs")


def test_numeric_documents_do_not_confuse(write):
    assert list(read_preferences(write("1 12 15 15\n1 15 17 15\n"))) == [
        ("1", "15", ">", "12"),
        ("1", "15", ">", "17"),
    ]
    with pytest.raises(AssayError, match="look like judgments"):
        read_preferences(write("1 0 12 0\n1 0 13 0\n1 0 14 2\n"))
    assert read_preferences(write("q 0 0 a 0\nq 0 0 b 1\n")).judges == ["0"]


WORDS = st.text("abcxyz019_.-", min_size=1, max_size=6).filter(lambda word: word[0] not in "-#")
ROWS = st.lists(
    st.tuples(WORDS, WORDS, WORDS, st.booleans()).filter(lambda row: row[1] != row[2]), min_size=1
)


@given(rows=ROWS)
def test_written_as_json_and_read_back(rows, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "back.jsonl"
    records = [{"topic": t, "better": a, "worse": b, "tie": tie} for t, a, b, tie in rows]
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    stated = {}
    for t, a, b, tie in rows:
        stated.setdefault(t, []).append((a, "=" if tie else ">", b))
    wanted = sorted(Preferences(stated))
    assert sorted(read_preferences(path)) == wanted

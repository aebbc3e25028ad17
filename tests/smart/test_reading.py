"""Documents, queries, synonyms and old judgments: what is read, and what is refused."""

from __future__ import annotations

import gzip
import json

import pytest

from assay import AssayError, smart
from assay.smart.words import COMMON, form, words

XML = """<?xml version="1.0"?>
<FILE>
  <RECORD>
    <RECORDNUM>00012</RECORDNUM>
    <TITLE>Sweat &lt;test&gt;</TITLE>
    <ABSTRACT>Of sodium.</ABSTRACT>
    <MAJORSUBJ><TOPIC>SWEAT</TOPIC></MAJORSUBJ>
  </RECORD>
  <RECORD><RECORDNUM>00013</RECORDNUM><TITLE>Mucus</TITLE><EXTRACT>Thick.</EXTRACT></RECORD>
</FILE>
"""
QUERIES = """<FILEQUERY>
<QUERY><QueryNumber>00001</QueryNumber><QueryText>What is mucus?</QueryText>
<Results>00002</Results>
<Records>
<Item score="1202">12</Item>
<Item score="0001">00013</Item>
</Records></QUERY>
</FILEQUERY>
"""


def put(folder, text, name="file.txt"):
    (folder / name).write_text(text)
    return folder / name


class TestTexts:
    def test_smart_files(self, folder):
        first, second, third = smart.read_texts("docs.txt")
        assert (first.id, first.title) == ("1", "Lung infections")
        assert first.body == "Infections of the lungs and the lung."
        assert (second.id, third.id, third.title) == ("2", "3", "")
        assert third.where == "docs.txt:13"

    def test_queries_by_position(self, folder):
        assert [q.id for q in smart.read_texts("queries.txt")] == ["1", "7"]
        assert [q.id for q in smart.read_texts("queries.txt", by_position=True)] == ["1", "2"]

    def test_compressed_and_several_files(self, folder):
        with gzip.open(folder / "more.gz", "wt") as file:
            file.write(".I 9\n.W\nmore words\n")
        assert [t.id for t in smart.read_texts(["docs.txt", "more.gz"])] == ["1", "2", "3", "9"]

    def test_records_of_the_xml(self, tmp_path):
        first, second = smart.read_texts(put(tmp_path, XML))
        assert (first.id, first.title, first.body) == ("12", "Sweat <test>", "Of sodium.")
        assert (second.id, second.body) == ("13", "Thick.")  # an extract where no abstract is

    def test_queries_of_the_xml(self, tmp_path):
        (query,) = smart.read_texts(put(tmp_path, QUERIES))
        assert (query.id, query.body) == ("1", "What is mucus?")

    def test_json_lines_keep_their_ids(self, tmp_path):
        items = [{"_id": "007", "title": "A", "text": "b"}, {"id": 8, "contents": "c"}]
        path = put(tmp_path, "\n".join(map(json.dumps, items)))
        assert [(t.id, t.title, t.body) for t in smart.read_texts(path)] == [
            ("007", "A", "b"),
            ("8", "", "c"),
        ]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "file.txt: an empty file"),
            ("words alone\n", r"expected SMART's marks .* found 'words alone'"),
            (".W\nwords\n", r"file.txt:1: expected .I and an id before anything else, found '.W'"),
            (".I\n.W\nx\n", r"file.txt:1: expected .I and an id, found '.I'"),
            (".I 1\nwords\n", r"file.txt:2: expected a mark such as .T or .W, found 'words'"),
            (".I 1\n.W\nx\n.I 01\n.W\ny\n", r"file.txt:4: the id '1' was there before, .*:1$"),
            ("<FILE><RECORD></FILE>", r"file.txt:1: not well-formed XML: mismatched tag"),
            ("<FILE></FILE>", r"expected <RECORD> or <QUERY> elements, found <FILE> without any"),
            (
                "<FILE>\n<RECORD><TITLE>x</TITLE></RECORD></FILE>",
                r"file.txt:2: expected <RECORDNUM> with text inside <RECORD>",
            ),
            (
                "<FILE><RECORD><RECORDNUM>1</RECORDNUM></RECORD></FILE>",
                r"file.txt:1: expected a <TITLE>, <ABSTRACT> or <EXTRACT>",
            ),
            ('{"_id": 1, "text": "a"}\n{"_id"\n', r"file.txt:2: expected a JSON object, found"),
            ('{"text": "a"}\n', r"file.txt:1: expected an id \(_id, id, .*\), found text"),
            (
                '{"_id": "1", "x": 2}\n',
                r"file.txt:1: expected a text \(title, text, .*found _id, x",
            ),
            ('{"_id": "1", "text": 2}\n', r"file.txt:1: expected a text of words, found 2"),
        ],
    )
    def test_what_is_refused(self, tmp_path, text, message):
        with pytest.raises(AssayError, match=message):
            smart.read_texts(put(tmp_path, text))

    def test_a_list_of_json_is_no_object(self, tmp_path):
        path = put(tmp_path, '{"_id": "1", "text": "a"}\n[1]\n')
        with pytest.raises(AssayError, match=r"file.txt:2: expected a JSON object, found '\[1\]'"):
            smart.read_texts(path)

    def test_other_encodings_are_refused_with_their_line(self, tmp_path):
        path = tmp_path / "file.txt"
        path.write_bytes(b".I 1\n.W\nna\xefve\n")
        with pytest.raises(AssayError, match=r"file.txt:3: expected UTF-8 text, .* 0xef"):
            smart.read_texts(path)

    def test_an_absent_file(self, tmp_path):
        with pytest.raises(AssayError, match="no such file"):
            smart.read_texts(tmp_path / "absent")


class TestWords:
    def test_common_words_numbers_and_marks_go(self):
        text = smart.Text("1", "The child's 1968 X-ray, and b12: naïve patients’ use of it")
        assert words(text) == ["child", "x", "ray", "b12", "naïve", "patients", "use"]

    def test_a_title_that_the_body_repeats_counts_once(self):
        assert words(smart.Text("1", "Simple shear flow past a plate", "simple shear")) == [
            *("simple", "shear", "flow", "past", "plate"),
        ]
        assert words(smart.Text("1", "shear flow", "simple")) == ["simple", "shear", "flow"]

    @pytest.mark.parametrize(
        ("word", "expected"),
        [("lungs", "lung"), ("mass", "mass"), ("gas", "gas"), ("fibrosis", "fibrosi"), ("s", "s")],
    )
    def test_final_s(self, word, expected):
        assert form(word) == expected

    def test_common_words_are_words(self):
        assert all(word.isalpha() and word.islower() for word in COMMON)
        assert {"the", "of", "is"} <= COMMON
        assert not {"effect", "disease", "system"} & COMMON


class TestSynonyms:
    @pytest.fixture(autouse=True)
    def _stemmer(self):
        pytest.importorskip("snowballstemmer")

    def test_stems_have_classes(self, folder):
        found = smart.read_synonyms("words.txt")
        assert found.count == 2
        assert found.concepts("lung") == found.concepts("pulmonari") == ("=lung",)
        assert found.concepts("diseas") == ("=disease",)
        assert found.concepts("room") == ("room",)

    def test_a_word_in_two_classes(self, tmp_path):
        found = smart.read_synonyms(put(tmp_path, "cell battery\nprison cell\n"))
        assert found.concepts("cell") == ("=cell", "=prison")

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "file.txt: holds no synonyms"),
            ("# nothing\n", "file.txt: holds no synonyms"),
            ("lung\n", r"file.txt:1: expected two words or more, found 'lung' alone"),
            ("a b c\nthe, lung\n", r"file.txt:1: 'a' is a common word"),
            ("x-ray film\n", r"file.txt:1: expected single words, found 'x-ray'"),
            ("lung x\n\nlung y\n", r"file.txt:3: another class begins with 'lung'; join the two"),
        ],
    )
    def test_what_is_refused(self, tmp_path, text, message):
        with pytest.raises(AssayError, match=message):
            smart.read_synonyms(put(tmp_path, text))

    def test_the_file_that_comes_along_can_be_read(self, tmp_path):
        from assay.smart.synonyms import demo

        found = smart.read_synonyms(put(tmp_path, demo()))
        assert found.concepts("pulmonari") == ("=lung",)
        assert found.count > 50


class TestAssessments:
    def test_four_judges(self, tmp_path):
        found = smart.read_assessments(put(tmp_path, QUERIES), "cystic-fibrosis")
        assert {judge: dict(each.to_dict()) for judge, each in found.items()} == {
            "judge1": {"1": {"12": 1.0, "13": 0.0}},
            "judge2": {"1": {"12": 2.0, "13": 0.0}},
            "judge3": {"1": {"12": 0.0, "13": 0.0}},
            "judge4": {"1": {"12": 2.0, "13": 1.0}},
        }

    def test_documents_that_a_query_does_not_list(self, tmp_path):
        found = smart.read_assessments(put(tmp_path, QUERIES), "cystic-fibrosis", collection=20)
        grades = found["judge4"].to_dict()["1"]
        assert len(grades) == 20
        assert {doc for doc, grade in grades.items() if grade} == {"12", "13"}
        with pytest.raises(AssayError, match="query 1 lists document 13, which is not among"):
            smart.read_assessments(put(tmp_path, QUERIES), "cystic-fibrosis", collection=12)

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('"1202"', '"12022"', r"file.txt:5: expected score=\"0000\" to .* found '12022'"),
            ('"1202"', '"1203"', r"file.txt:5: expected score=\"0000\" to .* found '1203'"),
            (">12<", "><", r"file.txt:5: .* found '1202' and ''"),
            (">00013<", ">12<", r"file.txt:6: query 1 lists document 12 twice, .*file.txt:5"),
            ("00002<", "1<", r"file.txt:6: query 1 lists 2 documents where <Results> says 1"),
            ("QueryNumber", "Number", r"file.txt:2: expected <QueryNumber> with text"),
        ],
    )
    def test_digits_that_cannot_be(self, tmp_path, old, new, message):
        path = put(tmp_path, QUERIES.replace(old, new))
        with pytest.raises(AssayError, match=message):
            smart.read_assessments(path, "cystic-fibrosis")
        if "Query" not in old:
            found = smart.read_assessments(path, "cystic-fibrosis", strict=False)
            assert all(len(each) == 1 for each in found.values())
            assert sum(found["judge1"].dropped.counts.values()) == 1

    def test_cranfields_codes_are_turned_round(self, tmp_path):
        path = put(tmp_path, "1 184 2 \n1 29 1\n1 31 4\n1 5 3\n2 85  -1\n2 86 5\n")
        (found,) = smart.read_assessments(path, "cranfield").values()
        assert found.to_dict() == {
            "1": {"184": 3.0, "29": 4.0, "31": 1.0, "5": 2.0},
            "2": {"85": -1.0, "86": 0.0},
        }

    def test_cacm(self, tmp_path):
        (found,) = smart.read_assessments(put(tmp_path, "01 1410  0 0\n"), "cacm").values()
        assert found.to_dict() == {"1": {"1410": 1.0}}

    @pytest.mark.parametrize(
        ("text", "form", "message"),
        [
            ("1 2\n", "cranfield", r"file.txt:1: expected whole numbers \(query document code\)"),
            ("1 2 x\n", "cranfield", r"file.txt:1: expected whole numbers"),
            ("1 2 7\n", "cranfield", r"file.txt:1: expected a code among 1, 2, .* found 7"),
            ("1 2 1\n1 2 3\n", "cranfield", r"file.txt:2: query 1 lists document 2 twice"),
            ("1 2 3\n", "cacm", r"file.txt:1: expected whole numbers \(query document 0 0\)"),
            ("\n", "cacm", r"file.txt: holds no judgments"),
            ("1 2 3\n", "trec", r"form='trec': must be one of 'cystic-fibrosis', 'cranfield'"),
        ],
    )
    def test_lines_that_are_refused(self, tmp_path, text, form, message):
        with pytest.raises(AssayError, match=message):
            smart.read_assessments(put(tmp_path, text), form)

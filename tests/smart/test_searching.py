"""Searches against cosines computed by hand, by a slow loop, and on real collections."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

import assay
from assay import AssayError, smart

pytest.importorskip("snowballstemmer")

APPROX = {"rel": 1e-12}


def scores(run):
    return {
        (topic, doc): score
        for topic, doc, score in run.frame.select("topic", "doc", "score").iter_rows()
    }


class TestByHand:
    """docs.txt, without common words.

    word-form: 1 = lung infection infection lung lung (title first; its body does not begin with it)
    2 = pulmonary disease study pulmonary infection (the body repeats the title: counted once)
    3 = empty room; queries: 1 = lung, 7 = infected room.
    """

    @pytest.fixture
    def found(self, folder):
        return smart.search("docs.txt", "queries.txt", synonyms="words.txt")

    def test_word_form(self, found):
        form = scores(found.runs[0])
        assert form["1", "1"] == pytest.approx(3 / math.sqrt(3**2 + 2**2), **APPROX)
        assert form["1", "2"] == form["1", "3"] == 0
        # `infected` stands in no document: it leaves the query's length alone
        assert form["7", "3"] == pytest.approx(1 / math.sqrt(2), **APPROX)

    def test_word_stem(self, found):
        stem = scores(found.runs[1])
        # infect: twice in 1, once in 2; the query is infect, room
        assert stem["7", "1"] == pytest.approx(2 / math.sqrt(13) / math.sqrt(2), **APPROX)
        assert stem["7", "2"] == pytest.approx(
            1 / math.sqrt(4 + 1 + 1 + 1) / math.sqrt(2), **APPROX
        )
        assert stem["7", "3"] == pytest.approx(1 / math.sqrt(2) / math.sqrt(2), **APPROX)

    def test_thesaurus(self, found):
        thesaurus = scores(found.runs[2])
        assert thesaurus["1", "2"] == pytest.approx(2 / math.sqrt(7), **APPROX)
        assert thesaurus["1", "1"] == pytest.approx(3 / math.sqrt(13), **APPROX)

    def test_every_document_is_ranked_for_every_query(self, found):
        for run in found.runs:
            assert len(run) == 3 * 2
            assert run.frame["doc"].to_list()[:3] == (
                ["1", "3", "2"] if run.label != "thesaurus" else ["1", "2", "3"]
            )

    def test_what_is_told(self, found):
        (table,) = found.tabulars()
        # word forms: lung infection | pulmonary disease study infection | empty room
        assert table.rows[0][:3] == ("word-form", 7, pytest.approx((2 + 4 + 2) / 3))
        assert "3 runs (word-form, word-stem, thesaurus)" in found.verdict()
        assert found.to_polars().height == 18
        assert str(found.table()).startswith("process")


class TestPositions:
    def test_texts_given_are_numbered_too(self):
        queries = [smart.Text("a", "lung"), smart.Text("b", "bone")]
        found = smart.search([smart.Text("d", "lung")], queries, by_position=True)
        assert list(found.runs[0].topics) == ["1", "2"]

    @pytest.mark.parametrize(
        "ids", [range(1, 12), (1, 9), range(301, 320), [*range(1, 11), 14], "ab"]
    )
    def test_ids_that_count_queries_are_no_news(self, ids):
        queries = [smart.Text(str(each), "lung") for each in ids]
        assert smart.search([smart.Text("d", "lung")], queries).notes == (
            "no synonyms: word-form and word-stem only, no thesaurus",
        )


class TestWeights:
    def test_a_word_in_two_classes_shares_its_weight(self, tmp_path):
        (tmp_path / "w.txt").write_text("cell battery\nprison cell\n")
        found = smart.search(
            [smart.Text("a", "battery"), smart.Text("b", "cell cell")],
            [smart.Text("q", "cell")],
            synonyms=tmp_path / "w.txt",
        )
        thesaurus = scores(found.runs[2])
        assert thesaurus["q", "a"] == pytest.approx(1 / math.sqrt(2), **APPROX)
        assert thesaurus["q", "b"] == pytest.approx(1, **APPROX)

    def test_a_query_of_common_words_is_told(self):
        found = smart.search([smart.Text("a", "word")], [smart.Text("q", "what is it?")])
        assert any("1 of 1 queries hold common words only (q)" in note for note in found.notes)
        assert scores(found.runs[0]) == {("q", "a"): 0.0}

    def test_without_synonyms_there_is_no_thesaurus(self):
        found = smart.search([smart.Text("a", "word")], [smart.Text("q", "word")])
        assert [run.label for run in found.runs] == ["word-form", "word-stem"]
        assert "no synonyms: word-form and word-stem only, no thesaurus" in found.notes

    def test_an_unknown_weight(self):
        with pytest.raises(AssayError, match="weight='bm25': must be one of 'tf'"):
            smart.search([smart.Text("a", "b")], [smart.Text("q", "b")], weight="bm25")


@pytest.mark.parametrize("weight", ["tf", "binary", "log", "tfidf"])
def test_a_slow_loop_gives_the_same_cosines(weight):
    """Dictionaries, one pair at a time; words that neither stemmer nor stop list touches."""
    draw = random.Random(5)
    vocabulary = ["zorb", "quix", "blim", "frub", "glap", "drin", "plok"]
    bodies = [draw.choices(vocabulary, k=draw.randint(1, 9)) for _ in range(20)]
    texts = [smart.Text(str(i), " ".join(body)) for i, body in enumerate(bodies)]
    found = scores(smart.search(texts, texts[:6], weight=weight).runs[0])
    holding = Counter(word for body in bodies for word in set(body))

    def vector(body):
        weights = {
            "tf": lambda word, tf: tf,
            "binary": lambda word, tf: 1,
            "log": lambda word, tf: math.log(1 + tf),
            "tfidf": lambda word, tf: tf * math.log(len(bodies) / holding[word]),
        }
        return {word: weights[weight](word, tf) for word, tf in Counter(body).items()}

    for q in range(6):
        for d, body in enumerate(bodies):
            a, b = vector(bodies[q]), vector(body)
            dot = sum(a[word] * b.get(word, 0) for word in a)
            size = math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
            assert found[str(q), str(d)] == pytest.approx(dot / size if size else 0, abs=1e-12)


class TestRealCollections:
    """Sizes from the collections' own counts; MAP in the range that published runs span."""

    def searched(self, folder, documents, queries, judgments, form, **settings):
        found = smart.search(folder / documents, folder / queries, weight="tfidf", **settings)
        judged = smart.read_assessments(folder / judgments, form)
        means = assay.evaluate(judged, list(found.runs), "AP").mean()
        return found, dict(zip(means["run"], means["value"], strict=True))

    def test_cranfield(self, shared):
        found, ap = self.searched(
            shared / "cranfield",
            *("cran.all.1400.gz", "cran.qry", "cranqrel", "cranfield"),
            by_position=True,
        )
        assert (found.documents, found.queries) == (1400, 225)
        assert 0.25 < ap["word-form"] < ap["word-stem"] < 0.45

    def test_cranfield_ids_are_positions(self, shared):
        folder = shared / "cranfield"
        names = ("cran.all.1400.gz", "cran.qry", "cranqrel", "cranfield")
        _, right = self.searched(folder, *names, by_position=True)
        _, wrong = self.searched(folder, *names)
        assert wrong["word-stem"] < right["word-stem"] / 3
        found = smart.search(*(folder / name for name in names[:2]))
        assert "225 queries have ids from 1 to 365 (1 2 4 8 9 ...)" in found.notes[0]
        assert "--by-position" in found.notes[0]

    def test_cranfields_best_code_is_found_first(self, shared):
        """The readme says that 1 is best: a search agrees, code by code."""
        folder = shared / "cranfield"
        found = smart.search(
            folder / "cran.all.1400.gz", folder / "cran.qry", by_position=True, weight="tfidf"
        )
        place: dict[tuple[str, str], int] = {}
        for i, (topic, doc, _) in enumerate(found.runs[1].frame.iter_rows()):
            place[topic, doc] = i % 1400 + 1
        ranks: dict[float, list[int]] = {}
        (judged,) = smart.read_assessments(folder / "cranqrel", "cranfield").values()
        for topic, docs in judged.to_dict().items():
            for doc, grade in docs.items():
                ranks.setdefault(grade, []).append(place[topic, doc])
        median = {grade: sorted(each)[len(each) // 2] for grade, each in ranks.items()}
        assert median[4] < median[3] < median[2] < median[1]
        assert len(ranks[-1]) == 225

    def test_cacm(self, shared):
        found, ap = self.searched(
            shared / "cacm", "cacm.all.gz", "query.text", "qrels.text", "cacm"
        )
        assert found.documents == 3204
        assert 0.2 < ap["word-form"] < ap["word-stem"] < 0.45

    def test_cystic_fibrosis(self, shared):
        folder = shared / "cystic-fibrosis"
        found = smart.search(sorted(folder.glob("cf7*.xml.gz")), folder / "cfquery.xml")
        assert (found.documents, found.queries) == (1239, 99)
        with pytest.raises(AssayError, match=r"query 92 lists 127 documents where .* says 108"):
            smart.read_assessments(folder / "cfquery.xml", "cystic-fibrosis")
        judged = smart.read_assessments(folder / "cfquery.xml", "cystic-fibrosis", strict=False)
        assert [len(each) for each in judged.values()] == [4801] * 4
        assert judged["judge1"].to_dict()["1"]["151"] == 2


def test_without_the_stemmer_the_line_to_type_is_said(monkeypatch):
    import sys

    from assay.smart import stems

    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    stems._stemmer.cache_clear()
    stems.stem.cache_clear()
    with pytest.raises(AssayError, match=r"pip install 'assay\[smart\]'"):
        smart.search([smart.Text("a", "word")], [smart.Text("q", "word")])
    stems._stemmer.cache_clear()

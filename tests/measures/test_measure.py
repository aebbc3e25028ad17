"""A measure's name: it prints and parses back, and a wrong one is told what is wrong with it."""

from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import evaluate
from assay.errors import AssayError
from assay.measures import Measure, define, parse, registered, registry
from assay.measures.measure import parse_all
from assay.measures.parameters import UNJUDGED, Gains

OURS = [d for d in registered().values() if d.family in registry.FAMILIES]

positive = st.one_of(
    st.integers(1, 1000), st.floats(1e-3, 1e6, allow_nan=False), st.sampled_from([0.1, 1 / 3, 1e-3])
)
VALUES = {
    "rel": positive,
    "gain": st.sampled_from(["linear", "exp"]),
    "gains": st.dictionaries(positive, st.one_of(st.just(0), positive), max_size=4),
    "beta": st.one_of(st.just(0), positive),
    "b": st.one_of(st.integers(2, 10), st.floats(1.001, 100)),
    "p": st.floats(0.001, 0.999),
    "max": positive,
    "discount": st.sampled_from(["log2", "zipf", "none"]),
    "N": st.integers(1, 10**9),
    "cut": st.sampled_from(["exact", "round", "9"]),
    "norm": st.sampled_from(["R", "min"]),
    "normalize": st.booleans(),
    "relative": st.booleans(),
    "known": st.sampled_from(["known.txt", "/a/folder/known", "odd name"]),
}
WORDS = ("recall_base", "retrieved", "tied", "worst", "nonrelevant", "all", "ceiling", "intuitive")
WORDS += ("R", "min", "max", "minmax", "none", "exp", "linear", "empty", "pad", "a file", 2, 0.25)


def values_of(definition, name):
    """What the measure's own check of the parameter lets pass."""

    def passes(value):
        try:
            definition.parameters[name].check(value)
        except AssayError:
            return False
        return True

    own = st.sampled_from([*filter(passes, WORDS)] or [None])
    return (own | VALUES.get(name, own)).filter(passes)


@st.composite
def measures(draw):
    """Any measure with any of its parameters."""
    definition = draw(st.sampled_from(OURS))
    names = draw(st.sets(st.sampled_from([*definition.parameters, "unjudged"])))
    names |= set(definition.parameters) - set(definition.defaults)
    settings = {
        name: draw(st.sampled_from(UNJUDGED) if name == "unjudged" else values_of(definition, name))
        for name in sorted(names)
    }
    measure = Measure(definition.name)
    if definition.cutoff == "recall level":
        return (measure @ draw(st.floats(0, 1)))(**settings)
    if definition.cutoff == "required" or (definition.cutoff == "optional" and draw(st.booleans())):
        measure = measure @ draw(st.integers(1, 10**6))
    if definition.has_region and draw(st.booleans()):
        measure = measure @ (draw(st.integers(1, measure.at)), measure.at)
    return measure(**settings)


@given(measures())
def test_what_prints_parses_back(measure):
    again = parse(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)
    assert again.parameters == measure.parameters
    assert pickle.loads(pickle.dumps(measure)) == measure


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("nDCG@10", "nDCG@10"),
        (" nDCG @ 10 ", "nDCG@10"),
        ("AP(rel=1)", "AP"),
        ("AP( rel = 2 )@ 10", "AP(rel=2)@10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain='exp')@10"),
        ("nDCG(gain=exp)@10", "nDCG(gain='exp')@10"),
        ('nDCG(gain="exp")@10', "nDCG(gain='exp')@10"),
        ("nDCG(gains={3:100,1:1, 2:10})", "nDCG(gains={1:1,2:10,3:100})"),
        ("nDCG(judged_only=True)@10", "nDCG(unjudged='condensed')@10"),
        ("nDCG(unjudged='condensed')@10", "nDCG(unjudged='condensed')@10"),
        ("ERR(max=3)@20", "ERR(max=3)@20"),
        ("ERR(gain=linear, max=3.0)@20", "ERR(max=3,gain='linear')@20"),
        ("RBP(rel=1,p=.5)", "RBP(p=0.5,rel=1)"),
        ("IPrec@1", "IPrec@1.0"),  # ir_measures refuses it
        ("IPrec@.20", "IPrec@0.2"),
        ("IPrec(cut='9')@0.1", "IPrec(cut='9')@0.1"),
        ("Fallout(N=1000)@10", "Fallout(N=1000)@10"),
        ("P@1e2", "P@100"),
    ],
)
def test_canonical_form(written, canonical):
    assert str(parse(written)) == canonical


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            "nDGC@10",
            "unknown measure 'nDGC@10'; did you mean 'nDCG@10'?  All names: assay measures",
        ),
        ("ndgc@10", "did you mean 'nDCG@10'?"),
        ("nDCGG", "did you mean 'nDCG'?"),
        ("ap", "did you mean 'AP'?"),
        ("fallout@5", "did you mean 'Fallout@5'?"),
        ("Zzzzz", "unknown measure 'Zzzzz';  All names"),
        ("nDCG@0", "nDCG@0: the cut-off must be at least 1"),
        ("nDCG@-1", "nDCG@-1: the cut-off must be at least 1"),
        ("nDCG@2.5", "nDCG@2.5: the cut-off must be a whole number"),
        ("nDCG@ten", "nDCG@ten: the cut-off must be a number, found 'ten'"),
        ("P", "P: P needs a cut-off, such as P@10"),
        ("Success(rel=2)", "Success(rel=2): Success needs a cut-off, such as Success@10"),
        ("IPrec", "IPrec: IPrec needs a recall level, such as IPrec@0.2"),
        ("IPrec@1.5", "IPrec@1.5: the recall level must lie between 0 and 1"),
        ("Bpref@10", "Bpref@10: Bpref takes no cut-off; write Bpref"),
        ("AP(rel=0)", "AP(rel=0): rel must be a number above 0, found 0"),
        ("AP(rel=-1)", "AP(rel=-1): rel must be a number above 0, found -1"),
        ("AP(rel='x')", "AP(rel='x'): rel must be a number above 0, found 'x'"),
        ("AP(rle=2)", "AP(rle=2): AP has no parameter 'rle'; did you mean 'rel'?"),
        ("AP(rel=1,rel=2)", "the parameter 'rel' is given twice"),
        ("AP(2)", "expected name=value between the brackets, found '2'"),
        ("ESL(2)", "found '2'; such as ESL(n=2)"),
        ("AP(rel=)", "cannot read the value ''"),
        ("RBP(p=1)", "RBP(p=1): p must be a number above 0 and below 1, found 1"),
        ("DCG_JK(b=1)", "DCG_JK(b=1): b must be a number above 1, found 1"),
        ("nDCG(gain='log')", "gain must be one of 'linear', 'exp', found 'log'"),
        ("nDCG(gains=3)", "gains must be a table of grade to gain such as {1:1,2:10,3:100}"),
        ("nDCG(gains={0:1})", "a grade of 0 or less has gain 0"),
        ("nDCG(gains={2:-1})", "gains gives grade 2 the negative gain -1; gains start at 0"),
        ("nDCG(gains={1:1,1:2})", "the table lists grade 1 twice"),
        ("nDCG(gains={1})", "expected grade:gain in the table, found '1'"),
        ("Fallout(N=2.5)", "N must be a whole number at least 1, found 2.5"),
        ("SetP(relative=1)", "relative must be True or False, found 1"),
        ("nDCG(unjudged='gone')", "unjudged must be one of"),
        ("nDCG@10@20", "cannot read the measure 'nDCG@10@20'; expected a form such as nDCG@10"),
        ("", "cannot read the measure ''"),
    ],
)
def test_a_wrong_name_is_told_what_is_wrong(written, message):
    with pytest.raises(AssayError) as caught:
        parse(written)
    assert message in str(caught.value)


def test_what_is_no_text_is_refused():
    with pytest.raises(AssayError, match="a measure is a name such as 'nDCG@10', found 10"):
        parse(10)


@given(st.text(alphabet="nDCGAP(){}=@,:'\"0123456789.-xR ", max_size=20))
def test_nothing_but_an_assay_error_comes_out(text):
    try:
        measure = parse(text)
    except AssayError:
        return
    assert parse(str(measure)) == measure


def test_several_names_each_once():
    names = [str(measure) for measure in parse_all(["AP", "nDCG@10", "AP(rel=1)", "map"])]
    assert names == ["AP", "nDCG@10"]
    assert parse_all("AP") == (parse("AP"),)
    with pytest.raises(AssayError, match="no measure was asked for"):
        parse_all([])


def test_a_measure_is_a_value():
    ap = parse("AP")
    assert ap(rel=2) @ 10 == parse("AP(rel=2)@10")
    assert ap(rel=2)(rel=1) == ap
    assert ap.k == math.inf
    assert (ap @ 10).k == 10
    assert ap.parameters == {"rel": 1, "norm": "R"}
    assert parse("AP(unjudged='condensed')")(rel=2) == parse("AP(rel=2,unjudged='condensed')")
    assert len({ap, parse("AP(rel=1)"), parse("map")}) == 1


def test_gain_tables_compare_and_hash():
    table = Gains({2: 10, 1: 1})
    assert table == {1.0: 1.0, 2.0: 10.0}
    assert hash(table) == hash(Gains({1: 1, 2: 10}))
    assert repr(table) == "{1:1,2:10}"
    assert len(table) == 2


# ---------------------------------------------------------------------------- the register


@pytest.mark.parametrize("definition", OURS, ids=lambda d: d.name)
def test_every_measure_says_what_it_is(definition):
    assert definition.title
    assert definition.title[0].isupper()
    assert not definition.title.endswith(".")
    assert definition.formula
    assert definition.paper
    assert definition.low <= definition.high
    assert callable(definition.worst) or definition.low <= definition.worst <= definition.high
    assert all(parameter.help for parameter in definition.parameters.values())
    assert ">>>" in (definition.kernel.__doc__ or "")
    assert all(definition.exempt.values())


def test_parameters_have_defaults_that_pass_their_own_checks():
    for definition in OURS:
        for name, default in definition.defaults.items():
            assert definition.parameters[name].check(default) == default


def test_a_measure_of_ones_own():
    def first_two(grade, rank, *, rel=1):
        """Gain of the first two documents."""
        return ((grade >= rel) * (rank <= 2)).sum(axis=-1)

    try:
        define("FirstTwo", first_two)
        assert str(parse("FirstTwo(rel=2)")) == "FirstTwo(rel=2)"
        assert parse("FirstTwo").definition.title == "Gain of the first two documents"
        with pytest.raises(AssayError, match="a measure named 'FirstTwo' exists already"):
            define("FirstTwo", first_two)
    finally:
        registry._REGISTER.pop("FirstTwo", None)


@pytest.mark.parametrize(
    ("name", "kernel", "message"),
    [
        ("not a name", lambda grade: grade, "cannot name a measure"),
        ("Own", lambda gain: gain, "the kernel asks for 'gain', which is no field of a ranking"),
    ],
)
def test_a_measure_that_cannot_be(name, kernel, message):
    with pytest.raises(AssayError, match=message):
        define(name, kernel)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (lambda grade: grade, r"array of shape \(2,\); found shape \(2, 1\)\. Add up along"),
        (lambda grade: grade.sum(), r"found shape \(\)"),  # of all topics: the same for each
        (lambda grade: 5, "found int 5"),
        (lambda grade: None, "found NoneType None"),
        (lambda grade: grade.sum(axis=-1) * 1j, "must return real numbers, found complex128"),
        (lambda grade: grade[0] / "a", r"fails with .*Error: .* \(.*test_measure.py:\d+\)"),
    ],
)
def test_a_function_that_gives_no_value_for_each_list(kernel, message):
    collection = {"q": {"a": 1}, "r": {"b": 2}}
    try:
        define("Own", kernel)
        with pytest.raises(AssayError, match=f"^Own: its function .*{message}"):
            evaluate(collection, collection, "Own")
    finally:
        registry._REGISTER.pop("Own", None)


@pytest.mark.parametrize("name", ["nDCG@1e999", "RBP(p=1e999)", "AP(rel=1e999)", "P@[1..1e999]"])
def test_numbers_beyond_the_largest_float(name):
    with pytest.raises(AssayError, match=r"the number 1e999 is beyond the largest float, 1\.8e308"):
        parse(name)


@pytest.mark.parametrize("at", [math.inf, math.nan, 2.5])
def test_cut_offs_are_whole(at):
    with pytest.raises(AssayError, match="the cut-off must be a whole number"):
        parse("nDCG") @ at


def test_large_parameters_are_written_short():
    assert str(parse("ERR(max=1e300)@5")) == "ERR(max=1e+300)@5"
    assert parse("ERR(max=1e+300)@5") == parse("ERR(max=1e300)@5")


def test_an_exemption_from_a_law_that_is_none():
    with pytest.raises(AssayError, match="Own: no law is called"):
        define("Own", lambda grade: grade, exempt={"gravity": "too heavy"})


def test_pr_is_a_curve():
    with pytest.raises(
        AssayError, match=r"PR\(rel=each\) is a curve, not a measure: `assay curves"
    ):
        parse("PR(rel=each)")


def test_what_is_no_name_is_refused():
    with pytest.raises(AssayError, match="a measure is a name such as 'nDCG@10', found 5"):
        parse_all(5)

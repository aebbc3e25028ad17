"""Which of these rankings serves people better, by how much, and how sure can I be?"""  # noqa: D400

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from assay.comparison import Comparison, Difference, compare
    from assay.consistency import Consistency
    from assay.description import Description, describe
    from assay.distances import Distances, distance
    from assay.errors import AssayError, AssayWarning
    from assay.evaluation import evaluate
    from assay.experiments import experiment
    from assay.explanation import Explanation, explain
    from assay.gain_curves import Curves, curves
    from assay.gating import Gate, gate
    from assay.judges.estimation import EstimateStudy, estimate
    from assay.judges.simulation import SlipshodStudy, simulate_judges
    from assay.judges.study import JudgeStudy, compare_judges
    from assay.judgments import Judgments, read_judgment_sets, read_judgments
    from assay.measures.measure import Measure, define, parse
    from assay.merging import Merged, merge
    from assay.orders import WeakOrder
    from assay.pictured import save_picture
    from assay.policy import Policy
    from assay.powering import Power, power
    from assay.preferences import Preferences, read_preferences
    from assay.pytrec_eval import RelevanceEvaluator
    from assay.reporting import Report, report
    from assay.run import Run, read_run, read_runs
    from assay.scores import Mean, Scores
    from assay.simulation import Collection, simulate
    from assay.status_values import RetrievalStatus, retrieval_status
    from assay.studies.axioms import AxiomStudy, study_axioms
    from assay.studies.gain_study import GainStudy
    from assay.studies.gains import study_gains
    from assay.studies.measures import MeasureStudy, study_measures
    from assay.studies.pool import PoolStudy, study_pool
    from assay.studies.robust import RobustStudy, study_robust
    from assay.studies.sensitivity import SensitivityStudy, study_sensitivity
    from assay.studies.virtual_user import VirtualUserStudy, study_virtual_user
    from assay.trec.evaluation import TrecScores, trec_eval
    from assay.writing import write_judgments, write_run

_HOME = {
    "AssayError": "assay.errors",
    "AssayWarning": "assay.errors",
    "AxiomStudy": "assay.studies.axioms",
    "Collection": "assay.simulation",
    "Comparison": "assay.comparison",
    "Consistency": "assay.consistency",
    "Curves": "assay.gain_curves",
    "Description": "assay.description",
    "Difference": "assay.comparison",
    "Distances": "assay.distances",
    "EstimateStudy": "assay.judges.estimation",
    "Explanation": "assay.explanation",
    "GainStudy": "assay.studies.gain_study",
    "Gate": "assay.gating",
    "JudgeStudy": "assay.judges.study",
    "Judgments": "assay.judgments",
    "Mean": "assay.scores",
    "Measure": "assay.measures.measure",
    "MeasureStudy": "assay.studies.measures",
    "Merged": "assay.merging",
    "Policy": "assay.policy",
    "PoolStudy": "assay.studies.pool",
    "Power": "assay.powering",
    "Preferences": "assay.preferences",
    "RelevanceEvaluator": "assay.pytrec_eval",
    "Report": "assay.reporting",
    "RetrievalStatus": "assay.status_values",
    "RobustStudy": "assay.studies.robust",
    "Run": "assay.run",
    "Scores": "assay.scores",
    "SensitivityStudy": "assay.studies.sensitivity",
    "SlipshodStudy": "assay.judges.simulation",
    "TrecScores": "assay.trec.evaluation",
    "VirtualUserStudy": "assay.studies.virtual_user",
    "WeakOrder": "assay.orders",
    "compare": "assay.comparison",
    "compare_judges": "assay.judges.study",
    "curves": "assay.gain_curves",
    "define": "assay.measures.measure",
    "describe": "assay.description",
    "distance": "assay.distances",
    "estimate": "assay.judges.estimation",
    "evaluate": "assay.evaluation",
    "experiment": "assay.experiments",
    "explain": "assay.explanation",
    "gate": "assay.gating",
    "merge": "assay.merging",
    "parse": "assay.measures.measure",
    "power": "assay.powering",
    "read_judgment_sets": "assay.judgments",
    "read_judgments": "assay.judgments",
    "read_preferences": "assay.preferences",
    "read_run": "assay.run",
    "read_runs": "assay.run",
    "report": "assay.reporting",
    "retrieval_status": "assay.status_values",
    "save_picture": "assay.pictured",
    "simulate": "assay.simulation",
    "simulate_judges": "assay.judges.simulation",
    "study_axioms": "assay.studies.axioms",
    "study_gains": "assay.studies.gains",
    "study_measures": "assay.studies.measures",
    "study_pool": "assay.studies.pool",
    "study_sensitivity": "assay.studies.sensitivity",
    "study_virtual_user": "assay.studies.virtual_user",
    "trec_eval": "assay.trec.evaluation",
    "study_robust": "assay.studies.robust",
    "write_judgments": "assay.writing",
    "write_run": "assay.writing",
}

_MODULES = ("pytrec_eval", "spark", "tensors")  # more names, under their own

__all__ = [
    "AssayError",
    "AssayWarning",
    "AxiomStudy",
    "Collection",
    "Comparison",
    "Consistency",
    "Curves",
    "Description",
    "Difference",
    "Distances",
    "EstimateStudy",
    "Explanation",
    "GainStudy",
    "Gate",
    "JudgeStudy",
    "Judgments",
    "Mean",
    "Measure",
    "MeasureStudy",
    "Merged",
    "Policy",
    "PoolStudy",
    "Power",
    "Preferences",
    "RelevanceEvaluator",
    "Report",
    "RetrievalStatus",
    "RobustStudy",
    "Run",
    "Scores",
    "SensitivityStudy",
    "SlipshodStudy",
    "TrecScores",
    "VirtualUserStudy",
    "WeakOrder",
    "compare",
    "compare_judges",
    "curves",
    "define",
    "describe",
    "distance",
    "estimate",
    "evaluate",
    "experiment",
    "explain",
    "gate",
    "merge",
    "parse",
    "power",
    "read_judgment_sets",
    "read_judgments",
    "read_preferences",
    "read_run",
    "read_runs",
    "report",
    "retrieval_status",
    "save_picture",
    "simulate",
    "simulate_judges",
    "study_axioms",
    "study_gains",
    "study_measures",
    "study_pool",
    "study_robust",
    "study_sensitivity",
    "study_virtual_user",
    "trec_eval",
    "write_judgments",
    "write_run",
]


def __getattr__(name: str) -> Any:
    """Load public names when they are first used: `import assay` alone stays light."""
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"assay.{name}")
    if name not in _HOME:
        msg = f"module 'assay' has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

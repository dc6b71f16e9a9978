"""Correction (Smith & Eisner 2005b, §3.3 and §5.4) from a plan to a folder with a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.punctuation import Punctuate
from fstce.correction.mistakes.spelling import Spell
from fstce.processes.trial_log import Settings
from fstce.reporting import Page
from fstce.reproduction import correction_tables as tables
from fstce.reproduction.correction_systems import SYSTEMS
from fstce.reproduction.correction_trials import CorrectionPlan, groups, parts, prepare
from fstce.reproduction.material import digest, read
from fstce.reproduction.run import Experiment, Report, ReportPage, Run

VOCABULARY = {"the": 9, "ten": 3, "tea": 2, "cat": 4, "sat": 3, "cart": 1}


def _about(plan: CorrectionPlan) -> dict[str, Any]:
    parts(plan.corpus, plan.train)
    return {"corpus": digest(read(plan.corpus))}


def _steps(plan: CorrectionPlan, run: Run) -> Report:
    records, failed = run.ended(groups(plan), prepare, _named)
    return build(plan, records, run.command, failed), [tables.trials(records)]


reproduce = Experiment("correction", _about, _steps).reproduce


def build(
    plan: CorrectionPlan, records: Sequence[tables.Record], command: str, failed: Sequence[str] = ()
) -> Page:
    """The page."""
    title = "Correction of spelling and punctuation"
    page = ReportPage(title, _summary(records), command, _facts(plan), failed)
    for title, table in (("Spelling", tables.spelling), ("Punctuation", tables.punctuation)):
        found = table(plan, records)
        if any(isinstance(row, tuple) for row in found.rows):
            page.section(title)
            page.table(found)
    page.section("Neighborhoods")
    spell = Spell(Candidates(VOCABULARY, damerau=True))
    page.picture(spell(["teh", "cat", "sat"])._repr_svg_() or "", "SPELL≤1 of “teh cat sat”.")
    marks = Punctuate(1, [","])
    page.picture(marks(["well", "then", ",", "go"])._repr_svg_() or "", "PUNC≤1 of “well then , go”.")
    return page


def _named(settings: Settings) -> str:
    """A system, for messages: all its seeds have one name."""
    return f"{SYSTEMS[settings['system']].name}, {tables.MISTAKES[settings['mistake']]}"


def _summary(records: Sequence[tables.Record]) -> str:
    """What contrastive estimation does against the trigrams that it must beat."""
    kinds: list[tuple[str, str, tables.Scores]] = [
        ("random", "word error rate", tables.spelling_scores),
        ("comma", "F1", tables.mark_scores),
    ]
    found = []
    for mistake, measure, scores in kinds:
        means = tables.means_of(records, scores, measure)
        values = [
            f"{SYSTEMS[name].name} {means[measure][mistake, name]:.2f} %"
            for name in ("ce", "ngrams")
            if (mistake, name) in means.index
        ]
        if values:
            found.append(f"{measure} ({tables.MISTAKES[mistake]}): {', '.join(values)}.")
    return " ".join(found)


def _facts(plan: CorrectionPlan) -> dict[str, Any]:
    train, test = parts(plan.corpus, plan.train)
    return {
        "corpus": plan.corpus,
        "trained on": f"the first {len(train):,} sentences, {sum(map(len, train)):,} words, as they are",
        "tested on": f"the other {len(test):,} sentences, {sum(map(len, test)):,} words, mistyped",
        "spelling mistakes": f"{100 * plan.rate:g} % of the words of four letters or more, or that have one",
        "neighborhoods": f"SPELL≤{plan.spell}, PUNC≤{plan.marks}",
        "seeds": plan.seeds,
    }

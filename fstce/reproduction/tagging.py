"""The tagging paper's experiments (Smith & Eisner 2005a, §5) from a plan to a folder with a page.

Trials are logged one by one and taken up again after an interruption; what the report
shows is computed from the log.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fstce.processes.trials import Group
from fstce.reproduction import tagging_analysis as analysis
from fstce.reproduction import tagging_page
from fstce.reproduction.material import FULL, corpus, digest
from fstce.reproduction.run import LOG, Experiment, Report, Run, failures
from fstce.reproduction.tagging_tables import Chosen, Record, choices, name_of
from fstce.reproduction.tagging_trials import Settings, TaggingPlan, groups, prepare, text_of, weights_file

ANALYSES = "analyses.jsonl"
PRODUCT = ("trans1", "delortrans1", "length")
NAMED = ("analysis", "table", "words", "dictionary", "spelling", "criterion", "sigma2", "smoothing", "seed")


def _about(plan: TaggingPlan) -> dict[str, Any]:
    for group in groups(plan):
        text_of(group.shared)
    return {"corpus": digest(corpus(plan.corpus, False, plan.tag_column))}


def _steps(plan: TaggingPlan, run: Run) -> Report:
    records, failed = run.ended(groups(plan), partial(prepare, run.place), _named)
    chosen = choices(records)
    asked = _analyses(plan, chosen, records)
    run.tell(f"the side analyses: {', '.join(group.shared['analysis'] for group in asked) or 'none'}")
    answers = run.trials(asked, partial(_answer, run.place), ANALYSES, monitored=False)
    found = {answer["settings"]["analysis"]: answer["result"] for answer in answers if "result" in answer}
    return tagging_page.build(plan, chosen, found, run.command, failed + failures(answers, _named))


reproduce = Experiment("tagging", _about, _steps, partial(weights_file, Path()), (LOG, ANALYSES)).reproduce


def _named(settings: Settings) -> str:
    return ", ".join(f"{name} {settings[name]}" for name in NAMED if name in settings)


def _analyses(plan: TaggingPlan, chosen: Chosen, records: Sequence[Record]) -> list[Group]:
    """The questions that the trained models allow, each with the models that it is about."""
    selected = {
        criterion: choice.selected["settings"]
        for (table, words, _, dictionary, _, criterion), choice in chosen.items()
        if table == "figure2" and words == plan.main and dictionary == FULL
    }
    restarts = {
        f"seed {record['settings']['seed']}": record["settings"]
        for record in records
        if record["settings"]["table"] == "restarts" and "result" in record
    }
    best = {name_of(name): selected[name] for name in PRODUCT if name in selected}
    asked = {
        "cross": selected,
        "restarts": restarts if len(restarts) > 1 else {},
        "neighborhoods": best if len(best) > 1 else {},
    }
    return [
        Group({"analysis": name, "members": json.dumps(members, sort_keys=True)}, [{"of": len(members)}])
        for name, members in asked.items()
        if members
    ]


def _answer(folder: Path, shared: Settings) -> Callable[[Settings], dict[str, Any]]:
    members: dict[str, Settings] = json.loads(shared["members"])
    text = text_of(next(iter(members.values())))

    def run(_: Settings) -> dict[str, Any]:
        taggers = {name: analysis.restore(folder, settings) for name, settings in members.items()}
        if shared["analysis"] == "cross":
            return {"scores": analysis.cross_scores(taggers, text)}
        return {"rows": analysis.product_scores(taggers, text, shared["analysis"] == "restarts")}

    return run

"""What a tagger asks as tasks of Label Studio, with the tagger's tags filled in; and the answers back.

To try:
    fstce tagger suggest model text.txt --json | python label_studio.py sentences > tasks.json
    fstce tagger ask model text.txt | python label_studio.py words > tasks.json
    python label_studio.py corpus < export.json > more.pos     # for fstce tagger train --labelled
In Label Studio, sentences are labeled with <Labels name="tag" toName="text">, words with
<Choices name="tags" toName="word" choice="multiple">.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

Task = dict[str, Any]


def sentences(suggested: Iterable[Task]) -> list[Task]:
    """A task for each sentence of ``fstce tagger suggest --json``: a region for each word, with its tag."""
    tasks = []
    for row in suggested:
        regions, begin = [], 0
        for word, tag in zip(row["words"], row["tags"], strict=True):
            value = {"start": begin, "end": begin + len(word), "text": word, "labels": [tag]}
            regions.append(
                {"from_name": "tag", "to_name": "text", "type": "labels", "value": value}
            )
            begin += len(word) + 1
        data = {"text": " ".join(row["words"])}
        tasks.append({"data": data, "predictions": [{"model_version": "fstce", "result": regions}]})
    return tasks


def words(asked: Iterable[str]) -> list[Task]:
    """A task for each line of ``fstce tagger ask``: the word, where it stands, its tags as choices."""
    tasks = []
    for line in asked:
        if line.startswith("#") or not line.strip():
            continue
        word, tags, _, *places = line.rstrip("\n").split("\t")
        choice = {
            "type": "choices",
            "value": {"choices": tags.split()},
            "from_name": "tags",
            "to_name": "word",
        }
        data = {"word": word, "places": " ".join(places)}
        tasks.append(
            {"data": data, "predictions": [{"model_version": "fstce", "result": [choice]}]}
        )
    return tasks


def corpus(exported: Iterable[Task]) -> list[str]:
    """The sentences that somebody labeled, as word/tag; a task without an annotation is left out."""
    lines = []
    for task in exported:
        for annotation in task.get("annotations", [])[:1]:
            values = sorted(
                (region["value"] for region in annotation["result"]),
                key=lambda value: value["start"],
            )
            lines.append(" ".join(f"{value['text']}/{value['labels'][0]}" for value in values))
    return lines


if __name__ == "__main__":
    what = sys.argv[1]
    if what == "corpus":
        print("\n".join(corpus(json.load(sys.stdin))))
    else:
        print(
            json.dumps(
                sentences(json.load(sys.stdin)) if what == "sentences" else words(sys.stdin),
                indent=1,
            )
        )

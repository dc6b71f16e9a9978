"""``fstce tagger dictionary``: a dictionary for a text, of what people have, with a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fstce.console.options import AsJson, TagMap, argument, helped, option
from fstce.console.output import count, remark, report
from fstce.console.texts import MOST, coverage_sheets, dictionary_of, read
from fstce.corpora.coverage import Coverage, with_marks, without_slips
from fstce.errors import ParameterError


@helped("""Make a tagging dictionary for a text, and say how it fits.

Of anything that --dictionary takes: a table, an analyser, UniMorph, Wiktionary, a tagged corpus,
what hfst-lookup, flookup or lt-expand print, an analysed stream. Words of the text that are
listed in small letters alone are known at the beginning of sentences and in capitals; punctuation
and numbers are added; tags of less than 2 % of a word's tokens are struck where these are counted.

\b
Examples:
  fstce tagger dictionary analyser.hfst text.txt -o words.tsv
  fstce tagger dictionary lookup.txt text.txt --tag-map map.tsv -o words.tsv
  fstce tagger train text.txt --dictionary words.tsv --output model
""")
def dictionary(
    source: Annotated[str, argument("SOURCE", "What the words and their tags are taken from.")],
    text: Annotated[str, argument("TEXT", "The text that is to be tagged.")],
    output: Annotated[
        Path,
        option("--output -o FILE", "The dictionary, .tsv; a .csv has its words and tags alone."),
    ],
    tag_map: TagMap = None,
    as_json: AsJson = False,
) -> None:
    if output.exists():
        raise ParameterError(f"{output}: is there already; name another file")
    sentences = read(text)
    listed = dictionary_of(source, sentences, coarse=tag_map or False)
    before = Coverage.of(listed, sentences)
    before.check(source, text)

    words = [word for sentence in sentences for word in sentence]
    counted = without_slips(listed)
    n_struck = sum(map(len, listed.values())) - sum(map(len, counted.values()))
    if n_struck:
        remark(f"struck: {count(n_struck, 'tag')} of less than 2 % of a word's tokens")
    entries = with_marks(counted, words, "PUNCT", "NUM")
    entries.to_tsv(output)
    after = Coverage.of(entries, sentences)
    record = {
        "words": after.n_words,
        "listed": after.n_listed,
        "in_another_case": after.n_other_case,
        "with_one_tag": after.single.total(),
        "closed_classes_lacking": after.lacking,
        "commonest_unlisted": dict(after.unlisted.most_common(MOST)),
    }
    report(as_json, record, *coverage_sheets(after))
    for doubt in after.doubts(entries):
        remark(doubt)
    remark(f"written: {output}, {len(entries):,} words, {len(entries.tagset)} tags")

"""A speller and a punctuator from clean raw text: no annotation, no list of mistakes.

SPELL≤2 holds the words that may have been intended by each word, PUNC≤1 the commas that may have been
left out. N-grams of what was written weight them; correction chooses the best sentence of the neighborhood
of what was observed.

Run: python examples/plot_07_spelling_from_raw_text.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

import fstce
from fstce.correction.corrector import Corrector
from fstce.correction.mistakes.corruption import corrupted, drop_marks, random_edits
from fstce.evaluation.correction import correction_scores
from fstce.machines import write_drawing
from fstce.speller.channel import Channel

folder = Path(sys.argv[1] if sys.argv[1:] else "speller")
folder.mkdir(parents=True, exist_ok=True)

# %%
# **Train on 600 sentences.** How much the text, the edits and unknown spellings weigh is learned from
# synthetic errors in a held-out part of it.

text = [list(sentence.words) for sentence in fstce.corpora.sample()]
train, test = text[:600], text[600:]
speller = Corrector().fit(train)
exponents = ", ".join(f"{name} {value:.2f}" for name, value in speller.exponents_.items())
print(f"exponents: {exponents}")

# %%
# **The neighborhood of what was observed** is a lattice of what may have been intended.

lattice = speller.neighborhood()(["the", "odl", "clok"])
write_drawing(lattice.to_fst(), folder / "spell.svg")
print(f"drawn: {folder / 'spell.svg'}, {lattice.count()} sentences that may have been intended")

# %%
# **Correct held-out text** with random edits. The threshold says how sure the corrector must be: it
# trades recall for precision.

observed = [pair.observed for pair in corrupted(test, random_edits(), seed=1)]
for threshold in (0.0, 0.5, 0.8):
    scores = correction_scores(
        observed, test, speller.set_params(threshold=threshold).predict(observed)
    )
    ratio = scores.correction
    print(
        f"threshold {threshold:.2f}: precision {100 * ratio.precision:5.1f}, "
        f"recall {100 * ratio.recall:5.1f}, "
        f"word error rate {scores.error_rate_before:.2f} to {scores.error_rate:.2f} %"
    )

# %%
# **Commas**: of marks only commas are left out; the channel says that nothing else is done to them.

only_left_out = Channel(substitution=8.0, insertion=8.0)
punctuator = Corrector(spell=0, punctuation=1, marks=[","], channel=only_left_out, rate=0.5).fit(
    train
)
bare = [pair.observed for pair in corrupted(test, drop_marks([","]), seed=1, rate=1.0)]
ratio = correction_scores(bare, test, punctuator.predict(bare), ",".__eq__).correction
print(f"commas: precision {100 * ratio.precision:.1f}, recall {100 * ratio.recall:.1f}")

# %%
# **Save it** for the command line.

speller.save(folder / "speller")
print(
    f'saved; try: echo "the odl clok stopped ." | fstce corrector correct {folder / "speller"} --diff'
)

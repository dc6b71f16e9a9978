"""Lesson 16: which of an analyzer's readings is right.

An analyzer says of each word all that it may be, as a stream: ^word/reading/reading$. Nobody says
which is right, but most words have one reading, and contrast learns from those what stands where.
Whole readings are many and rare, so their bigrams have no weights of their own: the weight of two
readings is the sum of the weights of the pairs of their symbols.
"""

import io

from grading import grade

from fstce import Tagger, read_corpus
from fstce.tagging.readings import rewritten

STREAM = """\
^El/el<det><m>$ ^gato/gato<n><m>$ ^come/comer<vblex><p3>/comer<vblex><imp>$^./.<sent>$[
]^El/el<det><m>$ ^perro/perro<n><m>$ ^bebe/beber<vblex><p3>/beber<vblex><imp>$^./.<sent>$[
]^La/el<det><f>/lo<prn><f>$ ^mesa/mesa<n><f>$ ^es/ser<vbser><p3>$ ^cara/cara<n><f>/caro<adj><f>$^./.<sent>$[
]^El/el<det><m>$ ^gato/gato<n><m>$ ^es/ser<vbser><p3>$ ^malo/malo<adj><m>$^./.<sent>$[
]^No/no<adv>$ ^te/te<prn>$ ^veo/ver<vblex><p1>$^./.<sent>$[
]^No/no<adv>$ ^la/el<det><f>/lo<prn><f>$ ^veo/ver<vblex><p1>$^./.<sent>$[
]"""

# %%
# The best reading of each token, learned from the stream alone.
sentences = read_corpus(io.StringIO(STREAM), format="apertium")
tagger = Tagger(reading_tags="full", order=2, parts=".").fit(sentences)
print(*rewritten(tagger, sentences, "best", str), sep="")


# %%
# Yours:
def readings(token):
    """The readings of a token without escapes: of "^la/el<det>/lo<prn>$" ["el<det>", "lo<prn>"]."""
    return ...


def symbols(reading):
    """The symbols of a reading in order: of "lo<prn><f>" ["prn", "f"]."""
    return ...


def tied(parts, weights):
    """The weights of bigrams of tags, an array of tags × tags.

    parts: tags × symbols, 1 where a tag has a symbol, else 0; weights: symbols × symbols. The
    weight of a pair of tags is the sum of the weights of all pairs of their symbols.
    """
    return ...


def gradient(parts, slope):
    """The derivative of an objective by the weights of pairs of symbols, symbols × symbols.

    slope: the derivative by the weights of bigrams of tags, tags × tags.
    """
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_16", globals())

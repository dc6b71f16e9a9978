"""Grammar induction by distribution and attachment: D. J. Brooks (CoNLL-X 2006, pp. 117–124).

What stands between the same two frequent words is probably of the same kind. Each iteration
takes the most probable pattern ⟨C_left [expression] C_right⟩, makes one class of its
expressions, and rewrites every occurrence as one unit, so that constituents nest; a context
unit goes into the constituent if sentences tell that it opens or closes one.

The example of the paper's §4. Its context units are made the most frequent types by sentences
of one word; the sentence falls into seven classes, and ``seasonings`` and ``bowl`` share one:

>>> from fstce.induction.grammar import parse
>>> from fstce.induction.learner import Induction
>>> from fstce.induction.parameters import Options
>>> recipe = ("put the whole egg , all the seasonings and vegetables into the bowl and process "
...           "for 10 seconds until smoothly pureed .").split()
>>> frequent = [[word] for word in "the , all and into for until .".split()]
>>> options = Options(context_fraction=8 / 19, refresh=False, min_count=1,
...                   context_expressions=False, single_words=True)
>>> induction = Induction([recipe, *frequent, *frequent], options)
>>> induction.run(7)
'iterations'
>>> print(parse(induction.grammar, [recipe])[0])  # doctest: +NORMALIZE_WHITESPACE
(TOP (C2 (W put)) (W the) (C3 (W whole) (W egg)) (W ,) (W all) (W the) (C1 (W seasonings)) (W and)
     (C5 (W vegetables)) (W into) (W the) (C1 (W bowl)) (W and) (C4 (W process)) (W for)
     (C6 (W 10) (W seconds)) (W until) (C7 (W smoothly) (W pureed)) (W .))
"""

"""Latent-variable treebank grammars (Petrov et al. 2006) and their products (Petrov 2010).

The categories of a treebank grammar are split by EM into hidden subcategories. Grammars that
are trained from several seeds differ, and parse better together.

===================  ===================================================================
``training``         split–merge–smooth training, with ``schedule``
``parser``           parsing with one grammar or many, with ``attempts`` and ``report``
``grammar``          a split grammar, and a hierarchy of them from coarse to fine
``files``            a hierarchy as arrays and JSON
-------------------  -------------------------------------------------------------------
``binarize``         binary trees with X-bar intermediates, and back
``treebank``         trees as arrays; the unsplit grammar
``vocabulary``       frequent words, rare words and ``signatures`` of unknown ones
``lexicon``          P(word | tag subcategory)
``forest``           all trees as one packed forest
``insideoutside``    inside and outside passes over the observed trees
``parameters``       rule probabilities in a row, with ``state``, all that training changes
``split``            each subcategory in two
``merge``            undoing the splits that matter least
``smooth``           mixing sibling subcategories
-------------------  -------------------------------------------------------------------
``coarse``           charts of the unsplit grammar
``charts``           what survives pruning, as one hypergraph a batch
``refine``           inside, outside and posteriors of a split grammar over it, with ``plan``
``objectives``       what a best tree is best at, of one grammar or several
``search``           from sentences to weighted hypergraphs
``maxrule``          the best derivation by weights of rules
``viterbi``          the best derivations of the split grammar
``kbest``            the k best of either
``products``         whole trees rescored by several grammars
``pieces``           long sentences in parts
===================  ===================================================================
"""

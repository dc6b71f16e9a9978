"""The command line: one file a verb.

================  ==============================================================
``main``          the program ``fstce``: verbs in, exit codes out
``options``       the options that several verbs share
``output``        tables, notes and errors, plain when piped
``progress``      training as it goes: a bar on a terminal, else lines
``texts``         corpora and dictionaries as the options ask for them
``scores``        accuracy beside what chance and untrained weights score
``treebanks``     how treebanks become what a grammar sees
``attachment``    attachment scores as tables and JSON
``trees_in``      sentences for ``parse``; ``trees_found``, ``trees_out``, ``lattices``
``trials``        trials as they end: a bar on a terminal, else lines
``experiment``    what the experiments of ``reproduce`` share
``training``      compile, maximize and save, for ``train`` and ``quickstart``
``quickstart``    the bundled sample from start to end
``train``         a tagger from raw text and a dictionary
``tag``           text in, tagged text out
``train_parser``  a dependency grammar from the tags of a corpus
``parse``         tagged sentences or lattices in, trees out; ``parse_kinds`` for other models
``train_latent``  a latent-variable grammar, or several; ``parse_latent``, ``grammar``
``induce``        constituents from raw text; ``induction_progress``, ``induction_report``
``train_corrector``  a corrector from clean text; ``correct``, ``differences``
``evaluate``      a tagger or a parser against a corpus; ``bracket_scores`` trees against trees
``explain``       how a trained model sees a sentence in its neighbourhood
``reproduce``     a paper's experiments; ``reproduce_grammar`` and so on those of the others
``neighborhood``  the sentences that a sentence is contrasted with
``lattice``       lattices of a sentence or a corpus as files
``draw``          pictures of machines
``check``         a neighbourhood against the contract, and against examples
``new_transducer``  a neighbourhood of one's own to begin with
``convert``       machines between OpenFst, text, Kaldi and HFST
``export``        a tagger as OpenFst machines
``info``          what a model folder, a machine or a corpus holds
================  ==============================================================
"""

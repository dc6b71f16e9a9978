"""The command line: the program, the table of verbs, and those that are of no kind of model.

``fstce tagger train`` is the function ``train`` of ``fstce.tagging.verbs.train``, for the verbs of
a kind stand with it; ``fstce info``, of no kind, is ``info`` of ``fstce.cli.info``. Nothing is
loaded before it is asked for, and verbs import the library inside their functions, so that help
does not wait for OpenFst. What verbs are made of is ``fstce.console``.

================  ====================================================
``main``          the program ``fstce``: verbs in, exit codes out
``verbs``         the table of verbs, help in groups
``info``          what a model, a machine or a corpus holds
``explain``       how a model sees a sentence in its neighborhood
``machine``       verbs about machines in files
``neighborhood``  verbs about neighborhoods
================  ====================================================
"""

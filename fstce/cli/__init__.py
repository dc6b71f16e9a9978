"""The command line: a package a group of verbs, a module a verb, and what they share.

``fstce tagger train`` is the function ``train`` of ``fstce.tagging.verbs.train``; ``fstce info``,
which stands alone, is ``info`` of ``fstce.cli.info``. Nothing is loaded before it is asked for,
and verbs import the library inside their functions, so that help does not wait for OpenFst.

================  ==============================================================
``main``          the program ``fstce``: verbs in, exit codes out
``verbs``         the table of verbs, former names, help in groups
``parameters``    options made from the parameters of estimators and experiments
``options``       other arguments and options that several verbs share
``decoding``      how trained models decide, as options
``reading``       how text is read, as options of every verb that reads
``completion``    what the shell completes
``kinds``         the kinds of model: how each is loaded, whose verbs take it
``places``        whether what will be written can be written, before the work
``streams``       text that is answered as it comes
``texts``         corpora and dictionaries; ``phrases`` trees of treebanks
``training``      compile, maximize and save
``output``        tables, notes and errors, plain when piped
``progress``      trainings, trials and sentences as they go; ``forecasts`` of the time left
================  ==============================================================
"""

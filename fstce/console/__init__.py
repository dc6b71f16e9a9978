"""What verbs are made of; nothing here knows a kind of model.

================  ==============================================================
``parameters``    options made from the parameters of estimators and experiments
``options``       other arguments and options that several verbs share
``reading``       how text is read, as options of every verb that reads
``completion``    what the shell completes
``models``        models in folders, and what is said of them
``places``        whether what will be written can be written, before the work
``streams``       text that is answered as it comes
``texts``         corpora and dictionaries; ``phrases`` trees of treebanks
``training``      maximize and save; ``applying`` a model to a text
``output``        tables, notes and errors, plain when piped
``progress``      trainings, trials and sentences as they go
================  ==============================================================
"""

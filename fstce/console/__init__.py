"""What verbs are made of; nothing here knows a kind of model.

================  ==============================================================
``parameters``    options made from the parameters of estimators and experiments
``options``       other arguments and options that several verbs share; what the shell completes
``reading``       how text is read, as options of every verb that reads
``models``        models in folders: loaded, trained, saved, and what is said of them
``places``        files and streams: whether they can be written, before the work
``streams``       text that is answered as it comes
``texts``         corpora and dictionaries; ``phrases`` trees of treebanks
``applying``      a model to a text, here, in processes or on a cluster
``output``        tables, notes and errors, plain when piped
``progress``      trainings, trials and sentences as they go
================  ==============================================================
"""

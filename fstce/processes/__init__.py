"""Work in other processes.

================  =======================================================
``shards``        the same work on the parts of a corpus
``trials``        the trials of an experiment, resumable by ``trial_log``
``guarded``       a call in a child with limits on time and memory
``line_program``  a program that answers lines
``workers``       what all of these processes have in common
================  =======================================================
"""

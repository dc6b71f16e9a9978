"""Work in other processes.

=============  =======================================================
``shards``     the same work on the parts of a corpus
``trials``     the trials of an experiment, resumable by ``trial_log``
``guarded``    a call in a child with limits on time and memory
``workers``    what all of these processes have in common
=============  =======================================================
"""

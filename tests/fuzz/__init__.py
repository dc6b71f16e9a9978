"""Readers and models under inputs that coverage guides: ``make fuzz MINUTES=5``.

A target (``targets``) is a name, files to begin with, and what reads one. libFuzzer, by atheris, changes
inputs so that they reach new branches; a run is fine where the reader returns or raises an error of
fstce's, and a fault where it raises anything else, takes more memory or time than its size allows, or where
what was read and written again reads otherwise. Inputs that reached something new stay in
``build/fuzz/<target>``, pruned at the end; what failed lies beside them as ``crash-…`` and is a test to write.
"""

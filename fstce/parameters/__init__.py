"""What parameters may be, and what is made of that: docstrings, options, checks.

============  ==========================================================
``rules``     one rule a parameter: kind, bounds, words, check
``tables``    the rules that several classes share, and a class's own
``overview``  the docstring of a class, made of its table of parameters
============  ==========================================================
"""

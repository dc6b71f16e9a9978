"""What is measured for the tables of docs: ``make tables``, or one, ``python -m examples.experiments.NAME``.

Each says with which arguments, and at the end of its docstring which page it feeds. Run from the
root.
"""

"""Models as their authors write them: a grammar's structure, features and tables, as data and short
builders.
"""

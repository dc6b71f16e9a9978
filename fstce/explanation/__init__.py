"""Why a trained model takes a sentence for probable, or not.

==================  ====================================================
``explain``         neighbors, features, posteriors of a sentence
``page``            `Explanation`: as values, as tables, as a page; its parts
``protocol``        what it asks of a model, and how a model is found that can answer
==================  ====================================================
"""

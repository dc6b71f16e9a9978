"""Objectives, priors and their maximization; what the parameters of estimators may be.

=================  ====================================================
``parametric``     parameters, kept as given and checked when used
``stored``         saving, loading, how the training text was read
``estimator``      all of these, and the card of a model
``model``          models with weights: training, start, measure; products
``maximize``       L-BFGS and EM, at one temperature or several
``objective``      numerators, denominators, a prior; what EM climbs; means of models
=================  ====================================================
"""

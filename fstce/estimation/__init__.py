"""Objectives, priors and their maximization; what the parameters of estimators may be.

=================  ====================================================
``estimator``      what every estimator shares
``rules``          one table of parameter rules a class
``maximize``       L-BFGS and EM, at one temperature or several
``objective``      numerators, denominators, a prior; the likelihood of what EM climbs; means of models
=================  ====================================================
"""

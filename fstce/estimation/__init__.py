"""Objectives, priors and their maximization; what the parameters of estimators may be.

=================  ====================================================
``estimator``      what every estimator shares
``rules``          one table of parameter rules a class
``train``          L-BFGS or EM, at one temperature or several
``maximize``       L-BFGS; ``likelihood`` EM; ``annealing``
``objective``      numerators, denominators and a ``prior``
``linear``         terms that hide nothing
``multinomials``   weights as log-probabilities
``course``         the course of a training, in manifests
=================  ====================================================
"""

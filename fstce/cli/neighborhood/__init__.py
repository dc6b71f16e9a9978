"""Verbs about neighborhoods."""

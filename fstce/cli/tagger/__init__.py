"""Verbs about taggers."""

"""Verbs about correctors."""

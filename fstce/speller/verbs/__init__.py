"""Verbs about spellers."""

"""Verbs about neighbourhoods."""

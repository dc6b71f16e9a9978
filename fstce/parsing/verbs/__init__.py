"""Verbs about dependency parsers."""

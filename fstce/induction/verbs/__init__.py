"""Verbs about constituents from raw text."""

"""Verbs about machines in files."""

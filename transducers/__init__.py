"""Neighborhoods as their authors write them: one small pynini machine a file."""

"""What a neighborhood author writes: a small pynini machine a file, each a pure ``build(symbols)``."""

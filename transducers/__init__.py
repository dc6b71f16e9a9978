"""What a neighbourhood author writes: a small pynini machine a file, each a pure ``build(symbols)``."""

"""What a neighbourhood author writes: one small pynini machine a file, each with a pure ``build(symbols)``."""

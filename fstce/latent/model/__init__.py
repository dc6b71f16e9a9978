"""A split grammar and what it is made of: lexicon, rules in a row, binary trees."""

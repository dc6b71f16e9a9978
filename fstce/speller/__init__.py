"""Spellers: an acceptor of words, and a transducer of errors learnt by contrast."""

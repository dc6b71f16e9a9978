"""Spellers: an acceptor of words, and a transducer of errors learned by contrast."""

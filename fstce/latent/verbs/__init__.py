"""Verbs about latent-variable grammars."""

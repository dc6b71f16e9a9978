"""The papers' experiments, each redrawn by one command on any corpus."""

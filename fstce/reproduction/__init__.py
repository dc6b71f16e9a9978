"""The papers' experiments, from a plan to a folder with a page; charts need matplotlib."""

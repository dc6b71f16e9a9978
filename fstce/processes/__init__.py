"""Work in other processes."""

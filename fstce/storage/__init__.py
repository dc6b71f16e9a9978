"""Files and model folders that are written whole or not at all."""

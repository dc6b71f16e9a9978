"""What verbs are made of: options from parameters, reading, streams, progress, output."""

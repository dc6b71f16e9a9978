"""What is expected of each exercise, computed otherwise than the answers of the key."""

"""One file for each role; a file put here is a role of the game."""

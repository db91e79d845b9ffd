"""The rules of the game and nothing else: no clock, no chance, no mail, no files."""

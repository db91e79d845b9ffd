"""Between people and rules: what a letter says, to whom, and what a letter asks."""

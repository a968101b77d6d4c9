"""The simulator: compiled card games, their engine, experiments and stored results."""

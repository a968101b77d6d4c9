"""One module a game: its rules and nothing else (see `sim.contract`)."""

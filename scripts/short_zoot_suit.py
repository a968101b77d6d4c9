"""The study of Short Zoot Suit, for the page of all studies: see `scripts.draft_heuristics`."""

from scripts.draft_heuristics import study

__all__ = ["study"]

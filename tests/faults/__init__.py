"""Faults brought about on purpose."""

"""What every result grows from: the rules in numbered clauses, and pinned experiments."""

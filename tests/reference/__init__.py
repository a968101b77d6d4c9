"""Plain-Python referees and judges, written from the rules alone to check the fast kernels."""

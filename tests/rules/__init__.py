"""The kernels against the rules: one test a clause, and whole games beside the referees."""

"""From stored results to published numbers: intervals, tests, comparisons, tables and pages."""

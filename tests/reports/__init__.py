"""Tests of plots, tables, pages and studies."""

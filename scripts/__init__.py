"""The command line and the ready-made studies."""

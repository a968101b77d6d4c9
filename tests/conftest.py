"""Settings of all tests."""

import os

# before numba is imported: strategies and kernels run with bounds checks
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")

"""inflight scan: checks the waits of whole trees of code, and keeps the results. It needs nothing but Python."""

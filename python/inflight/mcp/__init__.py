"""Inflight's verbs for agents: `inflight mcp`, a server of the Model Context Protocol. Wants the SDK, `pip install mcp`, or the wheel's extra `mcp`."""

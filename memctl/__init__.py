"""memctl: long-term memory for a person and their agents, on their own machine."""

__version__ = "0.1.0"

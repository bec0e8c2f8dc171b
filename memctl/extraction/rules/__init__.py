"""The built-in extractor: reads structure, wording and dates, and needs no model."""

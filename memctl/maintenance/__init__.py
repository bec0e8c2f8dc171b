"""Keeping a store in shape: planned as values, shown, applied in batches, recorded, reversible."""

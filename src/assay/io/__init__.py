"""Bytes to tables and back: knows line numbers, knows no measure."""

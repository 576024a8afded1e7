"""Servers that meet with everything that can go wrong, and guests who hold them to every word: ``make chaos``."""

"""Guided first rounds and the little positions of the rulebooks, played once by the real rules and written down.

The page shows them without a server, so what happens and what is legal has to be in them. Rules stay in Python.
"""

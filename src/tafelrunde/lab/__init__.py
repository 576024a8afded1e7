"""Simulations of many games, to compare bots and to balance games."""

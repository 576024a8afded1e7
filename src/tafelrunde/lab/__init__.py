"""The lab: many games at once, for bots, ratings and balance."""

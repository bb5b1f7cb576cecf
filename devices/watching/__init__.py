"""A game watched without an agent: photographs of a series, videos, cameras without a clock."""

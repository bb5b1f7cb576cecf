"""One turn at the clock: presses, holds, stops, countdowns, keeping score, absence."""

"""From looks and presses to turns: competing histories, and the best of them reported as turns."""

"""How many can watch: viewers simulated on this machine, and what a hundred thousand would cost."""

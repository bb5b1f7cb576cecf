"""How a game ends: play-out, zeros, overtime, forfeits, recount, result slip."""

"""Games as Woogles keeps them: its messages, and which of them bring a game of ours there. Pure."""

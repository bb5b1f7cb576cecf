"""The commentator's page: what it shows, best plays and odds."""

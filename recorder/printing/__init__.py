"""Pages on paper and as pictures: score sheets and result slips."""

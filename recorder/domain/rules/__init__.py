"""What the rules say: procedures, penalties, time limits, as pure functions of the parameters.

Every function takes the rule set in force as ``Rules`` and facts of the table as plain values, and
gives back values. Where a rule set does not settle something the answer says so and names the
director; nothing here guesses.
"""

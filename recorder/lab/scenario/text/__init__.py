"""The text of a scenario: lines of words become what happens and what is expected."""

"""The letter of a blank: slips, spoken letters, changes and disputes."""

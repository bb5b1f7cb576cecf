"""Sheets to print: markers for the board, slips for the blank."""

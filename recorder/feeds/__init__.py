"""Events as other programs write them, and as they want to read them: text to values and back."""

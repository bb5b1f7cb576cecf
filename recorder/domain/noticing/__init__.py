"""What is to be noticed beside the turns, found in the record and the sensors' words."""

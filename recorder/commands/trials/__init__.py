"""What the doctor tries: a broker, the way to the record, a networked clock."""

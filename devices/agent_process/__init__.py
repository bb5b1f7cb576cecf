"""What an agent tends: the file that lists the devices of a table, and running one device."""

"""What people see: overlays, commentator, director. Reads the log; never touches a device."""

"""What all rules are written with: parameters in force, procedures, findings."""

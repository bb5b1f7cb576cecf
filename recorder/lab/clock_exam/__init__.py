"""Whether a networked clock keeps to its protocol: for those who build one."""

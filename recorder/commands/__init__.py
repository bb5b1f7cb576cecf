"""Sub-commands of ``tilecast`` that read or correct a record."""

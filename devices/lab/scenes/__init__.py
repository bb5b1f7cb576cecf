"""Pictures of a table: boards, tiles, racks, slips, hands and light, rendered."""

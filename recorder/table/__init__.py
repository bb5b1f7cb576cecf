"""One game at one table: rows in, reading, rulings and notices out."""

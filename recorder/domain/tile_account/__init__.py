"""Where the hundred tiles are: what racks, bag and board say together, and whom to doubt."""

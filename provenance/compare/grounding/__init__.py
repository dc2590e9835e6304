"""Claims beside the lines that they cite: which numbers and names do not stand there."""

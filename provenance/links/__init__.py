"""Links to code, and places in text that stand for one: found, read and written. Pure text; nothing is asked."""

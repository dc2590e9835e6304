"""Where lines of one text are in another: pure decisions, step by step through history or end to end."""

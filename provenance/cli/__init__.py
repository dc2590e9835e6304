"""The command line: one file a command. The only place that knows click, the terminal and exit codes."""

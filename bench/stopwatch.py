"""Run a command; write how long it took, the most memory it held, and how it ended: `stopwatch.py REPORT COMMAND…`.

A child's peak is never less than that of the process which started it, for the kernel counts from the fork. So
bench does not start what it measures: this small script does, in an interpreter of its own (`python -I -S`).
"""

import json
import os
import sys
import time

report, *command = sys.argv[1:]
start = time.perf_counter()
_, status, usage = os.wait4(os.posix_spawnp(command[0], command, os.environ), 0)
seconds = time.perf_counter() - start
kibibytes = usage.ru_maxrss // 1024 if sys.platform == "darwin" else usage.ru_maxrss
with open(report, "w", encoding="ascii") as file:  # noqa: PTH123 - pathlib would add to the memory above
    json.dump([seconds, kibibytes, os.waitstatus_to_exitcode(status)], file)

"""What a number with a unit may be in code, which has its own units and does not write them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLOCKS: Mapping[str, Fraction] = {
    "ns nanosecond nanoseconds": Fraction(1, 10**9),
    "us \u00b5s \u03bcs microsecond microseconds": Fraction(1, 10**6),
    "ms msec msecs millisecond milliseconds": Fraction(1, 1000),
    "s sec secs second seconds": Fraction(1),
    "min mins minute minutes": Fraction(60),
    "h hr hrs hour hours": Fraction(3600),
    "day days": Fraction(86_400),
    "week weeks": Fraction(604_800),
}
_SECONDS = {name: seconds for names, seconds in _CLOCKS.items() for name in names.split()}
"""Units of time in seconds, by their names."""

_PREFIXES: Mapping[str, int] = {
    "k K thousand kB KB kb Kb KiB kilobyte kilobytes kibibyte kibibytes": 1,
    "M million MB Mb MiB megabyte megabytes mebibyte mebibytes": 2,
    "G B billion GB Gb GiB gigabyte gigabytes gibibyte gibibytes": 3,
    "T trillion TB Tb TiB terabyte terabytes tebibyte tebibytes": 4,
}
THOUSANDS = {name: power for names, power in _PREFIXES.items() for name in names.split()}
"""Units by the power of a thousand, or of 1,024, that they stand for."""


def meant(value: Fraction, unit: str) -> tuple[Fraction, ...]:
    """What a number may be in code, itself first.

    Args:
        value: The number before the unit.
        unit: A word such as `ms` or `minutes`, or any other one, or none.
    """
    if unit in _SECONDS:
        return (value, *(value * _SECONDS[unit] / clock for clock in _CLOCKS.values()))
    if unit in THOUSANDS:
        power = THOUSANDS[unit]
        factors = (1000**power, 1, 1024**power, 1000 ** (power - 1), 1024 ** (power - 1))
        return tuple(value * factor for factor in factors)
    if unit in {"bit", "bits"}:
        return (value, value / 8)
    return (value, value * 8) if unit in {"byte", "bytes"} else (value,)

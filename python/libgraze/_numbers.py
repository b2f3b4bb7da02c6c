# SPDX-License-Identifier: MIT
"""Numbers that are refused by the name of their argument, where they are given and not where they are used."""


def real(name, value):
    """A float; it may be infinite or NaN."""
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{name} is {value!r}, must be a number")


def number(name, value, exponent=300):
    """A finite float, at most 2^exponent in magnitude."""
    value = real(name, value)
    if not abs(value) <= 2.0**exponent:
        raise ValueError(f"{name} is {value}, must be finite and at most 2^{exponent} in magnitude")
    return value


def size(name, value):
    """A finite float that is 0 or above."""
    value = number(name, value)
    if value < 0.0:
        raise ValueError(f"{name} is {value}, must be 0 or above")
    return value


def three(name, values, check=number):
    """A tuple of three floats that pass a check."""
    try:
        values = list(values)
    except TypeError:
        raise TypeError(f"{name} is {values!r}, must be three numbers") from None
    if len(values) != 3:
        raise ValueError(f"{name}: {len(values)} numbers, must be 3")
    return tuple(check(f"{name}[{k}]", value) for k, value in enumerate(values))

# SPDX-License-Identifier: MIT
"""Results that are pickled or copied: another type with the same attributes, whose lists are copies."""

import copyreg

from . import _graze


def pack(value):
    """A list of a result as bytes; anything else as it is."""
    if not isinstance(value, memoryview):
        return value
    return _List, (value.tobytes(), value.format, value.shape)


# What is not saved, because it is made of the lists; the function that makes it.
_MADE = {"contacts": "contacts_of", "curves": "curves_of"}


class _List:
    """Marks a list in what is saved."""


def unpack(value):
    if isinstance(value, tuple) and len(value) == 2 and value[0] is _List:
        data, kind, shape = value[1]
        if len(shape) == 3:  # a picture, which has pixels
            return memoryview(data).cast("B", shape)
        return _graze._restore_view(data, kind, *shape)
    return value


class Saved:
    """A result that was pickled or copied: the same attributes, the same truth, length and repr."""

    def __init__(self, truth, length, text, values):
        for name, value in values.items():
            self.__dict__[name] = unpack(value)
        self.__dict__.update(_truth=truth, _length=length, _text=text)

    def __getattr__(self, name):
        if name in _MADE and "contact_points" in self.__dict__:
            from . import _contacts

            return getattr(_contacts, _MADE[name])(self)
        raise AttributeError(f"this result has no attribute {name}")

    def __setattr__(self, name, value):
        raise AttributeError(f"{name}: a result cannot be changed")

    def __bool__(self):
        return self._truth

    def __len__(self):
        if self._length is None:
            raise TypeError("this result has no length")
        return self._length

    def __repr__(self):
        return self._text

    def __reduce__(self):
        values = {name: pack(value) for name, value in self.__dict__.items() if name[0] != "_"}
        return Saved, (self._truth, self._length, self._text, values)


def _save(result):
    kind = type(result)
    names = [n for n in dir(kind) if n[0] != "_" and n not in _MADE and not callable(getattr(kind, n))]
    length = len(result) if hasattr(type(result), "__len__") else None
    return Saved, (bool(result), length, repr(result), {n: pack(getattr(result, n)) for n in names})


def register(*types):
    """Let pickle and copy save results of these types."""
    for kind in types:
        copyreg.pickle(kind, _save)

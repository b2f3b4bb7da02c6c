# SPDX-License-Identifier: MIT
"""Results that are pickled or copied: another type with the same attributes, whose lists are copies."""

import copyreg

from . import _graze


def _pack(value):
    """A list of a result as bytes; anything else as it is."""
    if not isinstance(value, memoryview):
        return value
    return _List, (value.tobytes(), value.format, value.shape)


class _List:
    """Marks a list in what is saved."""


def _unpack(value):
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
            self.__dict__[name] = _unpack(value)
        self.__dict__.update(_truth=truth, _length=length, _text=text)

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
        values = {name: _pack(value) for name, value in self.__dict__.items() if name[0] != "_"}
        return Saved, (self._truth, self._length, self._text, values)


def _save(result):
    names = [n for n in dir(type(result)) if n[0] != "_" and not callable(getattr(type(result), n))]
    length = len(result) if hasattr(type(result), "__len__") else None
    return Saved, (bool(result), length, repr(result), {n: _pack(getattr(result, n)) for n in names})


def register(*types):
    """Let pickle and copy save results of these types."""
    for kind in types:
        copyreg.pickle(kind, _save)

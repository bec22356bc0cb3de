"""A module."""
import os
from typing import Any, overload as ov

__version__ = '1.0'
LIMIT: int = 10  # bytes
_private = 3
TABLE = {"a": 1}
a, b = 1, 2


@ov
def parse(text: str) -> int: ...
@ov
def parse(text: bytes) -> int: ...
def parse(text, *, strict=True, sep=',',):
    """Parses."""
    def local(): pass
    x = 1
    return x


class Reader(Base, metaclass=Meta):
    """Reads."""
    size: int = 0

    def __init__(self, path): self.path = path

    @property
    def name(self) -> str:
        return "x"  # y

    def _hidden(self): ...

    class Inner:
        def f(self): ...


class _Private:
    def method(self): ...


if True:
    async def conditional(a,
                          b=lambda x: x + 1): pass

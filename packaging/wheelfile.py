"""Writes wheels, in the format of
https://packaging.python.org/specifications/binary-distribution-format/."""

import base64
import hashlib
import os
import zipfile


def write(path: "str | os.PathLike[str]", info: str, files: "dict[str, tuple[bytes, int]]") -> None:
    """Write files, contents and modes by name, and their record in the directory info. The same
    files give the same bytes."""
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, (content, mode) in files.items():
            _add(wheel, name, content, mode)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
        _add(wheel, f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode(), 0o644)


def _add(wheel: zipfile.ZipFile, name: str, content: bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(entry, content)

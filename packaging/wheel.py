"""usage: wheel.py PROGRAM VERSION PLATFORM DIR: writes a wheel that installs PROGRAM as a
script. PLATFORM is a platform tag, or several that are joined by dots. The format is that of
https://packaging.python.org/specifications/binary-distribution-format/."""

import base64
import hashlib
import pathlib
import re
import sys
import zipfile

program, version, platform, directory = sys.argv[1:]
version = re.sub(r"-(a|b|rc)\.?(\d+)$", r"\1\2", version)  # as Python writes a pre-release
name = f"rulecheck-{version}"
info = f"{name}.dist-info"
root = pathlib.Path(__file__).parent.parent

script = "rulecheck.exe" if platform.startswith("win") else "rulecheck"
files = {
    f"{name}.data/scripts/{script}": (pathlib.Path(program).read_bytes(), 0o755),
    f"{info}/licenses/LICENSE": ((root / "LICENSE").read_bytes(), 0o644),
    f"{info}/METADATA": (
        (
            f"Metadata-Version: 2.4\nName: rulecheck\nVersion: {version}\n"
            "Summary: Check what changed in a git repository against rules in markdown files\n"
            "License-Expression: Apache-2.0\nLicense-File: LICENSE\n"
            "Project-URL: Source, https://github.com/rulecheck/rulecheck\n"
            "Description-Content-Type: text/markdown\n\n"
        ).encode()
        + (root / "packaging" / "summary.md").read_bytes(),
        0o644,
    ),
    f"{info}/WHEEL": (
        "Wheel-Version: 1.0\nGenerator: rulecheck\nRoot-Is-Purelib: false\n".encode()
        + b"".join(f"Tag: py3-none-{tag}\n".encode() for tag in platform.split(".")),
        0o644,
    ),
}
record = []
path = pathlib.Path(directory) / f"{name}-py3-none-{platform}.whl"
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:

    def add(file: str, content: bytes, mode: int) -> None:
        entry = zipfile.ZipInfo(file, date_time=(1980, 1, 1, 0, 0, 0))  # the same bytes every time
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        wheel.writestr(entry, content)

    for file, (content, mode) in files.items():
        add(file, content, mode)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{file},sha256={digest},{len(content)}\n")
    add(f"{info}/RECORD", ("".join(record) + f"{info}/RECORD,,\n").encode(), 0o644)
print(path)

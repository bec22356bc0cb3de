"""usage: wheel.py PROGRAM VERSION PLATFORM SHARED DIR: writes a wheel that installs PROGRAM as a
script, and the completions and the manual page in SHARED. PLATFORM is a platform tag, or several
that are joined by dots. The format is that of https://packaging.python.org/specifications/binary-distribution-format/."""

import pathlib
import re
import sys

import wheelfile

program, version, platform, shared, directory = sys.argv[1:]
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
            "Project-URL: Source, https://github.com/OWNER/rulecheck\n"
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
for source, target in {
    "man/rulecheck.1": "man/man1/rulecheck.1",
    "completions/rulecheck.bash": "bash-completion/completions/rulecheck",
    "completions/_rulecheck": "zsh/site-functions/_rulecheck",
    "completions/rulecheck.fish": "fish/vendor_completions.d/rulecheck.fish",
}.items():
    files[f"{name}.data/data/share/{target}"] = ((pathlib.Path(shared) / source).read_bytes(), 0o644)
path = pathlib.Path(directory) / f"{name}-py3-none-{platform}.whl"
wheelfile.write(path, info, files)
print(path)

"""A build backend for pip, by PEP 517: builds an empty wheel that requires the wheel of a release
of rulecheck. With it the pre-commit framework installs hooks from this repository without a
compiler. It requires nothing itself, so that installing needs no other package."""

import os

import wheelfile

VERSION = "0.0.0"  # of the release; packaging/tag.sh sets it


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"rulecheck_hooks-{VERSION}.dist-info"
    file = f"rulecheck_hooks-{VERSION}-py3-none-any.whl"
    wheelfile.write(
        os.path.join(wheel_directory, file),
        info,
        {
            f"{info}/METADATA": (
                f"Metadata-Version: 2.1\nName: rulecheck-hooks\nVersion: {VERSION}\nRequires-Dist: rulecheck=={VERSION}\n".encode(),
                0o644,
            ),
            f"{info}/WHEEL": (b"Wheel-Version: 1.0\nGenerator: rulecheck\nRoot-Is-Purelib: true\nTag: py3-none-any\n", 0o644),
        },
    )
    return file

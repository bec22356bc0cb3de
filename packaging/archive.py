"""usage: archive.py PROGRAM SHARED NAME: writes the archive NAME.tar.gz, or NAME.zip for a
program for Windows, with PROGRAM, the licence, and the completions and the manual page in
SHARED. The same input gives the same bytes."""

import gzip
import io
import pathlib
import sys
import tarfile
import zipfile

program, shared, name = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
root = pathlib.Path(__file__).parent.parent
files = {program.name: (program, 0o755), "LICENSE": (root / "LICENSE", 0o644), "README.md": (root / "packaging" / "summary.md", 0o644)}
for file in sorted([*shared.glob("completions/*"), *shared.glob("man/*.1")]):
    files[file.relative_to(shared).as_posix()] = (file, 0o644)

if program.suffix == ".exe":
    with zipfile.ZipFile(f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path, (source, mode) in files.items():
            entry = zipfile.ZipInfo(path, date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, source.read_bytes())
else:
    with open(f"{name}.tar.gz", "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path, (source, mode) in files.items():
                content = source.read_bytes()
                entry = tarfile.TarInfo(path)
                entry.size, entry.mode = len(content), mode
                archive.addfile(entry, io.BytesIO(content))

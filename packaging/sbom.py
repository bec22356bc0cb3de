"""usage: sbom.py PROGRAM VERSION FILE: writes to FILE which modules are in PROGRAM, as the Go
linker recorded them, in the format of CycloneDX 1.6."""

import base64
import json
import subprocess
import sys

program, version, file = sys.argv[1:]
info = json.loads(subprocess.check_output(["go", "version", "-m", "-json", program]))
if isinstance(info, list):
    info = info[0]


def component(path: str, version: str, kind: str) -> dict:
    purl = f"pkg:golang/{path}@{version}"
    return {"type": kind, "bom-ref": purl, "name": path, "version": version, "purl": purl}


main = component(info["Main"]["Path"], f"v{version}", "application")
main["licenses"] = [{"license": {"id": "Apache-2.0"}}]
parts = [component("std", info["GoVersion"].removeprefix("go"), "library")]
for module in info["Deps"]:
    module = module.get("Replace", module)
    part = component(module["Path"], module["Version"], "library")
    # The h1 sum is that of go.sum: a hash of the hashes of all files of the module.
    part["properties"] = [{"name": "go:sum", "value": module["Sum"]}]
    assert len(base64.b64decode(module["Sum"].removeprefix("h1:"))) == 32, module
    parts.append(part)
settings = {s["Key"]: s["Value"] for s in info["Settings"]}
with open(file, "w") as out:
    json.dump(
        {
            "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": {
                "component": main,
                "properties": [{"name": f"go:{key}", "value": settings[key]} for key in ("GOOS", "GOARCH", "CGO_ENABLED")],
            },
            "components": parts,
            "dependencies": [{"ref": main["bom-ref"], "dependsOn": [p["bom-ref"] for p in parts]}],
        },
        out,
        indent=1,
    )
    out.write("\n")

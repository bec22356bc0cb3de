#!/usr/bin/env python3
"""Compare token totals of rulecheck and ccusage on the samples of logs, as a table.

usage: scripts/totals.py RULECHECK CCUSAGE
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SAMPLES = pathlib.Path(__file__).parent.parent / "internal/agents/agentlog/testdata"
PLACES = {
    "claude": ".claude/projects/p",
    "codex": ".codex/sessions",
    "copilot": ".copilot/session-state",
    "gemini": ".gemini/tmp/p/chats",
    "opencode": ".local/share/opencode",
}
PARTS = ["input", "output", "cache_read", "cache_write"]
KEYS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens"]


def run(argv, **options):
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, **options)


def expected(sample):
    total = dict.fromkeys(PARTS, 0)
    for session in json.loads((sample / "expected.json").read_text())["sessions"]:
        for part in PARTS:
            total[part] += (session.get("tokens") or {}).get(part) or 0
    return [total[part] for part in PARTS]


def rulecheck(program, logs):
    with tempfile.TemporaryDirectory() as repository:
        run(["git", "init", "-q", repository], check=True)
        done = run([program, "audit", "--no-cache", "--format", "json", str(logs)], cwd=repository)
    total = dict.fromkeys(PARTS, 0)
    for session in json.loads(done.stdout)["sessions"]:
        for part in PARTS:
            total[part] += session["tokens"][part] or 0
    return [total[part] for part in PARTS]


def ccusage(program, agent, sample):
    with tempfile.TemporaryDirectory() as home:
        place = pathlib.Path(home) / PLACES[agent]
        for file in sample.rglob("*"):
            if not file.is_file() or file.name == "expected.json":
                continue
            parts = file.relative_to(sample).parts
            for name in ("sessions", "session-state", "chats"):
                if name in parts:
                    parts = parts[parts.index(name) + 1 :]
            target = place.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
        env = {"HOME": home, "PATH": os.environ["PATH"]}
        done = run([program, agent, "daily", "--json", "--offline"], env=env)
    try:
        total = json.loads(done.stdout)["totals"]
    except (ValueError, KeyError, TypeError):
        return None
    return [(total or {}).get(key, 0) for key in KEYS]


def main():
    print("| sample | tokens in the log | rulecheck | ccusage |\n|---|---|---|---|")
    for agent in PLACES:
        for sample in sorted((SAMPLES / agent).iterdir()):
            want = expected(sample)
            cells = []
            for got in rulecheck(os.path.abspath(sys.argv[1]), sample), ccusage(os.path.abspath(sys.argv[2]), agent, sample):
                cells.append("not read" if not got else "right" if got == want else " ".join(map(str, got)))
            print(f"| {agent}/{sample.name} | {' '.join(map(str, want))} | {cells[0]} | {cells[1]} |")


if __name__ == "__main__":
    main()

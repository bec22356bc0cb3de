#!/usr/bin/env python3
"""Compare costs by session and model of rulecheck and ccusage, with the prices that ccusage contains, as a table.

usage: scripts/costs.py RULECHECK CCUSAGE ARCHIVE

"Of these by parts" counts the differences in which ccusage has the price beyond 200,000 tokens only for the tokens of each
kind beyond them; providers have it for the whole call, if its input is longer.

ARCHIVE has transcripts of Claude Code, as `go test ./internal/agents/agentlog -run '^TestGenerated' -archive`
writes them. Their models are replaced: by the prices of one length of context, then by those of two lengths and
with tokens that the cache keeps for an hour.
"""

import collections
import decimal
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

PLAIN = ["claude-opus-4-6", "claude-opus-4-5-20251101", "claude-haiku-4-5-20251001", "claude-opus-4-1", "mystery-1"]
TIERED = ["claude-sonnet-4-5-20250929", "claude-sonnet-4-20250514"]
LONG = 200_000  # from here on, the second price counts


def prices(program):
    """Return LiteLLM's prices that ccusage contains, compressed, by model."""
    data = program.read_bytes()
    for start in range(len(data)):
        if data[start] & 6 != 4:  # no block with its own codes
            continue
        reader = zlib.decompressobj(-15)
        try:
            head = reader.decompress(data[start : start + 400], 100)
            if head.startswith(b'{"') and b'"cc":' in head:
                table = json.loads(head + reader.decompress(reader.unconsumed_tail + data[start + 400 :]))
                if "claude-opus-4-5" in table:
                    return table
        except (zlib.error, ValueError):
            continue
    sys.exit("costs.py: the program contains no table of prices that this script knows")


def price_table(prices, models):
    """Return a table for --prices."""

    def steps(price, key):
        millionths = lambda n: int(decimal.Decimal(repr(n)) * 10**12)
        if key not in price:
            return None
        above = [[LONG, millionths(price[key + "a"])]] if key + "a" in price else []
        return [[0, millionths(price[key])]] + above

    rows = []
    for model in models:
        price = prices.get(model)
        if price:
            parts = {"input": "i", "output": "o", "cache_read": "cr", "cache_write": "cc"}
            row = {part: steps(price, key) for part, key in parts.items() if key in price}
            row["cache_write_1h"] = [[at, 2 * n] for at, n in row["input"]]
            rows.append({"id": model, "match": {"equals": model}, "prices": [row]})
    provider = {"id": "anthropic", "match": {"or": [{"equals": row["id"]} for row in rows]}, "models": rows}
    header = {"source": "LiteLLM, of ccusage", "version": "", "date": "2099-01-01", "digest": "", "license": ""}
    return json.dumps({**header, "providers": [provider]})


def mixed(archive, target, models, long):
    """Copy the transcripts with other models; if long, some calls are long, and some writes are kept for an hour."""
    target.mkdir(parents=True)
    calls = collections.Counter()
    for file in sorted(archive.rglob("*.jsonl")):
        with (target / file.name).open("w") as out:
            for line in file.read_text().splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    print(line, file=out)
                    continue
                message = row.get("message", {})
                if "usage" in message:
                    seed = int(hashlib.sha256(message["id"].encode()).hexdigest(), 16)
                    message["model"] = models[seed % len(models)]
                    if long and seed // 8 % 3 == 0:
                        for part in ("input_tokens", "cache_read_input_tokens"):
                            message["usage"][part] *= 5
                    if long and seed // 32 % 4 == 0:
                        written = message["usage"]["cache_creation_input_tokens"]
                        hour = {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": written}
                        message["usage"]["cache_creation"] = hour
                    calls[message["id"], message["model"]] = 1
                print(json.dumps(row, separators=(",", ":")), file=out)  # ccusage reads no blanks
    return len(calls)


def ours(program, logs, table, models):
    """Return costs by session and model: those of the sessions with only the prices of one model."""
    costs = {}
    for model in models:
        with tempfile.TemporaryDirectory() as repository:
            subprocess.run(["git", "init", "-q", repository], check=True)
            file = pathlib.Path(repository) / "prices.json"
            file.write_text(price_table(table, [model]))
            argv = [program, "audit", "--no-cache", "--format", "json", "--prices", file, logs]
            done = subprocess.run(argv, cwd=repository, capture_output=True, text=True)
        for session in json.loads(done.stdout)["sessions"]:
            if any(use["name"] == model for use in session["activity"]["models"]):
                costs[session["id"], model] = session["cost"]["usd"]
    return costs


def theirs(program, logs):
    env = {"PATH": os.environ["PATH"], "HOME": str(logs.parent), "CLAUDE_CONFIG_DIR": str(logs.parent.parent), "TZ": "UTC"}
    argv = [program, "claude", "session", "--json", "--breakdown", "--offline"]
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    rows = next(value for key, value in report.items() if isinstance(value, list))
    costs = {}
    for session in rows:
        for model in session["modelBreakdowns"]:
            costs[session["sessionId"], model["modelName"]] = model["cost"]
    return costs


def by_part(logs, table):
    """Return costs by session and model if the price beyond a length counts for the tokens of each kind beyond it."""
    calls = {}
    for file in sorted(logs.glob("*.jsonl")):
        for line in file.read_text().splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            message = row.get("message", {})
            if message.get("model") in table:
                first = calls.get(message["id"], (file.stem,))[0]  # a resumed session repeats calls
                calls[message["id"]] = first, message["model"], message["usage"]
    costs = collections.Counter()
    for session, model, usage in calls.values():
        price = table[model]
        hour = usage.get("cache_creation", {}).get("ephemeral_1h_input_tokens", 0)
        for count, key, times in (
            (usage["input_tokens"], "i", 1),
            (usage["output_tokens"], "o", 1),
            (usage["cache_read_input_tokens"], "cr", 1),
            (usage["cache_creation_input_tokens"] - hour, "cc", 1),
            (hour, "i", 2),
        ):
            beyond = max(0, count - LONG)
            costs[session, model] += times * ((count - beyond) * price[key] + beyond * price.get(key + "a", price[key]))
    return costs


def main():
    rulecheck, ccusage, archive = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    table = prices(ccusage)
    print("| calls | of models | sessions | sums by session and model | equal | different | of these by parts | rulecheck USD | ccusage USD |")
    print("|--:|---|--:|--:|--:|--:|--:|--:|--:|")
    for long, models in (False, PLAIN), (True, TIERED + PLAIN[:1]):
        with tempfile.TemporaryDirectory() as home:
            logs = pathlib.Path(home) / "projects" / "p"
            calls = mixed(archive, logs, models, long)
            priced = [model for model in models if model in table]
            got, want = ours(rulecheck, logs, table, priced), theirs(ccusage, logs)
            parts = by_part(logs, table)
        known = [key for key in sorted(got.keys() | want.keys()) if key[1] in priced]
        different = [key for key in known if abs(got.get(key, -1) - want.get(key, -1)) > 1e-9]
        explained = [key for key in different if abs(parts[key] - want.get(key, -1)) < 1e-9]
        sums = [sum(costs.get(key, 0) for key in known) for costs in (got, want)]
        sessions = len({session for session, _ in known})
        cells = [calls, ", ".join(models), sessions, len(known), len(known) - len(different), len(different), len(explained)]
        print("|", " | ".join(map(str, cells + [f"{usd:.6f}" for usd in sums])), "|")


if __name__ == "__main__":
    main()

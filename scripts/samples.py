#!/usr/bin/env python3
"""Count the public and recorded samples of logs without rulecheck, and compare the figures.

usage: scripts/samples.py            print a table; exit status 1 if a figure differs from expected.json
       scripts/samples.py --write    write the figures into expected.json, next to the origin that it states
"""

import datetime
import gzip
import json
import pathlib
import re
import shlex
import sqlite3
import sys

SAMPLES = pathlib.Path(__file__).parent.parent / "internal/agents/agentlog/testdata"
PARTS = ["input", "output", "cache_read", "cache_write"]


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def stamp(seconds):
    at = datetime.datetime.fromtimestamp(0, datetime.timezone.utc) + datetime.timedelta(microseconds=round(seconds * 1e6))
    return re.sub(r"\.?0*Z$", "Z", at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))


def session(**facts):
    empty = {"id": "", "user_prompts": 0, "tokens": dict.fromkeys([*PARTS, "api_calls"], 0), "commands": [], "edits": [], "other_tool_calls": []}
    return empty | facts


def others(names):
    return [{"tool": name, "count": names.count(name)} for name in sorted(set(names))]


def copilot_otel(sample):
    spans = [row for row in rows(sample / "telemetry.jsonl") if row["type"] == "span"]
    facts = session(id=spans[0]["attributes"]["gen_ai.conversation.id"])
    rest = []
    for span in spans:
        of, at = span["attributes"], span["startTime"][0] + span["startTime"][1] / 1e9
        if of["gen_ai.operation.name"] == "chat":
            read, write = of.get("gen_ai.usage.cache_read.input_tokens", 0), of.get("gen_ai.usage.cache_write.input_tokens", 0)
            for part, n in zip(PARTS, [of["gen_ai.usage.input_tokens"] - read - write, of["gen_ai.usage.output_tokens"], read, write]):
                facts["tokens"][part] += n
            facts["tokens"]["api_calls"] += 1
        elif of["gen_ai.operation.name"] == "execute_tool":
            arguments = json.loads(of["gen_ai.tool.call.arguments"])
            call = {"ts": stamp(at), "tool_call_id": of["gen_ai.tool.call.id"]}
            exit_code, failed = of.get("process.exit.code"), span["status"]["code"] == 2
            if of["gen_ai.tool.name"] == "bash":
                facts["commands"].append(call | {"command": arguments["command"], "exit_code": exit_code, "status": "error" if exit_code else "ok"})
            elif of["gen_ai.tool.name"] in ("create", "edit"):
                facts["edits"].append(call | {"path": arguments["path"], "status": "error" if failed else "ok"})
            else:
                rest.append(of["gen_ai.tool.name"])
    facts["other_tool_calls"] = others(rest)
    facts["commands"].sort(key=lambda c: c["ts"])
    return {"sessions": [facts]}


def mini(sample):
    (path,) = sample.glob("*.traj.json")
    doc = json.loads(path.read_text())
    facts = session(id=doc["instance_id"], cwd=doc["info"]["config"]["environment"]["cwd"], user_prompts=1)
    results = {m["tool_call_id"]: m["extra"]["returncode"] for m in doc["messages"] if m["role"] == "tool"}
    for m in doc["messages"]:
        if m["role"] != "assistant":
            continue
        usage = m["extra"]["response"]["usage"]
        cached = usage["prompt_tokens_details"]["cached_tokens"]
        for part, n in zip(PARTS, [usage["prompt_tokens"] - cached, usage["completion_tokens"], cached, 0]):
            facts["tokens"][part] += n
        facts["tokens"]["api_calls"] += 1
        for action in m["extra"]["actions"]:
            code = results.get(action["tool_call_id"], 0)  # the last one submits
            facts["commands"].append({
                "ts": stamp(m["extra"]["timestamp"]), "command": action["command"], "tool_call_id": action["tool_call_id"],
                "exit_code": code, "status": "error" if code else "ok",
            })
    return {"sessions": [facts], "untimed": True}


def swe(sample):
    (path,) = sample.glob("*.traj")
    doc = json.loads(path.read_text())
    facts = session(id=path.stem, user_prompts=1)
    facts["tokens"] |= {"output": doc["info"]["model_stats"]["tokens_received"], "api_calls": 1}
    rest, opened = [], ""
    for number, step in enumerate(doc["trajectory"]):
        state = step["state"] if isinstance(step["state"], dict) else json.loads(step["state"])
        facts["cwd"] = facts.get("cwd", state["working_dir"])
        action, name = step["action"].strip(), step["action"].split()[0]
        if isinstance(step["state"], str):  # the state before the action
            opened = state["open_file"]
        if name == "edit":
            facts["edits"].append({"path": opened, "tool_call_id": str(number), "status": "unknown"})
        elif name in ("find_file", "open", "submit"):
            rest.append(name)
        else:
            facts["commands"].append({"command": action, "tool_call_id": str(number), "status": "unknown"})
        opened = state["open_file"]
    facts["other_tool_calls"] = others(rest)
    return {"sessions": [facts], "untimed": True, "unknown_tokens": ["input", "cache_read", "cache_write"]}


def openhands(sample):
    paths = sorted(sample.rglob("event-*.json"))
    events = [json.loads(path.read_text()) for path in paths] or rows(sample / "conversation.jsonl")
    facts = session(id=paths[0].parent.parent.name if paths else "conversation", cwd="/workspace/project" if paths else "")
    results = {e["tool_call_id"]: e["observation"] for e in events if e["kind"] == "ObservationEvent"}
    sums = {}
    for e in events:
        if e.get("key") == "stats":
            for name, use in e["value"]["usage_to_metrics"].items():
                used = use["accumulated_token_usage"]
                read, write = used["cache_read_tokens"], used["cache_write_tokens"]
                sums[name] = [used["prompt_tokens"] - read - write, used["completion_tokens"], read, write]
        if e["kind"] == "ActionEvent":
            result = results[e["tool_call_id"]]
            code, failed = result["exit_code"], result["is_error"] or result["exit_code"]
            facts["commands"].append({
                "ts": e["timestamp"] + "Z", "command": e["action"]["command"], "tool_call_id": e["tool_call_id"],
                "exit_code": result["metadata"]["exit_code"] if code is None else code, "status": "error" if failed else "ok",
            })
    for used in sums.values():
        for part, n in zip(PARTS, used):
            facts["tokens"][part] += n
    facts["tokens"]["api_calls"] = len(sums)
    calls = [e["tool_call_id"] for e in events if e["kind"] == "ActionEvent"]
    lost = [call for call in results if call not in calls]
    return {"sessions": [facts], "parser_diagnostics": {"unknown_types": lost}}


def qwen(sample):
    (path,) = sample.glob("*.jsonl")
    chat = rows(path)
    facts = session(id=path.stem, cwd=chat[0]["cwd"], git_branch=chat[0]["gitBranch"], user_prompts=sum(r["type"] == "user" for r in chat))
    events = [r["systemPayload"]["uiEvent"] for r in chat if r.get("subtype") == "ui_telemetry"]
    codes = {r["toolCallResult"]["callId"]: r["toolCallResult"]["resultDisplay"]["exitCode"] for r in chat if "exitCode" in r.get("toolCallResult", {}).get("resultDisplay", "")}
    asked = {p["functionCall"]["id"]: r["timestamp"] for r in chat if r["type"] == "assistant" for p in r["message"]["parts"] if "functionCall" in p}
    rest = []
    for e in events:
        if e["event.name"] == "qwen-code.api_response":
            cached = e["cached_content_token_count"]
            for part, n in zip(PARTS, [e["input_token_count"] - cached, e["total_token_count"] - e["input_token_count"], cached, 0]):
                facts["tokens"][part] += n
            facts["tokens"]["api_calls"] += 1
        if e["event.name"] == "qwen-code.tool_call":
            call = {"ts": asked[e["call_id"]], "tool_call_id": e["call_id"], "status": "ok" if e["success"] else "error"}
            if e["function_name"] == "run_shell_command":
                facts["commands"].append(call | {"command": e["function_args"]["command"], "exit_code": codes[e["call_id"]]})
            elif e["function_name"] in ("write_file", "edit"):
                facts["edits"].append(call | {"path": e["function_args"]["file_path"]})
            else:
                rest.append(e["function_name"])
    facts["other_tool_calls"] = others(rest)
    return {"sessions": [facts]}


def cline(sample):
    sessions = []
    for path in sorted(sample.rglob("*.messages.json")):
        doc = json.loads(path.read_text())
        about = json.loads((path.parent / (path.parent.name + ".json")).read_text())
        child = doc["agent"] != "lead"
        facts = session(id=doc["sessionId"], cwd=about["cwd"], git_branch=about["metadata"]["git"]["branch"])
        blocks = [(m, b) for m in doc["messages"] for b in m["content"]]
        facts["user_prompts"] = 0 if child else sum(b["type"] == "text" and m["role"] == "user" for m, b in blocks)
        results = {b["tool_use_id"]: b["content"] for _, b in blocks if b["type"] == "tool_result"}
        rest = []
        for m, b in blocks:
            if b["type"] != "tool_use":
                continue
            ended = results[b["id"]]
            call = {"ts": stamp(m["ts"] / 1000), "tool_call_id": b["id"]}
            if b["name"] == "run_commands":
                lines = [end["query"] for end in ended]
                codes = [int(end.get("error", "0").split()[-1]) for end in ended]
                line = lines[0] if len(lines) == 1 else "; ".join("bash -c " + shlex.quote(of) for of in lines)
                exit_code = next((code for code in codes if code), 0)
                command = call | {"command": line, "exit_code": exit_code, "status": "error" if exit_code else "ok"}
                facts["commands"].append(command | ({"sidechain": True} if child else {}))
            elif b["name"] == "editor":
                facts["edits"].append(call | {"path": b["input"]["path"], "status": "ok" if json.loads(ended)["success"] else "error"})
            else:
                rest.append(b["name"])
        if not child:  # the description has the sums
            used = about["metadata"]["usage"]
            numbers = [used[name] for name in ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")]
        else:
            of = [m["metrics"] for m in doc["messages"] if "metrics" in m]
            numbers = [sum(u[name] for u in of) for name in ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")]
        numbers[0] -= numbers[2] + numbers[3]
        facts["tokens"] = dict(zip(PARTS, numbers)) | {"api_calls": sum(m["role"] == "assistant" for m in doc["messages"])}
        facts["other_tool_calls"] = others(rest)
        sessions.append(facts)
    return {"sessions": sorted(sessions, key=lambda s: s["id"])}


def tasks(sample):
    sessions = []
    for path in sorted(sample.rglob("ui_messages.json")):
        shown, said = json.loads(path.read_text()), json.loads((path.parent / "api_conversation_history.json").read_text())
        about = path.parent / "history_item.json"
        child = about.exists() and "parentTaskId" in json.loads(about.read_text())
        first = json.dumps(said[0])
        facts = session(id=path.parent.name, cwd=re.search(r"# Current (?:Working|Workspace) Directory \((.*?)\) Files", first)[1], user_prompts=0 if child else 1)
        for row in shown:
            if row.get("say") == "api_req_started":
                used = json.loads(row["text"])
                cached = used["cacheReads"] + used["cacheWrites"]
                for part, n in zip(PARTS, [used["tokensIn"] - cached, used["tokensOut"], used["cacheReads"], used["cacheWrites"]]):
                    facts["tokens"][part] += n
                facts["tokens"]["api_calls"] += 1
        rest = []
        for n, m in enumerate(said):
            if m["role"] != "assistant":
                continue
            after = said[n + 1]["content"] if n + 1 < len(said) else []
            calls = [(b["id"], b["name"], b["input"]) for b in m["content"] if b["type"] == "tool_use"]
            elements = [e for b in m["content"] if b["type"] == "text" for e in re.finditer(r"(?s)<(\w+)>\s*<(command|path|result)>(.*?)</\2>.*</\1>", b["text"])]
            calls = calls or [(f"{n + 1}.{i + 1}", e[1], {e[2]: e[3]}) for i, e in enumerate(elements)]
            for id, name, arguments in calls:
                text = next((b["content"] for b in after if b.get("tool_use_id") == id), None)
                subject = arguments.get("command", arguments.get("path"))
                headed = [b["text"] for b in after if b["type"] == "text" and b["text"].startswith(f"[{name} for '{subject}'] Result:")]
                text = text or (headed[0] if headed else "")
                call = {"ts": stamp(m["ts"] / 1000), "tool_call_id": id}
                if name == "execute_command":
                    code = int(re.search(r"[Ee]xit code:? (\d+)", text)[1])
                    command = call | {"command": subject, "exit_code": code, "status": "error" if code else "ok"}
                    if made := re.search(r"(?m)^\[main (\w+)\] (.*)$", text):
                        command["made"] = [{"commit": made[1], "subject": made[2]}]
                    facts["commands"].append(command | ({"sidechain": True} if child else {}))
                elif name in ("write_to_file", "apply_diff", "replace_in_file"):
                    failed = "does not match" in text or "No sufficiently similar match" in text
                    facts["edits"].append(call | {"path": f"{facts['cwd']}/{subject}", "status": "error" if failed else "ok"})
                else:
                    rest.append(name)
        facts["other_tool_calls"] = others(rest)
        sessions.append(facts)
    return {"sessions": sorted(sessions, key=lambda s: s["id"])}


def kiro(sample):
    (path,) = sample.glob("convo.json")
    doc = json.loads(path.read_text())
    said = [user["content"] for user, _ in doc["history"]]
    facts = session(id=doc["conversation_id"], cwd=doc["history"][0][0]["env_context"]["env_state"]["current_working_directory"])
    facts["user_prompts"] = sum("Prompt" in content for content in said)
    results = {r["tool_use_id"]: r for content in said for r in content.get("ToolUseResults", {}).get("tool_use_results", [])}
    rest = []
    for use in [use for _, answer in doc["history"] for use in answer.get("ToolUse", {}).get("tool_uses", [])]:
        result, arguments, call = results.get(use["id"]), use["args"], {"tool_call_id": use["id"]}
        if use["name"] == "execute_bash":
            output = result["content"][0]["Json"]
            code = int(output["exit_status"])
            command = call | {"command": arguments["command"], "exit_code": code, "status": "error" if code else "ok"}
            if made := re.search(r"(?m)^\[\S+ (\w+)\] (.*)$", output["stdout"]):
                command["made"] = [{"commit": made[1], "subject": made[2]}]
            facts["commands"].append(command)
        elif use["name"] == "fs_write":
            facts["edits"].append(call | {"path": arguments["path"], "status": "ok" if result["status"] == "Success" else "error"})
        else:
            rest.append(use["name"])
    facts["other_tool_calls"] = others(rest)
    return {"sessions": [facts], "untimed": True}


def kilo(sample):
    db = sqlite3.connect(f"file:{sample / 'kilo.db'}?mode=ro", uri=True)
    sessions = []
    for id, parent, cwd, read, write, output, thought, new in db.execute(
        "SELECT id, parent_id, directory, tokens_cache_read, tokens_cache_write, tokens_output, tokens_reasoning, tokens_input FROM session ORDER BY time_created"
    ):
        facts = session(id=id, cwd=cwd)
        roles = [json.loads(data)["role"] for (data,) in db.execute("SELECT data FROM message WHERE session_id = ?", [id])]
        facts["user_prompts"] = 0 if parent else roles.count("user")
        facts["tokens"] = dict(zip(PARTS, [new, output + thought, read, write])) | {"api_calls": roles.count("assistant")}
        rest = []
        for (data,) in db.execute("SELECT data FROM part WHERE session_id = ? ORDER BY id", [id]):
            part = json.loads(data)
            if part["type"] != "tool":
                continue
            state = part["state"]
            call = {"ts": stamp(state["time"]["start"] / 1000), "tool_call_id": part["callID"]}
            if part["tool"] == "bash":
                code = state["metadata"]["exit"]
                facts["commands"].append(call | {"command": state["input"]["command"], "exit_code": code, "status": "error" if code else "ok"} | ({"sidechain": True} if parent else {}))
            elif "command" in state["input"]:
                facts["commands"].append(call | {"command": state["input"]["command"], "status": "unknown"})
            elif part["tool"] in ("write", "edit"):
                facts["edits"].append(call | {"path": state["input"]["filePath"], "status": "ok" if state["status"] == "completed" else "error"})
            else:
                rest.append(part["tool"])
        facts["other_tool_calls"] = others(rest)
        sessions.append(facts)
    return {"sessions": sessions}


def crush(sample):
    (path,) = sample.glob("crush.db*")
    data = bytearray(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
    data[18:20] = b"\1\1"  # no write-ahead log, which a database in memory cannot have
    db = sqlite3.connect(":memory:")
    db.deserialize(bytes(data))
    anew = bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = 'read_files'").fetchall())
    sessions = []
    for id, parent, cost in db.execute("SELECT id, parent_session_id, cost FROM sessions ORDER BY created_at, id"):
        facts, rest, ends = session(id=id, cwd=""), [], {}
        messages = [(role, model, at, json.loads(parts)) for role, model, at, parts in db.execute("SELECT role, model, created_at, parts FROM messages WHERE session_id = ? ORDER BY rowid", [id])]
        for role, _, _, parts in messages:
            for p in parts:
                if p["type"] == "tool_result":
                    ends.setdefault(p["data"]["tool_call_id"], []).append(p["data"])  # some models use ids again
        for role, _, at, parts in messages:
            kinds = {p["type"] for p in parts}
            reasons = [p["data"]["reason"] for p in parts if p["type"] == "finish"]
            texts = "".join(p["data"]["text"] for p in parts if p["type"] == "text")
            facts["user_prompts"] += role == "user" and "text" in kinds and not parent and "interrupted because it got too long" not in texts
            facts["tokens"]["api_calls"] += role == "assistant" and (reasons != ["error"] or kinds != {"finish"})
            for p in parts:
                if p["type"] != "tool_call":
                    continue
                of = p["data"]
                if of["id"] not in ends and of["name"] == "agent":  # it runs
                    rest.append(of["name"])
                    continue
                end = ends[of["id"]].pop(0)
                text, about = end["content"], json.loads(end["metadata"] or "{}")
                call = {"ts": stamp(at), "tool_call_id": of["id"]}
                if "not found: " in text and of["name"] in text or "not valid JSON" in text:
                    rest.append(of["name"])
                elif of["name"] == "bash":
                    line = json.loads(of["input"])["command"]
                    code = re.search(r"\nExit code (\d+)\n\n<cwd>[^<]*</cwd>$", text)
                    command = call | {"command": line, "status": "error" if code else "ok", "exit_code": int(code[1]) if code else 0}
                    if "\nCommand was aborted before completion\n\n<cwd>" in text:
                        command = call | {"command": line, "status": "error"}
                    if end["is_error"] or about.get("shell_id"):
                        refused = "denied" in text or "blocked by hook" in text
                        command = call | {"command": line, "status": "rejected" if refused else "unknown"}
                    elif anew and not facts["cwd"]:
                        facts["cwd"] = re.search(r"<cwd>(.*)</cwd>$", text)[1]
                    made = re.search(r"^\[\S+ ([0-9a-f]+)\] (.*)", text)
                    facts["commands"].append(command | ({"made": [{"commit": made[1], "subject": made[2]}]} if made else {}) | ({"sidechain": True} if parent else {}))
                elif of["name"] in ("edit", "multiedit", "write", "download"):
                    status = "rejected" if "ermission denied" in text else "unknown" if "canceled by user" in text else "error" if end["is_error"] else "ok"
                    facts["edits"].append(call | {"path": json.loads(of["input"])["file_path"], "status": status})
                else:
                    rest.append(of["name"])
        if cost and not facts["tokens"]["api_calls"]:
            facts["tokens"]["api_calls"] = 1  # it made the title
        for edit in facts["edits"]:
            edit["path"] = str(pathlib.PurePosixPath(facts["cwd"]) / edit["path"])
        facts["other_tool_calls"] = others(rest)
        sessions.append(facts)
    return {"unknown_tokens": PARTS, "sessions": sessions}


def droid(sample):
    sessions, seen = [], set()
    files = [rows(path) for path in sample.rglob("*.jsonl")]
    for log in sorted(files, key=lambda log: (log[1]["timestamp"], "parent" in log[0])):
        facts, rest = session(id=log[0]["id"], cwd=log[0]["cwd"]), []
        messages = [(r["id"], r["timestamp"], r["message"]) for r in log if r["type"] == "message"]
        hooks = {m["hookToolCallId"]: m["hookResults"] for _, _, m in messages if "hookResults" in m}
        ends = {b["tool_use_id"]: b for _, _, m in messages for b in m.get("content", []) if b["type"] == "tool_result"}
        for id, at, m in messages:
            if id in seen:  # of the session that was forked
                continue
            seen.add(id)
            kinds = {b["type"] for b in m.get("content", [])}
            facts["user_prompts"] += m["role"] == "user" and "text" in kinds and "visibility" not in m
            facts["tokens"]["api_calls"] += "modelId" in m
            for b in m.get("content", []):
                if b["type"] != "tool_use":
                    continue
                end, call = ends[b["id"]], {"ts": at, "tool_call_id": b["id"]}
                text = end["content"]
                if b["name"] == "Execute":
                    code = re.search(r"\[Process exited with code (\d+)\]$", text)
                    command = call | {"command": b["input"]["command"]}
                    if code:
                        command |= {"exit_code": int(code[1]), "status": "error" if int(code[1]) else "ok"}
                    elif "timed out" in text:
                        command |= {"status": "error"}
                    else:
                        command |= {"status": "rejected" if any(h["exitCode"] for h in hooks[b["id"]]) else "unknown"}
                    made = re.search(r"^\[\S+ ([0-9a-f]+)\] (.*)", text)
                    facts["commands"].append(command | ({"made": [{"commit": made[1], "subject": made[2]}]} if made else {}))
                elif b["name"] in ("Create", "Edit"):
                    facts["edits"].append(call | {"path": b["input"]["file_path"], "status": "error" if end["is_error"] else "ok"})
                else:
                    rest.append(b["name"])
        facts["other_tool_calls"] = others(rest)
        sessions.append(facts)
    return {"unknown_tokens": PARTS, "sessions": sessions}


def codex_exec(sample):
    sessions = []
    for path in sorted(sample.glob("*.jsonl")):
        events = rows(path)
        usage = [e["usage"] for e in events if e["type"] == "turn.completed"][-1]
        cached = usage["cached_input_tokens"]
        facts = session(id=events[0]["thread_id"], user_prompts=sum(e["type"] == "turn.started" for e in events))
        facts["tokens"] = {"input": usage["input_tokens"] - cached, "output": usage["output_tokens"], "cache_read": cached, "cache_write": 0, "api_calls": 1}
        for e in events:
            item = e.get("item", {})
            if e["type"] == "item.completed" and item["type"] == "command_execution":
                command = re.fullmatch(r"bash -lc (?:'(.*)'|(.*))", item["command"])
                facts["commands"].append({"command": command[1] or command[2], "tool_call_id": item["id"], "exit_code": item["exit_code"], "status": "ok"})
            if e["type"] == "item.completed" and item["type"] == "file_change":
                facts["edits"] += [{"path": change["path"], "tool_call_id": item["id"], "status": "ok"} for change in item["changes"]]
        sessions.append(facts)
    return {"sessions": sorted(sessions, key=lambda s: s["id"]), "untimed": True}


def cursor_stream(sample):
    (path,) = sample.glob("*.jsonl")
    events = rows(path)
    facts = session(id=events[0]["session_id"], cwd=events[0]["cwd"], user_prompts=sum(e["type"] == "user" for e in events))
    ends = {e["call_id"]: e["tool_call"]["shellToolCall"]["result"] for e in events if e.get("subtype") == "completed"}
    for e in events:
        if e.get("subtype") == "started":
            code = ends[e["call_id"]]["success"]["exitCode"]
            facts["commands"].append({
                "ts": stamp(e["timestamp_ms"] / 1000), "command": e["tool_call"]["shellToolCall"]["args"]["command"],
                "tool_call_id": e["call_id"], "exit_code": code, "status": "error" if code else "ok",
            })
    return {"sessions": [facts], "untimed": True, "parser_diagnostics": {"wrong_tokens": 1}}


COUNTS = {
    "copilot-otel/01_recorded": copilot_otel,
    "mini-swe-agent/01_astropy": mini,
    "swe-agent/01_function_calls": swe,
    "swe-agent/02_edits_of_lines": swe,
    "qwen/01_recorded": qwen,
    "cline/01_recorded": cline,
    "cline-tasks/01_roo": tasks,
    "cline-tasks/02_cline": tasks,
    "cline-tasks/03_cline_elements": tasks,
    "kiro/01_public": kiro,
    "opencode/03_kilo": kilo,
    "crush/01_recorded": crush,
    "crush/02_public": crush,
    "crush/03_public": crush,
    "droid/01_recorded": droid,
    "openhands/01_public": openhands,
    "openhands-files/01_public": openhands,
    "codex-exec/02_public": codex_exec,
    "cursor-stream/02_public": cursor_stream,
}


def main():
    differ = False
    print("| sample | origin | license | sessions | commands | edits | tokens |\n|---|---|---|--:|--:|--:|---|")
    for name, count in COUNTS.items():
        path = SAMPLES / name / "expected.json"
        expected = json.loads(path.read_text())
        counted = {"origin": expected["origin"]} | count(SAMPLES / name)
        if "--write" in sys.argv:
            path.write_text(json.dumps(counted, indent=2, ensure_ascii=False) + "\n")
        elif counted != expected:
            differ = True
            print(f"{name}: the figures differ from {path}", file=sys.stderr)
        of = counted["sessions"]
        tokens = " ".join(str(sum(s["tokens"][part] for s in of)) for part in PARTS)
        origin = counted["origin"]
        print(f"| {name} | {origin['from']} | {origin['license']} | {len(of)} | {sum(len(s['commands']) for s in of)} | {sum(len(s['edits']) for s in of)} | {tokens} |")
    sys.exit(differ)


if __name__ == "__main__":
    main()

#!/bin/sh
# Calls the tools of "rulecheck mcp" on a small repository with the Inspector, the
# protocol's test client. The Inspector always exits with 0, so the script checks the text
# of each answer.
# Usage: mcp-inspector.sh PATH-OF-RULECHECK
# Installs the Inspector from npm into .tools/.
set -eu
version=0.15.0
rulecheck=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tools=$(cd "$(dirname "$0")/.." && pwd)/.tools/mcp-inspector-$version
inspector=$tools/node_modules/.bin/mcp-inspector
[ -x "$inspector" ] ||
	npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix "$tools" "@modelcontextprotocol/inspector@$version"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.com GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.com
git init -q -b main "$work/repo"
cd "$work/repo"
mkdir -p src tests .rulecheck/rules .rulecheck/workflows
printf '%s\n' --- 'set: ["src/{path}.py", "tests/{path}_test.py"]' --- 'Change both.' >.rulecheck/rules/source-test.md
cat >.rulecheck/workflows/generation.yaml <<'END'
phases:
  - name: analysis
    prompt: Count the functions.
    gate:
      strict: true
      evidence:
        function_count: {type: integer, required: true, check: positive}
  - name: tests
    prompt: Write a test for each.
END
echo 1 >src/a.py
echo 1 >tests/a_test.py
git add -A
git commit -q -m 'A source and its test'
echo 2 >src/a.py

# expect WHAT ARGUMENT…: checks an answer with the JavaScript expression WHAT, in which r
# is the whole answer and d its data.
expect() {
	what=$1
	shift
	"$inspector" --cli "$rulecheck" mcp "$@" >"$work/answer" 2>"$work/said" || true
	WHAT=$what node -e '
		const r = JSON.parse(require("fs").readFileSync(0, "utf8"))
		const d = r.structuredContent
		if (!eval(process.env.WHAT)) { process.exit(1) }
	' <"$work/answer" 2>>"$work/said" || {
		echo "mcp-inspector: $*: want $what, got:" >&2
		cat "$work/answer" "$work/said" >&2
		exit 1
	}
	echo "ok: $*"
}
workflow() {
	what=$1 action=$2
	shift 2
	expect "$what" --method tools/call --tool-name workflow --tool-arg "action=$action" "$@"
}

expect 'r.tools.map(t => t.name).sort().join() === "check,workflow" && r.tools.every(t => t.inputSchema.additionalProperties === false)' --method tools/list
workflow '!r.isError && d.workflows.some(w => w.name === "generation" && w.phases.join() === "analysis,tests")' list_workflows
workflow 'r.isError && d.error === "invalid_argument" && d.actions.includes("start") && d.message.includes("did you mean \"start\"?")' strat
workflow '!r.isError && d.current_phase === "analysis" && JSON.parse(r.content[0].text).session_id === d.session_id' start workflow=generation target=src/a.py
session=$(node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).structuredContent.session_id' <"$work/answer")
workflow '!r.isError && d.checkpoint_criteria.required_evidence.function_count.type === "integer"' get_phase
workflow 'r.isError && d.error === "phase_sequence_violation" && d.current_phase_content.phase === "analysis"' get_phase phase=tests
workflow 'r.isError && d.error === "incomplete_checkpoint" && d.missing_evidence.length === 1' complete_phase phase=analysis
workflow '!r.isError && d.checkpoint_passed && d.next_phase === "tests"' complete_phase phase=analysis 'evidence={"function_count": 21}'
workflow '!r.isError && d.repeated' complete_phase phase=analysis 'evidence={"function_count": 21}'
workflow '!r.isError && d.artifacts_from_previous.analysis.function_count === 21' get_phase "session_id=$session"
workflow '!r.isError && d.workflow_complete' next
workflow '!r.isError && d.deleted === "'"$session"'"' delete_session "session_id=$session"
workflow '!r.isError && d.sessions.length === 0' list_sessions
expect '!r.isError && d.findings.length === 1 && d.findings[0].expected[0] === "tests/a_test.py"' --method tools/call --tool-name check
expect '!r.isError && d.findings.length === 1 && d.notices.some(n => n.startsWith("nothing is staged"))' --method tools/call --tool-name check --tool-arg staged=true sessions=false
expect 'r.isError && d.error === "invalid_argument"' --method tools/call --tool-name check --tool-arg fix=true

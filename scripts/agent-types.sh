#!/bin/sh
# Compares the answers to Claude Code's hooks with the types of its SDK, from npm.
# Usage: agent-types.sh
set -eu
sdk=0.3.330
typescript=5.9.3
root=$(cd "$(dirname "$0")/.." && pwd)
dir=${XDG_CACHE_HOME:-$HOME/.cache}/rulecheck/agent-types-$sdk-$typescript
tsc=$dir/node_modules/typescript/bin/tsc
[ -f "$tsc" ] ||
	npm install --silent --no-audit --no-fund --ignore-scripts --no-save --legacy-peer-deps --omit=optional --prefix "$dir" \
		"@anthropic-ai/claude-agent-sdk@$sdk" "typescript@$typescript" >&2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$dir/node_modules" "$work/node_modules"
# Each line of a golden is an answer; those that are silent have no standard output. The last
# two answers are wrong, so that types that accept everything are found out.
# shellcheck disable=SC2016 # the braces are JavaScript's
for agent in claude claude-like; do
	node -e '
		const [golden] = process.argv.slice(1)
		const lines = require("fs").readFileSync(golden, "utf8").split("\n")
		const answers = lines.map((l) => / stdout (\{.*\})( stderr ".*")?$/.exec(l)?.[1]).filter(Boolean)
		if (answers.length < 15) throw new Error(`${golden}: ${answers.length} answers; want at least 15`)
		const types = `import type { SyncHookJSONOutput as Answer } from "@anthropic-ai/claude-agent-sdk"\n`
		const wrong = [`{ decision: "deny" }`, `{ hookSpecificOutput: { hookEventName: "PreToolUse", reason: "R" } }`]
		console.log(types + answers.map((a, i) => `export const a${i}: Answer = ${a}`).join("\n"))
		console.log(wrong.map((a, i) => `// @ts-expect-error\nexport const w${i}: Answer = ${a}`).join("\n"))
	' "$root/internal/agents/hook/dialect/testdata/answers/$agent.golden" >"$work/$agent.ts"
done
cd "$work"
node "$tsc" --noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext claude.ts claude-like.ts
echo "$(grep -c 'export const a' claude.ts) answers to Claude Code have the types of its SDK $sdk"

#!/bin/sh
# Validates the SARIF of the goldens, of larger reports, and of a real run.
# Usage: sarif.sh PATH-OF-RULECHECK
set -eu
rulecheck=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.com GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.com
git init -q -b main "$work/repo"
cd "$work/repo"
mkdir -p src tests .rulecheck/rules
printf '%s\n' --- 'set: ["src/{path}.py", "tests/{path}_test.py"]' --- 'Change both.' >.rulecheck/rules/source-test.md
printf '%s\n' --- 'trigger: src/**' 'colour: red' --- 'Look.' >.rulecheck/rules/malformed.md
echo 1 >src/a.py
echo 1 >tests/a_test.py
git add -A
git commit -q -m 'A source and its test'
echo 2 >src/a.py
status=0
"$rulecheck" --since main --format sarif="$work/run.sarif" || status=$?
[ "$status" -eq 2 ] # a malformed rule and a finding
(cd "$root" && SARIF_DIR=$work go test -count 1 -run '^TestSARIFFiles$' ./internal/report/format)
sh "$root/scripts/sarif-validate.sh" "$root"/internal/report/format/testdata/sarif*.golden "$work"/*.sarif

#!/bin/sh
# Speaks with "rulecheck lsp" by the client library of VS Code, and packages the extension.
# Usage: vscode.sh PATH-OF-RULECHECK VERSION FILE.vsix
# Installs the library and vsce from npm into .tools/.
set -eu
vsce=3.6.2
rulecheck=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
version=${2#v}
mkdir -p "$(dirname "$3")"
file=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
cd "$(dirname "$0")/.."
tools=$PWD/.tools/vsce-$vsce
[ -x "$tools/node_modules/.bin/vsce" ] ||
	npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix "$tools" "@vscode/vsce@$vsce"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.com GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.com
cp -r packaging/vscode "$work/extension"
cp LICENSE "$work/extension/LICENSE.txt"
(cd "$work/extension" && npm ci --silent --no-audit --no-fund --ignore-scripts)

git init -q -b main "$work/repo"
cd "$work/repo"
git remote add origin https://github.com/example/demo.git
mkdir -p src tests .rulecheck/rules
printf '%s\n' --- pair: '  trigger: src/{path}.py' '  expects: tests/{path}_test.py' --- 'Change the test of {trigger_files}.' >.rulecheck/rules/source-test.md
printf '%s\n' --- 'trigger: "**/*.py"' 'action: {command: "sed -i s/y/z/ {file}", run_for: each_match, fix: true}' --- 'Format it.' >.rulecheck/rules/format.md
echo 'x = 1' | tee src/a.py src/b.py tests/b_test.py >tests/a_test.py
git add -A
git commit -q -m 'Sources and tests'
echo 'x = 2' >src/b.py
rm tests/a_test.py
git add -A
git commit -q -m 'Change a source alone'
node "$work/extension/conformance.mjs" "$rulecheck" "$work/repo"

cd "$work/extension"
"$tools/node_modules/.bin/vsce" package "$version" --no-git-tag-version --no-update-package-json --out "$file" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}
echo "ok: $(basename "$file")"

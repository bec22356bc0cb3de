#!/bin/sh
# Installs the programs that rulecheck's commands are measured beside, once, from
# npm, and prints the directory of their programs. Fails where npm is absent.
# Usage: peers.sh
set -eu
lefthook=2.2.2
lint_staged=16.4.0
command -v npm >/dev/null || {
	echo 'peers: npm is not installed' >&2
	exit 1
}
dir=${XDG_CACHE_HOME:-$HOME/.cache}/rulecheck/peers-$lefthook-$lint_staged
if [ ! -x "$dir/node_modules/.bin/lint-staged" ]; then
	npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$dir" "lefthook@$lefthook" "lint-staged@$lint_staged" >&2
fi
echo "$dir/node_modules/.bin"

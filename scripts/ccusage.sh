#!/bin/sh
# Installs ccusage, beside which an audit is measured, once, from npm, and prints
# the path of its program. Fails where npm is absent.
# Usage: ccusage.sh
set -eu
version=20.0.24
command -v npm >/dev/null || {
	echo 'ccusage: npm is not installed' >&2
	exit 1
}
dir=${XDG_CACHE_HOME:-$HOME/.cache}/rulecheck/ccusage-$version
if [ ! -x "$dir/node_modules/.bin/ccusage" ]; then
	npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$dir" "ccusage@$version" >&2
fi
# The native program itself, where there is one: without the start of node.
for native in "$dir"/node_modules/@ccusage/ccusage-*/bin/ccusage; do
	[ -f "$native" ] && chmod +x "$native" && echo "$native" && exit
done
echo "$dir/node_modules/.bin/ccusage"

#!/bin/sh
# Installs ccusage from npm, for the comparison with an audit, and prints the path of
# its program. Fails without npm.
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
# Prefer the native program, which starts without node.
for native in "$dir"/node_modules/@ccusage/ccusage-*/bin/ccusage; do
	[ -f "$native" ] && chmod +x "$native" && echo "$native" && exit
done
echo "$dir/node_modules/.bin/ccusage"

#!/bin/sh
# Validates SARIF files with Microsoft's validator: the rules of the standard
# and those of GitHub's ingestion. Fails on any error or warning.
# Usage: sarif-validate.sh FILE…
# RULECHECK_MULTITOOL names the directory the validator is installed into;
# by default it is cached and downloaded once, from npm.
set -eu

version=5.7.0
case $(uname -s) in
Linux) package=@microsoft/sarif-multitool-linux ;;
Darwin) package=@microsoft/sarif-multitool-darwin ;;
*)
	echo "sarif-validate: no validator for $(uname -s); want Linux or Darwin" >&2
	exit 2
	;;
esac
[ $# -gt 0 ] || {
	echo 'usage: sarif-validate.sh FILE…' >&2
	exit 2
}

dir=${RULECHECK_MULTITOOL:-${XDG_CACHE_HOME:-$HOME/.cache}/rulecheck/sarif-multitool-$version}
# The program itself: the npm package's wrapper hands its arguments to a shell,
# which ends them at the ";" of --rule-kind.
tool=$dir/node_modules/$package/Sarif.Multitool
if [ ! -f "$tool" ]; then
	npm install --silent --no-audit --no-fund --ignore-scripts --no-save --prefix "$dir" "$package@$version"
fi
[ -x "$tool" ] || chmod u+x "$tool"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
status=0
for file; do
	cp -- "$file" "$tmp/in.sarif"
	# Its exit status is 0 even with errors, and its own log is SARIF: read what it prints.
	"$tool" validate "$tmp/in.sarif" --rule-kind 'Sarif;Ghas' --level 'Error;Warning' \
		--output "$tmp/out.sarif" --log ForceOverwrite >"$tmp/said" 2>&1 || status=1
	if grep -q '^Analysis completed successfully' "$tmp/said" && ! grep -Eq ': (error|warning) [A-Z]+[0-9]+' "$tmp/said"; then
		echo "$file: valid"
	else
		echo "$file: not valid" >&2
		cat "$tmp/said" >&2
		status=1
	fi
done
exit $status

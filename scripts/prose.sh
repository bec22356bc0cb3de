#!/bin/sh
# prose.sh VALE [PATH]...: checks the English below the paths, or everywhere, and
# prints file:line:column:rule:message for each finding. Vale reads markdown and the
# comments of Go files; scripts/prose extracts the rest for it.
set -eu
vale=$1 && shift
[ $# -gt 0 ] || set -- README.md CONTRIBUTING.md Makefile action.yml .pre-commit-hooks.yaml .golangci.yml \
	install.sh .ci .github cmd docs internal packaging policies scripts
texts=.tools/prose
rm -rf "$texts" && mkdir -p "$texts"
go run ./scripts/prose "$texts" "$@"
if "$vale" --output=line --glob='!**/testdata/**' "$texts" "$@" >"$texts.out"; then exit 0; fi
sed "s|^$texts/\([^:]*\)\.txt:|\1:|" "$texts.out"
exit 1

#!/bin/sh
# usage: package.sh DIR: writes shell completions and the manual page, which is made from
# docs/cli.md, to DIR.
set -eu
cd "$(dirname "$0")/.."
dir=$1
man=github.com/cpuguy83/go-md2man/v2@v2.0.7

rm -rf "$dir"
mkdir -p "$dir/completions" "$dir/man"
# With the flags of build.sh, for which it is not compiled again.
CGO_ENABLED=0 go build -trimpath -buildvcs=false -o "$dir/rulecheck" ./cmd/rulecheck
"$dir/rulecheck" completion bash >"$dir/completions/rulecheck.bash"
"$dir/rulecheck" completion zsh >"$dir/completions/_rulecheck"
"$dir/rulecheck" completion fish >"$dir/completions/rulecheck.fish"
"$dir/rulecheck" completion powershell >"$dir/completions/rulecheck.ps1"
rm "$dir/rulecheck"

# In the manual page, commands are sections below one title, and there are no links.
{
	printf '%% RULECHECK 1\n\n# NAME\n\nrulecheck - check changes against rules in the repository\n'
	# shellcheck disable=SC2016 # the backquotes are markdown
	sed -e 1d -e '/^<!--/d' -e 's/^## /# /' -e 's/\[\(`[^`]*`\)\](#[^)]*)/\1/g' docs/cli.md
} | go run "$man" >"$dir/man/rulecheck.1"

#!/bin/sh
# usage: package.sh DIR: writes what a package has beside the program to DIR:
# completions for shells, and the manual page, made of docs/cli.md.
set -eu
cd "$(dirname "$0")/.."
dir=$1
man=github.com/cpuguy83/go-md2man/v2@v2.0.7

rm -rf "$dir"
mkdir -p "$dir/completions" "$dir/man"
go build -o "$dir/rulecheck" ./cmd/rulecheck
"$dir/rulecheck" completion bash >"$dir/completions/rulecheck.bash"
"$dir/rulecheck" completion zsh >"$dir/completions/_rulecheck"
"$dir/rulecheck" completion fish >"$dir/completions/rulecheck.fish"
"$dir/rulecheck" completion powershell >"$dir/completions/rulecheck.ps1"
rm "$dir/rulecheck"

# In a manual, commands are sections below one title, and links lead nowhere.
{
	printf '%% RULECHECK 1\n\n# NAME\n\nrulecheck - judge what changed against rules kept in the repository\n'
	sed -e 1d -e '/^<!--/d' -e 's/^## /# /' -e 's/\[\(`[^`]*`\)\](#[^)]*)/\1/g' docs/cli.md
} | go run "$man" >"$dir/man/rulecheck.1"

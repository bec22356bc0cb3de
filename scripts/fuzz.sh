#!/bin/sh
# Runs every fuzz target of the module, one after the other, for the given time.
# A crasher is written to testdata/fuzz of its package: commit it with its fix.
set -eu
time=${1:?usage: fuzz.sh DURATION}
for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "== $package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
	done
done

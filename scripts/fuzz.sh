#!/bin/sh
# Runs every fuzz target of the module for the given time each. Crashers are written to
# testdata/fuzz of the package: commit them with the fix.
set -eu
time=${1:?usage: fuzz.sh DURATION}
for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "== $package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
	done
done

#!/bin/sh
# Runs the tests and fails if they cover less than 90 % of the statements of internal/
# and policies/.
set -eu
cd "$(dirname "$0")/.."
go test -coverpkg=./internal/...,./policies -coverprofile=coverage.out ./...
go tool cover -func=coverage.out | awk '/^total:/ {print; if ($3+0 < 90) {print "want at least 90 %"; exit 1}}'

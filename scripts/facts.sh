#!/bin/sh
# Runs the queries of docs/facts.md with DuckDB, which npm installs in .tools/.
set -eu
cd "$(dirname "$0")/.."
dir=.tools/duckdb
mkdir -p "$dir"
npm install --silent --no-audit --no-fund --prefix "$dir" @duckdb/node-api@1.5.6-r.1 || {
	echo 'facts.sh: skipped, npm cannot install DuckDB'
	exit 0
}
DUCKDB=$PWD/$dir go test -count=1 -run TestFactsInDuckDB ./internal/report/format

#!/bin/sh
# Compares audits of 1 GB of logs in each format with ccusage, which npm installs, and adds
# them to docs/benchmarks.md.
set -eu
cd "$(dirname "$0")/.."
ccusage=$(sh scripts/ccusage.sh) || {
	echo 'bench-audit.sh: skipped, npm cannot install ccusage'
	exit 0
}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
# The tests that generate the archives know their token counts.
go test -count 1 -run '^TestGenerated' ./internal/agents/agentlog -archive "$logs/claude" -sessions 800 -turns 118 -output 8000
go test -count 1 -run '^TestMixed$' ./internal/agents/agentlog -mixed "$logs/mixed" -sessions 828
ARCHIVE=$logs/claude MIXED=$logs/mixed CCUSAGE=$ccusage \
	go test -count 1 -tags bench -run '^TestBenchmarkAudit$' -v ./cmd/rulecheck -args -write "$PWD/docs/benchmarks.md"

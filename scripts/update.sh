#!/bin/sh
# Rewrites generated files that are stale: goldens, expected outputs of scripts, parts of the
# documentation. Each row has a package and its tests that rewrite files under UPDATE=1. go
# test keeps the results of what did not change, so a second run takes seconds.
set -eu
cd "$(dirname "$0")/.."
export UPDATE=1

update() { # reads rows PACKAGE TEST... and runs these tests of these packages
	rows=$(cat)
	tests=$(echo "$rows" | cut -d ' ' -f 2- | tr '\n ' '||')
	# shellcheck disable=SC2046 # each package is a word
	"${GO:-go}" test -short -run "^(${tests%|})\$" $(echo "$rows" | sed 's,^\([^ ]*\).*,./\1,')
}

# The schemas come first: policies that read a new fact or key compile with them.
update <<'ROWS'
internal/policy TestSchema
internal/agents/profile TestToolDocument
ROWS

# Pages and goldens. Tests of two packages that write the same page are in different steps.
update <<'ROWS'
internal TestArchitectureDocument
internal/agents/price TestBuiltin
internal/agents/agentlog TestPlacesDocument
internal/agents/hook/dialect TestDocuments TestTable
internal/agents/hook/install TestAgents
internal/agents/mcp TestReference
internal/agents/workflow TestBadDefinitions TestKeyTables
internal/agents/workflow/store TestFormat
internal/check TestReferenceTables
internal/content/language TestLanguagesDocument
internal/content/symbol/languages TestGoldens|TestLanguagesTable
internal/condition TestConditionProblems TestChangeConditionProblems
internal/diff TestShapes
internal/fleet/manifest TestManifests
internal/policy TestModesDocument
internal/report/format TestFormats TestBrief TestFormatsForPeople TestFactsSchema TestGitHubJobSummary TestTextOptions
internal/rule TestBadConfigs TestBadInput TestBadRules TestBadWorkflows TestPacksDocument
internal/sandbox TestEscapes
ROWS

# Whole runs of the program.
update <<'ROWS'
cmd/rulecheck TestCommandReference TestPicture TestScripts
ROWS

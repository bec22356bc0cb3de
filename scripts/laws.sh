#!/bin/sh
# Runs laws: tests of what must hold for any input, with more input than in make test.
# Usage: laws.sh [NAME...|all]; without a name it lists the laws. The variable of a law
# sets how much it tries, as in: ORACLE_STATES=500 sh scripts/laws.sh oracle
# fleet, replay and ignore use the repositories in REPOSITORIES, separated by colons, if it is set;
# ignore needs the npm package typescript, at the path in TYPESCRIPT. references needs it in NODE_PATH, and
# php, ruby, java (a JDK), python3 with libclang (python3-clang), and buf, from: go install github.com/bufbuild/buf/cmd/buf@v1.75.0. The commits
# of TYPESCRIPT_REPOSITORY and the like, for PYTHON, JAVA, PHP, RUBY, GO, C, CPP, PROTOCOLBUFFERS and OPENAPI, are compared too; a pattern
# of files may follow, as in OPENAPI_REPOSITORY=dir:api.yaml. layout takes files from the directories in SYMBOL_FILES.
set -eu
cd "$(dirname "$0")/.."

# name | what it compares | variable=default, and "rapid" if it is a flag | packages | tests
table() {
	cat <<'ROWS'
oracle        | both engines with git                   | ORACLE_STATES=20000          | internal/diff | TestOracle
fault         | repositories and hooks after kills      | FAULTS=600                   | internal/staging cmd/rulecheck | TestRandomKills TestKilledRuns TestKilledHooks
stress        | 5000 processes in a workflow            | RULECHECK_STRESS=1           | cmd/rulecheck | TestWorkflowStress
bombs         | policies that never end with bounds     | RULECHECK_BOMBS=all          | cmd/rulecheck | TestBombs
counts        | counts of archives with a model         | LAW_ARCHIVES=8000            | internal/agents/agentlog | TestCountsLaw
silence       | a check with one after a mutation       | SILENCE_MUTATIONS=2000       | cmd/rulecheck | TestSilenceLaw
hiding        | a check with one of a hidden change     | HIDINGS=20000                | cmd/rulecheck | TestHidingLaw
weaken        | ways to weaken an organization's pack   | WEAKENINGS=all               | cmd/rulecheck | TestOrganizationCannotBeWeakened
hostile       | hostile reports with harmless ones      | HOSTILE=10000                | internal/report/format internal/report/html | TestHostileLaw TestHostilePages
orders        | hostile commands in other orders        | RULECHECK_ORDERS=20          | internal/commands | TestLaw
conversations | stops of simulated agents with a bound  | CONVERSATIONS=10000          | internal/agents/hook/respond internal/agents/hook/queue | TestConversationsEnd
long          | a session of many calls with its start  | LONG_SESSION=5000            | cmd/rulecheck | TestLongSession
denied        | streaks and denied calls with a model   | DENIED_SESSIONS=10000 rapid  | internal/agents/audit internal/agents/session | TestDeniedCallsEqualModel TestStreaks
budget        | budgets of archives with a model        | READER_ARCHIVES=1000 rapid   | internal/agents/audit | TestBudgetLaw
warm          | audits with and without kept results    | WARM_ARCHIVES=1000           | internal/agents/audit | TestWarmLaw
teach         | rules that are taught with hidden ones   | HIDDEN_RULES=100             | internal/past/propose | TestTeachFindsHiddenRules
coverage      | agents' logs with their hooks' journals | COVERAGE_SESSIONS=2500 rapid | internal/agents/receipt | TestCoverageLaw
variables     | variables of sessions with a model      | VARIABLES=1000 rapid         | internal/agents/observe | TestVariablesEqualModel
conditions    | conditions with models of commits       | CONDITIONS=5000 rapid        | internal/condition | TestFunctionsEqualModel TestUnlessIsNotWhen
keys          | keys of random documents with a model   | DOCUMENTS=5000 rapid         | internal/content/keys | TestKeysLaw
symbols       | Go in any layout, packages and a model  | PACKAGES=5000 rapid          | internal/content/symbol/languages/golang | TestLayoutLaw TestSymbolsLaw
layout        | source files in any order and layout    | LAYOUTS=5000 rapid           | internal/content/symbol/languages | TestOrderFormatAndCommentsChangeNothing TestFilesInAnyLayout TestClangFormatChangesNothing TestEachWordOfADeclarationCounts
references    | APIs that changed with other tools      | REFERENCES=required          | internal/content/symbol/languages | TestAPIChangesAsTheReferenceSays TestAPIOfCommitsChangesAsTheReferenceSays TestDeclarationsAreThoseOfPython
ignore        | parts of files with other tokenizers    | IGNORE_COMMITS=1000          | internal/content/language | TestReadersOfLanguages
moments       | rule files at every moment               | MOMENTS=200                  | cmd/rulecheck | TestMoments
editor        | findings in an editor with a fresh check | LSP_LAW=10000               | cmd/rulecheck | TestLanguageServerLaw
need          | rules of the mode need with a model      | NEED_CASES=400 rapid         | internal/check | TestNeedEqualsModel
refs          | searched files with files that are read | SOUGHT=2000 rapid            | internal/diff | TestSoughtLaw
mentions      | mentions in files with a model          | MENTIONS=5000 rapid          | internal/content/mentions | TestMentionsAsTheModel
readers       | archives with their generators          | READER_ARCHIVES=1000 rapid   | internal/agents/agentlog internal/agents/sqlite | TestOpenCodeLaw TestOpenCodeLegacyLaw TestCrushLaw TestMistypedCrushLaw TestOTLPLaw TestEventsLaw TestCopilotLaw TestGeminiLaw TestCodexLaw TestAntigravityLaw TestHooksLaw TestUntimedLaw TestStreamsLaw TestCutStreamsLaw TestRunsLaw TestMutatedRunsLaw TestMistypedRunsLaw TestReadsWhatSQLiteWrote TestDamage
protection    | calls of a guarded agent with what they take away | PROTECTIONS=5000 | cmd/rulecheck | TestProtectionLaw
composed      | what composed shell lines do with decisions | RULECHECK_COMPOSED=20000 | internal/agents/toolcall | TestComposed
rewritten     | shell lines with rewritten ones         | RULECHECK_REWRITINGS=12000   | internal/agents/toolcall | TestRewritten
fleet         | killed and resumed shards with one run  | FLEET_UNITS=2000             | cmd/rulecheck | TestFleetLaw
replay        | a replay with a check of each commit    | REPLAY_UNITS=1000            | cmd/rulecheck | TestReplayLaw
ROWS
}

field() { printf '%s\n' "$row" | cut -d '|' -f "$1" | xargs; }

run() { # NAME
	row=$(table | grep "^$1  *|") || { echo "laws.sh: unknown law \"$1\"; run laws.sh to list them" >&2 && return 2; }
	setting=$(field 3 | cut -d ' ' -f 1)
	variable=${setting%%=*}
	value=$(printenv "$variable") || value=${setting#*=}
	memory=${TMPDIR:-/tmp} # many small repositories are faster in memory
	case $1 in oracle | fault | hiding | protection | editor) [ ! -w /dev/shm ] || memory=/dev/shm ;; esac
	echo "== $1: $variable=$value"
	# shellcheck disable=SC2046 # each package is a word
	set -- -count 1 -timeout 120m -v -run "^($(field 5 | tr ' ' '|'))\$" $(field 4 | sed 's,[^ ]*,./&,g')
	case $(field 3) in *rapid) set -- "$@" "-rapid.checks=$value" ;; esac
	env "TMPDIR=$memory" "$variable=$value" "${GO:-go}" test "$@"
}

# shellcheck disable=SC2046 # each name is a word
case "$*" in
'') table | awk -F ' *[|] *' '{ printf "%-13s %-38s %s\n", $1, $2, $3 }' && exit ;;
all) set -- $(table | cut -d ' ' -f 1) ;;
esac
if [ -n "${REPOSITORIES:-}" ]; then
	make build
	export FLEET_MIRRORS="$REPOSITORIES" FLEET_PROGRAM="$PWD/bin/rulecheck" REPLAY_LAW="$REPOSITORIES" IGNORE_REPOSITORIES="$REPOSITORIES"
fi
for law in "$@"; do run "$law"; done

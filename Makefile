GO ?= go
TOOLS := $(CURDIR)/.tools
GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)
VALE_VERSION := v3.21.0
VALE := $(TOOLS)/vale-$(VALE_VERSION)
FUZZTIME ?= 30s
ORACLE_STATES ?= 20000
FAULTS ?= 600
LAW_ARCHIVES ?= 8000
SILENCE_MUTATIONS ?= 2000
HOSTILE ?= 10000
CONVERSATIONS ?= 10000
COVERAGE_SESSIONS ?= 2500
READER_ARCHIVES ?= 1000
DENIED_SESSIONS ?= 10000
WARM_ARCHIVES ?= 1000
FLEET_UNITS ?= 2000
VARIABLES ?= 1000
DOCUMENTS ?= 5000
LONG_SESSION ?= 5000
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

# The race detector needs a C compiler.
CC_FOUND := $(shell command -v $${CC:-cc} 2>/dev/null)
ifeq ($(CC_FOUND),)
RACE :=
else
RACE := -race
endif

# With the race detector, each process would wait for a second before it ends.
export GORACE := atexit_sleep_ms=0

# Tests that create many repositories are faster in memory.
MEMORY := TMPDIR=$$(if [ -w /dev/shm ]; then echo /dev/shm; else echo "$${TMPDIR:-/tmp}"; fi)
WRITE := -args -write $(CURDIR)/docs/benchmarks.md

.PHONY: help run test lint update build fuzz bench check-all prose oracle fault laws fleet-law replay-law suggest-table bombs stress bench-audit packages site real-agents facts

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build, create a small demo repository with rules, and check it
	@sh scripts/demo.sh bin/rulecheck

# Tests in cmd run the program a thousand times, which takes three times as long with -race.
test: ## run the tests except slow ones, those of packages with the race detector if there is a C compiler
	@$(if $(RACE),,echo 'make test: no C compiler found; running without -race')
	$(GO) vet ./...
	$(GO) test -timeout 60m -short $(RACE) ./internal/... ./policies/... ./packaging
	$(GO) test -timeout 60m -short ./cmd/...

lint: $(GOLANGCI) prose ## run the linters
	$(GOLANGCI) run
	$(GO) mod tidy -diff
	$(GO) mod verify

update: ## rewrite goldens, expected outputs of scripts and generated documents
	UPDATE=1 $(GO) test ./internal/... ./policies/... ./cmd/...

build: ## build bin/rulecheck
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X main.linked=$(VERSION)' -o bin/rulecheck ./cmd/rulecheck

fuzz: ## fuzz every parser for FUZZTIME (30s) each
	@sh scripts/fuzz.sh $(FUZZTIME)

bench: build ## compare whole processes with git, and write docs/benchmarks.md
	$(GO) test -run '^$$' -bench . -benchtime 10x -count 6 ./internal/...
	$(GO) test -count 1 -timeout 60m -tags bench -run '^TestBenchmarks$$' ./cmd/rulecheck $(WRITE)
	$(GO) test -count 1 -timeout 60m -tags bench -run '^TestBenchmark(Start|Commands|Next|Replay|Suggest|Directives|Content|Nested)$$' ./cmd/rulecheck $(WRITE)
	PEERS=$$(sh scripts/peers.sh) $(GO) test -count 1 -timeout 30m -tags bench -run '^TestBenchmarkPeer' -v ./cmd/rulecheck $(WRITE)

check-all: build ## run all tests, linters and validators (npm)
	sh scripts/formatters.sh
	$(GO) vet ./...
	$(GO) test -timeout 45m $(RACE) ./internal/... ./policies/... ./packaging ./cmd/...
	PRE_COMMIT_FROM_SOURCE=1 $(GO) test -count 1 -run '^TestFramework$$' ./cmd/rulecheck
	$(MAKE) lint
	sh scripts/sarif.sh bin/rulecheck
	sh scripts/mcp-inspector.sh bin/rulecheck
	sh scripts/agent-types.sh
	$(MAKE) real-agents SHORT=-short

prose: $(VALE) ## check the English of documents, comments, help and error texts; PATHS=... selects some
	@sh scripts/prose.sh $(VALE) $(PATHS)

oracle: ## compare both engines with git on ORACLE_STATES (20000) random repositories
	$(MEMORY) ORACLE_STATES=$(ORACLE_STATES) $(GO) test -count 1 -timeout 60m -v -run '^TestOracle$$' ./internal/diff

fault: ## kill FAULTS (600) runs at random while they write files back, and hooks of agents
	$(MEMORY) FAULTS=$(FAULTS) $(GO) test -count 1 -timeout 60m -v -run '^TestRandomKills$$|^TestKilledRuns$$|^TestKilledHooks$$' ./internal/staging ./cmd/rulecheck

laws: ## compare LAW_ARCHIVES (8000) random archives with a model, mutate a repository SILENCE_MUTATIONS (2000) times, write HOSTILE (10000) reports, run hostile commands in 20 orders, hold CONVERSATIONS (10000) with simulated agents and a session of LONG_SESSION (5000) calls, compare COVERAGE_SESSIONS (2500) sessions of each agent with their journals, READER_ARCHIVES (1000) archives of each reader with what their generator wrote, the streaks and denied calls of DENIED_SESSIONS (10000) sessions with models, WARM_ARCHIVES (1000) audits of changed archives with audits that keep no results, VARIABLES (1000) sessions with a model of their variables, the keys of DOCUMENTS (5000) documents of each format with a model, and try all ways to weaken an organization's pack
	LAW_ARCHIVES=$(LAW_ARCHIVES) SILENCE_MUTATIONS=$(SILENCE_MUTATIONS) $(GO) test -count 1 -timeout 60m -v -run '^TestCountsLaw$$|^TestSilenceLaw$$' ./internal/agents/agentlog ./cmd/rulecheck
	WEAKENINGS=all $(GO) test -count 1 -timeout 20m -v -run '^TestOrganizationCannotBeWeakened$$' ./cmd/rulecheck
	HOSTILE=$(HOSTILE) $(GO) test -count 1 -timeout 120m -v -run '^TestHostileLaw$$|^TestHostilePages$$' ./internal/report/format ./internal/report/html
	RULECHECK_ORDERS=20 $(GO) test -count 1 -timeout 60m -run '^TestLaw$$' ./internal/commands
	CONVERSATIONS=$(CONVERSATIONS) $(GO) test -count 1 -timeout 60m -v -run '^TestConversationsEnd$$' ./internal/agents/hook/respond ./internal/agents/hook/queue
	$(GO) test -count 1 -timeout 20m -v -run '^TestDeniedCallsEqualModel$$|^TestStreaks$$' ./internal/agents/audit ./internal/agents/session -rapid.checks=$(DENIED_SESSIONS)
	$(GO) test -count 1 -timeout 20m -v -run '^TestBudgetLaw$$' ./internal/agents/audit -rapid.checks=$(READER_ARCHIVES)
	WARM_ARCHIVES=$(WARM_ARCHIVES) $(GO) test -count 1 -timeout 60m -v -run '^TestWarmLaw$$' ./internal/agents/audit
	$(GO) test -count 1 -timeout 20m -v -run '^TestCoverageLaw$$' ./internal/agents/receipt -rapid.checks=$(COVERAGE_SESSIONS)
	LONG_SESSION=$(LONG_SESSION) $(GO) test -count 1 -timeout 60m -v -run '^TestLongSession$$' ./cmd/rulecheck
	$(GO) test -count 1 -timeout 20m -v -run '^TestVariablesEqualModel$$' ./internal/agents/observe -rapid.checks=$(VARIABLES)
	$(GO) test -count 1 -timeout 20m -v -run '^TestKeysLaw$$' ./internal/content/keys -rapid.checks=$(DOCUMENTS)
	$(GO) test -count 1 -timeout 20m -v -run '^TestOpenCodeLaw$$|^TestOpenCodeLegacyLaw$$|^TestOTLPLaw$$|^TestEventsLaw$$|^TestCopilotLaw$$|^TestGeminiLaw$$|^TestCodexLaw$$|^TestAntigravityLaw$$|^TestHooksLaw$$|^TestUntimedLaw$$|^TestReadsWhatSQLiteWrote$$|^TestDamage$$' ./internal/agents/agentlog ./internal/agents/sqlite -rapid.checks=$(READER_ARCHIVES)
	RULECHECK_REWRITINGS=12000 $(GO) test -count 1 -timeout 20m -v -run '^TestRewritten$$' ./internal/agents/toolcall

fleet-law: build ## check FLEET_UNITS (2000) commits of the bare REPOSITORIES, separated by colons, in 1, 2, 7 and 64 shards that are killed and resumed
	FLEET_MIRRORS=$(REPOSITORIES) FLEET_UNITS=$(FLEET_UNITS) FLEET_PROGRAM=$(CURDIR)/bin/rulecheck $(GO) test -count 1 -timeout 120m -v -run '^TestFleetLaw$$' ./cmd/rulecheck

replay-law: build ## compare rulecheck replay with a check of each of the newest REPLAY_UNITS (1000) commits of REPOSITORIES, separated by colons
	REPLAY_LAW=$(REPOSITORIES) $(GO) test -count 1 -timeout 120m -v -run '^TestReplayLaw$$' ./cmd/rulecheck

suggest-table: build ## mine rules from the past of REPOSITORIES, separated by spaces, and replay them on its last year (jq)
	sh scripts/suggest.sh $(CURDIR)/bin/rulecheck $(REPOSITORIES)

bombs: ## run each policy that ends neither soon nor when it is cancelled
	RULECHECK_BOMBS=all $(GO) test -count 1 -timeout 30m -v -run '^TestBombs$$' ./cmd/rulecheck

stress: ## run one workflow with 5000 processes and kill a fifth of them
	RULECHECK_STRESS=1 $(GO) test -count 1 -timeout 30m -run '^TestWorkflowStress$$' -v ./cmd/rulecheck

# SHORT=-short runs a part. AGENTS_REQUIRED=1 fails where the tests would be skipped.
facts: ## run the queries of docs/facts.md with DuckDB (npm)
	@mkdir -p $(TOOLS)/duckdb
	@npm install --silent --no-audit --no-fund --prefix $(TOOLS)/duckdb @duckdb/node-api@1.5.6-r.1 || { echo 'make facts: skipped, npm cannot install DuckDB'; exit 0; }; \
	DUCKDB=$(TOOLS)/duckdb $(GO) test -count=1 -run TestFactsInDuckDB ./internal/report/format

real-agents: build ## run Codex, Gemini CLI and OpenCode (npm) with hooks and a scripted model, without a network
	@agents=$$(sh scripts/agents.sh) || { [ -z "$(AGENTS_REQUIRED)" ] && echo 'make real-agents: skipped, npm cannot install the agents'; exit; }; \
		AGENTS=$$agents RULECHECK=$(CURDIR)/bin/rulecheck $(GO) test -count 1 -timeout 30m $(SHORT) -v ./internal/agents/real

# The test that generates the archive knows its token counts.
bench-audit: build ## compare audits of 1 GB of logs with ccusage (npm), in each format, and add them to docs/benchmarks.md
	@ccusage=$$(sh scripts/ccusage.sh) || { echo 'make bench-audit: skipped, npm cannot install ccusage'; exit 0; }; \
		logs=$$(mktemp -d) && trap 'rm -rf "$$logs"' EXIT && \
		$(GO) test -count 1 -run '^TestGenerated' ./internal/agents/agentlog -archive "$$logs/claude" -sessions 800 -turns 118 -output 8000 && \
		$(GO) test -count 1 -run '^TestMixed$$' ./internal/agents/agentlog -mixed "$$logs/mixed" -sessions 828 && \
		ARCHIVE=$$logs/claude MIXED=$$logs/mixed CCUSAGE=$$ccusage $(GO) test -count 1 -tags bench -run '^TestBenchmarkAudit$$' -v ./cmd/rulecheck $(WRITE)

packages: ## build everything that a release publishes in bin/packages, and install the packages for this platform; PLATFORMS=linux/amd64 selects some
	sh packaging/build.sh "$$(git describe --tags --exact-match 2>/dev/null || echo v0.0.0)" bin/packages
	sh packaging/test.sh bin/packages

site: ## build the site of docs/ in bin/site, with mkdocs and its theme material
	mkdocs build --quiet

$(GOLANGCI):
	GOBIN=$(TOOLS) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(TOOLS)/golangci-lint $@

$(VALE): # needs a C compiler
	GOBIN=$(TOOLS) $(GO) install github.com/vale-cli/vale/v3/cmd/vale@$(VALE_VERSION)
	mv $(TOOLS)/vale $@

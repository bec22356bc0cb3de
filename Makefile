GO ?= go
TOOLS := $(CURDIR)/.tools
GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)
VALE_VERSION := v3.21.0
VALE := $(TOOLS)/vale-$(VALE_VERSION)
FUZZTIME ?= 30s
ORACLE_STATES ?= 20000
FAULTS ?= 600
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

# The race detector needs cgo and a C compiler; without one the tests still run.
CC_FOUND := $(shell command -v $${CC:-cc} 2>/dev/null)
ifeq ($(CC_FOUND),)
RACE :=
else
RACE := -race
endif

.PHONY: help run test lint prose fuzz oracle fault bench bench-peers bench-audit stress build cover update sarif formatters uplot framework mcp

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/rulecheck
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X main.linked=$(VERSION)' -o bin/rulecheck ./cmd/rulecheck

run: build ## build, make a small demo repository with rules, and judge it
	@sh scripts/demo.sh bin/rulecheck

test: ## run every test, with the race detector where there is a C compiler
	@$(if $(RACE),,echo 'make test: no C compiler found; running without -race')
	$(GO) vet ./...
	$(GO) test $(RACE) ./...

cover: ## run the tests of internal/ and policies/, fail below 90 % of their statements
	$(GO) test -coverpkg=./internal/...,./policies -coverprofile=coverage.out ./...
	@$(GO) tool cover -func=coverage.out | awk '/^total:/ {print; if ($$3+0 < 90) {print "want at least 90 %"; exit 1}}'

lint: $(GOLANGCI) ## run the linters and see that nothing generated is stale
	$(GOLANGCI) run
	$(GO) mod tidy -diff
	$(GO) mod verify

$(GOLANGCI):
	GOBIN=$(TOOLS) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(TOOLS)/golangci-lint $@

prose: $(VALE) ## check the English of documents, comments, help and error texts; PATHS=... for some of them
	@sh scripts/prose.sh $(VALE) $(PATHS)

$(VALE): # needs a C compiler
	GOBIN=$(TOOLS) $(GO) install github.com/vale-cli/vale/v3/cmd/vale@$(VALE_VERSION)
	mv $(TOOLS)/vale $@

fuzz: ## fuzz every parser for FUZZTIME (30s) each
	@sh scripts/fuzz.sh $(FUZZTIME)

# Repositories come and go faster in memory.
oracle: ## compare every engine with git on ORACLE_STATES (20000) random repository states
	TMPDIR=$$(if [ -w /dev/shm ]; then echo /dev/shm; else echo "$${TMPDIR:-/tmp}"; fi) ORACLE_STATES=$(ORACLE_STATES) \
		$(GO) test -count 1 -timeout 60m -v -run '^TestOracle$$' ./internal/diff

fault: ## stop FAULTS (600) runs that write files back, at random instants
	TMPDIR=$$(if [ -w /dev/shm ]; then echo /dev/shm; else echo "$${TMPDIR:-/tmp}"; fi) FAULTS=$(FAULTS) \
		$(GO) test -count 1 -timeout 60m -v -run '^TestRandomKills$$|^TestKilledRuns$$' ./internal/staging ./cmd/rulecheck

stress: ## lead one workflow by 5000 processes of which a fifth is killed
	RULECHECK_STRESS=1 $(GO) test -count 1 -timeout 30m -run '^TestWorkflowStress$$' -v ./cmd/rulecheck

bench: build ## measure whole processes beside git's, write docs/benchmarks.md
	$(GO) test -run '^$$' -bench . -benchtime 10x -count 6 ./internal/...
	$(GO) test -count 1 -timeout 60m -tags bench -run '^TestBenchmarks$$' ./cmd/rulecheck -args -write $(CURDIR)/docs/benchmarks.md
	$(GO) test -count 1 -timeout 60m -tags bench -run '^TestBenchmark(Start|Commands|Next)$$' ./cmd/rulecheck -args -write $(CURDIR)/docs/benchmarks.md

bench-peers: build ## measure rulecheck beside its peers (npm, Go proxy), add the figures to docs/benchmarks.md
	@PEERS=$$(sh scripts/peers.sh) $(GO) test -count 1 -timeout 30m -tags bench -run '^TestBenchmarkPeer' -v ./cmd/rulecheck -args -write $(CURDIR)/docs/benchmarks.md

# An archive of 1 GB, of which the test that writes it knows the truth.
bench-audit: build ## measure an audit of 1 GB of logs beside ccusage (npm), add the figures to docs/benchmarks.md
	@ccusage=$$(sh scripts/ccusage.sh) || { echo 'make bench-audit: skipped, as npm cannot install ccusage'; exit 0; }; \
		archive=$$(mktemp -d) && trap 'rm -rf "$$archive"' EXIT && \
		$(GO) test -count 1 -run '^TestGenerated' ./internal/session/agentlog -archive "$$archive" -sessions 800 -turns 118 -output 8000 && \
		ARCHIVE=$$archive CCUSAGE=$$ccusage $(GO) test -count 1 -tags bench -run '^TestBenchmarkAudit$$' -v ./cmd/rulecheck -args -write $(CURDIR)/docs/benchmarks.md

framework: ## build the hooks as the pre-commit framework does, and commit through them
	PRE_COMMIT_FROM_SOURCE=1 $(GO) test -count 1 -run '^TestFramework$$' ./cmd/rulecheck

update: ## rewrite goldens, scripts' expectations and generated documents
	UPDATE=1 $(GO) test ./internal/... ./policies/... ./cmd/...

sarif: build ## validate SARIF with Microsoft's multitool (npm)
	@sh scripts/sarif.sh bin/rulecheck

uplot: ## fetch the charts of the html format (npm)
	@sh scripts/uplot.sh

formatters: ## install the formatters that tests run in scratch copies (npm)
	@sh scripts/formatters.sh

mcp: build ## call the tools of rulecheck mcp from the protocol's Inspector (npm)
	@sh scripts/mcp-inspector.sh bin/rulecheck

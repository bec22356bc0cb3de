GO ?= go
TOOLS := $(CURDIR)/.tools
GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)
VALE_VERSION := v3.21.0
VALE := $(TOOLS)/vale-$(VALE_VERSION)
FUZZTIME ?= 30s
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

WRITE := -args -write $(CURDIR)/docs/benchmarks.md

.PHONY: help run test lint update new build fuzz bench check check-all prose oracle fault stress real-agents packages registries fresh release site vscode

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z -]+:.*## / {printf "  make %-19s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build, and check a small demo repository
	@sh scripts/demo.sh bin/rulecheck

# Tests in cmd run the program a thousand times; races are found by the tests of its packages.
PACKAGES := ./internal/... ./policies/... ./packaging ./scripts/...
test: ## run the tests except slow ones
	@$(if $(RACE),,echo 'make test: no C compiler found; running without -race')
	$(GO) test -timeout 60m -short $(RACE) $(PACKAGES)
	$(GO) test -timeout 60m -short ./cmd/...

lint: $(GOLANGCI) prose ## run the linters
	$(GOLANGCI) run
	$(GO) mod tidy -diff
	$(GO) mod verify

update: ## rewrite goldens, scripts and documents that are stale
	@sh scripts/update.sh

new: ## write what a new part needs, as in: make new mode NAME
	@$(GO) run ./scripts/new "$(KIND)" "$(NAME)"

ifeq (new,$(firstword $(MAKECMDGOALS)))
WORDS := $(wordlist 2,3,$(MAKECMDGOALS))
KIND ?= $(word 1,$(WORDS))
NAME ?= $(word 2,$(WORDS))
$(if $(WORDS),$(eval $(WORDS): ; @:))
endif

build: ## build bin/rulecheck
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X main.linked=$(VERSION)' -o bin/rulecheck ./cmd/rulecheck

fuzz: ## fuzz every parser for FUZZTIME (30s) each
	@sh scripts/fuzz.sh $(FUZZTIME)

bench: build ## measure whole processes for docs/benchmarks.md
	$(GO) test -run '^$$' -bench . -benchtime 10x -count 6 ./internal/...
	$(GO) test -count 1 -timeout 60m -tags bench -run '^TestBenchmarks$$' ./cmd/rulecheck $(WRITE)
	$(GO) test -count 1 -timeout 60m -tags bench -run '^TestBenchmark(Start|Commands|Next|Replay|Suggest|Directives|Content|Nested)$$' ./cmd/rulecheck $(WRITE)
	PEERS=$$(sh scripts/peers.sh) $(GO) test -count 1 -timeout 30m -tags bench -run '^TestBenchmarkPeer' -v ./cmd/rulecheck $(WRITE)

check: build ## run what CI runs: make test, linters, npm tools
	sh scripts/formatters.sh
	$(MAKE) test
	PRE_COMMIT_FROM_SOURCE=1 $(GO) test -count 1 -run '^TestFramework$$' ./cmd/rulecheck
	$(MAKE) lint
	sh scripts/sarif.sh bin/rulecheck
	sh scripts/mcp-inspector.sh bin/rulecheck
	sh scripts/agent-types.sh
	$(MAKE) real-agents SHORT=-short

check-all: check ## run make check, then slow tests with a floor for their coverage
	$(GO) test -timeout 60m -coverprofile=coverage.out $(PACKAGES)
	$(GO) test -timeout 60m ./cmd/...
	sh scripts/cover.sh coverage.out
	$(MAKE) vscode

prose: $(VALE) ## check the English of all documents and comments
	@sh scripts/prose.sh $(VALE) $(PATHS)

oracle fault stress: ## run a law; sh scripts/laws.sh lists all laws
	@GO="$(GO)" sh scripts/laws.sh $@

real-agents: build ## run coding agents (npm) with hooks, offline
	@agents=$$(sh scripts/agents.sh) || { [ -z "$(AGENTS_REQUIRED)" ] && echo 'make real-agents: skipped, npm cannot install the agents'; exit; }; \
		AGENTS=$$agents RULECHECK=$(CURDIR)/bin/rulecheck $(GO) test -count 1 -timeout 90m $(SHORT) -v ./internal/agents/real

vscode: build ## try the language server with the client library of VS Code (npm), and package bin/rulecheck.vsix
	sh scripts/vscode.sh bin/rulecheck "$$(git describe --tags --exact-match 2>/dev/null || echo v0.0.0)" bin/rulecheck.vsix

packages: ## build and try what a release publishes
	sh packaging/build.sh "$$(git describe --tags --exact-match 2>/dev/null || echo v0.0.0)" bin/packages
	sh packaging/test.sh bin/packages

registries: ## install from local registries for npm, pip, apt, rpm and git, upgrade and downgrade
	sh packaging/registries.sh bin/registries

fresh: ## install on fresh Debian systems, from a clone and local registries; needs root and debootstrap
	sh packaging/registries.sh bin/registries sh packaging/fresh.sh bin/fresh

release: ## make a release, as in: make release VERSION=v1.2.0 REPOSITORY=owner/name
	sh packaging/release.sh "$(VERSION)" $(REPOSITORY)

site: ## build the site of docs/ in bin/site, with mkdocs
	mkdocs build --quiet

$(GOLANGCI):
	GOBIN=$(TOOLS) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(TOOLS)/golangci-lint $@

$(VALE): # needs a C compiler
	GOBIN=$(TOOLS) $(GO) install github.com/vale-cli/vale/v3/cmd/vale@$(VALE_VERSION)
	mv $(TOOLS)/vale $@

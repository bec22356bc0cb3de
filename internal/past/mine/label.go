package mine

import (
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Label classifies a rule by the files it is about.
type Label string

// The labels, in the order in which rules are suggested.
const (
	Code      Label = "code"
	Tests     Label = "tests"
	Docs      Label = "docs"
	CI        Label = "ci"
	Generated Label = "generated"
	Lock      Label = "lock"
)

// Words returns the files that a label stands for.
func (l Label) Words() string {
	switch l {
	case Docs:
		return "documentation"
	case CI:
		return "continuous integration"
	case Generated:
		return "generated files"
	case Lock:
		return "manifests and lock files"
	default:
		return string(l)
	}
}

// rank orders rules: those about code that is generated from what people write come first, and
// those about other generated files and lock files last.
func (r Candidate) rank() int {
	derived := derivedPath().MatchString
	if r.Label == Generated && r.Mode == ModePair && !slices.ContainsFunc(r.Triggers, derived) &&
		!slices.ContainsFunc(r.Expects, func(p string) bool { return !derived(p) }) {
		return -1
	}
	return slices.Index([]Label{Code, Generated, Lock}, r.Label.group())
}

// group joins the labels of rules that people write by hand.
func (l Label) group() Label {
	if l == Generated || l == Lock {
		return l
	}
	return Code
}

// manifests are files with the dependencies or the version of a package, and their locks.
var manifests = []string{
	"package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
	"Cargo.toml", "Cargo.lock", "go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt", "pyproject.toml", "poetry.lock", "uv.lock",
	"Pipfile", "Pipfile.lock", "pdm.lock", "requirements.txt", "setup.py", "setup.cfg", "Gemfile", "Gemfile.lock", "composer.json", "composer.lock",
	".terraform.lock.hcl", "gradle.lockfile", "packages.lock.json", "Package.resolved",
	"pom.xml", "build.gradle", "build.gradle.kts", "Chart.yaml", "lerna.json", "flake.nix", "flake.lock", "mix.lock", "pubspec.lock",
}

var (
	generatedPath = lazyregexp.New(`(^|/)(__snapshots__|snapshots?|generated|gen|dist|vendor|third_party|golden|fixtures?|testdata)/|` +
		`(\.snap|\.ambr|\.pb\.go|\.pb\.gw\.go|\.gen\.\w+|_pb2?\.\w+|_pb2_grpc\.py|\.min\.\w+|\.golden)$|(^|[._/-])(zz_generated|generated|autogen|swagger\.(json|ya?ml)$)`)
	derivedPath  = lazyregexp.New(`(\.snap|\.ambr|\.pb\.go|\.pb\.gw\.go|\.gen\.\w+|_pb2?\.\w+|_pb2_grpc\.py|\.min\.\w+|\.golden)$|(^|[._/-])(zz_generated|swagger\.(json|ya?ml)$)`)
	lockName     = lazyregexp.New(`(?i)lock|\.sum$|^npm-shrinkwrap\.json$|^modules\.txt$|\.resolved$`)
	lockFile     = lazyregexp.New(`\.lock(\.\w+)?$|[._-]lock(file)?\.(json|ya?ml|hcl|toml)$`)
	requirements = lazyregexp.New(`(^|/)requirements[^/]*\.(txt|in)$|(^|/)requirements/[^/]*\.(txt|in)$`)
	testPath     = lazyregexp.New(`(^|/)(tests?|__tests__|spec|specs|e2e|testing)/|(^|/)test_|[._-](test|tests|spec)\.|(Test|Tests|IT)\.\w+$`)
	docsPath     = lazyregexp.New(`(?i)(^|/)(docs?|documentation|website)/|\.(md|mdx|rst|adoc|txt)$|(^|/)(changelog|changes|readme|notice|license)[^/]*$`)
	ciPath       = lazyregexp.New(`^\.(github|gitlab|circleci|buildkite)/|(^|/)(\.gitlab-ci\.yml|Jenkinsfile|azure-pipelines\.yml|Makefile|Dockerfile)$`)
)

// label describes a rule by its patterns and the files of its examples.
func (p *past) label(r Candidate) Label {
	patterns := slices.Concat(r.Triggers, r.Expects)
	triggers, places := slices.Clone(r.Triggers), slices.Clone(r.Expects)
	for _, c := range r.Examples {
		triggers, places = append(triggers, c.File), append(places, c.With...)
	}
	files := slices.Concat(triggers, places)
	some := slices.ContainsFunc[[]string]
	switch {
	case some(triggers, isManifest), len(r.Expects) == 1 && some(places, isManifest):
		return Lock
	case some(files, generatedPath().MatchString):
		return Generated
	case some(patterns, testPath().MatchString):
		return Tests
	case some(patterns, docsPath().MatchString):
		return Docs
	case some(patterns, ciPath().MatchString):
		return CI
	default:
		return Code
	}
}

// backwards reports whether a form would ask for a change of the source when a test or a file
// that is made from it changes, or for one of a manifest when another one or a lock file does.
func (p *past) backwards(trigger, place int32) bool {
	from, to := p.templates[trigger].String(), p.templates[place].String()
	return p.ofTest(trigger, place) || isManifest(from) && isManifest(to) && (isLock(from) || !isLock(to)) ||
		derivedPath().MatchString(from) && !derivedPath().MatchString(to)
}

// ofTest reports whether a form would ask for a source of a test.
func (p *past) ofTest(trigger, place int32) bool {
	from, to := p.templates[trigger].String(), p.templates[place].String()
	return testPath().MatchString(from) && !testPath().MatchString(to) && !generatedPath().MatchString(to)
}

// asksForManifest reports whether a manifest or lock file of an example asks for a manifest.
func (r Candidate) asksForManifest() bool {
	return slices.ContainsFunc(r.Examples, func(c Case) bool {
		return isManifest(c.File) && slices.ContainsFunc(c.With, func(file string) bool { return isManifest(file) && !isLock(file) })
	})
}

// isManifest reports whether a file is a manifest or a lock file.
func isManifest(pattern string) bool {
	base := path.Base(pattern)
	return slices.Contains(manifests, base) || strings.HasSuffix(base, "{name}.mod") || strings.HasSuffix(base, "{name}.sum") ||
		strings.Contains(pattern, "requirements") && requirements().MatchString(pattern) || strings.Contains(base, "lock") && lockFile().MatchString(base)
}

// isLock reports whether a file is a lock file: a package manager writes it.
func isLock(pattern string) bool { return lockName().MatchString(path.Base(pattern)) }

package ruletest

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// packFiles lists, for each pack, patterns, one of which matches a file of a repository that
// the pack fits.
var packFiles = map[string][]string{
	"bundled/additions":      {"**/*.{c,cc,cpp,cs,go,java,js,jsx,kt,php,py,rb,rs,swift,ts,tsx}"},
	"bundled/agents":         {"**/{CLAUDE,AGENTS,GEMINI}.md", ".claude/**", ".cursor/**", ".github/copilot-instructions.md"},
	"bundled/agents-strict":  nil, // by choice
	"bundled/api":            {"**/*.proto", "**/{openapi,swagger}.{yaml,yml,json}"},
	"bundled/commits":        {"{.gitlint,.commitlintrc*,commitlint.config.*,.github/dco.yml}"},
	"bundled/docs":           {"{docs,doc,guide,book,website}/**/*.{md,mdx,rst,adoc}", "{README,CONTRIBUTING}.{md,rst,adoc}"},
	"bundled/github":         {".github/**", "{docs/CODEOWNERS,CODEOWNERS}"},
	"bundled/github-actions": {"{action,*/action}.{yml,yaml}", ".github/actions/*/action.{yml,yaml}"},
	"bundled/go":             {"**/go.mod"},
	"bundled/java":           {"**/pom.xml", "**/{build.gradle,build.gradle.kts}"},
	"bundled/python":         {"**/{pyproject.toml,setup.py,setup.cfg,requirements*.txt}"},
	"bundled/rust":           {"**/Cargo.toml"},
	"bundled/sql":            {"**/*.up.sql", "db/migrate/*.{rb,sql}"},
	"bundled/terraform":      {"**/*.tf"},
	"bundled/web":            {"**/package.json"},
}

// PacksFor returns the packs that fit a repository with these files, in byte order.
func PacksFor(files []string) []string {
	var fit []string
	for _, pack := range rule.Packs() {
		if slices.ContainsFunc(packFiles[pack], func(source string) bool { return matchesAny(source, files) }) {
			fit = append(fit, pack)
		}
	}
	return fit
}

func matchesAny(source string, files []string) bool {
	p, err := pattern.Compile(source)
	if err != nil {
		return false // a test compiles all of them
	}
	return slices.ContainsFunc(files, func(file string) bool {
		_, ok := p.Match(file)
		return ok
	})
}

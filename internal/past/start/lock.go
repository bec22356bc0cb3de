package start

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// refusal is a lock file that a repository does not want, and the setting that refuses it.
type refusal struct{ lock, by string }

type refusals []refusal

// lockNames are the lock files that a setting can refuse.
var lockNames = []string{
	"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "Cargo.lock", "go.sum",
	"poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "Gemfile.lock", "composer.lock", ".terraform.lock.hcl", "mix.lock", "pubspec.lock", "flake.lock",
}

// refusedLocks returns the lock files that settings of package managers turn off, and those that
// git ignores.
func refusedLocks(root fs.FS) refusals {
	var found refusals
	for line := range lines(root, ".npmrc") {
		if key, value, _ := strings.Cut(line, "="); strings.TrimSpace(key) == "package-lock" && strings.TrimSpace(value) == "false" {
			found = append(found, refusal{"package-lock.json", ".npmrc"})
		}
	}
	for line := range lines(root, ".yarnrc") {
		if strings.Contains(line, "no-lockfile") && strings.Contains(line, "true") {
			found = append(found, refusal{"yarn.lock", ".yarnrc"})
		}
	}
	for line := range lines(root, ".gitignore") {
		name := strings.TrimPrefix(strings.TrimPrefix(line, "**"), "/")
		if slices.Contains(lockNames, name) {
			found = append(found, refusal{name, ".gitignore"})
		}
	}
	return found
}

func lines(root fs.FS, file string) func(yield func(string) bool) {
	text, _ := regular.ReadFS(root, file, regular.Text) // without the file nothing is refused
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(text)) {
			if !yield(strings.TrimSpace(line)) {
				return
			}
		}
	}
}

// why explains that a rule asks for lock files that the repository refuses, while it has none
// of those that would do; empty if it does not.
func (refused refusals) why(r *rule.Rule, files []string) string {
	for _, x := range refused {
		asks, has := false, false
		for param, patterns := range r.Patterns {
			if param == rule.Exclude || param == rule.Safety {
				continue
			}
			for _, p := range patterns {
				_, ok := p.Match(x.lock)
				asks = asks || ok && strings.Contains(p.String(), path.Base(x.lock))
				has = has || slices.ContainsFunc(files, func(file string) bool {
					_, ok := p.Match(file)
					return ok && slices.Contains(lockNames, path.Base(file))
				})
			}
		}
		if asks && !has {
			return x.by + " refuses " + x.lock
		}
	}
	return ""
}

package githook

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// manager is a program that writes hooks, which run what its configuration lists.
type manager struct {
	hook  func() *regexp.Regexp // matches its hooks
	files []string              // the places of its configuration, from the root
	runs  func(hook string, configuration []byte) bool
}

// managers are the known ones. Husky since version 5 and simple-git-hooks need no entry:
// their hooks hold the commands themselves.
var managers = []manager{
	{
		hook:  lazyregexp.New(`pre[-_]commit|prek`),
		files: []string{".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml"},
		runs:  func(hook string, text []byte) bool { return idOf[hook]().Match(text) },
	},
	{hook: lazyregexp.New(`\blefthook\b`), files: lefthookFiles(), runs: calls},
	{
		hook:  lazyregexp.New(`\bhusky\b`),
		files: []string{"package.json", ".huskyrc", ".huskyrc.json", ".huskyrc.yaml", ".huskyrc.yml", ".huskyrc.js"},
		runs:  calls,
	},
}

func lefthookFiles() []string {
	var files []string
	for _, stem := range []string{"lefthook", ".lefthook", ".config/lefthook", "lefthook-local", ".lefthook-local"} {
		for _, ext := range []string{".yml", ".yaml", ".toml", ".json", ".jsonc"} {
			files = append(files, stem+ext)
		}
	}
	return files
}

// isManaged reports whether a hook was written by a manager that is configured to run
// rulecheck in it.
func (d *Dir) isManaged(hook string, code []byte) bool {
	return slices.ContainsFunc(managers, func(m manager) bool {
		return m.hook().Match(code) && slices.ContainsFunc(m.files, func(name string) bool {
			text, ok := d.configurations[name]
			return ok && m.runs(hook, comment().ReplaceAll(text, []byte("$1")))
		})
	})
}

// readConfigurations reads the configurations of all managers below root.
func readConfigurations(root string) (map[string][]byte, error) {
	texts := map[string][]byte{}
	for _, m := range managers {
		for _, name := range m.files {
			text, err := regular.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			texts[name] = text
		}
	}
	return texts, nil
}

// calls reports whether a line of a configuration, which has the commands of all hooks,
// calls rulecheck as one hook does.
func calls(hook string, configuration []byte) bool {
	for line := range bytes.Lines(configuration) {
		if callsOf[hook]().Match(line) && (hook != PreCommit || !callsOf[CommitMsg]().Match(line)) {
			return true
		}
	}
	return false
}

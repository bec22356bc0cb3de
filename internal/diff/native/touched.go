package native

import (
	"context"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// Touched returns the names that each commit changed.
func (e *Engine) Touched(_ context.Context, commits []string) (map[string][]string, error) {
	touched := map[string][]string{}
	for _, name := range commits {
		commit := gitfile.ParseID(name)
		if e.shallow[commit] {
			continue
		}
		c, err := e.readCommit(commit)
		if err != nil {
			return nil, err
		}
		parents := []string{emptyTree}
		if len(c.Parents) > 0 {
			parents = nil
		}
		for _, parent := range c.Parents {
			parents = append(parents, parent.String())
		}
		var common map[string]bool // names that differ from every parent so far
		for _, parent := range parents {
			a, b, err := e.between(parent, name)
			if err != nil {
				return nil, err
			}
			differ := map[string]bool{}
			for _, v := range slices.Concat(a, b) {
				differ[v.path] = common == nil || common[v.path]
			}
			maps.DeleteFunc(differ, func(_ string, everywhere bool) bool { return !everywhere })
			common = differ
		}
		if len(common) > 0 {
			touched[name] = slices.Sorted(maps.Keys(common))
		}
	}
	return touched, nil
}

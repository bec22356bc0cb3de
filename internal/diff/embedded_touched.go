package diff

import (
	"context"
	"maps"
	"slices"
)

// Touched are the names that each of the commits changed, as of Program.Touched.
func (e *embedded) Touched(_ context.Context, commits []string) (map[string][]string, error) {
	touched := map[string][]string{}
	for _, name := range commits {
		commit := parseID(name)
		if e.cut[commit] {
			continue
		}
		c, err := e.readCommit(commit)
		if err != nil {
			return nil, err
		}
		parents := []string{e.emptyTree()}
		if len(c.parents) > 0 {
			parents = nil
		}
		for _, parent := range c.parents {
			parents = append(parents, parent.String())
		}
		var common map[string]bool // different from every parent so far
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

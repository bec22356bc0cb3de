package setup

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// nestedSources returns the sources of the rules of directories other than the root, which
// are found among the tracked files.
func (p *Project) nestedSources(ctx context.Context) ([]rule.Source, error) {
	if !p.Config.Enabled {
		return nil, nil
	}
	list := p.FilesOfRules
	if list == nil {
		list = func() ([]string, error) { return p.engine.FilesIn(ctx, p.Head, defaultRulesDir) }
	}
	files, err := list()
	if err != nil {
		return nil, err
	}
	p.nested = nil
	var places []string
	for _, file := range files {
		if dir, ok := p.NestedIn(file); ok && !slices.Contains(p.nested[max(0, len(p.nested)-1):], dir) {
			p.nested = append(p.nested, dir)
			places = append(places, path.Dir(file))
		}
	}
	if len(p.nested) == 0 {
		return nil, nil
	}
	tree, err := p.engine.Tree(ctx, p.Head, places...)
	if err != nil {
		return nil, err
	}
	return rule.NestedSources(p.Config, tree, defaultRulesDir, p.nested), nil
}

// NestedIn returns the directory, other than the root, that a file is a rule for by its
// place. Files that the configuration excludes are no rules.
func (p *Project) NestedIn(file string) (dir string, ok bool) {
	place := path.Dir(file)
	dir, ok = strings.CutSuffix(place, "/"+defaultRulesDir)
	excluded := ok && slices.ContainsFunc(p.Config.Exclude, func(e *pattern.Pattern) bool {
		_, matches := e.Match(file)
		return matches
	})
	return dir, ok && !excluded && place != p.Config.RulesDir
}

// ReadsNested reports whether the rules of a directory were read.
func (p *Project) ReadsNested(dir string) bool { return slices.Contains(p.nested, dir) }

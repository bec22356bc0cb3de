package setup

import (
	"context"
	"io/fs"
	"path"
	"slices"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// sourceTypes are the extensions of the files that decide what is checked. [Dir] may have others,
// such as logs.
var sourceTypes = []string{".md", ".markdown", ".yml", ".yaml", ".rego", ".lock"}

// Sources returns, by path, the files that decide what is checked: configuration, rules of all
// directories, policies, workflows, known findings and the lock of packs. A pack is named by its
// commit there; the files of the user are not listed.
func (p *Project) Sources(ctx context.Context) (map[string][]byte, error) {
	sources := map[string][]byte{}
	trees := []fs.FS{p.Tree}
	if len(p.nested) > 0 {
		var places []string
		for _, dir := range p.nested {
			places = append(places, path.Join(dir, defaultRulesDir))
		}
		tree, err := p.engine.Tree(ctx, p.Head, places...)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	for _, tree := range trees {
		err := fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || file != baseline.File && !slices.Contains(sourceTypes, path.Ext(file)) {
				return err
			}
			sources[file], err = regular.ReadFS(tree, file, regular.Most)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return sources, nil
}

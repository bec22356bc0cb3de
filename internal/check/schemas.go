package check

import (
	"context"
	"maps"
	"os"
	"path"
	"slices"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// SchemaDir is where the schemas lie that editors are pointed to.
const SchemaDir = ".rulecheck/schema"

// The schemas there are.
const (
	schemaOfConfig = "config"
	schemaOfRules  = "rule"
)

// SchemaNames lists the schemas there are.
func SchemaNames() []string { return []string{schemaOfConfig, schemaOfRules} }

// SchemaSet is the JSON Schemas of a project by name.
type SchemaSet map[string][]byte

// Schemas makes the schemas of the configuration and of rules, with the modes
// that the working tree's policies define.
func Schemas(ctx context.Context, git diff.Engine) (SchemaSet, error) {
	var under conc.WaitGroup
	defer under.Wait()
	j, err := prepare(ctx, exampleEngine{Engine: git}, Options{}, &under)
	if err != nil {
		return nil, err
	}
	return schemasOf(j.project.Modes)
}

func schemasOf(modes map[string]policies.Mode) (SchemaSet, error) {
	rules, err := rule.Schema(modes)
	if err != nil {
		return nil, err
	}
	config, err := rule.ConfigSchema()
	return SchemaSet{schemaOfConfig: append(config, '\n'), schemaOfRules: append(rules, '\n')}, err
}

// files are the schemas as they lie in a repository.
func (s SchemaSet) files() []text {
	var files []text
	for _, name := range slices.Sorted(maps.Keys(s)) {
		files = append(files, text{path.Join(SchemaDir, name+".json"), string(s[name])})
	}
	return files
}

// Write writes each schema to its file in SchemaDir, and gives the paths it wrote.
func (s SchemaSet) Write(git diff.Engine) (written []string, err error) {
	root, err := os.OpenRoot(git.Root())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return createAll(root, s.files())
}

package ruletest

import (
	"context"
	"maps"
	"os"
	"path"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// SchemaDir is the directory of the schemas that editors use.
const SchemaDir = ".rulecheck/schema"

// The names of the schemas.
const (
	configSchema   = "config"
	ruleSchema     = "rule"
	workflowSchema = "workflow"
)

// SchemaNames lists the names of the schemas.
func SchemaNames() []string { return []string{configSchema, ruleSchema, workflowSchema} }

// SchemaSet holds the JSON Schemas of a project by name.
type SchemaSet map[string][]byte

// Schemas generates the schemas of the configuration, of workflows and of rules, with the modes that
// the working tree's policies define.
func Schemas(ctx context.Context, engine diff.Engine) (SchemaSet, error) {
	project, err := setup.Read(ctx, engine, nil, workflows.Agents{})
	if err != nil {
		return nil, err
	}
	rules, err := rule.Schema(project.Modes)
	if err != nil {
		return nil, err
	}
	config, err := rule.ConfigSchema()
	if err != nil {
		return nil, err
	}
	ofWorkflows, err := workflow.Schema()
	return SchemaSet{configSchema: append(config, '\n'), ruleSchema: append(rules, '\n'), workflowSchema: append(ofWorkflows, '\n')}, err
}

// Files returns the schemas as files of a repository.
func (s SchemaSet) Files() []File {
	var files []File
	for _, name := range slices.Sorted(maps.Keys(s)) {
		files = append(files, File{path.Join(SchemaDir, name+".json"), string(s[name])})
	}
	return files
}

// Write writes each schema to its file in SchemaDir, and returns the paths it wrote.
func (s SchemaSet) Write(engine diff.Engine) (written []string, err error) {
	root, err := os.OpenRoot(engine.Root())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return CreateAll(root, s.Files())
}

package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// The files of DeepWork, whose rules are the same markdown files.
const (
	deepWorkRules  = ".deepwork/rules"
	deepWorkConfig = ".deepwork/config.yml" //nolint:gosec // no credentials
	deepWorkOld    = ".deepwork.rules.yml"
)

// misplaced lists files at the root that are read nowhere, with the place of their content.
var misplaced = map[string]string{
	".rulecheck.yml":  ConfigFile,
	".rulecheck.yaml": ConfigFile,
	"rulecheck.yml":   ConfigFile,
	"rulecheck.yaml":  ConfigFile,
}

// foreign lists the paths outside of [Dir] that are looked at.
func foreign() []string {
	names := []string{deepWorkRules, deepWorkConfig, deepWorkOld}
	return slices.AppendSeq(names, maps.Keys(misplaced))
}

// lookAlikes adds a problem for each file that looks like configuration or rules and is
// not read, and a notice for those of DeepWork.
func (p *Project) lookAlikes() {
	for _, name := range foreign() {
		if want := misplaced[name]; want != "" && exists(p.Tree, name) {
			p.lookAlike(name, "is not read; want the name "+want)
		}
	}
	entries, err := fs.ReadDir(p.Tree, Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.Problems = append(p.Problems, finding.Problem{File: Dir, Line: 1, Column: 1, Code: finding.CodeUnreadable, Message: err.Error()})
	}
	for _, e := range entries {
		p.lookAlikeIn(e)
		p.wrongKind(e.Name())
	}
	if p.Config.RulesDir != defaultRulesDir && !absent(p.Tree, defaultRulesDir) {
		p.Notices = append(p.Notices, fmt.Sprintf("%s is not read, because rules_dir in %s is %q", defaultRulesDir, ConfigFile, p.Config.RulesDir))
	}
	p.workflowLookAlikes()
	finding.SortProblems(p.Problems)
	p.Notices = append(p.Notices, p.deepWork()...)
}

func (p *Project) lookAlike(file, message string) {
	p.Problems = append(p.Problems, finding.Problem{File: file, Line: 1, Column: 1, Code: rule.CodeLookAlike, Message: message})
}

// lookAlikeIn reports an entry of [Dir] that should have another name or place.
func (p *Project) lookAlikeIn(e fs.DirEntry) {
	name, file := e.Name(), path.Join(Dir, e.Name())
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	directories := ownDirectories()
	near := suggest.Nearest(name, directories)
	switch {
	case file == ConfigFile || file == p.Config.RulesDir || slices.Contains(directories, name) || strings.HasPrefix(name, "."):
	case stem == "config" || stem == "rulecheck":
		p.lookAlike(file, "is not read; want the name "+ConfigFile)
	case e.IsDir() && near != "":
		p.lookAlike(file, "is not read; want the name "+path.Join(Dir, near))
	case p.Config.RulesDir == Dir || e.IsDir() || path.Ext(name) != ".md":
	default:
		if hasFrontmatter(p.Tree, file) {
			p.lookAlike(file, "is not read; want rules in "+p.Config.RulesDir)
		}
	}
}

// wrongKind reports an entry of [Dir] that has the name of something which is read, and is
// none, such as a symlink to nothing: it would count as absent. The reader of rules reports
// their directory.
func (p *Project) wrongKind(name string) {
	file := path.Join(Dir, name)
	directory := slices.Contains([]string{policies.ProjectDir, rule.WorkflowsDir, rule.GuidesDir}, file)
	if !directory && file != ConfigFile && file != baseline.File {
		return
	}
	info, err := fs.Stat(p.Tree, file)
	var message string
	switch {
	case errors.Is(err, fs.ErrNotExist):
		message = "is a symbolic link to a file that does not exist"
	case err != nil:
		message = yaml.Reason(err).Error()
	case directory && !info.IsDir():
		message = "is not a directory"
	default:
		return // the reader of the configuration reports a directory
	}
	want := "a file"
	if directory {
		want = "a directory"
	}
	p.Problems = append(p.Problems, finding.Problem{
		File: file, Line: 1, Column: 1, Code: finding.CodeUnreadable, Message: message + "; want " + want,
	})
}

// workflowLookAlikes reports files among the workflows that are not workflows. Markdown files may be
// the documents of phases.
func (p *Project) workflowLookAlikes() {
	entries, _ := fs.ReadDir(p.Tree, rule.WorkflowsDir) // the caller reports a directory that cannot be listed
	for _, e := range entries {
		name := e.Name()
		file := path.Join(rule.WorkflowsDir, name)
		switch _, isWorkflow := rule.WorkflowName(name); {
		case file == rule.ImportsDir && e.IsDir():
			p.importLookAlikes()
		case e.IsDir() && isWorkflow:
			p.lookAlike(file, "is a directory; want a file")
		case e.IsDir():
			p.workflowsBelow(file)
		case isWorkflow || strings.HasPrefix(name, ".") || path.Ext(name) == ".md" || isReadme(name):
		default:
			stem, _, _ := strings.Cut(name, ".")
			p.lookAlike(file, fmt.Sprintf("is not read; want the name %q", stem+".yaml"))
		}
	}
}

// workflowsBelow reports workflow files in a directory of workflows' documents.
func (p *Project) workflowsBelow(dir string) {
	files, _ := fs.ReadDir(p.Tree, dir) // one that cannot be listed may hold documents
	for _, file := range files {
		if _, ok := rule.WorkflowName(file.Name()); ok {
			p.lookAlike(path.Join(dir, file.Name()), "is not read; want workflows in "+rule.WorkflowsDir)
		}
	}
}

// importLookAlikes reports files among the rules for imports that no import can name.
func (p *Project) importLookAlikes() {
	files, _ := fs.ReadDir(p.Tree, rule.ImportsDir) // an import from it reports that it cannot be listed
	for _, e := range files {
		name := e.Name()
		stem, _, _ := strings.Cut(name, ".")
		file := path.Join(rule.ImportsDir, name)
		switch ext := path.Ext(name); {
		case e.IsDir() || strings.HasPrefix(name, ".") || ext == ".yaml" || isReadme(name):
		case ext != ".md":
			p.lookAlike(file, fmt.Sprintf("is not read; want the name %q", stem+".yaml"))
		case hasFrontmatter(p.Tree, file):
			p.lookAlike(file, fmt.Sprintf("is not read; want a directory of rule files, such as %s, or rules in %s", path.Join(rule.ImportsDir, stem, name), p.Config.RulesDir))
		}
	}
}

func isReadme(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	return strings.EqualFold(stem, "readme")
}

// deepWork returns notices about the files of DeepWork that are not read.
func (p *Project) deepWork() []string {
	var notices []string
	if !absent(p.Tree, deepWorkRules) && p.Config.RulesDir != deepWorkRules {
		notices = append(notices, fmt.Sprintf("%s is not read; to use it, set rules: {rules_dir: %s} in %s", deepWorkRules, deepWorkRules, ConfigFile))
	}
	for _, name := range []string{deepWorkConfig, deepWorkOld} {
		if exists(p.Tree, name) {
			notices = append(notices, name+" is not read; see docs/migration.md")
		}
	}
	return notices
}

func exists(tree fs.FS, name string) bool {
	_, err := fs.Stat(tree, name)
	return !errors.Is(err, fs.ErrNotExist)
}

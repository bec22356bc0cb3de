package ruletest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// language is how one kind of project lays out its sources and tests.
type language struct {
	name       string
	extensions []string
	source     string // pattern of a source file, with captures
	test       string // pattern of its test, with the same captures
	sources    string // pattern of all source files, without captures
}

var languages = []language{
	{"Go", []string{".go"}, "{path}.go", "{path}_test.go", "**/*.go"},
	{"Python", []string{".py"}, "src/{path}.py", "tests/{path}_test.py", "**/*.py"},
	{"TypeScript", []string{".ts", ".tsx"}, "src/{path}.ts", "src/{path}.test.ts", "**/*.{ts,tsx}"},
	{"JavaScript", []string{".js", ".jsx", ".mjs"}, "src/{path}.js", "src/{path}.test.js", "**/*.{js,jsx,mjs}"},
	{"Java", []string{".java"}, "src/main/java/{path}.java", "src/test/java/{path}Test.java", "src/main/**/*.java"},
	{"Kotlin", []string{".kt"}, "src/main/kotlin/{path}.kt", "src/test/kotlin/{path}Test.kt", "src/main/**/*.kt"},
	{"Ruby", []string{".rb"}, "lib/{path}.rb", "spec/{path}_spec.rb", "{lib,app}/**/*.rb"},
	{"Rust", []string{".rs"}, "src/{path}.rs", "tests/{path}.rs", "src/**/*.rs"},
	{"C#", []string{".cs"}, "src/{path}.cs", "tests/{path}Tests.cs", "src/**/*.cs"},
	{"C++", []string{".cpp", ".cc", ".c", ".h", ".hpp"}, "src/{path}.cpp", "tests/{path}_test.cpp", "src/**"},
}

// unknownLanguage is used for a project in none of these languages.
var unknownLanguage = language{"your language", nil, "src/{path}.ext", "tests/{path}_test.ext", "src/**"}

// Init writes a configuration, two example rules for the main language of the repository,
// and the schemas that editors use. It returns the paths it wrote. If one of the files
// exists, it fails and writes nothing.
func Init(ctx context.Context, git diff.Engine) (written []string, err error) {
	head, err := git.Head(ctx, diff.Worktree, "")
	if err != nil {
		return nil, err
	}
	files, err := git.Files(ctx, head)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(git.Root())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	schemas, err := Schemas(ctx, git)
	if err != nil {
		return nil, err
	}
	all := append(scaffold(mainLanguage(files)), schemas.files()...)
	for _, f := range all {
		if _, err := root.Lstat(f.path); err == nil {
			return nil, fmt.Errorf("%s exists; init writes only where there are no rules yet", f.path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return createAll(root, all)
}

// createAll writes files, and returns the paths of those it wrote.
func createAll(root *os.Root, files []file) (written []string, err error) {
	for _, f := range files {
		if err := root.MkdirAll(path.Dir(f.path), 0o755); err != nil {
			return written, err
		}
		if err := create(root, f); err != nil {
			return written, err
		}
		written = append(written, f.path)
	}
	return written, nil
}

// create writes a file whole or not at all.
func create(root *os.Root, f file) error {
	unfinished := f.path + ".new"
	if err := root.WriteFile(unfinished, []byte(f.content), 0o644); err != nil {
		return err
	}
	return root.Rename(unfinished, f.path)
}

// mainLanguage returns the language that most files are written in.
func mainLanguage(files []string) language {
	best, most := unknownLanguage, 0
	for _, l := range languages {
		n := 0
		for _, f := range files {
			if slices.Contains(l.extensions, path.Ext(f)) {
				n++
			}
		}
		if n > most {
			best, most = l, n
		}
	}
	return best
}

type file struct{ path, content string }

// scaffold returns the files that init writes, the configuration first.
func scaffold(l language) []file {
	named := strings.NewReplacer("{path}", "hello")
	fill := strings.NewReplacer("«language»", l.name, "«source»", l.source, "«test»", l.test, "«sources»", l.sources,
		"«fence»", "```", "«source file»", named.Replace(l.source), "«test file»", named.Replace(l.test))
	return []file{
		{setup.ConfigFile, exampleConfig},
		{".rulecheck/rules/source-test.md", fill.Replace(examplePair)},
		{".rulecheck/rules/readme.md", fill.Replace(exampleTrigger)},
	}
}

const exampleConfig = `# yaml-language-server: $schema=schema/config.json
# The configuration of rulecheck for this repository. Every key is optional.

# The branch that changes are compared to. Found from the remote unless given.
# default_branch: main

# Files that no rule should look at.
# exclude: ["vendor/**", "**/*.generated.*"]

# The lowest level that fails a run: error, warning or note.
fail_on: error
`

const examplePair = `---
# yaml-language-server: $schema=../schema/rule.json
# A rule is one markdown file. This one is a pair, for «language»: a file that
# matches trigger asks for the file that expects names, with {path} filled in.
name: Tests for changed code
pair:
  trigger: "«source»"
  expects: "«test»"
# exists: the test must be there. changed (the default): it must change too.
require: exists
# error, warning or note
level: warning
---
The code in {trigger_files} has no test. Add {expected_files}.

«fence»rulecheck
# An example, for: rulecheck rules test. No report shows it. A file without its test:
M «source file»
--
«source file» -> «test file»
«fence»

«fence»rulecheck
# and one that has it, which did not change.
M «source file»
= «test file»
--
silent
«fence»
`

const exampleTrigger = `---
# yaml-language-server: $schema=../schema/rule.json
# This one fires when a file changed that matches trigger, and is silent when
# one changed that matches safety.
name: README is accurate
trigger: "«sources»"
safety: README.md
level: note
---
Sources changed. Check that README.md is still correct.

«fence»rulecheck
M «source file»
--
«source file»
«fence»

«fence»rulecheck
M «source file»
M README.md
--
silent
«fence»
`

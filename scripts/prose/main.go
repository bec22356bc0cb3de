// Command prose runs vale over the English of the repository and prints
// file:line: message for each finding. Vale reads markdown and the comments of Go
// files; prose extracts what vale cannot read: string literals, comments of Rego
// files and shell scripts, descriptions in YAML.
//
//	go run ./scripts/prose VALE [PATH]...
//
// With paths, only findings below them are printed. The exit status is 1 if there are any.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// sources are the files and directories whose English is checked.
var sources = []string{
	"README.md", "CONTRIBUTING.md", "Makefile", "action.yml", ".pre-commit-hooks.yaml", ".golangci.yml",
	".ci", ".github", "cmd", "docs", "internal", "policies", "scripts",
}

// quoted are the files that quote texts fixed elsewhere.
const quoted = "internal/workflow/bundled"

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: prose VALE [PATH]...")
	}
	found, err := lint(os.Args[1], os.Args[2:])
	if err != nil {
		log.Fatalf("prose: %v", err)
	}
	for _, line := range found {
		fmt.Println(line)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// lint returns the findings of vale below any of the paths, or everywhere without paths.
func lint(vale string, paths []string) ([]string, error) {
	texts, err := os.MkdirTemp("", "prose")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(texts)
	for _, source := range sources {
		if err := extractAll(source, texts); err != nil {
			return nil, err
		}
	}
	args := append([]string{"--config=.vale.ini", "--output=line", "--glob=!**/testdata/**", texts}, sources...)
	out, err := exec.Command(vale, args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // findings
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", vale, err, out, exit.Stderr)
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(strings.TrimPrefix(line, texts+string(filepath.Separator)))
		parts := strings.SplitN(line, ":", 5) // file, line, column, rule, message
		if len(parts) < 5 {
			return nil, fmt.Errorf("%s printed %q; want file:line:column:rule:message", vale, line)
		}
		file := strings.TrimSuffix(parts[0], ".txt")
		below := func(path string) bool {
			return file == path || strings.HasPrefix(file, strings.TrimSuffix(path, "/")+"/")
		}
		if len(paths) == 0 || slices.ContainsFunc(paths, below) {
			found = append(found, fmt.Sprintf("%s:%s: %s", file, parts[1], parts[4]))
		}
	}
	return slices.Compact(found), nil
}

// extractAll extracts every file at or below root into the directory texts.
func extractAll(root, texts string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "testdata" || filepath.ToSlash(path) == quoted:
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines, err := extract(path, source)
		if err != nil || len(lines) == 0 {
			return err
		}
		to := filepath.Join(texts, path+".txt")
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, bytes.Join(lines, []byte("\n")), 0o644)
	})
}

package policies

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

const modesDir = "rulecheck/modes"

// readModes finds every mode below modesDir.
func (b *Bundle) readModes(fsys fs.FS) error {
	directories, err := fs.ReadDir(fsys, modesDir)
	if err != nil {
		return fmt.Errorf("read policies: %w", err)
	}
	var problems []error
	for _, directory := range directories {
		mode, err := b.readMode(directory.Name())
		if err != nil {
			problems = append(problems, err)
			continue
		}
		b.Modes[mode.Name] = mode
	}
	return errors.Join(problems...)
}

// readMode reads what the modules of one directory declare between them.
func (b *Bundle) readMode(name string) (Mode, error) {
	directory := path.Join(modesDir, name)
	want := "package " + strings.ReplaceAll(directory, "/", ".")
	var declared *ast.Annotations
	for _, file := range slices.Sorted(maps.Keys(b.Modules)) {
		if path.Dir(file) != directory {
			continue
		}
		module := b.Modules[file]
		if got := module.Package.String(); got != want {
			return Mode{}, fmt.Errorf("%s: %q; want %q, as the directory says", module.Package.Location, got, want)
		}
		for _, annotations := range module.Annotations {
			if annotations.Scope != "package" {
				continue
			}
			if declared != nil {
				return Mode{}, fmt.Errorf("%s: METADATA of mode %q again; it is at %s", annotations.Location, name, declared.Location)
			}
			declared = annotations
		}
	}
	if declared == nil {
		return Mode{}, fmt.Errorf("%s: mode %q has no METADATA; want it above %q", path.Join(directory, name+".rego"), name, want)
	}
	mode, err := modeOf(name, declared)
	if err != nil {
		return Mode{}, fmt.Errorf("%s: %w", declared.Location, err)
	}
	return mode, nil
}

// Package policies holds the Rego that decides whether a rule fires, and reads the
// METADATA in which each policy declares its mode. A mode of the program is a
// directory under rulecheck/modes and is listed nowhere else; a project adds its own
// with [Bundle.With].
package policies

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Globs cannot express "not _test.rego"; these take file names that end in anything
// but "st".
//
//go:embed rulecheck/*[^t].rego rulecheck/lib/*[^t].rego rulecheck/modes/*/*[^t].rego rulecheck/modes/*/*[^s]t.rego
var embedded embed.FS

const (
	extension     = ".rego"
	testExtension = "_test.rego"
)

// Bundle is a set of policies. It is not changed once it is made, and may be used
// concurrently.
type Bundle struct {
	Modes   Modes
	modules map[string]*ast.Module // by file
	project map[string]bool        // the files that a project added
	// behaviors are those that a project added, by name.
	behaviors map[string]Behavior
	// rest has the files of modes that modules lacks, and the whole files if it has only their
	// head; may be nil.
	rest fs.FS
}

// Load returns the policies that rulecheck is built with, read once per process. A mode is read
// when it is asked for. Of each file, that is its METADATA: the rest is parsed when it is
// compiled, a millisecond for each mode.
var Load = sync.OnceValues(func() (*Bundle, error) {
	shared, problems, err := parseAll(heads{embedded}, ".", func(file string) bool { return isPolicy(file) && !isOfMode(file) })
	if err = errors.Join(err, joined(problems)); err != nil {
		return nil, err
	}
	modes, err := embedded.ReadDir(modesDir)
	b := &Bundle{Modes: Modes{}, modules: shared, rest: embedded}
	for _, mode := range modes {
		b.Modes[mode.Name()] = sync.OnceValue(func() Mode { return readEmbedded(mode.Name()) })
	}
	return b, err
})

// readEmbedded reads a mode of the program. It panics if that is not a mode as [Parse] requires
// it, which tests exclude.
func readEmbedded(name string) Mode {
	modules, problems, err := parseAll(heads{embedded}, path.Join(modesDir, name), isPolicy)
	if err == nil && len(problems) == 0 {
		var mode Mode
		if mode, problems = readMode(name, slices.Collect(maps.Values(modules))); len(problems) == 0 {
			return mode
		}
	}
	panic(errors.Join(err, joined(problems)))
}

func isPolicy(file string) bool { return !strings.HasSuffix(file, testExtension) }

// isOfMode reports whether a file of the program belongs to a mode.
func isOfMode(file string) bool { return path.Dir(path.Dir(file)) == modesDir }

// heads has files only up to the package clause.
type heads struct{ embed.FS }

func (h heads) ReadFile(file string) ([]byte, error) {
	text, err := h.FS.ReadFile(file)
	if clause := bytes.Index(text, []byte("\npackage ")); clause >= 0 {
		text = text[:clause+1+bytes.IndexByte(text[clause+1:], '\n')]
	}
	return text, err
}

// OfProject reports whether a project added the file.
func (b *Bundle) OfProject(file string) bool { return b.project[file] }

// ProjectModes lists the names of the modes that a project added, in byte order.
func (b *Bundle) ProjectModes() []string {
	files := slices.Collect(maps.Keys(b.modules))
	files = slices.DeleteFunc(files, func(file string) bool { return !b.project[file] })
	return slices.Sorted(maps.Keys(b.byMode(files)))
}

// Typed reports whether the compiler checks the modules against the types of their facts:
// always if a project added any. Tests do it for those that the program is built with.
func (b *Bundle) Typed() bool { return b.rest == nil || len(b.project) > 0 }

// All returns the modules that are read already, by file, of the built-in ones perhaps the
// head alone; see [Bundle.Modules]. The caller must not change the modules.
func (b *Bundle) All() map[string]*ast.Module { return maps.Clone(b.modules) }

// Modules returns, by file, what rules of the given modes need: their policies, the
// project's own, and everything that belongs to no mode. The caller must not change
// the modules.
func (b *Bundle) Modules(modes []string) (map[string]*ast.Module, error) {
	picked := b.All()
	for file, module := range picked {
		if mode, ok := b.Mode(module); ok && !b.project[file] && !slices.Contains(modes, mode.Name) {
			delete(picked, file)
		}
	}
	if b.rest != nil {
		for _, mode := range modes {
			files, err := fs.Glob(b.rest, path.Join(modesDir, mode, "*"+extension)) // none of a project's
			if err != nil {
				return nil, fmt.Errorf("read policies: %w", err)
			}
			for _, file := range files {
				picked[file] = nil
			}
		}
	}
	all, err := b.whole(picked)
	if len(b.project) == 0 {
		dropUnused(all)
	}
	return all, err
}

// dropUnused leaves out the program's libraries that neither a mode imports nor another library that is used.
func dropUnused(modules map[string]*ast.Module) {
	used := map[string]bool{}
	needed := func(m *ast.Module) bool { return !isLibrary(m.Package.Path) || used[m.Package.Path.String()] }
	for known := -1; known < len(used); {
		known = len(used)
		for _, module := range modules {
			for _, i := range module.Imports {
				if needed(module) {
					used[i.Path.String()] = true
				}
			}
		}
	}
	maps.DeleteFunc(modules, func(_ string, module *ast.Module) bool { return !needed(module) })
}

// Libraries returns the modules that others import, by file. The caller must not
// change the modules.
func (b *Bundle) Libraries() (map[string]*ast.Module, error) {
	picked := b.All()
	maps.DeleteFunc(picked, func(_ string, module *ast.Module) bool { return !isLibrary(module.Package.Path) })
	return b.whole(picked)
}

// withLibraries returns b with its whole libraries.
func (b *Bundle) withLibraries() (*Bundle, error) {
	libraries, err := b.Libraries()
	all := *b
	all.modules = b.All()
	maps.Copy(all.modules, libraries)
	return &all, err
}

// whole replaces heads by the whole modules, which have METADATA if b is typed.
func (b *Bundle) whole(picked map[string]*ast.Module) (map[string]*ast.Module, error) {
	for file := range picked {
		if b.rest == nil || b.project[file] {
			continue
		}
		module, problems := parse(b.rest, file, b.Typed())
		if len(problems) > 0 {
			return nil, joined(problems)
		}
		picked[file] = module
	}
	return picked, nil
}

// Parse reads every policy of fsys, laid out as in this directory: a mode is
// package rulecheck.modes.<mode> in rulecheck/modes/<mode>. Files that end in
// _test.rego are no part of the bundle. All errors are reported together, each
// a [finding.Problem]; what a policy means is checked when it is compiled.
func Parse(fsys fs.FS) (*Bundle, error) {
	modules, problems, err := parseAll(fsys, ".", isPolicy)
	if err != nil {
		return nil, fmt.Errorf("read policies: %w", err)
	}
	if len(problems) > 0 {
		return nil, joined(problems)
	}
	b := &Bundle{modules: modules, Modes: Modes{}}
	files := slices.Sorted(maps.Keys(modules))
	for _, file := range files {
		problems = append(problems, checkDirectory(file, modules[file])...)
	}
	if len(problems) > 0 {
		return nil, joined(problems)
	}
	if problems = b.readModes(files); len(problems) > 0 {
		return nil, joined(problems)
	}
	if len(b.Modes) == 0 {
		return nil, errors.New("read policies: no mode in " + modesDir)
	}
	for _, file := range files {
		problems = append(problems, b.checkFacts(file)...)
	}
	if len(problems) > 0 {
		return nil, joined(problems)
	}
	return b, nil
}

// parseAll parses the policies at and below dir whose names are wanted.
func parseAll(fsys fs.FS, dir string, wanted func(file string) bool) (map[string]*ast.Module, []finding.Problem, error) {
	var files []string
	err := fs.WalkDir(fsys, dir, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(file, extension) && wanted(file) {
			files = append(files, file)
		}
		return err
	})
	modules := map[string]*ast.Module{}
	var problems []finding.Problem
	for i, p := range iter.Map(files, func(file *string) (p parsed) {
		p.module, p.problems = parse(fsys, *file, true)
		return p
	}) {
		if len(p.problems) > 0 {
			problems = append(problems, p.problems...)
			continue
		}
		modules[files[i]] = p.module
	}
	return modules, problems, err
}

// parsed is a file, or what is wrong with it.
type parsed struct {
	module   *ast.Module
	problems []finding.Problem
}

// parserCapabilities returns the capabilities that the parser would otherwise work out anew for every file.
var parserCapabilities = sync.OnceValue(func() *ast.Capabilities {
	return ast.CapabilitiesForThisVersion(ast.CapabilitiesRegoVersion(ast.RegoV1))
})

// maxPolicy is the maximum size of a policy in bytes: the time to compile grows with
// it, and no deadline ends that.
const maxPolicy = 256 << 10

// parse reads a policy, with its METADATA if that is asked for.
func parse(fsys fs.FS, file string, metadata bool) (*ast.Module, []finding.Problem) {
	text, err := regular.ReadFS(fsys, file, regular.Text)
	if err != nil {
		return nil, []finding.Problem{{File: file, Line: 1, Column: 1, Code: finding.CodeUnreadable, Message: err.Error()}}
	}
	if len(text) > maxPolicy {
		message := fmt.Sprintf("is %d bytes long; want at most %d", len(text), maxPolicy)
		return nil, []finding.Problem{{File: file, Line: 1, Column: 1, Code: codeBadPolicy, Message: message}}
	}
	if at := Nested(string(text)); at >= 0 {
		before := string(text[:at])
		line, column := 1+strings.Count(before, "\n"), at-strings.LastIndexByte(before, '\n')
		message := fmt.Sprintf("nested more than %d deep; want fewer brackets in each other", MaxNesting)
		return nil, []finding.Problem{{File: file, Line: line, Column: column, Code: codeBadPolicy, Message: message}}
	}
	options := ast.ParserOptions{RegoVersion: ast.RegoV1, Capabilities: parserCapabilities(), ProcessAnnotation: metadata}
	module, err := ast.ParseModuleWithOpts(file, string(text), options)
	if err != nil {
		return nil, parseProblems(file, err)
	}
	return module, nil
}

package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/txtar"
)

// byApidiff compares two versions of a Go package. Packages of other modules are not known: what the
// files use of them counts as types without methods. What follows from that is left out: errors of types, values
// that are not known, and which interfaces a type implements. A package that needs the standard library alone has none of it.
func byApidiff(base, head *txtar.Archive) ([]string, error) {
	var sides [2]*types.Package
	for i, archive := range []*txtar.Archive{base, head} {
		var err error
		if sides[i], err = checked(archive); err != nil {
			return nil, err
		}
	}
	var changes []string
	unknown := func(message string) bool {
		return strings.HasSuffix(message, "value changed from unknown to unknown") || strings.Contains(message, ": no longer implements ")
	}
	for _, c := range apidiff.Changes(sides[0], sides[1]).Changes {
		if !unknown(c.Message) {
			changes = append(changes, c.Message)
		}
	}
	return changes, nil
}

var (
	fset     = token.NewFileSet()
	standard = importer.ForCompiler(fset, "source", nil)
)

// checked type-checks the package in an archive.
func checked(archive *txtar.Archive) (*types.Package, error) {
	var files []*ast.File
	for _, f := range archive.Files {
		parsed, err := parser.ParseFile(fset, f.Name, f.Data, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, parsed)
	}
	others := stand{}
	others.collect(files)
	var first error
	config := types.Config{FakeImportC: true, IgnoreFuncBodies: len(others) > 0, Importer: others, Error: func(err error) {
		if first == nil {
			first = err
		}
	}}
	pkg, _ := config.Check("p", fset, files, nil)
	if len(others) == 0 && first != nil {
		return nil, first
	}
	return pkg, nil
}

// stand has packages that stand for those of other modules, by import path.
type stand map[string]*types.Package

// Import returns a package.
func (s stand) Import(name string) (*types.Package, error) {
	if p := s[name]; p != nil {
		return p, nil
	}
	return standard.Import(name)
}

// collect makes the packages that files import, with what they use of them.
func (s stand) collect(files []*ast.File) {
	for _, f := range files {
		used := map[string][]string{}
		ast.Inspect(f, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := selector.X.(*ast.Ident); ok && x.Obj == nil {
					used[x.Name] = append(used[x.Name], selector.Sel.Name)
				}
			}
			return true
		})
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if first, _, _ := strings.Cut(name, "/"); err != nil || !strings.Contains(first, ".") {
				continue
			}
			p := s[name]
			if p == nil {
				p = types.NewPackage(name, nameOf(name, used))
				p.MarkComplete()
				s[name] = p
			}
			local := p.Name()
			if spec.Name != nil {
				local = spec.Name.Name
			}
			for _, use := range used[local] {
				if p.Scope().Lookup(use) == nil {
					object := types.NewTypeName(token.NoPos, p, use, nil)
					types.NewNamed(object, types.NewStruct(nil, nil), nil)
					p.Scope().Insert(object)
				}
			}
		}
	}
}

// nameOf returns the used name that is most of the end of an import path.
func nameOf(imported string, used map[string][]string) string {
	end := path.Join(path.Base(path.Dir(imported)), path.Base(imported))
	best := ""
	for name := range used {
		if len(name) > len(best) && strings.Contains(end, name) {
			best = name
		}
	}
	if best == "" {
		return "unused"
	}
	return best
}

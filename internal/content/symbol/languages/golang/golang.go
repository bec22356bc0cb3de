// Package golang reads the symbols of Go files. What callers see is decided by syntax, file by
// file: functions, types with their fields and methods, variables, and constants with their
// values. Exported are the exported names of packages that others can import: not those of
// package main, of tests, and of files in directories named internal, testdata or vendor. Members
// of a type that is not exported are if an exported signature of the same file uses the type.
package golang

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// Language reads Go.
var Language = symbol.Language{
	Name: "Go", Extensions: []string{".go"}, Package: true, Read: read,
	Exported: "exported names with their exported fields and methods, the methods of interfaces, and the values of constants; " +
		"not in package `main`, in `_test.go`, and below `internal`, `testdata` and `vendor`",
}

func read(_ context.Context, name, text string) ([]symbol.Symbol, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		e := &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "cannot be read as Go: " + err.Error()}
		if list, ok := errors.AsType[scanner.ErrorList](err); ok && len(list) > 0 {
			e.Line, e.Column = max(list[0].Pos.Line, 1), symbol.Column(text, list[0].Pos.Offset)
			e.Message = "cannot be read as Go: " + list[0].Msg
		}
		return nil, e
	}
	f := &file{
		text: text, files: files, imports: importsOf(parsed),
		public: parsed.Name.Name != "main" && !strings.HasSuffix(name, "_test.go") && !isHidden(path.Dir(name)),
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.function(d)
		case *ast.GenDecl:
			f.declaration(d)
		}
	}
	return f.symbols(), nil
}

// isHidden reports whether no other module can import the packages of a directory.
func isHidden(dir string) bool {
	return slices.ContainsFunc(strings.Split(dir, "/"), func(name string) bool {
		return name == "internal" || name == "testdata" || name == "vendor"
	})
}

// file collects the symbols of a file.
type file struct {
	text    string
	files   *token.FileSet
	imports map[string]string // paths by local name
	public  bool              // others can import the package
	found   []found
}

// found is a symbol, and what its signature names.
type found struct {
	symbol.Symbol

	of   string // the type that it is a member of
	uses []string
}

// add adds a symbol. Of is the type that it is a member of, or empty.
func (f *file) add(of string, name *ast.Ident, kind string, s *signature, declared ast.Node) {
	if name.Name == "_" {
		return
	}
	f.addNamed(of, name.Name, name.Pos(), kind, s, declared)
}

func (f *file) addNamed(of, name string, at token.Pos, kind string, s *signature, declared ast.Node) {
	full := name
	if of != "" {
		full = of + "." + name
	}
	place := f.files.PositionFor(at, false)
	f.found = append(f.found, found{
		Symbol: symbol.Symbol{
			Name: full, Kind: kind, Signature: s.String(), Exported: ast.IsExported(name),
			Line: f.files.PositionFor(declared.Pos(), false).Line, EndLine: f.files.PositionFor(declared.End(), false).Line,
			Column: symbol.Column(f.text, place.Offset),
		},
		of: of, uses: s.uses,
	})
	if last := &f.found[len(f.found)-1]; last.Line != place.Line {
		last.Line = place.Line
	}
}

// symbols returns the symbols in the order of the file. Members are exported if their type is, or
// if an exported signature uses it.
func (f *file) symbols() []symbol.Symbol {
	reachable := map[string]bool{}
	isExported := func(s *found) bool {
		return f.public && s.Exported && (s.of == "" || ast.IsExported(s.of) || reachable[s.of])
	}
	for grew := true; grew; {
		grew = false
		for i := range f.found {
			s := &f.found[i]
			if !isExported(s) && (!reachable[s.Name] || s.Kind != "type") {
				continue
			}
			for _, name := range s.uses {
				grew = grew || !reachable[name]
				reachable[name] = true
			}
		}
	}
	symbols := make([]symbol.Symbol, 0, len(f.found))
	for i := range f.found {
		f.found[i].Exported = isExported(&f.found[i])
		symbols = append(symbols, f.found[i].Symbol)
	}
	return symbols
}

func (f *file) function(d *ast.FuncDecl) {
	s := f.signature()
	if d.Recv == nil {
		if d.Name.Name != "init" {
			s.function(d.Type)
			f.add("", d.Name, "function", s, d)
		}
		return
	}
	if len(d.Recv.List) == 0 {
		return
	}
	receiver := ast.Unparen(d.Recv.List[0].Type)
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		s.put("(*)")
		receiver = ast.Unparen(pointer.X)
	}
	of, params := genericOf(receiver)
	s.rename(params)
	s.function(d.Type)
	f.add(of, d.Name, "method", s, d)
}

// genericOf splits a receiver into its type and the names of its type parameters.
func genericOf(receiver ast.Expr) (of string, params []*ast.Ident) {
	var indices []ast.Expr
	switch generic := receiver.(type) {
	case *ast.IndexExpr:
		receiver, indices = generic.X, []ast.Expr{generic.Index}
	case *ast.IndexListExpr:
		receiver, indices = generic.X, generic.Indices
	}
	for _, index := range indices {
		if name, ok := index.(*ast.Ident); ok {
			params = append(params, name)
		}
	}
	if name, ok := receiver.(*ast.Ident); ok {
		of = name.Name
	}
	return of, params
}

func (f *file) declaration(d *ast.GenDecl) {
	implied := &ast.ValueSpec{} // of constants without a value: the spec that they repeat
	for i, spec := range d.Specs {
		var declared ast.Node = spec
		if !d.Lparen.IsValid() {
			declared = d
		}
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			f.typeOf(spec, declared)
		case *ast.ValueSpec:
			if d.Tok == token.VAR {
				f.variables(spec, declared)
				continue
			}
			if spec.Type != nil || len(spec.Values) > 0 {
				implied = spec
			}
			for at, name := range spec.Names {
				s := f.signature()
				s.iota = i
				if implied.Type != nil {
					s.write(implied.Type)
				}
				if at < len(implied.Values) {
					s.put("=")
					s.tokens(implied.Values[at])
				}
				f.add("", name, "constant", s, declared)
			}
		}
	}
}

func (f *file) variables(spec *ast.ValueSpec, declared ast.Node) {
	for at, name := range spec.Names {
		s := f.signature()
		switch {
		case spec.Type != nil:
			s.write(spec.Type)
		case at < len(spec.Values):
			s.typeOf(spec.Values[at])
		case len(spec.Values) == 1:
			s.put("result", string(rune('1'+at%9)))
			s.typeOf(spec.Values[0])
		}
		f.add("", name, "variable", s, declared)
	}
}

// typeOf adds a type with its fields and the methods of an interface.
func (f *file) typeOf(spec *ast.TypeSpec, declared ast.Node) {
	s := f.signature()
	var params []*ast.Ident
	if spec.TypeParams != nil {
		for _, field := range spec.TypeParams.List {
			params = append(params, field.Names...)
		}
		s.rename(params)
		s.put("[")
		for _, field := range spec.TypeParams.List {
			for range field.Names {
				s.write(field.Type)
				s.put(",")
			}
		}
		s.put("]")
	}
	if spec.Assign.IsValid() {
		s.put("=")
	}
	switch t := ast.Unparen(spec.Type).(type) {
	case *ast.StructType:
		s.put("struct")
		f.add("", spec.Name, "type", s, declared)
		f.fields(spec.Name.Name, t.Fields, params)
	case *ast.InterfaceType:
		s.put("interface")
		s.elements(t.Methods)
		f.add("", spec.Name, "type", s, declared)
		f.methods(spec.Name.Name, t.Methods, params)
	default:
		s.write(spec.Type)
		f.add("", spec.Name, "type", s, declared)
	}
}

// fields adds the fields of a struct. An embedded one is named by its type.
func (f *file) fields(of string, list *ast.FieldList, params []*ast.Ident) {
	for _, field := range list.List {
		s := f.signature()
		s.rename(params)
		if len(field.Names) == 0 {
			s.put("embedded")
		}
		s.write(field.Type)
		for _, name := range field.Names {
			f.add(of, name, "field", s, field)
		}
		if name := embeddedName(field.Type); len(field.Names) == 0 && name != nil {
			f.add(of, name, "field", s, field)
			f.found[len(f.found)-1].Exported = true // what it promotes may be
		}
	}
}

func embeddedName(of ast.Expr) *ast.Ident {
	switch t := ast.Unparen(of).(type) {
	case *ast.StarExpr:
		return embeddedName(t.X)
	case *ast.IndexExpr:
		return embeddedName(t.X)
	case *ast.IndexListExpr:
		return embeddedName(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.Ident:
		return t
	}
	return nil
}

// methods adds the methods of an interface.
func (f *file) methods(of string, list *ast.FieldList, params []*ast.Ident) {
	for _, field := range list.List {
		for _, name := range field.Names {
			if t, ok := field.Type.(*ast.FuncType); ok {
				s := f.signature()
				s.rename(params)
				s.function(t)
				f.add(of, name, "method", s, field)
			}
		}
	}
}

// importsOf returns the paths of imports by the names that they have in the file.
func importsOf(parsed *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range parsed.Imports {
		imported := strings.Trim(spec.Path.Value, "`\"")
		name := usualName(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = imported
	}
	return imports
}

// usualName returns the name of a package with an import path, as far as the path shows it.
func usualName(imported string) string {
	base := path.Base(imported)
	if version, ok := strings.CutPrefix(base, "v"); ok && version != "" && strings.Trim(version, "0123456789") == "" {
		base = path.Base(path.Dir(imported))
	}
	base, _, _ = strings.Cut(base, ".")
	base = strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go")
	return base[strings.LastIndexByte(base, '-')+1:]
}

package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoExpressionAtStart checks that package variables leave regular expressions to
// lazyregexp: every process would compile them, and few need them.
func TestNoExpressionAtStart(t *testing.T) {
	files := token.NewFileSet()
	for _, dir := range []string{"../cmd", "../internal", "../policies"} {
		err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			parsed, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, declaration := range parsed.Decls {
				variables, ok := declaration.(*ast.GenDecl)
				if !ok || variables.Tok != token.VAR {
					continue
				}
				for _, spec := range variables.Specs {
					for _, value := range spec.(*ast.ValueSpec).Values {
						if compiles(value) {
							t.Errorf("%s: a regular expression is compiled at every start; want lazyregexp.New", files.Position(value.Pos()))
						}
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// compiles reports whether a value is a call of regexp.MustCompile.
func compiles(value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return false
	}
	selected, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := selected.X.(*ast.Ident)
	return ok && pkg.Name == "regexp" && selected.Sel.Name == "MustCompile"
}

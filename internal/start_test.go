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
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl, *ast.FuncLit:
					return false // it runs later
				case *ast.CallExpr:
					if nameOf(n.Fun) == "regexp.MustCompile" {
						t.Errorf("%s: a regular expression is compiled at every start; want lazyregexp.New", files.Position(n.Pos()))
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

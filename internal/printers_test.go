package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// printers are the packages that write to people and programs, and their files that may
// write text as it is, with the reason.
var printers = map[string]map[string]string{
	"internal/report/format": {"github_command.go": "commands of GitHub's runner, which it escapes"},
	"internal/report/html":   {"nodes.go": "the functions through which all text goes"},
	"internal/agents/reply":  {},
	"internal/past/replay":   {"html.go": "the function through which all text goes"},
	"internal/agents/mcp":    {"transport.go": "the message, by plain.JSON"},
	"internal/lsp":           {"wire.go": "the message, by plain.JSON"},
	"cmd/rulecheck/terminal": {"streams.go": "the sink of standard output"},
	"cmd/rulecheck": {
		"hook.go":   "an answer, by plain.JSON",
		"output.go": "files, with what a format wrote",
		"modes.go":  "a schema, by plain.JSON",
		"watch.go":  "a report, with what a format wrote",
	},
}

// owners are the types of escaped text, and the place that may convert other text to them.
var owners = map[string]string{
	"plain.Text": "internal/plain", "markdown.Text": "internal/markdown", "shell.Command": "internal/shell",
	"sarifText": "internal/report/format/sarif_message.go", "Text": "internal/plain internal/markdown", "Command": "internal/shell",
}

// TestPrintersEscape checks that text leaves the program by the functions that escape it:
// no printer writes by itself, and nothing but these functions makes escaped text.
func TestPrintersEscape(t *testing.T) {
	for dir, exceptions := range printers {
		unused := map[string]bool{}
		for file := range exceptions {
			unused[file] = true
		}
		eachCall(t, filepath.Join("..", dir, "*.go"), func(file, name string, call *ast.CallExpr, at token.Position) {
			if !writes(name, call) {
				return
			}
			if base := filepath.Base(file); exceptions[base] == "" {
				t.Errorf("%s: %s writes text as it is; want a function of internal/plain or internal/markdown", at, name)
			} else {
				delete(unused, base)
			}
		})
		for file := range unused {
			t.Errorf("%s/%s needs no exception any more", dir, file)
		}
	}
	for _, pattern := range []string{"../cmd/*/*.go", "*/*.go", "*/*/*.go", "*/*/*/*.go", "*/*/*/*/*.go"} {
		eachCall(t, pattern, func(file, name string, call *ast.CallExpr, at token.Position) {
			owner, ok := owners[name]
			_, constant := call.Args[0].(*ast.BasicLit)
			path := filepath.ToSlash(filepath.Clean(filepath.Join("internal", file)))
			mine := slices.ContainsFunc(strings.Fields(owner), func(o string) bool { return strings.HasPrefix(path, o) })
			if ok && !constant && !mine {
				t.Errorf("%s: a conversion to %s does not escape; want a function of %s", at, name, owner)
			}
		})
	}
}

// writes reports whether a call may write text as it is. Text in a builder is a string,
// which is not escaped yet.
func writes(name string, call *ast.CallExpr) bool {
	switch name {
	case "g.Text", "g.Raw", "g.Rawf", "g.Textf":
		_, constant := call.Args[0].(*ast.BasicLit)
		asset, ok := call.Args[0].(*ast.SelectorExpr) // parts.style, parts.script
		return !constant && (!ok || asset.X.(*ast.Ident).Name != "parts")
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString", "json.NewEncoder", "tabwriter.NewWriter":
		pointer, ok := call.Args[0].(*ast.UnaryExpr)
		return !ok || pointer.Op != token.AND
	case "fmt.Print", "fmt.Printf", "fmt.Println", "os.Stdout.Write", "os.Stderr.Write":
		return true
	}
	return strings.HasSuffix(name, "out.Write") || strings.HasSuffix(name, "err.Write") || name == "w.Write" || name == "w.WriteString" || strings.HasSuffix(name, ".w.Write")
}

// eachCall calls f for each call with arguments in files that are no tests.
func eachCall(t *testing.T, pattern string, f func(file, name string, call *ast.CallExpr, at token.Position)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 {
				f(file, nameOf(call.Fun), call, set.Position(call.Pos()))
			}
			return true
		})
	}
}

// nameOf returns the name of a function as it is written, such as p.stdout.Write.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return nameOf(e.X) + "." + e.Sel.Name
	}
	return ""
}

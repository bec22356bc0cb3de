package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// extract returns the English of a source file, each text on the line where it begins
// in the file; nil for the kinds of files that vale reads itself.
func extract(path string, source []byte) ([][]byte, error) {
	lines := bytes.Split(source, []byte("\n"))
	switch filepath.Ext(path) {
	case ".go":
		if strings.HasSuffix(path, "_test.go") {
			return nil, nil
		}
		return literals(path, source, len(lines))
	case ".yml", ".yaml":
		return lines, nil
	case ".rego", ".sh", "":
		for i, line := range lines {
			_, comment, _ := bytes.Cut(line, []byte("#"))
			lines[i] = bytes.TrimSpace(comment)
		}
		return lines, nil
	default:
		return nil, nil
	}
}

// literals returns the string literals of several words in a Go file with n lines.
func literals(path string, source []byte, n int) ([][]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	lines := make([][]byte, n)
	ast.Inspect(file, func(node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil || !strings.Contains(text, " ") {
			return true
		}
		first := files.Position(literal.Pos()).Line - 1
		if literal.Value[0] != '`' {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		for i, line := range strings.Split(text, "\n") {
			lines[first+i] = append(lines[first+i], line+" "...)
		}
		return true
	})
	return lines, nil
}

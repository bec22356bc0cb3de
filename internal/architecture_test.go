package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestArchitectureDocument compares the floors in the document with floors.
func TestArchitectureDocument(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	var documented [][]string
	for _, row := range regexp.MustCompile(`(?m)^\| \d+ \| ([^|]+) \|`).FindAllStringSubmatch(string(text), -1) {
		packages := strings.Split(strings.ReplaceAll(row[1], "`", ""), ", ")
		slices.Sort(packages)
		documented = append(documented, packages)
	}
	slices.Reverse(documented) // the document has the top first
	var want [][]string
	for _, packages := range floors {
		want = append(want, slices.Sorted(slices.Values(packages)))
	}
	if diff := cmp.Diff(want, documented); diff != "" {
		t.Errorf("the floors in docs/architecture.md (-want +got):\n%s", diff)
	}
}

// TestDependencyDocument compares the modules in the document with go.mod.
func TestDependencyDocument(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "docs", "decisions", "001-dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join("..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]*[./][^|]*) \|`).FindAllStringSubmatch(string(document), -1) {
		documented = append(documented, strings.Split(row[1], ", ")...)
	}
	var direct []string
	for _, row := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1) {
		module := regexp.MustCompile(`/v\d+$`).ReplaceAllString(row[1], "")
		direct = append(direct, strings.TrimPrefix(module, "github.com/"))
	}
	covers := func(name, module string) bool { return name == module || strings.HasPrefix(name, module+"/") }
	for _, module := range direct {
		if !slices.ContainsFunc(documented, func(name string) bool { return covers(name, module) }) {
			t.Errorf("%s has no row in 001-dependencies.md", module)
		}
	}
	for _, name := range documented {
		if !slices.ContainsFunc(direct, func(module string) bool { return covers(name, module) }) {
			t.Errorf("001-dependencies.md has %s, which is no direct dependency in go.mod", name)
		}
	}
	if len(direct) < 20 {
		t.Errorf("%d direct dependencies; want all of go.mod", len(direct))
	}
}

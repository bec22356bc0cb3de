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

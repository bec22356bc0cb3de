// Package golden compares files with what tests generate: expected outputs in testdata, and
// generated pages or parts of pages. With UPDATE=1 in the environment it rewrites the files
// that differ. make update runs the tests that scripts/update.sh lists.
package golden

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Compare fails the test if the content of a file is not got. With UPDATE=1 it writes the file.
func Compare(tb testing.TB, file, got string) {
	tb.Helper()
	listed(tb)
	content, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tb.Fatal(err)
	}
	if err == nil && string(content) == got {
		return // a file that is not written keeps its time, and go test its cached result
	}
	if os.Getenv("UPDATE") == "" {
		tb.Errorf("%s is stale; run: make update (-want +got):\n%s", file, cmp.Diff(string(content), got))
		return
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// Part compares one part of a page, between the lines <!-- name: … --> and <!-- /name -->.
func Part(tb testing.TB, page, name, got string) {
	tb.Helper()
	content, err := os.ReadFile(page)
	if err != nil {
		tb.Fatal(err)
	}
	text := string(content)
	first := regexp.MustCompile(`<!-- ` + name + `:.*-->\n`).FindStringIndex(text)
	last := strings.Index(text, "<!-- /"+name+" -->")
	if first == nil || last < first[1] {
		tb.Fatalf("%s has no lines <!-- %s: … --> and <!-- /%s -->", page, name, name)
	}
	Compare(tb, page, text[:first[1]]+"\n"+strings.Trim(got, "\n")+"\n\n"+text[last:])
}

// listed fails a test that make update does not run.
func listed(tb testing.TB) {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	root := dir
	for _, err = os.Stat(filepath.Join(root, "go.mod")); err != nil && root != filepath.Dir(root); _, err = os.Stat(filepath.Join(root, "go.mod")) {
		root = filepath.Dir(root)
	}
	script, err := os.ReadFile(filepath.Join(root, "scripts", "update.sh"))
	if err != nil {
		tb.Fatal(err)
	}
	within, err := filepath.Rel(root, dir)
	if err != nil {
		tb.Fatal(err)
	}
	test, _, _ := strings.Cut(tb.Name(), "/")
	row := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(filepath.ToSlash(within)) + ` .*\b` + test + `\b`)
	if !row.Match(script) {
		tb.Errorf("scripts/update.sh does not list %s of %s; want it in its row", test, within)
	}
}

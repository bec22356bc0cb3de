package languages_test

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
)

// TestDeclarationsAreThoseOfPython compares files of the standard library with what Python's
// own parser says; PYTHON_FILES is another directory.
func TestDeclarationsAreThoseOfPython(t *testing.T) {
	dir := os.Getenv("PYTHON_FILES")
	if dir == "" {
		out, err := exec.CommandContext(t.Context(), "python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
		if err != nil {
			t.Skip("no python3")
		}
		dir = strings.TrimSpace(string(out))
	}
	var files []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "site-packages" || d.Name() == "lib2to3") {
			return fs.SkipDir
		}
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".py" {
			files = append(files, path)
		}
		return nil
	})
	if testing.Short() {
		files = files[:min(len(files), 100)]
	}
	command := exec.CommandContext(t.Context(), "python3", "python/testdata/declared.py")
	command.Stdin = strings.NewReader(strings.Join(files, "\n"))
	out, err := command.Output()
	if err != nil {
		t.Skip("python3 cannot run: ", err)
	}
	compared, equal, refused, bytes := 0, 0, 0, 0
	for line := range strings.Lines(string(out)) {
		var want struct {
			File     string
			Declared [][4]any
		}
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(want.File)
		if err != nil || want.Declared == nil {
			continue
		}
		compared++
		bytes += len(text)
		symbols, err := languages.Read(t.Context(), want.File, string(text))
		if err != nil {
			refused++
			t.Log("refused:", err)
			continue
		}
		var got [][4]any
		for _, s := range symbols {
			if s.Kind == "function" || s.Kind == "method" || s.Kind == "class" {
				got = append(got, [4]any{s.Name, s.Exported, float64(s.Line), float64(s.EndLine)})
			}
		}
		order := func(a, b [4]any) int {
			return cmp.Or(cmp.Compare(a[0].(string), b[0].(string)), cmp.Compare(a[2].(float64), b[2].(float64)))
		}
		slices.SortFunc(got, order)
		slices.SortFunc(want.Declared, order)
		if slices.Equal(got, want.Declared) {
			equal++
			continue
		}
		for _, g := range got {
			if !slices.Contains(want.Declared, g) {
				t.Errorf("%s: %v, which Python has not", want.File, g)
			}
		}
		for _, w := range want.Declared {
			if !slices.Contains(got, w) {
				t.Errorf("%s: without %v", want.File, w)
			}
		}
	}
	t.Logf("%d files, %d bytes: %d equal, %d refused", len(files), bytes, equal, refused)
	if equal == 0 || equal+refused != compared || refused*50 > compared {
		t.Errorf("of %d files that Python reads, %d are equal and %d refused", compared, equal, refused)
	}
}

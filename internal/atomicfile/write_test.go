package atomicfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "report.json")
	for _, content := range []string{"first", "second"} {
		if err := atomicfile.Write(file, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != content {
			t.Errorf("the file has %q, %v; want %q", got, err, content)
		}
	}
	if err := atomicfile.Write(filepath.Join(dir, "missing", "file"), nil); err == nil {
		t.Error("a file in a missing directory was written")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the directory has %d entries; want the file alone", len(entries))
	}
}

// TestWriteTo holds that a file has all of the new content, or the old one if writing failed.
func TestWriteTo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "report.json")
	failure := errors.New("no report")
	long := strings.Repeat("x", 1<<20)
	for _, try := range []struct {
		content, want string
		err           error
	}{{long, long, nil}, {"short", "short", nil}, {long, "short", failure}} {
		err := atomicfile.WriteTo(file, func(w io.Writer) error {
			_, err := io.WriteString(w, try.content)
			return errors.Join(err, try.err)
		})
		if !errors.Is(err, try.err) {
			t.Errorf("%v; want %v", err, try.err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != try.want {
			t.Errorf("the file has %d bytes, %v; want %d", len(got), err, len(try.want))
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(file)); len(entries) != 1 {
		t.Errorf("the directory has %d entries; want the file alone", len(entries))
	}
}

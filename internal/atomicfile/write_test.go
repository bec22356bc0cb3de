package atomicfile_test

import (
	"os"
	"path/filepath"
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

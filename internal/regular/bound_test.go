package regular_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/regular"
)

func TestReadAtMost(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := regular.ReadAtMost(file, 5); string(got) != "12345" || err != nil {
		t.Errorf("5 bytes of 5: %q, %v", got, err)
	}
	if _, err := regular.ReadAtMost(file, 4); !errors.Is(err, regular.ErrTooLarge) || !strings.HasSuffix(err.Error(), "want at most 4 bytes") {
		t.Errorf("5 bytes of 4: %v; want ErrTooLarge", err)
	}
	if err := os.Truncate(file, 1<<42); err != nil { // no file system needs the space
		t.Skip(err)
	}
	if _, err := regular.ReadFile(file); !errors.Is(err, regular.ErrTooLarge) || !strings.HasSuffix(err.Error(), "want at most 1 GiB") {
		t.Errorf("4 TiB: %v; want ErrTooLarge", err)
	}
	tree := fstest.MapFS{"f": {Data: []byte("12345")}}
	if got, err := regular.ReadFS(tree, "f", 5); string(got) != "12345" || err != nil {
		t.Errorf("5 bytes of 5 in a file system: %q, %v", got, err)
	}
	if _, err := regular.ReadFS(tree, "f", 4); !errors.Is(err, regular.ErrTooLarge) {
		t.Errorf("5 bytes of 4 in a file system: %v; want ErrTooLarge", err)
	}
}

package read_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff/read"
)

// TestDiskWithTexts reads texts where a file is or could be written, and nowhere else.
func TestDiskWithTexts(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for name, text := range map[string]string{"dir/changed": "on disk", "dir/kept": "on disk", "dir/sub/x": "on disk"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"dir/link": "kept", "other": "dir"} {
		if err := os.Symlink(target, filepath.Join(top, link)); err != nil {
			t.Skip(err)
		}
	}
	text := []byte("typed")
	disk, err := read.OpenDisk(top, map[string][]byte{
		"dir/changed": text, "dir/new": text, "dir/link": text, "dir/sub": text, "none/new": text, "other/changed": text,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	for name, want := range map[string]string{
		"dir/changed": "typed", "dir/kept": "on disk", "dir/new": "typed", "dir/link": "kept", "dir/sub/x": "on disk",
		"dir/sub": "", "none/new": "", "other/changed": "",
	} {
		if got, err := read.File(disk, name, -1); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	if info, err := read.Lstat(disk, "dir/changed"); err != nil || info.Mode() != 0o755 || info.Size() != 5 {
		t.Errorf("%v, %v; want the mode of the file and the size of the text", info, err)
	}
	list, err := disk.ReadDir("dir")
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	if want := []string{"changed", "kept", "link", "new", "sub"}; !slices.Equal(names, want) || err != nil {
		t.Errorf("%q, %v; want %q", names, err, want)
	}
	f, err := disk.Open("dir/new")
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if got, wrong := io.ReadAll(f); string(got) != "typed" || wrong != nil || err != nil || info.Mode() != fs.FileMode(0o644) || info.IsDir() {
		t.Errorf("%q, %v, %v, %v; want a regular file", got, wrong, info, err)
	}
}

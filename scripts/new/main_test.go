package main

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCreate makes one of each kind in a copy of the files with the lists, and then again.
func TestCreate(t *testing.T) {
	for _, quoted := range kinds() {
		kind := strings.Trim(quoted, `"`)
		t.Run(kind, func(t *testing.T) {
			root, before := lists(t, kind)
			todo, err := create(root, kind, "new_part")
			if err != nil {
				t.Fatal(err)
			}
			files := 0
			for file, after := range sources(t, root) {
				if strings.HasSuffix(file, ".go") {
					if formatted, err := format.Source([]byte(after)); err != nil || string(formatted) != after {
						t.Errorf("%s is not formatted: %v\n%s", file, err, after)
					}
				}
				if strings.Contains(after, "NAME") && !strings.Contains(before[file], "NAME") {
					t.Errorf("%s holds a placeholder:\n%s", file, after)
				}
				if after != before[file] {
					files++
				}
				if after != before[file] && !strings.Contains(todo, file) {
					t.Errorf("the message does not name %s:\n%s", file, todo)
				}
			}
			if files == 0 || !strings.Contains(todo, "go test") {
				t.Errorf("%d files; the message is\n%s", files, todo)
			}
			if _, err := create(root, kind, "new_part"); err == nil || !strings.Contains(err.Error(), "exists; want another name") {
				t.Errorf("again: %v", err)
			}
		})
	}
}

func TestCreateRefuses(t *testing.T) {
	for _, test := range []struct{ kind, name, want string }{
		{"", "", `unknown kind ""; want one of "`},
		{"modes", "x", `unknown kind "modes"; want one of "agent", "`},
		{"mode", "", `bad name ""; want lower-case words`},
		{"mode", "Two-Words", `bad name "Two-Words"; want lower-case words`},
		{"mode", "../x", "bad name"},
	} {
		root := t.TempDir()
		if _, err := create(root, test.kind, test.name); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: %v\nwant %s", test.kind, test.name, err, test.want)
		}
		if left := sources(t, root); len(left) > 0 {
			t.Errorf("%s %s wrote %v", test.kind, test.name, left)
		}
	}
	root, before := lists(t, "command")
	if err := os.WriteFile(filepath.Join(root, "cmd/rulecheck/root.go"), []byte("package main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := create(root, "command", "x"); err == nil || !strings.Contains(err.Error(), "root.go has no list that begins with") {
		t.Error(err)
	}
	if left := sources(t, root); len(left) != len(before) {
		t.Errorf("without its list, a command was written: %v", left)
	}
}

// lists copies the files with the lists that a template inserts rows into.
func lists(t *testing.T, kind string) (root string, before map[string]string) {
	t.Helper()
	root = t.TempDir()
	template, err := templates.ReadFile("templates/" + kind + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(template)) {
		file, _, row := strings.Cut(strings.TrimPrefix(line, "-- "), ": ")
		if !strings.HasPrefix(line, "-- ") || !row {
			continue
		}
		content, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, file)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, file), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root, sources(t, root)
}

// sources returns the files below a directory.
func sources(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

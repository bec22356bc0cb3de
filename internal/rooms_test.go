package internal_test

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// maxPrefix is the number of files of a package, without tests, whose names begin with the
// same word and "_".
const maxPrefix = 4

// TestRooms finds files that belong in a package of their common prefix.
func TestRooms(t *testing.T) {
	packages := map[string][]string{}
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			packages[path.Dir(name)] = append(packages[path.Dir(name)], path.Base(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 20 {
		t.Fatalf("found %d packages; want the whole module", len(packages))
	}
	for dir, files := range packages {
		for prefix, list := range prefixes(files) {
			if len(list) > maxPrefix {
				t.Errorf("%s: %d files begin with %s: %s; want a package of that name", dir, len(list), prefix, strings.Join(list, ", "))
			}
		}
	}
}

// prefixes groups the files whose names have a first word, such as "store_" of
// store_read.go.
func prefixes(files []string) map[string][]string {
	groups := map[string][]string{}
	for _, file := range files {
		if words := words(file); len(words) > 1 {
			groups[words[0]+"_"] = append(groups[words[0]+"_"], file)
		}
	}
	return groups
}

// words splits a file name without its platform, as in store_linux.go.
func words(file string) []string {
	words := strings.Split(strings.TrimSuffix(file, ".go"), "_")
	for len(words) > 1 && platform(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return words
}

func platform(word string) bool {
	return slices.Contains([]string{"linux", "darwin", "windows", "unix", "other"}, word)
}

// Command prose extracts English that vale cannot read: the string literals of Go
// files, the comments of Rego files and shell scripts, and YAML. A text of the file
// a/b.go is on its line of DIRECTORY/a/b.go.txt.
//
//	go run ./scripts/prose DIRECTORY PATH...
package main

import (
	"bytes"
	"io/fs"
	"log"
	"os"
	"path/filepath"
)

// quoted is the directory of files whose texts are fixed elsewhere.
const quoted = "internal/agents/workflow/bundled"

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: prose DIRECTORY PATH...")
	}
	texts := os.Args[1]
	for _, path := range os.Args[2:] {
		if err := extractAll(path, texts); err != nil {
			log.Fatalf("prose: %v", err)
		}
	}
}

// extractAll extracts every file at or below root into the directory texts.
func extractAll(root, texts string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "testdata" || filepath.ToSlash(path) == quoted:
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines, err := extract(path, source)
		if err != nil || lines == nil {
			return err
		}
		to := filepath.Join(texts, path+".txt")
		if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
			return err
		}
		return os.WriteFile(to, bytes.Join(lines, []byte("\n")), 0o600)
	})
}

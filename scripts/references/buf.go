package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"
)

// byBuf lists what breaks code or data between two versions of Protocol Buffers, by the program buf.
func byBuf(base, head *txtar.Archive) ([]string, error) {
	dir, err := os.MkdirTemp("", "references")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, archive := range map[string]*txtar.Archive{"base": base, "head": head} {
		if err := written(filepath.Join(dir, name), archive); err != nil {
			return nil, err
		}
	}
	command := exec.Command("buf", "breaking", "head", "--against", "base", "--error-format", "json")
	command.Dir = dir
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	const breaks = 100 // the exit status
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != breaks) {
		return nil, fmt.Errorf("%w: %s%s", err, out, problems.Bytes())
	}
	var changes []string
	for line := range strings.Lines(string(out)) {
		var found struct{ Type, Message string }
		if err := json.Unmarshal([]byte(line), &found); err != nil {
			return nil, err
		}
		if found.Type == "COMPILE" {
			return nil, errors.New(found.Message)
		}
		changes = append(changes, found.Type+": "+found.Message)
	}
	return changes, nil
}

// written writes the files of an archive, as a module of buf.
func written(dir string, archive *txtar.Archive) error {
	root := rootOf(archive)
	files := append(archive.Files, txtar.File{Name: root + "buf.yaml", Data: []byte("version: v2\nbreaking: {use: [PACKAGE]}\n")})
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(f.Name, root)))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// rootOf returns the directory that the imports of files are relative to, with a slash; empty: the top.
func rootOf(archive *txtar.Archive) string {
	for _, f := range archive.Files {
		for _, imported := range imports.FindAllSubmatch(f.Data, -1) {
			for _, other := range archive.Files {
				if root, ok := strings.CutSuffix(other.Name, string(imported[1])); ok && (root == "" || strings.HasSuffix(root, "/")) {
					return root
				}
			}
		}
	}
	return ""
}

var imports = regexp.MustCompile(`(?m)^import (?:public )?"([^"]*)";`)

package program

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Edits returns the lines of a patch, also of files that attributes call binary.
func (s source) Edits(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change) (map[string]diff.Edit, error) {
	var asked, retyped []diff.Change
	for _, c := range list {
		switch {
		case c.Status == diff.TypeChanged && c.Kind != diff.File:
			retyped = append(retyped, c) // git writes no patch from a submodule to a symlink
		case c.Kind == diff.Submodule:
		default:
			asked = append(asked, c)
		}
	}
	patch, err := s.patch(ctx, base, head, asked)
	if err != nil {
		return nil, err
	}
	edits, err := diff.ParseEdits(patch)
	if err != nil || len(retyped) == 0 {
		return edits, err
	}
	var paths []string
	for i := range retyped {
		paths = append(paths, retyped[i].Path)
	}
	now, err := read.Contents(ctx, s, head, paths, -1)
	if err != nil {
		return nil, err
	}
	old, err := read.Contents(ctx, s.Before(base), diff.Head{Kind: diff.Commit, Commit: base.Commit}, paths, -1)
	for _, name := range paths {
		edits[name] = diff.Edit{Added: diff.NumberedLines(now[name]), Removed: diff.NumberedLines(old[name])}
	}
	return edits, err
}

// Sizes returns the length of objects in bytes.
func (s source) Sizes(ctx context.Context, objects []string) (map[string]int64, error) {
	sizes := make(map[string]int64, len(objects))
	_, err := s.repo.Do(ctx, git.Call{
		Args:  []string{"cat-file", "--batch-check=%(objectsize) %(objectname)", "--buffer"},
		Stdin: strings.NewReader(strings.Join(objects, "\n") + "\n"),
		Read: func(r io.Reader) error {
			lines := bufio.NewScanner(r)
			for lines.Scan() {
				length, object, _ := strings.Cut(lines.Text(), " ")
				size, err := strconv.ParseInt(length, 10, 64)
				if err != nil {
					return fmt.Errorf("git cat-file --batch-check: unexpected answer %q; want \"<size> <object>\"", lines.Text())
				}
				sizes[object] = size
			}
			return lines.Err()
		},
	})
	for _, object := range objects {
		if _, ok := sizes[object]; !ok && err == nil {
			return nil, fmt.Errorf("git cat-file --batch-check: no answer for object %s", object)
		}
	}
	return sizes, MissingObject(err)
}

// LFSFiles asks git for the filter of each file. Names are absolute because git resolves
// relative ones from the directory it runs in.
func (s source) LFSFiles(ctx context.Context, paths []string) (map[string]bool, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	byName := make(map[string]string, len(paths))
	var asked strings.Builder
	for _, name := range paths {
		whole := filepath.Join(s.repo.Root, filepath.FromSlash(name))
		byName[whole] = name
		asked.WriteString(whole + "\x00")
	}
	res, err := s.query(ctx, git.Call{
		Args: []string{"check-attr", "-z", "--stdin", "filter"}, Stdin: strings.NewReader(asked.String()),
	})
	if err != nil {
		return nil, err
	}
	const fields = 3 // name, attribute, value
	lfs := map[string]bool{}
	if answers := bytes.Count(res.Stdout, []byte{0}); answers != fields*len(paths) {
		return nil, fmt.Errorf("git check-attr: %d answers; want %d", answers/fields, len(paths))
	}
	for answer := range slices.Chunk(strings.Split(string(res.Stdout), "\x00"), fields) {
		if len(answer) == fields {
			lfs[byName[answer[0]]] = answer[2] == "lfs"
		}
	}
	return lfs, nil
}

package diff

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

	"github.com/rulecheck/rulecheck/internal/git"
)

// Details are, by path, the parts asked for of each of the changes. What a part
// costs is at most one comparison, and a process for the objects of each side.
func (p *Program) Details(ctx context.Context, base Base, head Head, list []Change, parts []Part) (map[string]*Detail, error) {
	return details(ctx, p, base, head, list, parts)
}

// before reads with the objects of a prompt's snapshot, where base is one.
func (p *Program) before(base Base) shelf { return programAt{p, p.reading(base)} }

// programAt is a Program with more in the environment of its processes.
type programAt struct {
	*Program
	env []string
}

func (p programAt) entries(ctx context.Context, head Head, paths []string) ([]entry, error) {
	return p.entriesIn(ctx, p.env, head, paths)
}

func (p programAt) blobs(ctx context.Context, objects []string, limit int64) (map[string][]byte, error) {
	return p.blobsIn(ctx, p.env, objects, limit)
}

// edits are what a patch says, of files that attributes call binary, too.
func (p *Program) edits(ctx context.Context, base Base, head Head, list []Change) (map[string]edit, error) {
	var asked, links []Change
	for _, c := range list {
		switch {
		case c.Kind == Submodule:
		case c.Status == TypeChanged && c.Kind == Symlink:
			links = append(links, c) // git writes no patch from a submodule to a symlink
		default:
			asked = append(asked, c)
		}
	}
	patch, err := p.patch(ctx, base, head, asked, slices.Concat(patchForm, []string{"--text"}))()
	if err != nil {
		return nil, err
	}
	edits, err := parseEdits(patch)
	if err != nil || len(links) == 0 {
		return edits, err
	}
	q := question{from: p, base: base, head: head, list: links}
	now, err := contents(ctx, p, head, q.atHead(), -1)
	if err != nil {
		return nil, err
	}
	old, err := contents(ctx, p.before(base), Head{Kind: Commit, Commit: base.Commit}, q.atBase(), -1)
	for _, c := range links {
		edits[c.Path] = edit{numbered(now[c.Path]), numbered(old[c.Path])}
	}
	return edits, err
}

// parseEdits reads a patch as ParseHunks does, by the name at head or, of a file
// that is gone, at the base.
func parseEdits(patch []byte) (map[string]edit, error) {
	edits := map[string]edit{}
	err := walkPatch(patch, func(before, after string, h hunk, body []byte) error {
		name, err := headName(after)
		if err == nil && name == "" {
			name, err = sideName(before, "a/")
		}
		if err != nil {
			return err
		}
		e := edits[name]
		old, now := h.oldStart, h.start
		for line := range bytes.Lines(body) {
			text := ended(line[1:])
			switch line[0] {
			case '-':
				e.removed = append(e.removed, Line{old, text})
				old++
			case '+':
				e.added = append(e.added, Line{now, text})
				now++
			}
		}
		edits[name] = e
		return nil
	})
	return edits, err
}

// ended is a line without its end.
func ended(line []byte) string {
	return string(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
}

// numbered are the lines of a file.
func numbered(content []byte) []Line {
	var list []Line
	for line := range bytes.Lines(content) {
		list = append(list, Line{len(list) + 1, ended(line)})
	}
	return list
}

func (p *Program) sizes(ctx context.Context, objects []string) (map[string]int64, error) {
	sizes := make(map[string]int64, len(objects))
	_, err := p.repo.Do(ctx, git.Call{
		Args:  []string{"cat-file", "--batch-check=%(objectsize) %(objectname)", "--buffer"},
		Stdin: strings.NewReader(strings.Join(objects, "\n") + "\n"),
		Read: func(r io.Reader) error {
			lines := bufio.NewScanner(r)
			for lines.Scan() {
				length, object, _ := strings.Cut(lines.Text(), " ")
				size, err := strconv.ParseInt(length, 10, 64)
				if err != nil {
					return fmt.Errorf("git cat-file --batch-check: %q is no answer; want \"<size> <object>\"", lines.Text())
				}
				sizes[object] = size
			}
			return lines.Err()
		},
	})
	return sizes, lacking(err)
}

// lfsFiles asks git for the filter of each file. Names are absolute because git
// takes others from the directory it runs in.
func (p *Program) lfsFiles(ctx context.Context, paths []string) (map[string]bool, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	byName := make(map[string]string, len(paths))
	var asked strings.Builder
	for _, name := range paths {
		whole := filepath.Join(p.repo.Root, filepath.FromSlash(name))
		byName[whole] = name
		asked.WriteString(whole + "\x00")
	}
	res, err := p.repo.Do(ctx, git.Call{
		Args: []string{"check-attr", "-z", "--stdin", "filter"}, Stdin: strings.NewReader(asked.String()),
	})
	if err != nil {
		return nil, err
	}
	const fields = 3 // name, attribute, value
	lfs := map[string]bool{}
	for answer := range slices.Chunk(strings.Split(string(res.Stdout), "\x00"), fields) {
		if len(answer) == fields {
			lfs[byName[answer[0]]] = answer[2] == "lfs"
		}
	}
	return lfs, nil
}

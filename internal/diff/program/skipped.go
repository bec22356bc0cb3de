package program

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Skipped lists the files of the index at and below paths that are marked skip-worktree.
// Most indexes cannot have any, and then git is not asked.
func (s source) Skipped(ctx context.Context, paths []string) ([]read.Entry, error) {
	possible, err := s.maySkip()
	if err != nil || !possible {
		return nil, err
	}
	args := []string{"ls-files", "-s", "-t", "-z", "--full-name"}
	out, err := s.query(ctx, git.Call{Args: append(args, pathspecs(paths)...)})
	if err != nil {
		return nil, err
	}
	var list []read.Entry
	for _, line := range splitNames(out.Stdout) {
		head, name, ok := strings.Cut(line, "\t")
		field := strings.Fields(head)
		if !ok || len(field) != 4 {
			return nil, fmt.Errorf("git ls-files -s -t: unexpected answer %q; want \"<tag> <mode> <object> <stage>\", tab, name", line)
		}
		if field[0] == "S" {
			list = append(list, read.Entry{Path: name, Mode: field[1], Object: field[2]})
		}
	}
	return list, nil
}

// maySkip reports whether an entry of the index may be marked skip-worktree: an index of
// version 2 has no room for the mark, unless it is split and has its entries elsewhere.
func (s source) maySkip() (bool, error) {
	f, err := os.Open(s.repo.IndexFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	var header [8]byte // DIRC and the version
	if _, err := io.ReadFull(f, header[:]); err != nil || binary.BigEndian.Uint32(header[4:]) != 2 {
		return true, nil //nolint:nilerr // git reports what is wrong with it
	}
	entries, err := os.ReadDir(s.repo.GitDir)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), "sharedindex.") }), err
}

package program

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// fullIndex keeps git from making an index sparse in memory, for which it writes trees.
var fullIndex = []string{"-c", "index.sparse=false"}

// query runs a process that reads an index or compares commits. If the index is sparse, git
// reads a copy with all files: some versions forget collapsed directories when they are asked
// for paths, and all of them renew the times of objects when they expand the index. If marks in
// the index hide files, git reads a copy without these marks.
func (p *Engine) query(ctx context.Context, c git.Call) (git.Output, error) {
	c.Large = p.largeIndex()
	sparse := p.sparseCheckout()
	if sparse && len(c.Args) > 1 && slices.Equal(c.Args[:2], sparseIndex) {
		return p.repo.Do(ctx, c)
	}
	if sparse {
		c.Args = slices.Concat(fullIndex, c.Args)
	}
	if slices.ContainsFunc(c.Env, func(kv string) bool { return strings.HasPrefix(kv, "GIT_INDEX_FILE=") }) {
		return p.repo.Do(ctx, c)
	}
	if comparesCommits(c.Args) && !sparse {
		return p.repo.Do(ctx, c) // reads no index
	}
	if !p.sparse() {
		out, done, err := p.unlessHiding(ctx, c)
		if done {
			return out, err
		}
	}
	index, err := p.copyOfIndex(ctx, diff.Base{})
	if err != nil {
		return git.Output{}, err
	}
	defer index.remove()
	c.Env = slices.Concat(c.Env, []string{"GIT_INDEX_FILE=" + index.file()})
	return p.repo.Do(ctx, c)
}

// unlessHiding runs a process that is right if no mark in the index hides a file, as nearly always,
// and looks for such marks meanwhile. The answer does not count unless done is true.
func (p *Engine) unlessHiding(ctx context.Context, c git.Call) (out git.Output, done bool, err error) {
	var group conc.WaitGroup
	defer group.Wait()
	hiding := async.Go(&group, func() ([]marked, error) { return p.hiding(ctx) })
	early := c.Read == nil && c.Stdin == nil // which can be used only once
	if early {
		out, err = p.repo.Do(ctx, c)
	}
	if list, failed := hiding(); failed != nil || len(list) > 0 {
		return git.Output{}, failed != nil, failed
	}
	if !early {
		out, err = p.repo.Do(ctx, c)
	}
	return out, true, err
}

// sparseCheckout reports whether the working tree may lack files, among them those with
// attributes, which git then reads from the index.
func (p *Engine) sparseCheckout() bool {
	_, err := os.Stat(filepath.Join(p.repo.GitDir, "info", "sparse-checkout"))
	return err == nil
}

// sparse reports whether the index may be sparse, by the name of the index extension, which
// has no content.
func (p *Engine) sparse() bool {
	if !p.sparseCheckout() {
		return false
	}
	index, err := regular.Open(p.repo.IndexFile)
	if err != nil {
		return false
	}
	defer index.Close()
	info, err := index.Stat()
	if err != nil {
		return false
	}
	tail := make([]byte, min(info.Size(), 128)) // the mark, the extension that git writes after it, and the checksum
	_, err = index.ReadAt(tail, info.Size()-int64(len(tail)))
	return err == nil && bytes.Contains(tail, sparseMark)
}

var sparseMark = []byte("sdir\x00\x00\x00\x00")

// copyFull copies the index, with the files of collapsed directories in their place. The copy
// keeps the time of the original, as in copyIndex.
func (p *Engine) copyFull(ctx context.Context, to string) error {
	from := p.repo.IndexFile
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	index, err := regular.ReadFile(from)
	if err != nil {
		return err
	}
	entries, err := parseEntries(index, p.repo.ObjectFormat)
	if err != nil {
		return fmt.Errorf("index %s: %w", from, err)
	}
	if entries, err = p.expand(ctx, entries); err != nil {
		return err
	}
	if err := os.WriteFile(to, formatEntries(entries, p.repo.ObjectFormat), 0o600); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// expand replaces collapsed directories by their files.
func (p *Engine) expand(ctx context.Context, entries []indexEntry) ([]indexEntry, error) {
	inside, err := p.filesOfTrees(ctx, entries, nil)
	if err != nil {
		return nil, err
	}
	var full []indexEntry
	for _, e := range entries {
		if !e.collapsed() {
			full = append(full, e)
			continue
		}
		if len(inside[e.object()]) == 0 {
			return nil, noAnswer("diff-tree")
		}
		for _, f := range inside[e.object()] {
			f.Path = e.path + f.Path
			entry, err := newEntry(f, flagExtended, flagSkipped) // outside the sparse checkout
			if err != nil {
				return nil, err
			}
			full = append(full, entry)
		}
	}
	return full, nil
}

// indexEntry is an entry of an index, described in gitformat-index(5): its bytes before the
// flags, the flags and the path.
type indexEntry struct {
	fixed    []byte
	flags    uint16
	extended uint16
	path     string
}

// Places in the fixed part of an entry, and flags.
const (
	modePlace    = 24
	objectPlace  = 40
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagSkipped  = 0x4000 // in the second word
	flagIntended = 0x2000 // in the second word
	lengthBits   = 0x0fff
	directory    = 0o040000
)

func (e indexEntry) collapsed() bool {
	return binary.BigEndian.Uint32(e.fixed[modePlace:]) == directory
}

func (e indexEntry) skipped() bool { return e.flags&flagExtended != 0 && e.extended&flagSkipped != 0 }

func (e indexEntry) intended() bool { return e.flags&flagExtended != 0 && e.extended&flagIntended != 0 }

func (e indexEntry) object() string { return hex.EncodeToString(e.fixed[objectPlace:]) }

// newEntry returns an entry without times and sizes, with the flags of both words.
func newEntry(f read.Entry, flags, extended uint16) (indexEntry, error) {
	object, err := hex.DecodeString(f.Object)
	if err != nil {
		return indexEntry{}, fmt.Errorf("object of %q: %w", f.Path, err)
	}
	mode, err := strconv.ParseUint(f.Mode, 8, 32)
	if err != nil {
		return indexEntry{}, fmt.Errorf("mode of %q: %w", f.Path, err)
	}
	e := indexEntry{fixed: append(make([]byte, objectPlace), object...), flags: flags, extended: extended, path: f.Path}
	binary.BigEndian.PutUint32(e.fixed[modePlace:], uint32(mode))
	return e, nil
}

package program

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// The bounds of searches.
const (
	searchedFrom = 1000 // files; reading fewer takes no longer than a search
	maxTexts     = 32   // git looks for each text by itself
	maxSuffixes  = 32   // pathspecs; git compares each name with each
)

// without returns the files that have none of the texts for which they are sought. It leaves
// to the caller every file that git does not search as it is at head, and all of them if
// git reports any problem, so that what cannot be read is noticed where it is read.
func (p *Engine) without(ctx context.Context, head diff.Head, sought []diff.Sought) map[string]bool {
	sought = slices.DeleteFunc(slices.Clone(sought), func(s diff.Sought) bool { return len(s.Paths) < p.SearchedFrom || !searchable(s.Texts) })
	if len(sought) == 0 {
		return nil
	}
	var group conc.WaitGroup
	defer group.Wait()
	known := func() (map[string]bool, error) { return nil, nil }
	if head.Kind == diff.Worktree {
		known = async.Go(&group, func() (map[string]bool, error) { return p.searchedAsTheyAre(ctx) })
	}
	searches := make([]func() ([]string, error), len(sought))
	for i, s := range sought {
		searches[i] = async.Go(&group, func() ([]string, error) { return p.withAny(ctx, head, s) })
	}
	searched, err := known()
	if err != nil {
		return nil
	}
	without := map[string]bool{}
	for i, s := range sought {
		with, err := searches[i]()
		if err != nil {
			continue // all files of the list are read
		}
		for _, name := range s.Paths {
			if head.Kind != diff.Worktree || searched[name] {
				without[name] = true
			}
		}
		for _, name := range with {
			delete(without, name)
		}
	}
	return without
}

// searchable reports whether git finds texts as they are: each is one line to it.
func searchable(texts []string) bool {
	return len(texts) > 0 && len(texts) <= maxTexts && !slices.ContainsFunc(texts, func(text string) bool {
		return text == "" || strings.ContainsAny(text, "\x00\r\n")
	})
}

// withAny lists the files that contain one of the texts, and perhaps others than those sought.
func (p *Engine) withAny(ctx context.Context, head diff.Head, s diff.Sought) ([]string, error) {
	args := append(slices.Clone(grepFiles), "--perl-regexp") // the only patterns that may match NUL
	// A file in UTF-16 may begin with a byte order mark or not.
	for _, bytes := range []string{"\xff\xfe", "\xfe\xff"} {
		args = append(args, "-e", exactly(bytes))
	}
	for _, text := range s.Texts {
		for _, form := range formsOf(text) {
			if form == "" {
				return nil, errBetweenLines
			}
			args = append(args, "-e", exactly(form))
		}
	}
	return p.grepAt(ctx, head, args, suffixSpecs(s.Paths))
}

// errBetweenLines is why git cannot find a text: no byte of it is sure to be in a line.
var errBetweenLines = errors.New("in UTF-16 the text is made of line breaks")

// formsOf returns the bytes of a text as it is and in UTF-16, there the most that are in one line to git.
func formsOf(text string) []string {
	forms := []string{text}
	if !utf8.ValidString(text) { // which no file in UTF-16 has
		return forms
	}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		var form []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			form = order.AppendUint16(form, unit)
		}
		lines := strings.Split(string(form), "\n")
		forms = append(forms, slices.MaxFunc(lines, func(a, b string) int { return len(a) - len(b) }))
	}
	return forms
}

// exactly returns the regular expression that matches bytes.
func exactly(bytes string) string {
	var b strings.Builder
	for i := range len(bytes) {
		fmt.Fprintf(&b, `\x%02x`, bytes[i])
	}
	return b.String()
}

var plainSuffix = lazyregexp.New(`^[A-Za-z0-9._-]+$`)

// suffixSpecs returns pathspecs that match at least the files, by the ends of their names.
func suffixSpecs(names []string) []string {
	ends := map[string]bool{}
	for _, name := range names {
		last := path.Base(name)
		end := path.Ext(last)
		if end == "" {
			end = last
		}
		if ends[end] = true; len(ends) > maxSuffixes || !plainSuffix().MatchString(end) {
			return []string{":/"}
		}
	}
	specs := slices.Sorted(maps.Keys(ends))
	for i, end := range specs {
		specs[i] = ":(top)*" + end
	}
	return specs
}

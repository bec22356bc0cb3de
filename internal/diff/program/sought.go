package program

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

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
	args := slices.Clone(grepExactly)
	// Texts in UTF-16 are not found as they are: the byte order marks list those files.
	for _, text := range append([]string{"\xff\xfe", "\xfe\xff"}, s.Texts...) {
		args = append(args, "-e", text)
	}
	return p.grepAt(ctx, head, args, suffixSpecs(s.Paths))
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

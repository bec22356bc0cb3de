package establish

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/policies"
)

// Found is a file at head with the first of its lines that an expression of a rule matches. It
// does not have the text, which may be a secret.
type Found struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`    // from 1; 0: none
	Pattern string `json:"pattern"` // the first expression that matches, as written; empty: none
}

// maxTogether is the number of files whose contents are in memory at one time.
const maxTogether = 200

// found returns the files that concern the rule and exist at head, by parameter of type
// regexes. A file whose lines cannot be known is an *Error.
func (s *Sources) found(ctx context.Context, of Subject) (map[string][]Found, error) {
	found := map[string][]Found{}
	paths := of.filesAtHead()
	for _, p := range of.Mode.Params {
		if p.Type != policies.Regexes {
			continue
		}
		found[p.Name] = []Found{}
		expressions := of.Texts(p.Name)
		if len(expressions) == 0 || len(paths) == 0 {
			continue
		}
		search, err := content.NewSearch(expressions)
		if err != nil {
			return nil, err
		}
		for part := range slices.Chunk(paths, maxTogether) {
			list, err := s.search(ctx, search, p.Name, part)
			if err != nil {
				return nil, err
			}
			found[p.Name] = append(found[p.Name], list...)
		}
	}
	return found, nil
}

// filesAtHead returns the changed files that concern the rule and exist at head, in byte order;
// none if the change matches its safety.
func (of Subject) filesAtHead() []string {
	if of.Facts.Silenced() {
		return nil
	}
	var paths []string
	for _, matches := range of.Facts.Matches {
		for i := range matches {
			if c := &matches[i].Change; !c.Gone(matches[i].Path) && c.Kind == diff.File {
				paths = append(paths, c.Path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// search looks for a line in each of the files.
func (s *Sources) search(ctx context.Context, by *content.Search, param string, paths []string) ([]Found, error) {
	contents, err := s.contents(ctx, paths)
	if err != nil {
		return nil, err
	}
	var list []Found
	for _, path := range paths {
		text, ok := contents[path]
		wrong := &Error{Param: param, Path: finding.Visible(path), Why: "does not exist any more", Next: "run again"}
		if ok {
			wrong.Why, wrong.Next = unknownText(path, text), excludeIt
		}
		line, expression := 0, ""
		if wrong.Why == "" {
			decoded, _ := charset.Text(text[:min(len(text), diff.ContentLimit)])
			whole := string(decoded)
			if len(text) > diff.ContentLimit { // its last line is cut off
				whole = whole[:strings.LastIndexByte(whole, '\n')+1]
			}
			if line, expression = by.First(whole); line == 0 && len(text) > diff.ContentLimit {
				wrong.Why = fmt.Sprintf("is larger than %d MiB, and no line matches before that", diff.ContentLimit>>20)
			}
		}
		if wrong.Why != "" {
			return nil, wrong
		}
		list = append(list, Found{path, line, expression})
	}
	return list, nil
}

// contents returns the beginnings of files at head. To git, the files that a sparse checkout
// leaves out are as the index has them.
func (s *Sources) contents(ctx context.Context, paths []string) (map[string][]byte, error) {
	contents, err := s.from.Contents(ctx, s.set.Head, paths, diff.ContentLimit+1)
	if err != nil || s.set.Head.Kind != diff.Worktree || len(contents) == len(paths) {
		return contents, err
	}
	absent := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { _, ok := contents[path]; return ok })
	index, err := s.from.Contents(ctx, diff.Head{Kind: diff.Index}, absent, diff.ContentLimit+1)
	maps.Copy(contents, index)
	return contents, err
}

// excludeIt is the advice for a file without text.
const excludeIt = "exclude it"

// unknownText returns why the text of a file is not known, whatever its length; empty if it is.
func unknownText(name string, bytes []byte) string {
	if _, why := diff.TextOf(name, bytes); why != "" && why != diff.UnreadLength {
		return "is " + why.Words() + ", so its content is not known"
	}
	return ""
}

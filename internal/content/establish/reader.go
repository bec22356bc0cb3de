package establish

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Files reads the files at head; every [diff.Engine] does.
type Files interface {
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
	Files(ctx context.Context, head diff.Head) ([]string, error)
	Links(ctx context.Context, head diff.Head, paths []string) (map[string]bool, error)
}

// Reader reads the files of one head for several rules, each once. It is for one goroutine.
type Reader struct {
	source Files
	head   diff.Head

	changed  map[string]bool // by path; nil: any may be
	listed   bool
	all      []string          // at head, in byte order; once listed
	contents map[string][]byte // by path; nil: there is no such file
	links    map[string]bool   // of those
}

// NewReader returns a reader of the files at head.
func NewReader(source Files, head diff.Head) *Reader {
	return &Reader{source: source, head: head, contents: map[string][]byte{}, links: map[string]bool{}}
}

// Of returns the files that a rule names, by parameter of type files, in the order of the
// patterns and then of the names. A file that does not exist is left out, as is one that the
// rule excludes; one that cannot be read, or whose content is no text, is an *Error.
func (r *Reader) Of(ctx context.Context, of *rule.Rule, mode policies.Mode) (map[string][]File, error) {
	found := map[string][]File{}
	for _, p := range mode.Params {
		if p.Type != policies.Files {
			continue
		}
		var files []File
		list, err := r.match(ctx, of.Patterns[p.Name], of.Patterns[rule.Exclude])
		if err == nil {
			files, err = r.read(ctx, list)
		}
		if wrong, ok := errors.AsType[*Error](err); ok {
			wrong.Param = p.Name
		}
		if err != nil {
			return nil, err
		}
		found[p.Name] = files
	}
	return found, nil
}

// candidate is a file that is not read yet, and the pattern that names it.
type candidate struct {
	File

	by *pattern.Pattern
}

// exists reports whether a file matches a pattern. No file is read.
func (r *Reader) exists(ctx context.Context, p *pattern.Pattern) (bool, error) {
	if path, ok := p.FilePath(); ok {
		if content, read := r.contents[path]; read {
			return content != nil, nil
		}
		found, err := r.source.Contents(ctx, r.head, []string{path}, 0)
		_, ok := found[path]
		return ok, err
	}
	names, err := r.names(ctx, p)
	return slices.ContainsFunc(names, func(name string) bool { return matchesAny([]*pattern.Pattern{p}, name) }), err
}

// files returns the files that a pattern matches.
func (r *Reader) files(ctx context.Context, p *pattern.Pattern) ([]File, error) {
	list, err := r.match(ctx, []*pattern.Pattern{p}, nil)
	if err != nil {
		return nil, err
	}
	files, err := r.read(ctx, list)
	if wrong, ok := errors.AsType[*Error](err); ok && wrong.Path != "" {
		wrong.Next = "want a pattern that does not match it"
	}
	return files, err
}

// match lists the files that patterns match, without those that others exclude. A path without
// wildcards is not looked for in the list of all files.
func (r *Reader) match(ctx context.Context, patterns, without []*pattern.Pattern) ([]candidate, error) {
	var list []candidate
	for _, p := range patterns {
		names, err := r.names(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			captures, ok := p.Match(name)
			if !ok || matchesAny(without, name) {
				continue
			}
			if captures == nil {
				captures = pattern.Captures{}
			}
			if len(list) == maxFiles {
				return nil, &Error{Why: fmt.Sprintf("more than %d files", maxFiles), Next: fewer}
			}
			list = append(list, candidate{File{Path: name, Pattern: p.String(), Captures: captures}, p})
		}
	}
	return list, nil
}

// names lists the files that a pattern may match.
func (r *Reader) names(ctx context.Context, p *pattern.Pattern) ([]string, error) {
	if path, ok := p.FilePath(); ok {
		return []string{path}, nil
	}
	if !r.listed {
		all, err := r.source.Files(ctx, r.head)
		if err != nil {
			return nil, err
		}
		r.all, r.listed = all, true
	}
	from, _ := slices.BinarySearch(r.all, p.Prefix())
	to := from
	for to < len(r.all) && strings.HasPrefix(r.all[to], p.Prefix()) {
		to++
	}
	return r.all[from:to], nil
}

// read adds the contents of files, and leaves out those that do not exist.
func (r *Reader) read(ctx context.Context, list []candidate) ([]File, error) {
	var unread []string
	for _, f := range list {
		if _, ok := r.contents[f.Path]; !ok {
			unread = append(unread, f.Path)
		}
	}
	unread = slices.Compact(slices.Sorted(slices.Values(unread)))
	if len(unread) > 0 {
		contents, err := r.source.Contents(ctx, r.head, unread, diff.ContentLimit+1)
		if err != nil {
			return nil, err
		}
		links, err := r.source.Links(ctx, r.head, unread)
		if err != nil {
			return nil, err
		}
		maps.Copy(r.links, links)
		for _, path := range unread {
			r.contents[path] = nil
			if text, ok := contents[path]; ok {
				r.contents[path] = append([]byte{}, text...)
			}
		}
	}
	files := []File{}
	total := 0
	for _, f := range list {
		content := r.contents[f.Path]
		if content == nil {
			continue
		}
		if total += len(content); total > maxBytes {
			return nil, &Error{Why: fmt.Sprintf("its files have more than %d MiB", maxBytes>>20), Next: fewer}
		}
		if err := f.fill(content, r.links[f.Path]); err != nil && (!err.noticed || r.changed == nil || r.changed[f.Path]) {
			return nil, err
		} else if err != nil { // it was so before the change, as a file that is broken on purpose
			f.Content, f.Values, f.Problem = "", []Value{}, err.Path+": "+err.Why
		}
		files = append(files, f.File)
	}
	return files, nil
}

// fill sets the content of a file, and the values of its keys.
func (f *candidate) fill(content []byte, link bool) *Error {
	wrong := &Error{Path: finding.Visible(f.Path), Why: unknownText(f.Path, content), Next: excludeIt}
	if len(content) > diff.ContentLimit {
		wrong.Why = fmt.Sprintf("is larger than %d MiB, so its content is not known", diff.ContentLimit>>20)
	}
	if link {
		wrong.Why, wrong.noticed = "is a symlink, so its content is not known", true
	}
	if wrong.Why != "" {
		return wrong
	}
	text, _ := charset.Text(content)
	f.Content = Content(text)
	if f.by.PartKind() != pattern.Keys {
		return nil
	}
	format, _ := keys.FormatOf(f.Path)
	f.Format = format.Name
	d, err := keys.Parse(f.Path, string(f.Content))
	if place, ok := errors.AsType[*part.Error](err); ok {
		wrong.Path = fmt.Sprintf("%s:%d:%d", wrong.Path, place.Line, place.Column)
		wrong.Why, wrong.Next = place.Message, "fix the file, or exclude it"
		wrong.noticed = true
		return wrong
	}
	f.Values = []Value{}
	ofKey := f.by.Parts(f.Captures)
	for _, v := range d.Values(func(pointer string) bool { _, ok := ofKey.Match(pointer); return ok }) {
		captures, _ := ofKey.Match(v.Pointer)
		f.Values = append(f.Values, Value{v, captures.Plain()})
	}
	return nil
}

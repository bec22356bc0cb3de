package correspondence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// ReadKeys limits the matches of patterns of keys to files in which such a key changed. Files
// are read only for active rules that would be triggered if it had: first those that may
// trigger a rule, then those that are expected of a rule that is triggered. Of rules that ask
// whether a key exists, it reads the expected files of files, all at head. It returns errors
// by the index of rules, which could not be checked.
func (m *Matched) ReadKeys(ctx context.Context, from Detailer, c diff.Changeset, files []string, active func(int) bool) map[int]error {
	failed := map[int]error{}
	asking := slices.Clone(m.keyed)
	asking = slices.DeleteFunc(asking, func(i int) bool { return !active(i) || !m.concerns(i) || m.silenced(i) })
	if len(asking) == 0 {
		return failed
	}
	r := &keyReader{from: from, changeset: c, names: m.names, changed: map[int]*keyChanges{}}
	for _, stage := range []func(policies.Param) bool{canTrigger, func(p policies.Param) bool { return !canTrigger(p) }} {
		var steps []step
		for _, i := range asking {
			if failed[i] == nil {
				steps = append(steps, m.steps(i, stage)...)
			}
		}
		r.read(ctx, steps)
		for _, s := range steps {
			if err := s.limit(r); err != nil && failed[s.rule] == nil {
				failed[s.rule] = err
			}
		}
	}
	m.readExpected(ctx, from, c.Head, files, asking, failed)
	return failed
}

// hasKeys reports whether a pattern of the rule is of keys.
func hasKeys(r *rule.Rule) bool {
	for _, patterns := range r.Patterns {
		for _, p := range patterns {
			if p.HasKey() {
				return true
			}
		}
	}
	return false
}

// silenced reports whether the change matches the rule's safety.
func (m *Matched) silenced(i int) bool {
	return slices.ContainsFunc(m.hits[i][rule.Safety], func(hits []hit) bool { return len(hits) > 0 })
}

// step is one pattern of keys whose matches are to be limited.
type step struct {
	*factBuilder

	rule  int
	param string
	at    int
	asked func(name int) bool // the file may matter
}

// steps returns the steps of a rule for the parameters of a stage; none if nothing triggers
// the rule.
func (m *Matched) steps(i int, stage func(policies.Param) bool) []step {
	f := m.builder(i)
	mode := m.modes.Of(f.rule.Mode)
	if !mode.Project && !f.triggered(mode) {
		return nil
	}
	var steps []step
	for _, p := range mode.Params {
		if !stage(p) {
			continue
		}
		for at, each := range f.rule.Patterns[p.Name] {
			if each.HasKey() {
				// An excluded file triggers nothing, and may still be what a set expects.
				asked := func(name int) bool { return p.Captures != "" || !f.isExcluded(name) }
				steps = append(steps, step{f, i, p.Name, at, asked})
			}
		}
	}
	return steps
}

// triggered reports whether a match may trigger the rule.
func (f *factBuilder) triggered(mode policies.Mode) bool {
	for i := range mode.Params {
		if !canTrigger(mode.Params[i]) {
			continue
		}
		for at, hits := range f.hits[mode.Params[i].Name] {
			p := f.rule.Patterns[mode.Params[i].Name][at]
			if slices.ContainsFunc(hits, func(h hit) bool { return f.mayTrigger(p, h) }) {
				return true
			}
		}
	}
	return false
}

// maxCaptured limits the changed keys that one pattern captures: each is a separate
// correspondence.
const maxCaptured = 10_000

// limit replaces the matches of files by those of their changed keys.
func (s step) limit(r *keyReader) error {
	p := s.factBuilder.rule.Patterns[s.param][s.at]
	var hits []hit
	for _, h := range s.hits[s.param][s.at] {
		if !s.asked(h.name) {
			continue
		}
		changed := r.changed[r.names[h.name].change]
		if changed.err != nil {
			return changed.err
		}
		first, ofKey := len(hits), p.Keys(h.captures)
		for i := range changed.list {
			key := &changed.list[i]
			captures, ok := ofKey.Match(key.Pointer)
			if !ok {
				continue
			}
			if last := len(hits) - 1; last >= first && strings.HasPrefix(key.Pointer, hits[last].key.Pointer+"/") {
				hits[last].outer = true
			}
			hits = append(hits, hit{name: h.name, captures: captures, key: key})
		}
		if p.CapturesKeys() && len(hits) > maxCaptured {
			return fmt.Errorf("%s: %q captures more than %d changed keys; want a pattern of fewer keys", finding.Visible(r.names[h.name].path), p, maxCaptured)
		}
	}
	s.hits[s.param][s.at] = hits
	return nil
}

// keyReader finds the changed keys of files, once for all rules.
type keyReader struct {
	from      Detailer
	changeset diff.Changeset
	names     []name
	changed   map[int]*keyChanges // by the index of the change
}

// keyChanges are the changed keys of one file.
type keyChanges struct {
	list []keys.Change
	err  error
}

// read reads the files that steps match, with one query.
func (r *keyReader) read(ctx context.Context, steps []step) {
	var wanted []int
	var list []diff.Change
	for _, s := range steps {
		for _, h := range s.hits[s.param][s.at] {
			at := r.names[h.name].change
			if s.asked(h.name) && r.changed[at] == nil {
				r.changed[at] = &keyChanges{}
				wanted, list = append(wanted, at), append(list, r.changeset.Changes[at])
			}
		}
	}
	if len(wanted) == 0 {
		return
	}
	details, err := r.from.Details(ctx, r.changeset.Base, r.changeset.Head, list, []diff.Part{diff.PartContent})
	for i, at := range wanted {
		result := r.changed[at]
		if result.err = err; err == nil {
			result.list, result.err = changedKeys(list[i], details[list[i].Path])
		}
	}
}

// changedKeys compares the keys of a file at base and at head; of a renamed file, with those
// under its old name.
func changedKeys(c diff.Change, d *diff.Detail) ([]keys.Change, error) {
	if c.Kind != diff.File {
		return nil, fmt.Errorf("%s: is a %s; want a file with keys, or exclude it", finding.Visible(c.Path), c.Kind)
	}
	if d == nil || d.Content == nil {
		return nil, fmt.Errorf("%s: its content is not known", finding.Visible(c.Path))
	}
	oldPath := c.Names()[0]
	_, before := keys.FormatOf(oldPath)
	_, after := keys.FormatOf(c.Path)
	if !before && !after {
		return nil, fmt.Errorf("%s: no format has this name; want %s", finding.Visible(c.Path), keys.Names())
	}
	var base, head keys.Document
	var err error
	if before && c.Status != diff.Added {
		if base, err = parse(oldPath, "the base", d.Content.Base); err != nil {
			return nil, err
		}
	}
	if after && c.Status != diff.Deleted {
		if head, err = parse(c.Path, "head", d.Content.Head); err != nil {
			return nil, err
		}
	}
	changed, err := keys.Changed(base, head)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", finding.Visible(c.Path), err)
	}
	return changed, nil
}

// parse reads the keys of a file on one side of the change.
func parse(path, side string, content *string) (keys.Document, error) {
	path = finding.Visible(path)
	switch {
	case content == nil:
		return keys.Document{}, fmt.Errorf("%s: at %s it is in a binary format, or larger than %d MiB, so its keys are not known; exclude it", path, side, diff.ContentLimit>>20)
	case diff.IsLFSPointer([]byte(*content)):
		return keys.Document{}, fmt.Errorf("%s: at %s it is in Git LFS, so its keys are not known; exclude it", path, side)
	}
	d, err := keys.Parse(path, *content)
	if wrong, ok := errors.AsType[*keys.Error](err); ok {
		return d, fmt.Errorf("%s:%d:%d: at %s, %s; fix the file, or exclude it", path, wrong.Line, wrong.Column, side, wrong.Message)
	}
	return d, err
}

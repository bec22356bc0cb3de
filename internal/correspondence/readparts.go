package correspondence

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// ReadParts limits the matches of patterns of parts to files in which such a part changed. Files
// are read only for active rules that would be triggered if it had: first those that may
// trigger a rule, then those that are expected of a rule that is triggered. Of rules that ask
// whether a part exists, it reads the expected files of files, all at head. It returns errors
// by the index of rules, which could not be checked.
func (m *Matched) ReadParts(ctx context.Context, from Detailer, c diff.Changeset, files []string, active func(int) bool) map[int]error {
	failed := map[int]error{}
	asking := slices.Clone(m.parted)
	asking = slices.DeleteFunc(asking, func(i int) bool { return !active(i) || !m.concerns(i) || m.silenced(i) })
	if len(asking) == 0 {
		return failed
	}
	r := &partReader{from: from, changeset: c, names: m.names, files: map[inChange]*inside.Both{}}
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

// hasParts reports whether a pattern of the rule is of parts.
func hasParts(r *rule.Rule) bool {
	for _, patterns := range r.Patterns {
		for _, p := range patterns {
			if p.HasPart() {
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

// step is one pattern of parts whose matches are to be limited.
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
			if each.HasPart() {
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

// maxCaptured limits the changed parts that one pattern captures: each is a separate
// correspondence.
const maxCaptured = 10_000

// limit replaces the matches of files by those of their changed parts.
func (s step) limit(r *partReader) error {
	p := s.pattern()
	changed, err := s.changed(r)
	if err != nil {
		return err
	}
	var hits []hit
	for _, h := range s.hits[s.param][s.at] {
		if !s.asked(h.name) {
			continue
		}
		first, parts := len(hits), p.Parts(h.captures)
		list := changed[r.names[h.name].change]
		for i := range list {
			each := &list[i]
			captures, ok := inside.Match(parts, each)
			if !ok {
				continue
			}
			if last := len(hits) - 1; last >= first && each.Within(hits[last].part) {
				hits[last].outer = true
			}
			hits = append(hits, hit{name: h.name, captures: captures, part: each})
		}
		if p.PartKind() != pattern.Keys { // which are in the order of the file
			slices.SortStableFunc(hits[first:], func(a, b hit) int { return comparePlaces(a.part, b.part) })
		}
		if p.CapturesPart() && len(hits) > maxCaptured {
			return fmt.Errorf("%s: %q captures more than %d changed %s; want a pattern of fewer", finding.Visible(r.names[h.name].path), p, maxCaptured, inside.Of(p.PartKind()).What)
		}
	}
	s.hits[s.param][s.at] = hits
	return nil
}

// changed returns the parts that changed in the files that matter to a step, by the index of the
// change.
func (s step) changed(r *partReader) (map[int][]part.Change, error) {
	kind := s.pattern().PartKind()
	at := map[int]int{}
	var files []inside.Both
	for _, h := range s.hits[s.param][s.at] {
		change := r.names[h.name].change
		if _, known := at[change]; known || !s.asked(h.name) {
			continue
		}
		file := r.files[inChange{kind, change}]
		if file.Err != nil {
			return nil, file.Err
		}
		at[change] = len(files)
		files = append(files, *file)
	}
	files = inside.Of(kind).Joined(files)
	changed := make(map[int][]part.Change, len(at))
	for change, i := range at {
		changed[change] = files[i].Changed
	}
	return changed, nil
}

// pattern returns the pattern of the step.
func (s step) pattern() *pattern.Pattern { return s.factBuilder.rule.Patterns[s.param][s.at] }

// inChange names the parts of one kind in a change, by its index.
type inChange struct {
	kind   pattern.Kind
	change int
}

// partReader finds the changed parts of files, once for all rules.
type partReader struct {
	from      Detailer
	changeset diff.Changeset
	names     []name
	files     map[inChange]*inside.Both
}

// read reads the files that steps match, with one query, and parses several at a time.
func (r *partReader) read(ctx context.Context, steps []step) {
	var wanted []inChange
	list := map[int]diff.Change{}
	for _, s := range steps {
		for _, h := range s.hits[s.param][s.at] {
			at := inChange{s.pattern().PartKind(), r.names[h.name].change}
			if s.asked(h.name) && r.files[at] == nil {
				r.files[at] = &inside.Both{}
				wanted, list[at.change] = append(wanted, at), r.changeset.Changes[at.change]
			}
		}
	}
	if len(wanted) == 0 {
		return
	}
	asked := make([]diff.Change, 0, len(list))
	for _, at := range slices.Sorted(maps.Keys(list)) {
		asked = append(asked, list[at])
	}
	byKind := map[pattern.Kind][]inChange{}
	changes := map[pattern.Kind][]diff.Change{}
	for _, at := range wanted {
		byKind[at.kind], changes[at.kind] = append(byKind[at.kind], at), append(changes[at.kind], list[at.change])
	}
	for kind := range byKind {
		inside.Of(kind).Open(changes[kind])
	}
	details, err := r.from.Details(ctx, r.changeset.Base, r.changeset.Head, asked, []diff.Part{diff.PartContent})
	for kind, all := range byKind {
		read := make([]inside.Both, len(all))
		if err == nil {
			read = inside.Of(kind).Both(ctx, changes[kind], details)
		}
		for i := range read {
			read[i].Err = cmp.Or(err, read[i].Err)
			r.files[all[i]] = &read[i]
		}
	}
}

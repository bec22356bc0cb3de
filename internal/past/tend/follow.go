package tend

import (
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// unit is a commit of the main line with the names that it took away.
type unit struct {
	diff.Unit

	gone []string // in the order of the changes
}

// past is the main line up to a commit, newest first, and what was asked about it.
type past struct {
	engine diff.Engine
	units  []unit // newest first
	files  map[string]*pattern.Paths
	list   map[string][]string // files by commit
	moves  map[string][]diff.Change
}

func newPast(engine diff.Engine) *past {
	return &past{engine: engine, files: map[string]*pattern.Paths{}, list: map[string][]string{}, moves: map[string][]diff.Change{}}
}

// add adds an older unit.
func (p *past) add(u diff.Unit) {
	gone := diff.GoneNames(u.Changes)
	each := unit{Unit: u}
	for i := range u.Changes {
		for _, name := range u.Changes[i].Names() {
			if gone[name] && u.Changes[i].Gone(name) {
				each.gone = append(each.gone, name)
			}
		}
	}
	p.units = append(p.units, each)
}

// newer reports whether a commit is that of a unit before an index.
func (p *past) newer(commit string, at int) bool {
	return slices.ContainsFunc(p.units[:at], func(u unit) bool { return u.Commit == commit })
}

// matching returns the files of a commit that a pattern matches.
func (p *past) matching(ctx context.Context, commit string, of *pattern.Pattern) ([]string, error) {
	if p.files[commit] == nil {
		names, err := p.engine.Files(ctx, diff.Head{Kind: diff.Commit, Ref: commit, Commit: commit})
		if err != nil {
			return nil, err
		}
		p.list[commit], p.files[commit] = names, pattern.NewPaths(names)
	}
	var found []string
	for i := range p.files[commit].Match(of) {
		found = append(found, p.list[commit][i])
	}
	return found, nil
}

// changes returns what a unit changed, with the renames that a check finds.
func (p *past) changes(ctx context.Context, u unit) ([]diff.Change, error) {
	if known, ok := p.moves[u.Commit]; ok {
		return known, nil
	}
	set, err := p.engine.Changes(ctx, diff.Base{ID: diff.From, Commit: u.Base()}, diff.Head{Kind: diff.Commit, Ref: u.Commit, Commit: u.Commit})
	if err != nil {
		return nil, err
	}
	p.moves[u.Commit] = set.Changes
	return set.Changes, nil
}

// step is one move of the files of a pattern.
type step struct {
	source string // the pattern afterwards; empty if none follows
	text   string // what happened to the files
	at     unit
}

// maxSteps bounds how often the files of one pattern moved.
const maxSteps = 20

// follow returns the moves of the files of a pattern that matches none at the newest unit: its
// last step leads to where they are. There are none if they never existed here.
func (p *past) follow(ctx context.Context, of *rule.Rule, source string) (steps []step, err error) {
	newest, newer := p.units[0].Commit, len(p.units)
	for len(steps) < maxSteps {
		current, ok := compile(of, source)
		if !ok {
			return nil, nil
		}
		if found, err := p.matching(ctx, newest, current); err != nil || len(found) > 0 {
			return steps, err
		}
		i := slices.IndexFunc(p.units[:newer], func(u unit) bool { return slices.ContainsFunc(u.gone, matches(current)) })
		if i < 0 {
			return steps, nil
		}
		s, err := p.step(ctx, of, source, current, p.units[i])
		if err != nil {
			return nil, err
		}
		if steps = append(steps, s); s.source == "" {
			return steps, nil
		}
		source, newer = s.source, i
	}
	return steps, nil
}

func matches(p *pattern.Pattern) func(string) bool {
	return func(name string) bool { _, ok := p.Match(name); return ok }
}

// compile compiles a pattern of a rule as its file has it.
func compile(of *rule.Rule, source string) (*pattern.Pattern, bool) {
	p, err := pattern.CompilePart(source)
	if err == nil && of.Below != "" {
		p, err = p.Under(of.Below)
	}
	if err != nil {
		return nil, false
	}
	return p.Outside(rule.OwnDirectory), true
}

// step returns what a unit did with the last files of a pattern, and the pattern that matches
// precisely the files that they were renamed to.
func (p *past) step(ctx context.Context, of *rule.Rule, source string, current *pattern.Pattern, u unit) (step, error) {
	s := step{at: u}
	changes, err := p.changes(ctx, u)
	if err != nil {
		return s, err
	}
	to := diff.Renames(changes)
	var ends []finding.Gone
	var moves [][2]string
	below := ""
	if of.Below != "" {
		below = of.Below + "/"
	}
	inside := true
	for _, name := range u.gone {
		if !matches(current)(name) {
			continue
		}
		ends = append(ends, finding.Gone{Path: name, To: to[name], Commit: u.Commit})
		inside = inside && strings.HasPrefix(to[name], below)
		moves = append(moves, [2]string{strings.TrimPrefix(name, below), strings.TrimPrefix(to[name], below)})
	}
	s.text = finding.GoneText(ends)
	var want []string
	for _, end := range ends {
		if end.To == "" || !inside {
			return s, nil
		}
		want = append(want, end.To)
	}
	slices.Sort(want)
	path, key := source, ""
	if at := pattern.PartAt(source); at >= 0 {
		path, key = source[:at], source[at:]
	}
	for _, next := range successors(path, moves) {
		candidate, ok := compile(of, next+key)
		if !ok || !sameCaptures(candidate, current) {
			continue
		}
		found, err := p.matching(ctx, u.Commit, candidate)
		if err != nil {
			return s, err
		}
		if slices.Equal(found, want) {
			s.source = next + key
			break
		}
	}
	return s, nil
}

func sameCaptures(a, b *pattern.Pattern) bool { return slices.Equal(a.Variables(), b.Variables()) }

// successors returns patterns that may match the new names of the files of a pattern, the best
// first: the new name; another directory, or another part of the path; another ending.
func successors(path string, moves [][2]string) []string {
	if p, err := pattern.Compile(path); err != nil {
		return nil
	} else if _, literal := p.FilePath(); literal {
		return []string{escape(moves[0][1])}
	}
	var list []string
	from, to, ok := differing(moves)
	if ok && from == "" {
		list = append(list, escape(to)+"/"+path)
	}
	if ok && from != "" {
		segments, run := strings.Split(path, "/"), strings.Split(escape(from), "/")
		for i := 0; i+len(run) <= len(segments); i++ {
			if slices.Equal(segments[i:i+len(run)], run) {
				var by []string
				if to != "" {
					by = strings.Split(escape(to), "/")
				}
				list = append(list, strings.Join(slices.Concat(segments[:i], by, segments[i+len(run):]), "/"))
			}
		}
	}
	if before, after, ok := endings(moves); ok && strings.HasSuffix(path, escape(before)) {
		list = append(list, strings.TrimSuffix(path, escape(before))+escape(after))
	}
	return list
}

// differing returns the segments between those at the beginning and the end that the old and the
// new name of a file share; it is not ok unless they are the same for all files.
func differing(moves [][2]string) (from, to string, ok bool) {
	for i, m := range moves {
		a, b := strings.Split(m[0], "/"), strings.Split(m[1], "/")
		end := 0
		for end < min(len(a), len(b)) && a[len(a)-1-end] == b[len(b)-1-end] {
			end++
		}
		a, b = a[:len(a)-end], b[:len(b)-end]
		begin := 0
		for begin < min(len(a), len(b)) && a[begin] == b[begin] {
			begin++
		}
		before, after := strings.Join(a[begin:], "/"), strings.Join(b[begin:], "/")
		if before == "" && begin > 0 { // a directory more: name the one before
			before, after = a[begin-1], strings.Join(b[begin-1:], "/")
		}
		if i > 0 && (before != from || after != to) {
			return "", "", false
		}
		from, to = before, after
	}
	return from, to, true
}

// endings returns the endings by which all old and new names differ.
func endings(moves [][2]string) (before, after string, ok bool) {
	for i, m := range moves {
		n := 0
		for n < min(len(m[0]), len(m[1])) && m[0][n] == m[1][n] {
			n++
		}
		dot := strings.LastIndexByte(m[0][:min(n+1, len(m[0]))], '.')
		if dot < 0 || dot >= len(m[1]) || m[0][:dot] != m[1][:dot] {
			return "", "", false
		}
		if i > 0 && (m[0][dot:] != before || m[1][dot:] != after) {
			return "", "", false
		}
		before, after = m[0][dot:], m[1][dot:]
	}
	return before, after, true
}

// escape returns the pattern that matches exactly a path.
func escape(path string) string { return strings.ReplaceAll(pattern.Escape(path), "#", `\#`) }

// describe returns the reason of an edit that follows steps.
func describe(steps []step) string {
	parts := make([]string, 0, len(steps))
	for _, s := range steps {
		parts = append(parts, s.text)
	}
	return strings.Join(parts, ", then ")
}

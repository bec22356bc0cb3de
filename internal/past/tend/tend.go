// Package tend edits rule files by what the past shows: patterns follow the files that were
// renamed, a rule that commits stop following goes down a level and then rests, and one that
// they follow again comes back. The result depends on the commits alone.
package tend

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// Commits is how many commits of the main line are looked at, the newest ones.
const Commits = 5000

// In a row, the newest cases in which a rule fired until it goes down, or held until it comes back.
const (
	missesDown = 3
	heldBack   = 30
)

// resting begins the comment at "enabled: false" of a rule that rests.
const resting = "rests since "

// Edit is the new text of one rule file, and why.
type Edit struct {
	File          string
	Before, After []byte
	Reasons       []string
}

// Result holds what the past shows about the rules of a repository.
type Result struct {
	Edits   []Edit   // in byte order of their files
	Notices []string // what the past shows and no edit can fix
}

// file is one rule file.
type file struct {
	name, below string
	read        []byte // the file before edits
	source      []byte
	rule        *rule.Rule
	committed   bool // HEAD has the same text
	since       int  // index of the newest unit that changed the file, from which on cases do not count; -1: none did
	reasons     []string
	notices     []string
}

// tending is the rule files with the past that they are compared with.
type tending struct {
	modes policies.Modes
	files []*file
	past  *past
}

// Find returns the edits of the rule files of the working tree that the past up to HEAD shows.
func Find(ctx context.Context, engine diff.Engine, repo *git.Repo, project *setup.Project, o check.Options) (*Result, error) {
	if repo == nil {
		return nil, diff.NeedsGit("the past")
	}
	if repo.Head == "" {
		return nil, &diff.NoVerdictError{Reason: "there are no commits yet", Fix: "git commit"}
	}
	t, err := read(project)
	if err != nil || len(t.files) == 0 {
		return &Result{}, err
	}
	t.past = newPast(engine)
	for u, err := range history.Units(ctx, repo, history.Range{To: repo.Head, Max: Commits, ExactRenames: true}) {
		if err != nil {
			return nil, err
		}
		t.past.add(u)
		t.touch(u, len(t.past.units)-1)
	}
	if err := t.compare(ctx, engine, repo.Head); err != nil {
		return nil, err
	}
	if err := t.followAll(ctx, func(*pattern.Pattern) bool { return true }); err != nil {
		return nil, err
	}
	cases, err := t.cases(ctx, engine, repo, project.Config, o)
	if err != nil {
		return nil, err
	}
	for _, f := range t.files {
		if f.committed && len(f.reasons) == 0 {
			f.health(t, cases[f.rule.ID])
		}
	}
	return t.result(), nil
}

// read reads the rule files of the repository.
func read(project *setup.Project) (*tending, error) {
	t := &tending{modes: project.Modes}
	for _, r := range project.Rules {
		if r.Tier != rule.ProjectTier || path.Ext(r.File) != ".md" || !project.Modes.Of(r.Mode).Change() {
			continue
		}
		source, err := project.Source(r.File)
		if err != nil {
			return nil, err
		}
		t.files = append(t.files, &file{name: r.File, below: r.Below, read: source, source: source, rule: r, since: -1})
	}
	return t, nil
}

// touch records the newest unit that changed a rule file.
func (t *tending) touch(u diff.Unit, at int) {
	for i := range u.Changes {
		for _, f := range t.files {
			if f.since < 0 && u.Changes[i].Path == f.name {
				f.since = at
			}
		}
	}
}

// compare finds out which files are as HEAD has them.
func (t *tending) compare(ctx context.Context, engine diff.Engine, head string) error {
	names := make([]string, 0, len(t.files))
	for _, f := range t.files {
		names = append(names, f.name)
	}
	slices.Sort(names)
	committed, err := engine.Contents(ctx, diff.Head{Kind: diff.Commit, Ref: head, Commit: head}, names, -1)
	if err != nil {
		return err
	}
	for _, f := range t.files {
		text, ok := committed[f.name]
		f.committed = ok && bytes.Equal(text, f.source)
	}
	return nil
}

// followAll has the patterns that match no file follow their files.
func (t *tending) followAll(ctx context.Context, lost func(*pattern.Pattern) bool) error {
	for _, f := range t.files {
		for param, patterns := range f.rule.Patterns {
			for i, p := range patterns {
				if i >= len(f.rule.PatternAt[param]) || !lost(p) {
					continue
				}
				if err := t.follow(ctx, f, param, i); err != nil {
					return err
				}
			}
		}
		slices.Sort(f.reasons)
		slices.Sort(f.notices)
	}
	return nil
}

// sourceOf returns a pattern as the file has it.
func (f *file) sourceOf(p *pattern.Pattern) string {
	if f.below == "" {
		return p.String()
	}
	for _, dir := range []string{escape(f.below), strings.ReplaceAll(escape(f.below), `\#`, "#")} {
		if source, ok := strings.CutPrefix(p.String(), dir+"/"); ok {
			return source
		}
	}
	return p.String()
}

func (t *tending) follow(ctx context.Context, f *file, param string, at int) error {
	source := f.sourceOf(f.rule.Patterns[param][at])
	steps, err := t.past.follow(ctx, f.rule, source)
	if err != nil || len(steps) == 0 {
		return err
	}
	last := steps[len(steps)-1]
	if last.source == "" {
		if param != rule.Exclude && param != rule.Safety {
			f.notices = append(f.notices, fmt.Sprintf("%s:%d: %q matches no file, and no other pattern follows from the past: %s",
				f.name, f.rule.PatternAt[param][at].Line, finding.Visible(source), describe(steps)))
		}
		return nil
	}
	place := f.rule.PatternAt[param][at]
	ok := f.edit(t.modes, func(x *text) bool { return x.replace(place, source, last.source) }, func(now *rule.Rule) bool {
		p, _ := compile(f.rule, last.source)
		return len(now.Patterns[param]) > at && f.placed(now.Patterns[param][at]) == p.String()
	})
	if ok {
		f.reasons = append(f.reasons, fmt.Sprintf("%s: %q → %q: %s", param, finding.Visible(source), finding.Visible(last.source), describe(steps)))
	} else {
		f.notices = append(f.notices, fmt.Sprintf("%s:%d: cannot be edited here; want %q: %s", f.name, place.Line, finding.Visible(last.source), describe(steps)))
	}
	return nil
}

// placed returns a pattern of a file as it matches in the repository.
func (f *file) placed(p *pattern.Pattern) string {
	if f.below == "" {
		return p.String()
	}
	under, err := p.Under(f.below)
	if err != nil {
		return ""
	}
	return under.String()
}

// edit changes the text if the rule is still one, is the same apart from what changed, and
// changed as it should.
func (f *file) edit(modes policies.Modes, change func(*text) bool, changed func(now *rule.Rule) bool) bool {
	x, ok := open(f.source)
	if !ok || !change(x) {
		return false
	}
	after := x.bytes()
	now, problems := rule.Parse(f.name, after, modes)
	if len(problems) > 0 || !changed(now) || now.Mode != f.rule.Mode || now.Body != f.rule.Body {
		return false
	}
	f.source = after
	now.ID, now.Below, now.Tier = f.rule.ID, f.below, f.rule.Tier
	for _, patterns := range now.Patterns {
		for i, p := range patterns {
			if f.below == "" {
				break
			}
			if patterns[i], _ = p.Under(f.below); patterns[i] == nil {
				return false
			}
		}
	}
	f.rule = now
	return true
}

// draft returns all rules of the files, those that rest as well.
func (t *tending) draft(config rule.Config) *setup.Draft {
	memory := fstest.MapFS{}
	dirs := map[string]rule.Directory{}
	for _, f := range t.files {
		source := f.source
		if !f.rule.Enabled {
			x, ok := open(source)
			if !ok || !x.set("enabled", "true", "") {
				continue
			}
			source = x.bytes()
		}
		memory[f.name] = &fstest.MapFile{Data: source}
		dir := path.Dir(f.name)
		dirs[dir] = rule.Directory{Tier: rule.ProjectTier, FS: memory, Dir: dir, Below: f.below}
	}
	d := &setup.Draft{Config: &config}
	for _, f := range t.files { // the root first, as the files are
		if dir, ok := dirs[path.Dir(f.name)]; ok {
			d.Rules = append(d.Rules, dir)
			delete(dirs, path.Dir(f.name))
		}
	}
	return d
}

// cases returns the cases of each rule, newest first.
func (t *tending) cases(ctx context.Context, engine diff.Engine, repo *git.Repo, config rule.Config, o check.Options) (map[string][]replay.Case, error) {
	o.Draft, o.RulesFrom, o.Now = t.draft(config), check.RulesFromWorktree, time.Unix(0, 0) // the clock decides nothing
	r, err := replay.Run(ctx, engine, repo, replay.Options{
		Range: history.Range{Max: Commits}, Check: o, MaxFiles: replay.DefaultMaxFiles, View: replay.View{Cases: true},
	})
	if err != nil {
		return nil, err
	}
	cases := map[string][]replay.Case{}
	for i := range r.Rules {
		cases[r.Rules[i].ID] = r.Rules[i].Cases
	}
	return cases, nil
}

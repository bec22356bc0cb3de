package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// gone returns a finding for each pattern of a rule file whose last file the change deletes or
// renames: from then on the rule is silent, or fires for ever. A pattern that the change corrects
// is no longer one of the rule. Without such a file in the change, nothing is asked.
func (r *run) gone(ctx context.Context, c *change) ([]finding.Finding, error) {
	lost := diff.GoneNames(c.Changes)
	if len(lost) == 0 || r.Draft != nil || r.RulesFrom != "" && r.RulesFrom != RulesFromBase {
		return nil, nil // rules of another commit are not the change's to correct
	}
	watched := watchedIn(c.rules, r.project.Modes)
	to := diff.Renames(c.Changes)
	watched.lose(lost, to)
	changed := sync.OnceValue(func() *pattern.Paths { // that exist
		names := c.Names()
		maps.DeleteFunc(names, func(name string, _ bool) bool { return lost[name] })
		return pattern.NewPaths(slices.Sorted(maps.Keys(names)))
	})
	files := sync.OnceValues(func() (*pattern.Paths, error) {
		list := r.decider.Files
		if list == nil {
			list = func() ([]string, error) { return r.engine.Files(ctx, r.head) }
		}
		names, err := list()
		return pattern.NewPaths(names), err
	})
	alive := func(p *pattern.Pattern) (bool, error) {
		if path, ok := p.FilePath(); ok && lost[path] {
			return false, nil
		}
		if matchesAny(p, changed()) {
			return true, nil
		}
		all, err := files()
		return err == nil && matchesAny(p, all), err
	}
	var findings []finding.Finding
	for _, w := range watched.list {
		if len(w.lost) == 0 || c.staged != nil && !slices.ContainsFunc(w.lost, func(name string) bool { return c.staged[name] }) {
			continue
		}
		ends, of, err := w.ends(alive)
		if err != nil {
			return nil, err
		}
		if len(ends) == 0 {
			continue
		}
		if corrected, err := r.corrects(ctx, c, w); corrected || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		findings = append(findings, goneFinding(w, of, ends, to))
	}
	return findings, nil
}

func matchesAny(p *pattern.Pattern, paths *pattern.Paths) bool {
	for range paths.Match(p) {
		return true
	}
	return false
}

// watched is a pattern of a rule file that should match a file.
type watched struct {
	rule    *rule.Rule
	param   policies.Param
	at      int
	pattern *pattern.Pattern
	lost    []string // names that it matched and that are gone
	bound   bool     // each file that can trigger the rule needs one, whenever it changes
	entries bool     // a new file that it matches is as good as any: changelog entries, which a release deletes
}

type watchedPatterns struct {
	list  []*watched
	index *pattern.Index
}

// watchedIn returns the patterns of the rule files of the repository; those of packs are of many
// repositories.
func watchedIn(rules []*rule.Rule, modes policies.Modes) watchedPatterns {
	var w watchedPatterns
	var patterns []*pattern.Pattern
	for _, of := range rules {
		if of.Tier != rule.ProjectTier {
			continue
		}
		params := modes.Of(of.Mode).Params
		for _, param := range params {
			at := slices.IndexFunc(params, func(p policies.Param) bool { return p.Name == param.Captures })
			bound := at >= 0 && usual(params[at].Statuses) && usual(of.Statuses) && (!of.AsksExistence() || of.ChecksState())
			for i, p := range of.Patterns[param.Name] {
				if i < len(of.PatternAt[param.Name]) { // else it is a default
					entries := at >= 0 && p.Wild() && len(p.Variables()) == 0 && !of.ChecksState()
					w.list, patterns = append(w.list, &watched{rule: of, param: param, at: i, pattern: p, bound: bound, entries: entries}), append(patterns, p)
				}
			}
		}
	}
	w.index = pattern.NewIndex(patterns)
	return w
}

// lose adds names that are gone, with the new name of each, to the patterns that matched them.
// A pattern of files that are new or deleted needs none, unless they moved.
func (ws watchedPatterns) lose(names map[string]bool, to map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		ws.index.Match(name, func(i int, _ pattern.Captures) {
			w := ws.list[i]
			statuses := w.param.Statuses
			if w.param.Captures == "" || w.param.Captures == policies.CapturesSame {
				statuses = slices.Concat(statuses, w.rule.Statuses)
			}
			if usual(statuses) && !w.entries || to[name] != "" {
				w.lost = append(w.lost, name)
			}
		})
	}
}

// usual reports whether files that are modified can trigger a rule with these statuses.
func usual(statuses []string) bool {
	return len(statuses) == 0 || slices.Contains(statuses, string(diff.Modified))
}

// ends returns those of the lost names that were the last ones of the pattern, or of what it is
// for the captures of a file that still triggers the rule, with that pattern.
func (w *watched) ends(alive func(*pattern.Pattern) (bool, error)) (names []string, of *pattern.Pattern, err error) {
	if some, err := alive(w.pattern); !some || err != nil {
		return w.lost, w.pattern, err
	}
	if !w.bound {
		return nil, nil, nil
	}
	for _, name := range w.lost {
		c, _ := w.pattern.Match(name)
		bound := w.pattern.Bind(c)
		if some, err := alive(bound); some || err != nil {
			if err != nil {
				return nil, nil, err
			}
			continue
		}
		for _, t := range w.rule.Patterns[w.param.Captures] {
			some, err := alive(t.Bind(c))
			if err != nil {
				return nil, nil, err
			}
			if some {
				names, of = append(names, name), bound
				break
			}
		}
	}
	return names, of, nil
}

// corrects reports whether the change takes a pattern out of its rule file. The rules that apply
// may be those of the change's target.
func (r *run) corrects(ctx context.Context, c *change, w *watched) (bool, error) {
	if r.RulesFrom == "" || !c.Names()[w.rule.File] {
		return false, nil
	}
	contents, err := r.engine.Contents(ctx, c.Head, []string{w.rule.File}, -1)
	if err != nil {
		return false, err
	}
	source, exists := contents[w.rule.File]
	if !exists {
		return true, nil
	}
	now, problems := rule.Parse(w.rule.File, source, r.project.Modes)
	if len(problems) > 0 {
		return false, nil
	}
	before := w.pattern.String()
	return !slices.ContainsFunc(now.Patterns[w.param.Name], func(p *pattern.Pattern) bool {
		below := p
		if w.rule.Below != "" {
			if below, err = p.Under(w.rule.Below); err != nil {
				return false
			}
		}
		return below.String() == before
	}), nil
}

// goneFinding returns the finding that a pattern lost its last files.
func goneFinding(w *watched, of *pattern.Pattern, names []string, to map[string]string) finding.Finding {
	f := finding.Finding{
		Rule: w.rule.ID, Name: w.rule.Name, Mode: w.rule.Mode, Level: w.rule.Level, TriggerFiles: names,
		Path: w.rule.File, Line: w.rule.PatternAt[w.param.Name][w.at].Line,
	}
	for _, name := range names {
		f.Gone = append(f.Gone, finding.Gone{Path: name, To: to[name]})
	}
	f.Message = fmt.Sprintf("%q no longer matches a file: %s", finding.Visible(of.String()), finding.GoneText(f.Gone))
	f.Body = "Correct the pattern in the same change, or remove the rule."
	return f
}

// ends looks up what became of files that findings expect and that do not exist. Only names without
// wildcards are looked up, and only if there are any.
func (r *run) ends(ctx context.Context, head diff.Head, findings []finding.Finding) (map[string]diff.Departure, error) {
	var names []string
	for _, f := range findings {
		for _, name := range f.Expected {
			if len(names) < maxEnds && !strings.ContainsAny(name, `#*?[]{}\`) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 || head.Commit == "" || r.ofStack {
		return nil, nil
	}
	names = sorted(names)
	existing, err := r.engine.Contents(ctx, head, names, 0)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { _, exists := existing[name]; return exists })
	if len(names) == 0 {
		return nil, nil
	}
	return r.engine.Departures(ctx, head.Commit, names)
}

// tellEnds adds to findings what became of the files that they expect.
func tellEnds(findings []finding.Finding, ends map[string]diff.Departure) {
	if len(ends) == 0 {
		return
	}
	for i := range findings {
		f := &findings[i]
		for _, name := range f.Expected {
			if end, ok := ends[name]; ok {
				f.Gone = append(f.Gone, finding.Gone{Path: name, To: end.To, Commit: end.Commit})
			}
		}
		switch text := finding.GoneText(f.Gone); {
		case text == "" || f.Path == setup.ConfigFile && len(f.Expected) == 0:
		case f.Message == f.Name:
			f.Message = text
		default:
			f.Message += "; " + text
		}
	}
}

// maxEnds is how many missing files of one changeset are looked up in the history.
const maxEnds = 100

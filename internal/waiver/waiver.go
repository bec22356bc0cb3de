// Package waiver reads waivers of findings from commit messages, pull requests and the
// environment, and applies them.
//
// A waiver names a rule and a reason. [Collector.Collect] finds the waivers of a change: the
// trailer Rulecheck-Waive of its commits, <promise> tags in the text of a pull request, and
// RULECHECK_WAIVE. [Collector.Apply] gives each finding its waiver. A finding with a waiver is
// reported, and does not fail the run.
package waiver

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// Options are the sources of waivers apart from the commits of the change, and whether
// waivers count.
type Options struct {
	Off bool // none is honoured
	// Distrust is why waivers in the change itself are not honoured; empty: they are.
	Distrust string

	Environment string // "<rule id> <reason>" in each line; counts for a commit only
	PullRequest string // its title and text
	MessageFile string // the name of the file with the commit message being written; empty: none
	Message     string // the content of that file
	Hook        bool   // git runs this program as a hook
}

// waiver is a waiver of one rule.
type waiver struct {
	rule   string          // id
	covers map[string]bool // it applies to findings that these files trigger; nil: to all of the rule
	// expecting limits it to findings that another changed file would satisfy.
	expecting bool
	finding.Waiver
}

// maxReason is the length in characters to which a reason is cut.
const maxReason = 300

// oneLine makes untrusted text one printable line of limited length.
func oneLine(text string) string {
	text = finding.Visible(strings.Join(strings.Fields(text), " "))
	if utf8.RuneCountInString(text) > maxReason {
		text = string([]rune(text)[:maxReason]) + "…"
	}
	return text
}

// Set is all waivers that apply to one changeset, the most specific first.
type Set struct {
	waivers []waiver
	notices []string // on waivers that are malformed
}

// of returns the waiver of f. If none is honoured, it returns one that would apply if it
// were, or one for other files.
func (s Set) of(f finding.Finding) *finding.Waiver {
	missing := s.uncovered(f, nil)
	var refused, otherFiles *finding.Waiver
	for _, w := range s.waivers {
		v := w.Waiver
		switch {
		case w.rule != f.Rule, w.expecting && len(f.Expected) == 0:
		case w.covers != nil && missing != "":
			if otherFiles == nil {
				v.NotHonoured = "no commit with it changed " + finding.Visible(missing)
				otherFiles = &v
			}
		case w.covers != nil && !f.Unbrought && !slices.ContainsFunc(triggers(f), func(name string) bool { return w.covers[name] }):
			// Other waivers cover f.
		case v.NotHonoured == "":
			return &v
		case refused == nil:
			refused = &v
		}
	}
	return cmp.Or(refused, otherFiles)
}

// triggers returns the files that triggered f, or its place if there are none; nil for a log
// that no commit brings.
func triggers(f finding.Finding) []string {
	if f.Unbrought {
		return nil
	}
	if len(f.TriggerFiles) == 0 {
		return []string{f.Path}
	}
	return f.TriggerFiles
}

// uncovered returns the first trigger of f that is not in further and that no commit
// with a trailer for its rule changed; empty if there is none.
func (s Set) uncovered(f finding.Finding, further map[string]bool) string {
	for _, name := range triggers(f) {
		covered := further[name] || slices.ContainsFunc(s.waivers, func(w waiver) bool {
			return w.rule == f.Rule && w.covers[name] && (!w.expecting || len(f.Expected) > 0)
		})
		if !covered {
			return name
		}
	}
	return ""
}

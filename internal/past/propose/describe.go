package propose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Describe returns the rule as it is in its file, on lines.
func (r Proposed) Describe() []string {
	return strings.Split(strings.TrimSuffix(strings.TrimPrefix(frontmatter(r), "name: "+strconv.Quote(r.Name)+"\n"), "\n"), "\n")
}

// Evidence returns where the rule comes from, and how many commits followed it, on lines.
func (r Proposed) Evidence(of *Proposal) []string {
	if of.Taught != "" {
		return []string{fmt.Sprintf("held in %d of %s", r.Before.Held+r.Since.Held, report.Count(r.Before.Triggered+r.Since.Triggered, "commit"))}
	}
	held := fmt.Sprintf("held in %d of %s before %s, and in %d of %d since",
		r.Before.Held, report.Count(r.Before.Triggered, "commit"), of.Split.UTC().Format(time.DateOnly), r.Since.Held, r.Since.Triggered)
	if s := r.Stated; s != nil {
		return []string{fmt.Sprintf("stated in %s:%d: %s", s.File, s.Line, s.Quote), held}
	}
	lines := []string{held + " (held out)"}
	if without := r.Without(); without != "" {
		lines = append(lines, fmt.Sprintf("%s: held in %d of %s before %s",
			without, r.Unconditioned.Held, report.Count(r.Unconditioned.Triggered, "commit"), of.Split.UTC().Format(time.DateOnly)))
	}
	if r.Begun != nil {
		lines = append(lines, fmt.Sprintf("commits before %s do not count: the expected files did not exist", r.Begun.UTC().Format(time.DateOnly)))
	}
	return lines
}

// Summary returns a sentence about what was read and found.
func (p *Proposal) Summary() string {
	if p.Units == 0 {
		return "No commits were read: there is nothing to learn from yet."
	}
	read := fmt.Sprintf("%d commits of the main line (%d merges)", p.Units, p.Merges)
	if p.Units == 1 {
		read = "1 commit"
	}
	more := ""
	if p.Left > 0 {
		more = fmt.Sprintf(" More rules: %d; see --limit.", p.Left)
	}
	if p.Weaker > 0 {
		more += fmt.Sprintf(" Weaker rules: %d; run: rulecheck suggest.", p.Weaker)
	}
	if p.Locks > 0 {
		more += fmt.Sprintf(" Left out: %d about manifests and lock files.", p.Locks)
	}
	switch {
	case len(p.Rules) > 0:
		return fmt.Sprintf("Found %s in %s.%s", report.Count(len(p.Rules), "rule"), read, more)
	case p.Units < p.least:
		return fmt.Sprintf("Read %s: too few for a rule, which needs at least %d that follow it.", read, p.least)
	case p.Known > 0:
		return fmt.Sprintf("Read %s: no further rule held often enough.%s", read, more)
	default:
		return fmt.Sprintf("Read %s: no rule held often enough.%s", read, more)
	}
}

// leastUnits is the number of commits without an exception from which the bound reaches 0.80.
const leastUnits = 11

// KnownIn returns a function that reports whether one of the rules has the same patterns.
func KnownIn(rules []*rule.Rule) func(mode string, patterns []string) bool {
	key := func(mode string, patterns []string) string {
		return mode + "\x00" + strings.Join(slices.Sorted(slices.Values(patterns)), "\x00")
	}
	known := map[string]bool{}
	for _, r := range rules {
		var patterns []string
		for _, param := range []string{"set", "pair.trigger", "pair.expects", "created", "expects"} {
			for _, p := range r.Patterns[param] {
				patterns = append(patterns, p.String())
			}
		}
		known[key(r.Mode, patterns)] = true
	}
	return func(mode string, patterns []string) bool { return known[key(mode, patterns)] }
}

// TakenBy returns the ids and names of rules.
func TakenBy(rules []*rule.Rule) []string {
	var taken []string
	for _, r := range rules {
		taken = append(taken, r.ID, r.Name)
	}
	return taken
}

// Choose returns the rules that an answer names: by numbers from 1, all of them, or none, also
// with the words by which people leave a question. bad
// is the first word that names no rule.
func Choose(answer string, rules []Proposed) (chosen []Proposed, bad string) {
	for _, word := range strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' || r == '\n' }) {
		n, err := strconv.Atoi(word)
		switch {
		case strings.EqualFold(word, "all"):
			return rules, ""
		case slices.Contains([]string{"none", "nothing", "n", "no", "q", "quit"}, strings.ToLower(word)):
			return nil, ""
		case err != nil || n < 1 || n > len(rules):
			return nil, word
		case !slices.ContainsFunc(chosen, func(r Proposed) bool { return r.ID == rules[n-1].ID }):
			chosen = append(chosen, rules[n-1])
		}
	}
	return chosen, ""
}

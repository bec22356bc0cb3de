package setup

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// ReadKnown reads the known findings where the rules were read. Those of rules that cannot
// have any have no effect, and a notice counts them.
func (p *Project) ReadKnown() {
	if !p.Config.Enabled {
		return
	}
	entries, problem := baseline.Read(p.Tree)
	if problem != nil {
		p.Problems = append(p.Problems, *problem)
		return
	}
	p.Accepted = entries
	checking := map[string]bool{}
	for _, r := range p.Rules {
		checking[r.ID] = p.ChecksState(r) && r.Tier != rule.OrganizationTier
	}
	var effective []baseline.Entry
	var without, kept []string
	for _, e := range entries {
		checks, exists := checking[e.Rule]
		switch {
		case p.OfOrganization(e.Rule):
			kept = append(kept, e.Rule)
		case checks:
			effective = append(effective, e)
		case exists || !slices.Contains(p.Broken, e.Rule):
			without = append(without, e.Rule)
		}
	}
	p.Known = baseline.NewSet(effective)
	if len(kept) > 0 {
		p.Notices = append(p.Notices, fmt.Sprintf("%s: %s not honoured, of rules of the organization's pack: %s",
			baseline.File, report.Count(len(kept), "known finding"), finding.Visible(finding.ShortPathList(kept))))
	}
	if len(without) > 0 {
		p.Notices = append(p.Notices, fmt.Sprintf("%s: %s of rules that do not exist, or that check no state: %s; to remove them, run: rulecheck baseline prune",
			baseline.File, report.Count(len(without), "known finding"), finding.Visible(finding.ShortPathList(without))))
	}
}

// ChecksState reports whether findings of a rule may be known: it checks a state, which
// lasts, and not a change.
func (p *Project) ChecksState(r *rule.Rule) bool {
	mode := p.Modes.Of(r.Mode)
	return mode.Session() || mode.Change() && r.ChecksState()
}

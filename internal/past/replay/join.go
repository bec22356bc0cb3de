package replay

import (
	"maps"
	"slices"
)

// Clear removes what a rule did, as if it had not been there.
func (of *RuleHistory) Clear() {
	of.Counts, of.Last, of.Findings, of.Firings, of.Cases = Counts{}, Counts{}, 0, []Firing{}, nil
	for i := range of.Quarters {
		of.Quarters[i].Counts = Counts{}
	}
}

// Join joins reports, newest first, on consecutive parts of the past with the cases of the same
// rules.
func Join(parts []*Report, withCases bool) *Report {
	r := *parts[0]
	r.Units, r.Cut, r.Oldest, r.Newest, r.Large, r.Unread, r.Notices, r.Errors = 0, 0, nil, nil, []Commit{}, []Unread{}, []string{}, parts[0].Errors
	r.Rules = slices.Clone(parts[0].Rules)
	for i := range r.Rules {
		of := &r.Rules[i]
		of.Quarters, of.Share, of.Per100 = nil, nil, 0 // those of the part stay
		of.Clear()
	}
	quarters := map[string]int{} // units
	for _, p := range parts {
		for i := range r.Rules {
			j := slices.IndexFunc(p.Rules, func(h RuleHistory) bool { return h.ID == r.Rules[i].ID })
			if j < 0 {
				continue
			}
			r.Rules[i].join(&p.Rules[j], r.Units)
			if i == 0 {
				for _, q := range p.Rules[j].Quarters {
					quarters[q.Name] += q.Units
				}
			}
		}
		for _, notice := range p.Notices {
			if !slices.Contains(r.Notices, notice) {
				r.Notices = append(r.Notices, notice)
			}
		}
		r.Units, r.Cut = r.Units+p.Units, r.Cut+p.Cut
		r.Large, r.Unread = append(r.Large, p.Large...), append(r.Unread, p.Unread...)
		if r.Newest == nil {
			r.Newest = p.Newest
		}
		if p.Oldest != nil {
			r.Oldest = p.Oldest
		}
	}
	for i := range r.Rules {
		of := &r.Rules[i]
		for _, c := range of.Cases {
			if of.Last.Held+of.Last.Fired < lastUnits {
				of.Last.count(c.Outcome)
			}
		}
		counted := of.Quarters
		of.Quarters = []Quarter{}
		for _, name := range slices.Sorted(maps.Keys(quarters)) {
			q := Quarter{Name: name, Units: quarters[name]}
			for _, each := range counted {
				if each.Name == name {
					q.Counts = q.plus(each.Counts)
				}
			}
			of.Quarters = append(of.Quarters, q)
		}
		of.finish(r.Units)
		if !withCases {
			of.Cases = nil
		}
	}
	r.View.Cases = withCases
	return &r
}

// join adds an older part of the history of the same rule, before which there are newer units.
func (of *RuleHistory) join(older *RuleHistory, newer int) {
	of.Counts, of.Findings = of.plus(older.Counts), of.Findings+older.Findings
	for _, f := range older.Firings {
		f.unit += newer
		of.Firings = append(of.Firings, f)
	}
	for _, c := range older.Cases {
		c.unit += newer
		of.Cases = append(of.Cases, c)
	}
	of.Quarters = append(of.Quarters, older.Quarters...)
	if of.Problem == "" {
		of.Problem = older.Problem
	}
}

// plus returns the sum of counts.
func (c Counts) plus(other Counts) Counts {
	return Counts{
		c.Triggered + other.Triggered, c.Held + other.Held, c.Fired + other.Fired, c.Waived + other.Waived,
		c.NotRun + other.NotRun, c.Unknown + other.Unknown, c.NotApplied + other.NotApplied,
	}
}

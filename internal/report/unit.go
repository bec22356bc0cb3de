package report

import (
	"cmp"
	"slices"
)

// Unit sums up one of the repositories or places with logs in a merged report.
type Unit struct {
	ID       string         `json:"id"`
	Exit     int            `json:"exit_status"`
	Findings map[string]int `json:"findings"` // not waived, by rule
	// Before are the findings in the earlier run that this one is compared with; nil: it did
	// not have the unit, or there is none.
	Before map[string]int `json:"findings_before,omitzero"`
}

// Overview is a table of units and rules.
type Overview struct {
	Units   []Unit // with findings, now or before, or without a result; most findings first
	Quiet   int    // the number of all others
	Rules   []string
	Totals  Unit // of all units, by rule
	Compare bool // with an earlier run
}

// Overview returns the table of units and rules, or nil if the report is of one repository.
func (r *Report) Overview() *Overview {
	if len(r.Units) == 0 {
		return nil
	}
	o := &Overview{Totals: Unit{Findings: map[string]int{}, Before: map[string]int{}}}
	for _, u := range r.Units {
		o.Compare = o.Compare || u.Before != nil
		if len(u.Findings) == 0 && len(u.Before) == 0 && u.Exit <= 1 {
			o.Quiet++
			continue
		}
		o.Units = append(o.Units, u)
		for rule, n := range u.Findings {
			o.Totals.Findings[rule] += n
		}
		for rule, n := range u.Before {
			o.Totals.Before[rule] += n
		}
	}
	for rule := range o.Totals.Before {
		o.Totals.Findings[rule] += 0 // it no longer has findings
	}
	for rule := range o.Totals.Findings {
		o.Rules = append(o.Rules, rule)
	}
	slices.SortFunc(o.Rules, func(a, b string) int {
		return cmp.Or(cmp.Compare(o.Totals.Findings[b], o.Totals.Findings[a]), cmp.Compare(a, b))
	})
	slices.SortStableFunc(o.Units, func(a, b Unit) int {
		return cmp.Or(cmp.Compare(failed(b), failed(a)), cmp.Compare(b.Sum(), a.Sum()), cmp.Compare(a.ID, b.ID))
	})
	return o
}

// failed is 1 if a unit has no result or not a whole one, else 0.
func failed(u Unit) int {
	if u.Exit > 1 {
		return 1
	}
	return 0
}

// Sum returns the number of findings of a unit.
func (u Unit) Sum() int { return sum(u.Findings) }

// SumBefore returns the number of findings of a unit in the earlier run.
func (u Unit) SumBefore() int { return sum(u.Before) }

func sum(counts map[string]int) int {
	n := 0
	for _, count := range counts {
		n += count
	}
	return n
}

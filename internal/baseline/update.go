package baseline

import "github.com/rulecheck/rulecheck/internal/finding"

// Accept returns entries with those of the findings that are not known yet added, and how
// many these are.
func Accept(entries []Entry, findings []finding.Finding, date, reason string) (next []Entry, added int) {
	set := NewSet(entries)
	next = append(next, entries...)
	for _, f := range findings {
		if _, ok := set.Of(f); !ok {
			next = append(next, entryOf(f, date, reason))
			added++
		}
	}
	return next, added
}

// Prune returns the entries of findings that still occur, reduced to what each still is,
// and those of rules that are unchecked, which may. Nothing else is added.
func Prune(entries []Entry, findings []finding.Finding, unchecked func(rule string) bool) []Entry {
	var next []Entry
	for _, e := range entries {
		if unchecked(e.Rule) {
			next = append(next, e)
		}
	}
	set := NewSet(entries)
	for _, f := range findings {
		if e, ok := set.Of(f); ok && !unchecked(f.Rule) {
			next = append(next, entryOf(f, e.Date, e.Reason))
		}
	}
	return next
}

func entryOf(f finding.Finding, date, reason string) Entry {
	e := Entry{
		Fingerprint: f.Fingerprint, Rule: f.Rule, Files: printable(filesOf(f)), Expected: printable(f.Expected), Date: date, Reason: reason,
	}
	if f.Session != nil {
		e.Session = f.Session.ID
	}
	return e
}

package phase

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// terms lists what a phase requires, one requirement a text: a workflow may be edited
// while a session is open, and its record must show when a requirement was removed.
func terms(p *workflow.Phase) []string {
	list := []string{}
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if p.Gate != nil {
		for _, q := range p.Gate.Evidence {
			optional := ""
			if !q.Required {
				optional = ", optional"
			}
			add("evidence %s: %s, %s%s", q.Name, q.Type, q.Check, optional)
		}
	}
	if p.ExitWhen != nil {
		add("exit_when: %s", p.ExitWhen.Text)
	}
	for _, e := range p.ExitConditions {
		switch {
		case e.When != nil:
			add("exit condition %s: %s", e.ID, e.When.Text)
		case e.Approval != "":
			add("approval %s: %s", e.ID, e.Approval)
		case e.Webhook != nil:
			add("webhook %s: %s", e.ID, jsonOf(e.Webhook))
		case e.Variable != nil:
			add("variable %s", *e.Variable)
		}
	}
	if p.Commits != nil {
		add("%s", p.Commits)
	}
	for _, r := range p.Rules {
		add("rule %s: %s", r.ID, jsonOf(r.Params))
	}
	exits := make([]string, 0, len(p.Transitions))
	for _, t := range p.Transitions {
		when := t.Claim
		if t.When != nil {
			when = t.When.Text
		}
		exits = append(exits, strings.TrimSpace(when+" -> "+t.To))
	}
	add("transitions: %s", strings.Join(exits, "; ")) // one requirement: an added one is a new way out
	return list
}

// termDigests returns the digest of the terms of each phase: a record must not contain
// those of phases that were not entered.
func termDigests(d *workflow.Definition) map[string]string {
	digests := map[string]string{}
	for _, p := range d.Phases {
		digests[p.Name] = digestOf(jsonOf(terms(p)))
	}
	return digests
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// changeOf compares a workflow with the terms that a session has recorded; nil: they are
// the same.
func changeOf(d *workflow.Definition, s *store.Run) *store.Event {
	now := termDigests(d)
	if maps.Equal(now, s.Terms) {
		return nil
	}
	e := &store.Event{Kind: store.EventChanged, Terms: now}
	for _, phase := range slices.Sorted(maps.Keys(s.Terms)) {
		if phase != s.Phase && now[phase] != s.Terms[phase] {
			e.Altered = append(e.Altered, phase)
		}
	}
	if p, ok := d.Phase(s.Phase); ok && s.Status == store.Open {
		e.Requires = terms(p)
		for _, term := range s.Requires {
			if !slices.Contains(e.Requires, term) {
				e.Lost = append(e.Lost, term)
			}
		}
	}
	return e
}

// changeNotices describe a change of requirements.
func changeNotices(d *workflow.Definition, phase string, lost, altered []string) []string {
	var notices []string
	if len(lost) > 0 {
		notices = append(notices, fmt.Sprintf("the phase %q no longer has the requirements with which it was entered: %s", phase, strings.Join(lost, "; ")))
	}
	var gone []string
	altered = slices.DeleteFunc(slices.Clone(altered), func(name string) bool {
		_, exists := d.Phase(name)
		if !exists {
			gone = append(gone, name)
		}
		return !exists
	})
	if len(gone) > 0 {
		notices = append(notices, "removed or renamed after the session started: phase "+strings.Join(gone, ", "))
	}
	if len(altered) > 0 {
		notices = append(notices, "the requirements changed after the session started: phase "+strings.Join(altered, ", "))
	}
	return notices
}

// alterations returns notices on all changes of requirements: the recorded ones, and one
// that no step has recorded yet. If a phase is given, only those about it.
func alterations(d *workflow.Definition, s *store.Run, phase string) []string {
	var notices []string
	add := func(of string, lost, altered []string) {
		if phase != "" && phase != of {
			lost = nil
		}
		if phase != "" {
			altered = slices.DeleteFunc(slices.Clone(altered), func(name string) bool { return name != phase })
		}
		notices = append(notices, changeNotices(d, of, lost, altered)...)
	}
	for _, c := range s.Changes {
		add(c.Phase, c.Lost, c.Altered)
	}
	if e := changeOf(d, s); e != nil {
		add(s.Phase, e.Lost, e.Altered)
	}
	slices.Sort(notices)
	return slices.Compact(notices)
}

// refusedEvent records an attempt that was refused, with its evidence.
func refusedEvent(r *Reply, phase string, evidence map[string]any) store.Event {
	e := store.Event{Kind: store.EventRefused, Phase: phase, Reason: string(r.Error), Evidence: evidence, Missing: slices.Clone(r.MissingEvidence)}
	for _, u := range r.Unmet {
		e.Missing = append(e.Missing, u.ID+": "+u.Reason)
	}
	return e
}

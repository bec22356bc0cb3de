package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// outcome is a unit's first run, as if nothing spoke against it.
func (p *pass) outcome(u *unit, i int) Outcome {
	t := &p.trials[i]
	o := Outcome{
		Rule: u.Rule, Argv: t.argv, Files: u.given, Exit: t.exit, Failed: t.failed,
		Idempotent: true, Stdout: t.stdout, Stderr: t.stderr, Took: t.took,
	}
	for _, name := range t.names() {
		// What a later command of the chain undoes is no change to anybody.
		if !t.good() || p.files[name].moved() {
			o.Changed = append(o.Changed, name)
		}
	}
	return o
}

// prove runs the chains that changed a file once more, on a copy of the result,
// and enters in the outcomes what that second run says of them. The copy stands
// elsewhere, so that a tool's memory of the files it has seen does not answer in
// its stead.
func (r *runner) prove(ctx context.Context, first *pass, outcomes []Outcome) error {
	chain := chains(r.units)
	changed := map[int]bool{}
	for i := range r.units {
		for _, name := range first.trials[i].names() {
			if first.files[name].moved() {
				changed[chain[i]] = true
			}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	result := *r.layout
	result.files = slices.Clone(result.files)
	for i := range result.files[:result.named] {
		result.files[i].File = first.files[result.files[i].Path].now
	}
	wanted := func(i int) bool { return changed[chain[i]] && first.trials[i].good() }
	second, err := r.pass(ctx, proof, &result, wanted)
	if err != nil {
		return err
	}
	for i := range r.units {
		if wanted(i) {
			second.judge(i, &outcomes[i])
		}
	}
	return nil
}

// judge enters in o what the second run of unit i says.
func (p *pass) judge(i int, o *Outcome) {
	t := &p.trials[i]
	o.ProofTook = t.took
	switch {
	case t.failed != "":
		o.Failed = "run again on its own result: " + t.failed
		return
	case t.exit != 0:
		o.Failed = fmt.Sprintf("run again on its own result, it ended with status %d instead of 0", t.exit)
		o.Stdout, o.Stderr = t.stdout, t.stderr
		return
	}
	var difference strings.Builder
	for _, c := range t.changes {
		// One that the chain moves and moves back stays where it is.
		if f := p.files[c.before.Path]; f.moved() {
			o.Idempotent = false
			difference.WriteString(unified(f.start, f.now))
		}
	}
	o.Difference = limited(difference.String())
}

const (
	differenceLimit = 16 << 10 // bytes of a difference that are kept
	comparedLimit   = 1 << 20  // bytes of a file up to which its lines are compared
)

// unified is the difference between two runs.
func unified(once, twice File) string {
	switch {
	case once.Executable != twice.Executable:
		return fmt.Sprintf("%s: executable is %v after one run and %v after two\n", once.Path, once.Executable, twice.Executable)
	case len(once.Content) > comparedLimit || len(twice.Content) > comparedLimit:
		return fmt.Sprintf("%s: %d bytes after one run, %d after two\n", once.Path, len(once.Content), len(twice.Content))
	}
	text := string(diff.Diff(once.Path+" after one run", once.Content, once.Path+" after two", twice.Content))
	_, text, _ = strings.Cut(text, "\n") // the line that names no program's options
	return text
}

// limited cuts text after a whole line.
func limited(text string) string {
	if len(text) <= differenceLimit {
		return text
	}
	kept := text[:differenceLimit]
	kept = kept[:strings.LastIndexByte(kept, '\n')+1]
	return fmt.Sprintf("%s… %d bytes are left out here …\n", kept, len(text)-len(kept))
}

// edits are the files that units changed for good and may keep.
func edits(units []*unit, first *pass, outcomes []Outcome) []staging.Edit {
	refused := map[string]bool{}
	for i, u := range units {
		if o := &outcomes[i]; u.Action.Fix && o.Failed == "" && o.Exit == 0 && o.Idempotent {
			continue
		}
		for _, name := range first.trials[i].names() {
			// What a failed run did was put back, and only others' changes are left.
			refused[name] = refused[name] || !first.trials[i].undone
		}
	}
	var list []staging.Edit
	for name, f := range first.files {
		if f.moved() && !refused[name] {
			list = append(list, staging.Edit{Path: name, Executable: f.now.Executable, Before: f.start.Content, After: f.now.Content})
		}
	}
	slices.SortFunc(list, func(a, b staging.Edit) int { return strings.Compare(a.Path, b.Path) })
	return list
}

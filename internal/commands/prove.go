package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/rulecheck/rulecheck/internal/staging"
)

// outcome returns the outcome of a unit's first run, assuming it is idempotent.
func (p *pass) outcome(u *unit, i int) Outcome {
	t := &p.trials[i]
	o := Outcome{
		Rule: u.Rule, Argv: t.argv, Files: u.given, Exit: t.status, Failed: t.failed,
		Idempotent: true, Stdout: t.stdout, Stderr: t.stderr, Took: t.took,
	}
	for _, name := range t.names() {
		// A later command of the chain may have reverted the change.
		if !t.succeeded() || p.files[name].changed() {
			o.Changed = append(o.Changed, name)
		}
	}
	return o
}

// prove runs the chains that changed a file again, on a copy of the result, and
// adds the result to the outcomes. The copy is in another directory, so that tools
// cannot answer from a cache of the files they have seen.
func (r *runner) prove(ctx context.Context, first *pass, outcomes []Outcome) error {
	chain := chains(r.units)
	changed := map[int]bool{}
	for i := range r.units {
		for _, name := range first.trials[i].names() {
			if first.files[name].changed() {
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
	wanted := func(i int) bool { return changed[chain[i]] && first.trials[i].succeeded() }
	second, err := r.pass(ctx, proof, &result, wanted)
	if err != nil {
		return err
	}
	for i := range r.units {
		if wanted(i) {
			second.addProof(i, &outcomes[i])
		}
	}
	return nil
}

// addProof adds the second run of unit i to its outcome.
func (p *pass) addProof(i int, o *Outcome) {
	t := &p.trials[i]
	o.ProofTook = t.took
	switch {
	case t.failed != "":
		o.Failed = "second run, on its own result: " + t.failed
		return
	case t.status != 0:
		o.Failed = fmt.Sprintf("second run, on its own result: exit status %d instead of 0", t.status)
		o.Stdout, o.Stderr = t.stdout, t.stderr
		return
	}
	var difference strings.Builder
	for _, c := range t.changes {
		// The chain may have changed a file and reverted it.
		if f := p.files[c.before.Path]; f.changed() {
			o.Idempotent = false
			difference.WriteString(unified(f.start, f.now))
		}
	}
	o.Difference = limited(difference.String())
}

const (
	differenceLimit = 16 << 10 // maximum length of a difference in bytes
	comparedLimit   = 1 << 20  // maximum length of a file whose lines are compared, in bytes
)

// unified returns the unified diff between the results of two runs.
func unified(once, twice File) string {
	switch {
	case once.Executable != twice.Executable:
		return fmt.Sprintf("%s: executable is %v after one run and %v after two\n", once.Path, once.Executable, twice.Executable)
	case len(once.Content) > comparedLimit || len(twice.Content) > comparedLimit:
		return fmt.Sprintf("%s: %d bytes after one run, %d after two\n", once.Path, len(once.Content), len(twice.Content))
	}
	text := string(diff.Diff(once.Path+" after one run", once.Content, once.Path+" after two", twice.Content))
	_, text, _ = strings.Cut(text, "\n") // the line "diff a b"
	return text
}

// limited cuts text to differenceLimit at the end of a line.
func limited(text string) string {
	if len(text) <= differenceLimit {
		return text
	}
	kept := text[:differenceLimit]
	kept = kept[:strings.LastIndexByte(kept, '\n')+1]
	return fmt.Sprintf("%s… %d bytes omitted …\n", kept, len(text)-len(kept))
}

// edits returns the changed files whose changes may all be kept.
func edits(units []*unit, first *pass, outcomes []Outcome) []staging.Edit {
	refused := map[string]bool{}
	for i, u := range units {
		if o := &outcomes[i]; u.Action.Fix && o.Failed == "" && o.Exit == 0 && o.Idempotent {
			continue
		}
		for _, name := range first.trials[i].names() {
			// The changes of a failed run were reverted already.
			refused[name] = refused[name] || !first.trials[i].undone
		}
	}
	var list []staging.Edit
	for name, f := range first.files {
		if f.changed() && !refused[name] {
			list = append(list, staging.Edit{Path: name, WasExecutable: f.start.Executable, Executable: f.now.Executable, Before: f.start.Content, After: f.now.Content})
		}
	}
	slices.SortFunc(list, func(a, b staging.Edit) int { return strings.Compare(a.Path, b.Path) })
	return list
}

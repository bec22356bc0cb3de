package main

import (
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// frameworkRange replaces the index by the commits that the pre-commit framework
// checks: those of a push, or of its --from-ref and --to-ref. Like the framework it
// compares from the merge base; commits cannot be fixed. The framework names no first
// commit if all history is pushed.
func (p *process) frameworkRange(o *check.Options) {
	if p.getenv("PRE_COMMIT") != "1" || !o.Staged || o.From != "" || o.Since != "" {
		return
	}
	from, to := p.getenv("PRE_COMMIT_FROM_REF"), p.getenv("PRE_COMMIT_TO_REF")
	pushed := p.getenv("PRE_COMMIT_LOCAL_BRANCH")
	switch {
	case from != "" && to != "":
		o.Since, o.To = from, to
	case pushed != "":
		o.To = pushed
		if p.repo != nil {
			o.From = diff.EmptyTreeFor(p.repo.Head)
		}
	default:
		return
	}
	o.Staged, o.Commands.Fix = false, false
}

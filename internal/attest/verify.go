package attest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Requirement has the values that a statement must have to be accepted.
type Requirement struct {
	Commit string   // that was checked, or another one with the same tree
	Tree   string   // of the commit
	Base   string   // the commit that it must be compared with
	Tip    string   // the commit of the target branch, which some rules compare with
	Rules  []string // ids of the rules that must be checked
	FailOn finding.Level

	sources []Resource // the files with rules and settings
}

// Require returns the requirement for a commit whose change begins at a base, with the rules of
// a project, which is that of the target branch.
func Require(ctx context.Context, p *setup.Project, commit, tree, base, tip string) (*Requirement, error) {
	if len(p.Problems) > 0 {
		return nil, p.Problems[0]
	}
	selected, err := p.Select(setup.Selection{})
	if err != nil {
		return nil, err
	}
	r := &Requirement{Commit: commit, Tree: tree, Base: base, Tip: tip, FailOn: p.Config.FailOn}
	for _, of := range selected.Rules {
		if p.Modes.Of(of.Mode).Change() {
			r.Rules = append(r.Rules, of.ID)
		}
	}
	r.sources, err = digests(ctx, p)
	return r, err
}

// Accept returns nil if a statement meets the requirement, and otherwise joins an error for each
// difference.
func (r *Requirement) Accept(s *Statement) error {
	var wrong []error
	differs := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if tree := s.digest(nameTree, gitTree); tree != r.Tree {
		differs("it is about the tree %q; want %s, the tree of %s", tree, r.Tree, r.Commit)
	}
	r.compareConfiguration(s, differs)
	for _, id := range r.Rules {
		if !slices.Contains(s.Predicate.Passed, id) && !slices.Contains(s.Predicate.Warned, id) {
			differs("rule %q did not pass, or was not checked", id)
		}
	}
	switch s.Predicate.Result {
	case passed, warned:
		if len(s.Predicate.Failed) > 0 {
			differs("rule %q failed", s.Predicate.Failed[0])
		}
	default:
		differs("its result is %q; want %q or %q", s.Predicate.Result, passed, warned)
	}
	return errors.Join(wrong...)
}

// compareConfiguration compares the bases, the level that fails, and the files with rules.
func (r *Requirement) compareConfiguration(s *Statement, differs func(string, ...any)) {
	signed := map[string]string{}
	based := false
	for _, c := range s.Predicate.Configuration {
		switch c.Name {
		case nameBase:
			want := r.Base
			if based = true; c.Annotations["id"] == diff.DefaultTip {
				want = r.Tip
			}
			if commit := c.Digest[gitCommit]; commit != want {
				differs("it compared with %q; want %s", commit, want)
			}
		case nameProgram:
			if level, _ := c.Annotations["failOn"].(string); level != string(r.FailOn) {
				differs("findings of level %q failed it; want %q", level, r.FailOn)
			}
		case nameProblem:
			differs("it could not check everything: %v", c.Annotations["message"])
		default:
			if c.Digest[sha] != "" {
				signed[c.Name] = c.Digest[sha]
			}
		}
	}
	if !based {
		differs("it names no base; want %s", r.Base)
	}
	for _, want := range r.sources {
		switch got := signed[want.Name]; got {
		case want.Digest[sha]:
		case "":
			differs("it was made without %s", want.Name)
		default:
			differs("it was made with another %s", want.Name)
		}
		delete(signed, want.Name)
	}
	for name := range signed {
		differs("it was made with %q, which the target does not have", name)
	}
}

// digest returns a digest of a subject.
func (s *Statement) digest(name, kind string) string {
	for _, of := range s.Subject {
		if of.Name == name {
			return of.Digest[kind]
		}
	}
	return ""
}

// Summary says in one line what an accepted statement found.
func (s *Statement) Summary() string {
	p := s.Predicate
	text := p.Result + ": " + report.Count(len(p.Passed), "rule") + " passed"
	if len(p.Warned) > 0 {
		text += ", " + report.Count(len(p.Warned), "rule") + " with findings that do not fail"
	}
	return text
}

// strictly reads one JSON value without unknown fields.
func strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}

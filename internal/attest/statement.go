// Package attest writes and verifies signed statements about checks: which tree was compared with
// which base by which rules, and what was found.
//
// A [Statement] is an in-toto Statement v1 with the predicate test-result v0.1, in which each rule
// is a test. [Keys.Sign] puts it into a DSSE envelope, and [Requirement.Accept] compares it with what
// the reader of the repository finds himself.
package attest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// The types of the statement and of its payload in an envelope, and the results of a test; see
// https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://in-toto.io/attestation/test-result/v0.1"
	payloadType   = "application/vnd.in-toto+json"

	passed = "PASSED"
	warned = "WARNED"
	failed = "FAILED"
)

// The names of resources, and the digests of git's objects.
const (
	nameCommit  = "commit"
	nameTree    = "tree"
	nameProgram = "rulecheck"
	nameBase    = "base"
	nameProblem = "problem"

	gitCommit = "gitCommit"
	gitTree   = "gitTree"
	sha       = "sha256"
)

// Statement is the result of a check, with what it depends on.
type Statement struct {
	Type          string     `json:"_type"`
	Subject       []Resource `json:"subject"` // the commit and its tree
	PredicateType string     `json:"predicateType"`
	Predicate     Predicate  `json:"predicate"`
}

// Resource is one thing with its digest.
type Resource struct {
	Name        string            `json:"name"`
	Digest      map[string]string `json:"digest,omitempty"`
	Annotations map[string]any    `json:"annotations,omitempty"`
}

// Predicate is the result of the check. Rules that were left out, or could not be checked, are in
// none of its lists.
type Predicate struct {
	Result string `json:"result"`
	// Configuration is the program, the bases, the files with rules and settings, then what
	// was found of each rule, and what could not be checked.
	Configuration []Resource `json:"configuration"`
	Passed        []string   `json:"passedTests,omitempty"`
	Warned        []string   `json:"warnedTests,omitempty"` // have findings that do not fail the check
	Failed        []string   `json:"failedTests,omitempty"`
}

// Of returns the statement about a check of a commit that has a tree.
func Of(ctx context.Context, result *check.Result, commit, tree string) (*Statement, error) {
	rep := result.Report
	sources, err := digests(ctx, result.Project)
	if err != nil {
		return nil, err
	}
	s := &Statement{
		Type: statementType, PredicateType: predicateType,
		Subject: []Resource{{Name: nameCommit, Digest: map[string]string{gitCommit: commit}}, {Name: nameTree, Digest: map[string]string{gitTree: tree}}},
	}
	p := &s.Predicate
	p.Configuration = []Resource{{Name: nameProgram, Annotations: map[string]any{"version": rep.ToolVersion, "failOn": string(rep.FailOn)}}}
	for _, b := range rep.Baselines {
		p.Configuration = append(p.Configuration, Resource{
			Name: nameBase, Digest: map[string]string{gitCommit: b.Commit},
			Annotations: map[string]any{"id": b.ID, "ref": string(plain.Line(b.Ref)), "foundBy": string(plain.Line(b.FoundBy))},
		})
	}
	p.Configuration = append(p.Configuration, sources...)
	p.sortRules(result)
	for _, problem := range rep.Errors {
		p.Configuration = append(p.Configuration, Resource{Name: nameProblem, Annotations: map[string]any{"message": string(plain.Line(problem.Error()))}})
	}
	switch {
	case rep.Status(rep.FailOn) != 0:
		p.Result = failed
	case len(p.Warned) > 0:
		p.Result = warned
	default:
		p.Result = passed
	}
	return s, nil
}

// sortRules lists each rule by its worst finding.
func (p *Predicate) sortRules(result *check.Result) {
	rep := result.Report
	checked := map[string]bool{}
	for _, v := range result.Verdicts {
		checked[v.Rule.ID] = true
	}
	found := map[string][]finding.Finding{}
	for f := range rep.EachFinding() {
		found[f.Rule] = append(found[f.Rule], f)
		checked[f.Rule] = true
	}
	for _, id := range slices.Sorted(maps.Keys(checked)) {
		fails, open := false, 0
		var waivers []any
		for _, f := range found[id] {
			if f.Waived() {
				waivers = append(waivers, string(plain.Line(f.Waiver.Source+": "+f.Waiver.Reason)))
				continue
			}
			open++
			fails = fails || rep.Fails(f)
		}
		switch {
		case fails:
			p.Failed = append(p.Failed, id)
		case slices.Contains(rep.NotRun, id):
		case open > 0:
			p.Warned = append(p.Warned, id)
		default:
			p.Passed = append(p.Passed, id)
		}
		if len(found[id]) > 0 {
			about := map[string]any{"findings": open}
			if len(waivers) > 0 {
				about["waivers"] = waivers
			}
			p.Configuration = append(p.Configuration, Resource{Name: "rule " + id, Annotations: about})
		}
	}
}

// digests lists the files that decide how a project is checked, in byte order of their names.
func digests(ctx context.Context, p *setup.Project) ([]Resource, error) {
	sources, err := p.Sources(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the rules: %w", err)
	}
	var list []Resource
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		sum := sha256.Sum256(sources[name])
		list = append(list, Resource{Name: string(plain.Line(name)), Digest: map[string]string{sha: hex.EncodeToString(sum[:])}})
	}
	return list, nil
}

// Bytes returns the statement as JSON.
func (s *Statement) Bytes() ([]byte, error) { return json.Marshal(s) }

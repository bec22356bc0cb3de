package condition

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/policy"
)

// FactGit is the state of the repository, which the conditions of every vocabulary may name.
const FactGit = "git"

// Repository answers what conditions ask about the state of a repository; every [diff.Engine]
// does.
type Repository interface {
	Head(ctx context.Context, kind diff.HeadKind, ref string) (diff.Head, error)
	Resolve(ctx context.Context, r diff.BaseRequest) (diff.Base, error)
	Changes(ctx context.Context, base diff.Base, head diff.Head) (diff.Changeset, error)
	Staged(ctx context.Context) (diff.Changeset, error)
	Dates(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Dates, error)
}

// Git is a repository at a head. Each of its facts is established when the first condition that
// names it is evaluated.
type Git struct {
	Repository

	Checked       diff.Head
	DefaultBranch string // as configured; empty: searched for

	mutex sync.Mutex
	known map[string]any
}

// GitState returns a repository with the given facts, for examples.
func GitState(dirty bool, branch string, ahead int) *Git {
	return &Git{known: map[string]any{"dirty": dirty, "branch": branch, "ahead": ahead}}
}

// gitFact is a fact about the state of a repository.
type gitFact struct {
	name, kind string
	of         func(*Git, context.Context) (any, error)
	doc        string // for people
}

// gitFacts returns the table of the facts about the state of a repository.
func gitFacts() []gitFact {
	return []gitFact{
		{"dirty", aBoolean, (*Git).dirty, "true if a tracked file, or an untracked one that is not ignored, differs from `HEAD`; false where a commit is checked"},
		{"branch", aString, (*Git).branch, "the branch that is checked out; empty if `HEAD` is detached"},
		{"ahead", "integer", (*Git).ahead, "the number of commits that the upstream of the branch does not have; without an upstream, those that the default branch does not have"},
	}
}

// GitFacts returns the facts about the state of a repository as rows of a table: a name, and
// what it is.
func GitFacts() [][2]string {
	var rows [][2]string
	for _, f := range gitFacts() {
		rows = append(rows, [2]string{FactGit + "." + f.name, f.doc})
	}
	return rows
}

// gitSchema returns the JSON Schema of these facts.
func gitSchema() map[string]any {
	fields := map[string]any{}
	var names []any
	for _, f := range gitFacts() {
		fields[f.name] = map[string]any{"type": f.kind}
		names = append(names, f.name)
	}
	return policy.ObjectSchema(fields, names)
}

// head completes the head with the commit and the branch, which a project may be read without.
func (g *Git) head(ctx context.Context) (diff.Head, error) {
	if g.Checked.Kind == diff.Commit || g.Checked.Commit != "" {
		return g.Checked, nil
	}
	return g.Head(ctx, g.Checked.Kind, g.Checked.Ref)
}

func (g *Git) branch(ctx context.Context) (any, error) {
	head, err := g.head(ctx)
	return head.Branch, err
}

func (g *Git) dirty(ctx context.Context) (any, error) {
	head, err := g.head(ctx)
	if err != nil || head.Kind == diff.Commit {
		return false, err
	}
	base := diff.Base{ID: diff.From, Ref: "HEAD", Commit: head.Commit}
	if head.Commit == "" { // Resolve has the empty tree for it
		if base, err = g.Resolve(ctx, diff.BaseRequest{ID: diff.DefaultTip, Head: head}); err != nil {
			return false, err
		}
	}
	if staged, err := g.Staged(ctx); err != nil || len(staged.Changes) > 0 {
		return true, err
	}
	head.Kind = diff.Worktree
	changes, err := g.Changes(ctx, base, head)
	return len(changes.Changes) > 0, err
}

func (g *Git) ahead(ctx context.Context) (any, error) {
	head, err := g.head(ctx)
	if err != nil || head.Commit == "" {
		return 0, err
	}
	base, err := g.Resolve(ctx, diff.BaseRequest{ID: diff.Upstream, Head: head, DefaultBranch: g.DefaultBranch})
	if err != nil {
		return 0, err
	}
	commits, err := g.Dates(ctx, base, head)
	return len(commits), err
}

// fact returns one of the facts, which is established once.
func (g *Git) fact(ctx context.Context, f gitFact) (any, error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if value, ok := g.known[f.name]; ok {
		return value, nil
	}
	value, err := f.of(g, ctx)
	if err != nil {
		return nil, fmt.Errorf("%s.%s: %w", FactGit, f.name, err)
	}
	if g.known == nil {
		g.known = map[string]any{}
	}
	g.known[f.name] = value
	return value, nil
}

// WithGit returns c with the repository whose state its conditions may read.
func (c *Set) WithGit(g *Git) *Set {
	if c == nil {
		return nil
	}
	with := *c
	with.git = g
	return &with
}

// gitTerm returns those facts about the repository that some conditions name; nil if they name none.
func (c *Set) gitTerm(ctx context.Context, ids []string) (*ast.Term, error) {
	var fields [][2]*ast.Term
	e := policy.NewEncoder(nil)
	for _, f := range gitFacts() {
		asked := slices.ContainsFunc(ids, func(id string) bool {
			return slices.ContainsFunc(c.conditions[id], func(one *condition) bool {
				return one.git[f.name] || one.library && c.byLibrary[FactGit]
			})
		})
		if !asked {
			continue
		}
		if c.git == nil {
			return nil, fmt.Errorf("%s.%s describes a repository, but this run has none", FactGit, f.name)
		}
		value, err := c.git.fact(ctx, f)
		if err != nil {
			return nil, err
		}
		fields = append(fields, ast.Item(ast.StringTerm(f.name), e.Term(value)))
	}
	if len(fields) == 0 {
		return nil, nil //nolint:nilnil // there are none
	}
	return ast.ObjectTerm(fields...), e.Err()
}

// readsGit collects the facts about the repository that a condition names: all, where it names
// the object that has them.
func (c *condition) readsGit() {
	c.git = map[string]bool{}
	named := func(ref ast.Ref) bool {
		if ref[0].Value.Compare(ast.Var(FactGit)) != 0 {
			return false
		}
		name := ast.String("")
		if len(ref) > 1 {
			name, _ = ref[1].Value.(ast.String)
		}
		for _, f := range gitFacts() {
			c.git[f.name] = c.git[f.name] || name == "" || string(name) == f.name
		}
		return true
	}
	ast.NewGenericVisitor(func(x any) bool {
		switch x := x.(type) {
		case ast.Ref:
			return named(x)
		case ast.Var:
			return named(ast.Ref{ast.NewTerm(x)})
		}
		return false
	}).Walk(c.body)
}

package condition

import (
	"context"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// ReadsSession reports whether the answer of a rule's conditions depends on the session.
func (c *Set) ReadsSession(id string) bool {
	return slices.ContainsFunc(c.conditions[id], func(one *condition) bool { return one.reads(policies.FactSession, c) })
}

// OfSessionAlone reports whether the answer of a rule's conditions depends on the session, and on
// nothing that a change has. Without a set it does not.
func (c *Set) OfSessionAlone(id string) bool {
	return c != nil && c.ReadsSession(id) && !c.NeedsChange(id)
}

// NeedsChange reports whether a rule's conditions read a fact that only a run about a change
// has.
func (c *Set) NeedsChange(id string) bool {
	ofChange := func(name string) bool { return name != policies.FactSession && name != nameRule }
	return slices.ContainsFunc(c.conditions[id], func(one *condition) bool {
		names := maps.Clone(one.names)
		for name, read := range c.byLibrary {
			names[name] = names[name] || one.library && read
		}
		maps.DeleteFunc(names, func(_ string, read bool) bool { return !read })
		return slices.ContainsFunc(slices.Collect(maps.Keys(names)), ofChange)
	})
}

// OfSession evaluates the conditions of a rule on a session. Where they need a change, change
// is that; else it may be nil.
func (c *Set) OfSession(ctx context.Context, change *Change, r rule.Info, s policy.SessionFacts) Answer {
	var fields [][2]*ast.Term
	if change != nil {
		if failed := change.failure(r); failed != nil {
			return *failed
		}
		fields = change.fieldsFor(r)
	}
	if missing := c.missing(r.ID, s); missing != "" {
		return Answer{Missing: missing}
	}
	e := policy.NewEncoder(nil)
	own := ast.Item(ast.StringTerm(policies.FactSession), e.Term(s))
	if err := e.Err(); err != nil {
		return c.failure(r.ID, nil, err)
	}
	return c.ofRule(ctx, append(slices.Clip(fields), own), r)
}

// sessionFacts are the fields of a session, with the reason for which a log that does not state
// one decides nothing.
var sessionFacts = []struct {
	field, missing string
	of             func(policy.SessionFacts) string
}{
	{"agent", "the log does not say which agent it is of", func(s policy.SessionFacts) string { return s.Agent }},
	{"cwd", "the log does not state the directory of the session", func(s policy.SessionFacts) string { return s.Cwd }},
	{"git_branch", "the log does not state the branch", func(s policy.SessionFacts) string { return s.GitBranch }},
	{"id", "the log does not state the id of the session", func(s policy.SessionFacts) string { return s.ID }},
}

// missing returns what a rule's conditions read of a session and its log does not state; empty:
// nothing.
func (c *Set) missing(id string, s policy.SessionFacts) string {
	for _, f := range sessionFacts {
		asks := func(one *condition) bool {
			return slices.Contains(one.session, f.field) || one.library && c.byLibrary[policies.FactSession]
		}
		if f.of(s) == "" && slices.ContainsFunc(c.conditions[id], asks) {
			return f.missing
		}
	}
	return ""
}

// sessionFields lists the fields of the session that a condition reads; all, where it reads the
// session as a whole.
func sessionFields(body ast.Body) (fields []string) {
	ast.WalkTerms(body, func(t *ast.Term) bool {
		ref, ok := t.Value.(ast.Ref)
		if !ok {
			ref = ast.Ref{t}
		}
		if ref[0].Value.Compare(ast.Var(policies.FactSession)) != 0 {
			return false
		}
		if len(ref) > 1 {
			if field, constant := ref[1].Value.(ast.String); constant {
				fields = append(fields, string(field))
				return true
			}
		}
		for _, f := range sessionFacts {
			fields = append(fields, f.field)
		}
		return false
	})
	return fields
}

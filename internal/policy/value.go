package policy

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

// The keys of the facts, made once: a run has as many objects as it has
// changes, times the rules that match them.
var (
	keyAuthor          = ast.InternedTerm("author")
	keyBase            = ast.InternedTerm("base")
	keyBranch          = ast.InternedTerm("branch")
	keyCaptures        = ast.InternedTerm("captures")
	keyChange          = ast.InternedTerm("change")
	keyChanged         = ast.InternedTerm("changed")
	keyChanges         = ast.InternedTerm("changes")
	keyCommit          = ast.InternedTerm("commit")
	keyCorrespondences = ast.InternedTerm("correspondences")
	keyEvent           = ast.InternedTerm("event")
	keyExists          = ast.InternedTerm("exists")
	keyFoundBy         = ast.InternedTerm("found_by")
	keyHead            = ast.InternedTerm("head")
	keyID              = ast.InternedTerm("id")
	keyKind            = ast.InternedTerm("kind")
	keyLabels          = ast.InternedTerm("labels")
	keyLevel           = ast.InternedTerm("level")
	keyMatches         = ast.InternedTerm("matches")
	keyMembers         = ast.InternedTerm("members")
	keyMode            = ast.InternedTerm("mode")
	keyName            = ast.InternedTerm("name")
	keyNow             = ast.InternedTerm("now")
	keyOldPath         = ast.InternedTerm("old_path")
	keyParam           = ast.InternedTerm("param")
	keyParams          = ast.InternedTerm("params")
	keyPath            = ast.InternedTerm("path")
	keyPattern         = ast.InternedTerm("pattern")
	keyRef             = ast.InternedTerm("ref")
	keyRule            = ast.InternedTerm("rule")
	keySatisfiedBy     = ast.InternedTerm("satisfied_by")
	keySimilarity      = ast.InternedTerm("similarity")
	keyStatus          = ast.InternedTerm("status")
	keyTrigger         = ast.InternedTerm("trigger")
	keyUntracked       = ast.InternedTerm("untracked")
)

// valueOf says in Rego's terms what encoding/json would say of in, but for
// three things: a nil list or map is empty, paths become text, and a fact that
// is not among facts is absent. It builds the terms itself because the way
// through JSON costs more than most policies.
func valueOf(in Input, facts []string, names *names) (ast.Value, error) {
	b := builder{names: names, words: map[string]*ast.Term{}, parts: partsOf(facts)}
	params, err := ast.InterfaceToValue(in.Rule.Params)
	if err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	fields := [][2]*ast.Term{
		ast.Item(keyRule, ast.ObjectTerm(
			b.text(keyID, in.Rule.ID), b.text(keyName, in.Rule.Name), b.text(keyMode, in.Rule.Mode),
			b.text(keyLevel, string(in.Rule.Level)), ast.Item(keyParams, ast.NewTerm(params)),
		)),
		ast.Item(keyBase, b.base(in.Base)),
		ast.Item(keyHead, b.head(in.Head)),
		ast.Item(keyMatches, b.matches(in.Matches)),
	}
	if slices.Contains(facts, policies.FactChanges) {
		fields = append(fields, ast.Item(keyChanges, list(in.Changes, b.change)))
	}
	if slices.Contains(facts, policies.FactCorrespondences) {
		fields = append(fields, ast.Item(keyCorrespondences, list(in.Correspondences, b.correspondence)))
	}
	if slices.Contains(facts, policies.FactNow) {
		if in.Now == "" {
			return nil, errors.New("the mode asks for input.now, and nobody told the time")
		}
		fields = append(fields, b.text(keyNow, in.Now))
	}
	for _, fact := range policies.SessionFacts() {
		if !slices.Contains(facts, fact) {
			continue
		}
		value, ok := ofSession(in, fact)
		if !ok {
			return nil, fmt.Errorf("the mode asks for input.%s, and no session is judged", fact)
		}
		fields = append(fields, ast.Item(ast.InternedTerm(fact), termOf(reflect.ValueOf(value))))
	}
	return ast.NewObject(fields...), names.err
}

type builder struct {
	names *names
	words map[string]*ast.Term // of the few values that most changes share
	parts []part               // of a change's detail
}

func (b builder) base(base diff.Base) *ast.Term {
	fields := [][2]*ast.Term{b.text(keyID, base.ID), b.text(keyCommit, base.Commit), b.text(keyFoundBy, base.FoundBy)}
	fields = b.optional(fields, keyRef, base.Ref)
	return ast.ObjectTerm(fields...)
}

func (b builder) head(head HeadFacts) *ast.Term {
	fields := [][2]*ast.Term{b.text(keyKind, string(head.Kind))}
	fields = b.optional(fields, keyRef, head.Ref)
	fields = b.optional(fields, keyCommit, head.Commit)
	fields = b.optional(fields, keyBranch, head.Branch)
	fields = b.optional(fields, keyEvent, head.Name)
	fields = b.optional(fields, keyAuthor, head.Author)
	if len(head.Labels) > 0 {
		fields = append(fields, ast.Item(keyLabels, list(head.Labels, b.entry)))
	}
	return ast.ObjectTerm(fields...)
}

func (b builder) change(c *diff.Change) *ast.Term { return b.changeAt(b.string(c.Path), c) }

// changeAt is a change whose path is a term already.
func (b builder) changeAt(path *ast.Term, c *diff.Change) *ast.Term {
	var space [8][2]*ast.Term
	fields := append(space[:0],
		ast.Item(keyPath, path), b.word(keyStatus, string(c.Status)), b.word(keyMode, c.Mode), b.word(keyKind, string(c.Kind)))
	fields = b.optional(fields, keyOldPath, c.OldPath)
	if c.Untracked {
		fields = append(fields, ast.Item(keyUntracked, ast.InternedTerm(true)))
	}
	if c.Similarity != 0 {
		fields = append(fields, ast.Item(keySimilarity, ast.InternedTerm(c.Similarity)))
	}
	if len(b.parts) > 0 {
		fields = b.detail(fields, c)
	}
	return ast.ObjectTerm(fields...)
}

// matches is there for every mode: safety is read in one place for all.
func (b builder) matches(matches map[string][]correspondence.Match) *ast.Term {
	fields := make([][2]*ast.Term, 0, len(matches))
	for _, param := range slices.Sorted(maps.Keys(matches)) {
		fields = append(fields, ast.Item(ast.StringTerm(param), list(matches[param], b.match)))
	}
	return ast.ObjectTerm(fields...)
}

func (b builder) match(m *correspondence.Match) *ast.Term {
	path := b.string(m.Path)
	var space [3][2]*ast.Term
	fields := append(space[:0], ast.Item(keyPath, path))
	fields = append(fields, ast.Item(keyCaptures, b.captures(m.Captures)))
	changed := path
	if m.Change.Path != m.Path {
		changed = b.string(m.Change.Path)
	}
	fields = append(fields, ast.Item(keyChange, b.changeAt(changed, &m.Change)))
	return ast.ObjectTerm(fields...)
}

func (b builder) captures(captures pattern.Captures) *ast.Term {
	if len(captures) == 0 {
		return ast.InternedEmptyObject
	}
	var space [4][2]*ast.Term
	fields := space[:0]
	for name, value := range captures {
		fields = append(fields, b.text(b.shared(name), value))
	}
	return ast.ObjectTerm(fields...)
}

func (b builder) correspondence(c *correspondence.Correspondence) *ast.Term {
	members := ast.Item(keyMembers, list(c.Members, b.member))
	return ast.ObjectTerm(ast.Item(keyCaptures, b.captures(c.Captures)), members)
}

func (b builder) member(m *correspondence.Member) *ast.Term {
	var space [8][2]*ast.Term
	fields := append(space[:0],
		b.word(keyParam, m.Param),
		ast.Item(keyChanged, ast.InternedTerm(m.Changed)),
		ast.Item(keyExists, ast.InternedTerm(m.Exists)),
		ast.Item(keyTrigger, ast.InternedTerm(m.Trigger)),
	)
	fields = b.optional(fields, keyPath, m.Path)
	fields = append(fields, ast.Item(keySatisfiedBy, list(m.SatisfiedBy, b.entry)))
	fields = b.optional(fields, keyPattern, m.Pattern)
	return ast.ObjectTerm(fields...)
}

func (b builder) entry(s *string) *ast.Term { return b.string(*s) }

func (b builder) string(s string) *ast.Term { return ast.StringTerm(b.names.text(s)) }

func (b builder) text(key *ast.Term, value string) [2]*ast.Term {
	return ast.Item(key, b.string(value))
}

func (b builder) word(key *ast.Term, value string) [2]*ast.Term {
	return ast.Item(key, b.shared(value))
}

// shared makes the term of a value once.
func (b builder) shared(value string) *ast.Term {
	term, ok := b.words[value]
	if !ok {
		term = b.string(value)
		b.words[value] = term
	}
	return term
}

// optional leaves out what is empty, as omitempty does.
func (b builder) optional(fields [][2]*ast.Term, key *ast.Term, value string) [][2]*ast.Term {
	if value == "" {
		return fields
	}
	return append(fields, b.text(key, value))
}

func list[T any](values []T, term func(*T) *ast.Term) *ast.Term {
	if len(values) == 0 {
		return ast.InternedEmptyArray
	}
	terms := make([]*ast.Term, len(values))
	for i := range values {
		terms[i] = term(&values[i])
	}
	return ast.ArrayTerm(terms...)
}

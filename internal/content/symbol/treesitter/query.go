package treesitter

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// pattern is the predicates of one pattern of a query, which the core leaves to its callers.
type pattern []predicate

type predicate struct {
	capture uint32
	holds   func(text string) bool
}

// prepare compiles the query and reads the names and predicates in it.
func (i *instance) prepare(ctx context.Context, query string) error {
	at, err := i.put(ctx, query)
	if err != nil {
		return err
	}
	offset, err := i.call(ctx, "prepare", uint64(at), uint64(len(query)))
	if err != nil {
		return err
	}
	if offset > 0 {
		before := query[:min(int(offset-1), len(query))]
		return fmt.Errorf("line %d: %q: want names of the grammar", 1+strings.Count(before, "\n"), firstLine(query[len(before):]))
	}
	n, err := i.call(ctx, "captures")
	for id := range n {
		var name string
		if name, err = i.text(ctx, "capture", id); err != nil {
			break
		}
		i.captures = append(i.captures, name)
	}
	if err != nil {
		return err
	}
	if n, err = i.call(ctx, "patterns"); err != nil {
		return err
	}
	for id := range n {
		p, err := i.predicates(ctx, id)
		if err != nil {
			return err
		}
		i.patterns = append(i.patterns, p)
	}
	return nil
}

func firstLine(s string) string { first, _, _ := strings.Cut(s, "\n"); return first }

// predicates reads (#eq? @capture "text"…) and (#match? @capture "expression"), and both
// with "not-".
func (i *instance) predicates(ctx context.Context, id uint32) (pattern, error) {
	at, err := i.call(ctx, "predicates", uint64(id))
	if err != nil {
		return nil, err
	}
	n, err := i.call(ctx, "sized")
	if err != nil {
		return nil, err
	}
	steps, err := i.words(at, 2*n)
	if err != nil {
		return nil, err
	}
	const done, capture = 0, 1
	var p pattern
	var strs []string
	var subject uint32
	for s := 0; s < len(steps); s += 2 {
		switch steps[s] {
		case done:
		case capture:
			subject = steps[s+1]
			continue
		default:
			text, err := i.text(ctx, "string", steps[s+1])
			if err != nil {
				return nil, err
			}
			strs = append(strs, text)
			continue
		}
		if len(strs) == 0 {
			return nil, fmt.Errorf("a predicate of pattern %d has no name", id)
		}
		name, not := strings.CutPrefix(strs[0], "not-")
		values := strs[1:]
		var holds func(string) bool
		switch name {
		case "eq?":
			holds = func(text string) bool { return slices.Contains(values, text) != not }
		case "match?":
			expression, err := regexp.Compile(strings.Join(values, ""))
			if err != nil {
				return nil, err
			}
			holds = func(text string) bool { return expression.MatchString(text) != not }
		default:
			return nil, fmt.Errorf("predicate %q; want eq?, match?, or not- before them", strs[0])
		}
		p = append(p, predicate{subject, holds})
		strs = nil
	}
	return p, nil
}

package policy

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/correspondence"
)

// portion is how many correspondences are decided at a time by a policy that decides each of them
// for itself.
const portion = 8192

// inPortions decides a rule about many correspondences on all processors. Each portion has the
// time and memory of a query, so that larger changes can be decided.
func (e *Engine) inPortions(ctx context.Context, in Input) ([]Violation, error) {
	portions := slices.Collect(slices.Chunk(in.Correspondences, e.portion))
	found, err := iter.MapErr(portions, func(some *[]correspondence.Correspondence) ([]Violation, error) {
		part := in
		part.Correspondences = *some
		return e.decide(ctx, part)
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	slices.SortFunc(all, compareViolations)
	return slices.CompactFunc(all, func(a, b Violation) bool { return compareViolations(a, b) == 0 && reflect.DeepEqual(a, b) }), nil
}

func compareViolations(a, b Violation) int {
	return cmp.Or(slices.Compare(a.TriggerFiles, b.TriggerFiles), slices.Compare(a.Expected, b.Expected),
		cmp.Compare(a.Path, b.Path), a.Line-b.Line, a.Column-b.Column, cmp.Compare(a.Message, b.Message))
}

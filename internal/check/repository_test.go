package check_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/report"
)

// repository is one in which changes are checked.
type repository struct{ *gittest.Repository }

func newRepository(t *testing.T) *repository {
	t.Helper()
	return &repository{gittest.New(t)}
}

func (r *repository) check(o check.Options) *report.Report {
	r.T.Helper()
	rep, err := check.Run(r.T.Context(), r.Open(), o)
	if err != nil {
		r.T.Fatal(err)
	}
	return rep
}

// messages are the findings that are not waived, in a form to compare.
func messages(rep *report.Report) []string {
	list := []string{}
	for _, f := range rep.Findings {
		if f.Waiver == nil {
			list = append(list, f.Rule+": "+f.Message)
		}
	}
	return list
}

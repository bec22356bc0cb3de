package workflow_test

import (
	"io/fs"
	"path"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

var bundle = sync.OnceValues(policies.Load)

// resolver returns a resolver with the bundled modes and no rules.
func resolver(tb testing.TB) rule.Resolver {
	tb.Helper()
	bundle, err := bundle()
	if err != nil {
		tb.Fatal(err)
	}
	return rule.Resolver{Modes: bundle.Modes}
}

func TestBundled(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(workflow.Bundled(), workflow.BundledDir+"/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	shapes := map[string][]string{}
	for _, file := range files {
		d, problems, notices := workflow.Load(workflow.Bundled(), file, resolver(t))
		if len(problems)+len(notices) > 0 {
			t.Fatal(problems, notices)
		}
		if d.Name+".yaml" != path.Base(file) || d.File != file {
			t.Errorf("%s is called %s, of %s", file, d.Name, d.File)
		}
		if lint := d.Lint(); len(lint) > 0 {
			t.Errorf("lint of %s: %v", file, lint)
		}
		shapes[d.Name] = d.Names()
	}
	want := map[string][]string{
		"developer": {"claim", "red", "green", "blue", "reflect", "commit", "report", "shutdown"},
		"discovery": {"spec", "plan", "code", "learnings", "readme"},
		"execution": {"spec", "plan", "code", "review", "readme"},

		"session-lifecycle": {"session"},
	}
	if diff := cmp.Diff(want, shapes); diff != "" {
		t.Errorf("phases (-want +got):\n%s", diff)
	}
}

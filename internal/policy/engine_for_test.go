package policy_test

import (
	"maps"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

func TestNewFor(t *testing.T) {
	b := load(t)
	created := policy.Input{Rule: rule.Info{ID: "r", Mode: "created", Params: map[string]any{"created": "**"}}}
	trigger := policy.Input{Rule: rule.Info{ID: "r", Mode: "trigger", Params: map[string]any{"trigger": "**"}}}
	few, err := policy.NewFor(t.Context(), b, []string{"created"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := few.Decide(t.Context(), created); err != nil {
		t.Errorf("created: %v", err)
	}
	if _, err := few.Decide(t.Context(), trigger); err == nil {
		t.Error("trigger: no error; want one, as it was not compiled")
	}
	if _, ok := b.Modes["trigger"]; !ok {
		t.Error("the bundle itself lost a mode")
	}
	project, problems := b.With(fstest.MapFS{"p/lib.rego": {Data: []byte("package rulecheck.lib.own\n\nx := 1\n")}}, "p")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	whole, err := policy.NewFor(t.Context(), project, []string{"created"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := whole.Decide(t.Context(), trigger); err != nil {
		t.Errorf("trigger of a project with policies of its own: %v", err)
	}
}

// TestBuiltPoliciesPassEveryCheck makes up for the checks that runs leave out.
func TestBuiltPoliciesPassEveryCheck(t *testing.T) {
	bundle, err := policies.Parse(os.DirFS("../../policies"))
	if err != nil {
		t.Fatal(err)
	}
	if bundle.Built() || !load(t).Built() {
		t.Fatal("policies that are read count as those of the program, or the program's do not")
	}
	if _, err := policy.New(t.Context(), bundle); err != nil {
		t.Error(err)
	}
}

// TestIdleStages compiles with the stages that runs leave out because the program's
// policies give them nothing to do.
func TestIdleStages(t *testing.T) {
	bundle := load(t)
	modes := slices.Sorted(maps.Keys(bundle.Modes))
	modules, err := bundle.Modules(modes...)
	if err != nil {
		t.Fatal(err)
	}
	without, err := policy.CompileBuilt(modules)
	if err != nil {
		t.Fatal(err)
	}
	with, err := policy.CompileIdle(modules)
	if err != nil {
		t.Fatal(err)
	}
	for file, module := range with.Modules {
		if diff := cmp.Diff(module.String(), without.Modules[file].String()); diff != "" {
			t.Errorf("%s (-with the idle stages +without):\n%s", file, diff)
		}
	}
	if got, want := len(with.Modules), len(modes); got <= want {
		t.Errorf("%d modules were compared; want more than the %d modes", got, want)
	}
}

// TestModesImportWhatTheyRead: of a library that is not imported nothing is compiled,
// and what read it would find it undefined.
func TestModesImportWhatTheyRead(t *testing.T) {
	bundle := load(t)
	libraries, err := bundle.Libraries()
	if err != nil {
		t.Fatal(err)
	}
	for mode := range bundle.Modes {
		modules, err := bundle.Modules(mode)
		if err != nil {
			t.Fatal(err)
		}
		compiler, err := policy.CompileBuilt(modules)
		if err != nil {
			t.Fatal(err)
		}
		for file, module := range compiler.Modules {
			ast.WalkRefs(module, func(ref ast.Ref) bool {
				if ref.HasPrefix(ast.MustParseRef("data.rulecheck.lib")) && len(compiler.GetRules(ref.GroundPrefix())) == 0 {
					t.Errorf("mode %s: %s reads %s, which is not there", mode, file, ref)
				}
				return false
			})
		}
	}
	few, err := bundle.Modules("created")
	if err != nil {
		t.Fatal(err)
	}
	if len(libraries) < 2 || len(few) > 3+1 {
		t.Errorf("%d libraries, %d modules for the mode created; want several, and few", len(libraries), len(few))
	}
}

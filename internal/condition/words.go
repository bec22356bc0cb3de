package condition

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/policies"
)

// words are the names that a vocabulary and the library give conditions.
type words struct {
	facts     scope
	names     []string
	functions []string
	builtins  map[ast.Var]bool // what the builtins' names begin with
	library   []string         // functions and values, of the library and of changes
	byLibrary map[string]bool  // the facts that the library reads
	change    bool
	input     map[string]any // schema of what the compiled conditions read
	parsing   ast.ParserOptions
}

func wordsOf(v Vocabulary, library map[string]*ast.Module, allowed *ast.Capabilities) *words {
	w := &words{facts: scope{}, builtins: map[ast.Var]bool{}, change: v.Change, input: schemaOfInput(v)}
	all := shapeOf(v.Facts)
	for name := range all.fields() {
		w.facts[ast.Var(name)], _ = all.element(ast.String(name))
		w.names = append(w.names, name)
	}
	slices.Sort(w.names)
	w.parsing = ast.ParserOptions{RegoVersion: ast.RegoV2, SkipRules: true, Capabilities: allowed}
	for _, builtin := range allowed.Builtins {
		head, _, _ := strings.Cut(builtin.Name, ".")
		w.builtins[ast.Var(head)] = true
		if builtin.Infix == "" && !builtin.IsDeprecated() {
			w.functions = append(w.functions, builtin.Name)
		}
	}
	if v.Change {
		w.library = functionNames()
	}
	w.byLibrary = factsRead(library, w.names)
	for _, module := range library {
		path, ok := strings.CutPrefix(module.Package.Path.String(), "data.rulecheck.")
		for _, r := range module.Rules {
			if name := r.Head.Name.String(); ok && !strings.HasPrefix(name, "_") {
				w.library = append(w.library, path+"."+name)
			}
		}
	}
	slices.Sort(w.library)
	w.library = slices.Compact(w.library)
	return w
}

// unknown describes a name that the vocabulary does not have. Names of workflows are not
// misspelled: they have no value where there is no session.
func (w *words) unknown(name string, known []string) string {
	head, _, _ := strings.Cut(name, ".")
	if w.change && slices.Contains([]string{FactArtifacts, FactClaims, FactEvidence, FactPhase}, head) {
		return fmt.Sprintf("%q is only known in the conditions of workflow files; want it in a transition, a gate or exit_when", name)
	}
	if _, ofSession := w.facts[policies.FactSession].field(name); ofSession {
		return fmt.Sprintf("unknown name %q; want %s.%s", name, policies.FactSession, name)
	}
	if w.change && head == policies.FactSession {
		return fmt.Sprintf("%q is only known in the conditions of rules about sessions", name)
	}
	if _, declared := w.facts[FactVars].field(name); declared {
		return fmt.Sprintf("unknown name %q; want %s.%s", name, FactVars, name)
	}
	if want := w.rewriteOf(name); want != "" {
		return fmt.Sprintf("unknown name %q; want %s", name, want)
	}
	return fmt.Sprintf("unknown name %q%s", name, suggest.OneOf(name, known))
}

// schemaOfInput adds to the facts what conditions need and do not see: which of
// them are asked, the matches of change.any and its like, and for the library
// the rule.
func schemaOfInput(v Vocabulary) map[string]any {
	names := map[string]any{nameRule: policy.SchemaOf(reflect.TypeFor[rule.Info]())}
	maps.Copy(names, shapeOf(v.Facts).fields())
	names[nameAsked] = policy.SchemaOf(reflect.TypeFor[[]string]())
	if v.Change {
		names[nameChange] = policy.SchemaOf(reflect.TypeFor[map[string][]string]())
		names[nameFile] = policy.SchemaOf(reflect.TypeFor[map[string]fileFacts]())
		names[nameAPI] = policy.SchemaOf(reflect.TypeFor[map[string]apiFacts]())
	}
	return policy.ObjectSchema(names, nil)
}

package policy

import (
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
)

// refused are builtins that no policy can call, beside those that OPA itself
// marks as nondeterministic. A name that ends in a dot stands for all below it.
var refused = []string{
	// The answer depends on the machine, the moment or the engine, or would on
	// the next upgrade: these families are refused whole.
	"http.", "net.", "opa.", "providers.", "rand.", "time.now_ns", "trace", "uuid.rfc4122",
	"rego.parse_module",
	// Tokens are judged by the clock, and no change has one to judge.
	"io.jwt.",
	// The size of the answer is a number the policy names, so that memory runs
	// out before any deadline; bits.lsh(1, 1e30) panics.
	"bits.lsh", "numbers.range", "numbers.range_step", "strings.render_template",
}

// capabilities are what a policy may use: builtins whose answer follows from
// their arguments, and no network.
//
// The flag covers json.match_schema and json.verify_schema, which read the
// files and hosts a schema refers to.
var capabilities = sync.OnceValue(func() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool {
		return b.IsNondeterministic() || slices.ContainsFunc(refused, func(name string) bool {
			return b.Name == name || strings.HasSuffix(name, ".") && strings.HasPrefix(b.Name, name)
		})
	})
	c.AllowNet = []string{} // schemas in METADATA: nil would allow every host
	return c
})

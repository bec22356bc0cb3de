package policies

import (
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
)

// refused lists builtins that policies and conditions may not call, in addition to
// those that OPA marks as nondeterministic. A name that ends in a dot refuses the
// whole family.
var refused = []string{
	// The result depends on the machine, the time or the engine, or would after the
	// next upgrade.
	"http.", "net.", "opa.", "providers.", "rand.", "time.now_ns", "trace", "uuid.rfc4122",
	"rego.parse_module",
	// Tokens are verified against the clock, and no change has one.
	"io.jwt.",
	// The policy chooses the size of the result, so that memory runs out before the
	// deadline; bits.lsh(1, 1e30) panics.
	"bits.lsh", "numbers.range", "numbers.range_step", "strings.render_template",
}

// Capabilities returns what policies and conditions may use: builtins whose result
// depends on nothing but their arguments, those of [Builtins] among them, and no network. The caller must not change it.
//
// IsNondeterministic covers json.match_schema and json.verify_schema, which read the
// files and hosts that a schema refers to.
var Capabilities = sync.OnceValue(func() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool {
		return b.IsNondeterministic() || slices.ContainsFunc(refused, func(name string) bool {
			return b.Name == name || strings.HasSuffix(name, ".") && strings.HasPrefix(b.Name, name)
		})
	})
	c.Builtins = append(c.Builtins, &tomlUnmarshal)
	c.AllowNet = []string{} // for schemas in METADATA; nil would allow every host
	return c
})

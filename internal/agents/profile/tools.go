package profile

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// tools classifies the tools of all agents by their plain names.
var tools = func() map[string]fact.Kind {
	byName := map[string]fact.Kind{}
	for _, p := range All() {
		for kind, names := range p.Tools {
			for name := range strings.FieldsSeq(names) {
				byName[PlainName(name)] = kind
			}
		}
	}
	return byName
}()

// KindOf returns the kind of a tool by its name, without regard to case and underscores; ok
// is false if no profile lists it. Tools of MCP servers are known by their prefix.
func KindOf(tool string) (kind fact.Kind, ok bool) {
	if kind, ok = tools[PlainName(tool)]; ok {
		return kind, true
	}
	if strings.HasPrefix(tool, "mcp_") || strings.HasPrefix(tool, "MCP:") {
		return fact.MCP, true
	}
	return fact.Other, false
}

// PlainName returns a name without underscores, in small letters.
func PlainName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

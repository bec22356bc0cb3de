package profile

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// tools classifies the tools of all agents by their plain names.
var tools = sync.OnceValue(func() map[string]fact.Kind {
	byName := map[string]fact.Kind{}
	for _, p := range All() {
		for kind, names := range p.Tools {
			for name := range strings.FieldsSeq(names) {
				byName[PlainName(name)] = kind
			}
		}
	}
	return byName
})

// KindOf returns the kind of a tool by its name, without regard to case and underscores; ok
// is false if no profile lists it. Tools of MCP servers are known by their prefix.
func KindOf(tool string) (kind fact.Kind, ok bool) {
	if kind, ok = tools()[PlainName(tool)]; ok {
		return kind, true
	}
	if strings.HasPrefix(tool, "mcp_") || strings.HasPrefix(tool, "MCP:") {
		return fact.MCP, true
	}
	return fact.Other, false
}

// starters are the plain names of the tools that start another agent.
var starters = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, p := range All() {
		for name := range strings.FieldsSeq(p.Subagents) {
			names[PlainName(name)] = true
		}
	}
	return names
})

// StartsSubagent reports whether a tool of any agent starts another agent.
func StartsSubagent(tool string) bool { return starters()[PlainName(tool)] }

// kindNames are the names that mean each tool of a kind, of whichever agent.
var kindNames = map[string]fact.Kind{"Bash": fact.Command, "Edit": fact.FileEdit, "Write": fact.FileEdit, "Read": fact.Read}

// IsNamed reports whether a list of names, as rules and observers have it, names a tool: Bash,
// Edit, Write and Read name each tool of their kind, and any other name the tool that has it.
func IsNamed(list []string, tool string, kind fact.Kind) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		of, isKind := kindNames[name]
		return name == tool || isKind && of == kind
	})
}

// IsKindName reports whether a name means each tool of a kind.
func IsKindName(name string) bool { return kindNames[name] != "" }

// KindNames lists the names that mean each tool of a kind, in byte order.
func KindNames() []string { return slices.Sorted(maps.Keys(kindNames)) }

// ToolNames lists the names of the agent's tools, in byte order.
func (p *Profile) ToolNames() []string {
	var names []string
	for _, list := range p.Tools {
		names = append(names, strings.Fields(list)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// PlainName returns a name without underscores, in small letters.
func PlainName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

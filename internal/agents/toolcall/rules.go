package toolcall

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// compiled is a rule that is ready to be compared with calls.
type compiled struct {
	*rule.Rule

	tools, mcpTools []string
	kinds           []fact.Kind
	command, not    *bash.Pattern // nil: any, none
	paths           bash.Paths
}

// param is the name of a parameter in the mode.
func param(name string) string { return Mode + "." + name }

// Mode is the mode of rules about tool calls.
const Mode = "tool"

func compile(r *rule.Rule) (compiled, error) {
	c := compiled{Rule: r, tools: texts(r.Params[param("tools")]), mcpTools: texts(r.Params[param("mcp_tools")])}
	for _, kind := range texts(r.Params[param("kind")]) {
		c.kinds = append(c.kinds, fact.Kind(kind))
	}
	for name, to := range map[string]**bash.Pattern{"command_pattern": &c.command, "command_not_pattern": &c.not} {
		expr, _ := r.Params[param(name)].(string)
		if expr == "" {
			continue
		}
		p, err := bash.Compile(expr)
		if err != nil {
			return c, fmt.Errorf("rule %s: %s: %w", r.ID, name, err)
		}
		*to = p
	}
	c.paths = bash.CompilePaths(texts(r.Params[param("paths")]))
	return c, nil
}

// texts returns the texts of a parameter that is one or several.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		var list []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				list = append(list, s)
			}
		}
		return list
	}
	return nil
}

// names reports whether the rule is about the tool of a call.
func (c compiled) names(call Call, f facts) bool {
	if len(c.tools) == 0 && len(c.mcpTools) == 0 && len(c.kinds) == 0 {
		return true
	}
	return profile.IsNamed(c.tools, call.Tool, f.kind) || slices.Contains(c.kinds, f.kind) || f.mcp.Tool != "" && slices.ContainsFunc(c.mcpTools, func(name string) bool {
		server, tool, _ := strings.Cut(name, ":")
		return server == f.mcp.Server && (tool == "*" || tool == f.mcp.Tool)
	})
}

var answers = map[bash.Answer]string{bash.Yes: policy.AnswerYes, bash.Maybe: policy.AnswerMaybe, bash.No: policy.AnswerNo}

// input returns the facts about a call that policies see.
func (c compiled) input(call Call, f facts, condition string) policy.Input {
	line := f.command()
	info := c.Info
	if _, stated := info.Params[param("opaque")]; !stated {
		params := maps.Clone(info.Params)
		if params == nil {
			params = map[string]any{}
		}
		params[param("opaque")] = cmp.Or(call.Opaque, Ask)
		info.Params = params
	}
	return policy.Input{
		Rule: info, Event: call.Event, ToolName: call.Tool, ToolInput: f.input, MCP: &f.mcp, Command: &line,
		Call: c.facts(call, f, condition),
	}
}

// facts compares the rule with a call.
func (c compiled) facts(call Call, f facts, condition string) *policy.CallFacts {
	out := &policy.CallFacts{Named: c.names(call, f), Condition: condition, Opaque: f.opaque}
	if !out.Named {
		return out
	}
	if f.line != nil && (c.command != nil || c.not != nil) {
		out.Commands = c.commands(f.line)
	}
	if _, given := c.Params[param("paths")]; given {
		out.Writes = c.writes(call, f)
	}
	return out
}

// concerns reports whether there is anything to decide. If a call was read in full and
// the rule's patterns match nothing in it, the policy would find no violation.
func (c compiled) concerns(call Call, f facts) bool {
	facts := c.facts(call, f, policy.AnswerYes)
	if len(f.opaque) > 0 {
		return true
	}
	if c.command != nil || c.not != nil {
		found := slices.ContainsFunc(facts.Commands, func(one policy.CommandFact) bool {
			return one.Matches != policy.AnswerNo && one.Excluded != policy.AnswerYes
		})
		if !found {
			return false
		}
	}
	if _, given := c.Params[param("paths")]; given {
		return slices.ContainsFunc(facts.Writes, func(one policy.WriteFact) bool { return one.Matches != policy.AnswerNo })
	}
	return true
}

func (c compiled) commands(line *fact.ShellLine) []policy.CommandFact {
	var list []policy.CommandFact
	search := func(p *bash.Pattern, absent bash.Answer, of fact.ShellCommand) string {
		if p == nil {
			return answers[absent]
		}
		return answers[p.Search(of)]
	}
	for _, of := range line.Commands {
		excluded := search(c.not, bash.No, of)
		if of.Within != nil && excluded != policy.AnswerYes { // the program before it may be what the rule requires
			if inner := search(c.not, bash.No, fact.ShellCommand{Texts: of.Within}); inner == policy.AnswerYes {
				excluded = inner
			}
		}
		list = append(list, policy.CommandFact{Text: of.Text, Matches: search(c.command, bash.Yes, of), Excluded: excluded})
	}
	if !line.Parsed {
		whole := fact.ShellCommand{Text: line.Text, Normal: line.Text}
		list = append(list, policy.CommandFact{Text: line.Text, Matches: search(c.command, bash.Yes, whole), Excluded: search(c.not, bash.No, whole)})
	}
	return list
}

func (c compiled) writes(call Call, f facts) []policy.WriteFact {
	var list []policy.WriteFact
	add := func(l fact.ShellLine) {
		for _, w := range l.Writes {
			list = append(list, policy.WriteFact{Path: w.Path, Matches: answers[c.paths.Search(l, w)]})
		}
	}
	if f.line != nil {
		add(*f.line)
	}
	for _, file := range f.files {
		add(write(file, call.World))
	}
	return list
}

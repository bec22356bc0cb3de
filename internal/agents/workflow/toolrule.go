package workflow

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// toolMode is the mode of tool rules, whose parameters are their keys.
const toolMode = "tool"

// toolKinds classify tools by their effect.
var toolKinds = []string{string(fact.Command), string(fact.FileEdit), string(fact.Read), string(fact.MCP), string(fact.Other)}

// toolRuleKeys lists the keys of a tool rule.
func toolRuleKeys() []rule.Key {
	effects := []string{"deny", "ask", "warn"}
	strings := func(name, doc string) rule.Key {
		return rule.Key{Param: policies.Param{Name: name, Type: policies.Strings, Optional: true, Distinct: true}, Doc: doc}
	}
	expression := func(name, doc string) rule.Key {
		return rule.Key{Param: policies.Param{Name: name, Type: policies.Regex, Optional: true}, Doc: doc}
	}
	choice := func(name, doc, usual string, of []string) rule.Key {
		return rule.Key{Param: policies.Param{Name: name, Type: policies.String, OneOf: of, Default: usual}, Doc: doc}
	}
	mcp := strings("mcp_tools", "Tools of MCP servers: server:tool, or server:* for all tools of a server.")
	mcp.Check = checkMCPTool
	return []rule.Key{
		expression("command_not_pattern", "The rule does not apply to simple commands that match."),
		expression("command_pattern", "The rule applies only to simple commands of a shell line that match."),
		choice("effect", "The effect on the call.", effects[0], effects),
		{
			Param: policies.Param{Name: "kind", Type: policies.Strings, OneOf: toolKinds, Optional: true, Distinct: true},
			Doc:   "The rule applies to tools that do this, or one of a list.",
		},
		mcp,
		textKey("name", "The rule's name, which is the end of its id."),
		{
			Param: policies.Param{Name: "opaque", Type: policies.String, OneOf: []string{"deny", "ask", "warn", "allow"}, Optional: true},
			Doc:   "The effect on a call that cannot be read in full; by default that of agents.opaque in the configuration, else ask, or warn for an agent that cannot ask.",
		},
		{
			Param: policies.Param{Name: "paths", Type: policies.Patterns, Optional: true},
			Doc:   "The rule applies only to calls that write files that match.",
		},
		mandatory(textKey("reason", "The message for the agent.")),
		strings("tools", "Names of the agent's tools; Bash, Edit, Write and Read mean the tools of every agent that do the same."),
		conditionKey("unless", "A condition; the rule does not apply if it holds."),
		conditionKey("when", "A condition; the rule applies only if it holds."),
	}
}

var mcpTool = lazyregexp.New(`^[^:\s]+:[^:\s]+$`)

func checkMCPTool(text string) *yaml.Issue {
	if !mcpTool().MatchString(text) {
		return yaml.NewIssue(rule.CodeBadValue, "is %q; want server:tool, or server:* for all tools of a server", text)
	}
	return nil
}

// toolRules reads a list of tool rules. Their ids begin with the workflow and the phase.
func (l *loader) toolRules(v rule.Value, where, phase string) []*rule.Rule {
	var list []*rule.Rule
	prefix := l.Stem() + "."
	if phase != "" {
		prefix += phase + "."
	}
	for i, n := range l.list(v, where, "a list of tool rules") {
		at := fmt.Sprintf("%s[%d]", where, i)
		before := len(l.List)
		v := rule.Table{Keys: toolRuleKeys(), Path: at}.Decode(n, n.At, l.Log)
		name := v.Text("name")
		r := &rule.Rule{
			Info:    rule.Info{Mode: toolMode, Level: finding.Error, Params: map[string]any{}},
			Enabled: true, When: l.condition(v["when"]), Line: n.At.Line, Tier: rule.ProjectTier,
		}
		if r.Unless = l.condition(v["unless"]); r.Unless != nil {
			r.Unless.Unless = true
		}
		r.ID, r.File, r.Body = prefix+cmp.Or(name, fmt.Sprintf("tool_rules[%d]", i)), l.Log.File, v.Text("reason")
		r.Name = cmp.Or(name, r.ID)
		for _, key := range []string{"tools", "kind", "mcp_tools", "command_pattern", "command_not_pattern", "paths", "opaque", "effect"} {
			if v, ok := v[key]; ok && v.Data != nil {
				r.Params[toolMode+"."+key] = v.Data
			}
		}
		if len(l.List) > before || n.Kind == yaml.Broken {
			continue
		}
		if problem := rule.CheckToolRule(r); problem != "" {
			l.Add(n.At, codeTooWide, "%s: %s", at, problem)
			continue
		}
		if l.agents != nil {
			if problem := rule.CheckAgents(r, l.agents); problem != nil {
				l.Add(n.At, codeTooWide, "%s: %s", at, problem.Message)
				continue
			}
		}
		if slices.ContainsFunc(list, func(other *rule.Rule) bool { return other.ID == r.ID }) {
			l.Add(n.At, rule.CodeDuplicateName, "%s.name: another tool rule has the name %q; want another", at, name)
			continue
		}
		list = append(list, r)
	}
	return list
}

// json converts a value to its JSON form.
func (l *loader) json(n *yaml.Node, where string) any {
	v, err := n.JSON()
	if err != nil {
		l.Add(n.At, rule.CodeBadValue, "%s: %v", where, err)
	}
	return v
}

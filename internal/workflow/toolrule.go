package workflow

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// events lists the events of observers.
var events = []string{
	"session_start", "session_end", "before_agent", "before_tool", "after_tool", "stop", "pre_compact", "subagent_start", "subagent_stop", "notification",
}

// toolMode is the mode of tool rules, whose parameters are their keys.
const toolMode = "tool"

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
		mcp,
		textKey("name", "The rule's name, which is the end of its id."),
		choice("opaque", "The effect on a call that cannot be read in full.", "ask", []string{"deny", "ask", "warn", "allow"}),
		{
			Param: policies.Param{Name: "paths", Type: policies.Patterns, Optional: true},
			Doc:   "The rule applies only to calls that write files that match.",
		},
		mandatory(textKey("reason", "The message for the agent.")),
		strings("tools", "Names of the agent's tools."),
		conditionKey("when", "A condition; the rule applies only if it holds."),
	}
}

var mcpTool = regexp.MustCompile(`^[^:\s]+:[^:\s]+$`)

func checkMCPTool(text string) *yaml.Issue {
	if !mcpTool.MatchString(text) {
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
		if i == 0 {
			l.note(n.At, codeNotEnforced, "tool rules of workflows are not enforced yet: no tool call of an agent is checked with them")
		}
		at := fmt.Sprintf("%s[%d]", where, i)
		before := len(l.List)
		v := rule.Table{Keys: toolRuleKeys(), Path: at}.Decode(n, n.At, l.Log)
		name := v.Text("name")
		r := &rule.Rule{
			Info:    rule.Info{Mode: toolMode, Level: finding.Error, Params: map[string]any{}},
			Enabled: true, When: l.condition(v["when"]), Line: n.At.Line, Tier: rule.ProjectTier,
		}
		r.ID, r.File, r.Body = prefix+cmp.Or(name, fmt.Sprintf("tool_rules[%d]", i)), l.Log.File, v.Text("reason")
		r.Name = cmp.Or(name, r.ID)
		for _, key := range []string{"tools", "mcp_tools", "command_pattern", "command_not_pattern", "paths", "opaque", "effect"} {
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
		if slices.ContainsFunc(list, func(other *rule.Rule) bool { return other.ID == r.ID }) {
			l.Add(n.At, rule.CodeDuplicateName, "%s.name: another tool rule has the name %q; want another", at, name)
			continue
		}
		list = append(list, r)
	}
	return list
}

// observerKeys lists the keys of an observer with a behavior, or with assignments.
func observerKeys(behavior bool) []rule.Key {
	name := mandatory(textKey("name", "The observer's name."))
	if behavior {
		return []rule.Key{
			name,
			mandatory(textKey("behavior", "The behavior.")),
			unreadKey("with", "a mapping of parameters", "The parameters of the behavior."),
		}
	}
	return []rule.Key{
		name,
		{
			Param: policies.Param{Name: "on", Type: policies.String, OneOf: events, Default: "after_tool"},
			Doc:   "The event that triggers it.",
		},
		textKey("match.tool", "The name of the tool."),
		textKey("match.mcp_server", "The name of the MCP server."),
		textKey("match.mcp_tool", "The name of the MCP server's tool."),
		mandatory(unreadKey("set", "a mapping from variable to an expression", "The new values of variables.")),
	}
}

// observers reads the observers.
func (l *loader) observers(v rule.Value) []Observer {
	var list []Observer
	taken := map[string]int{}
	for i, n := range l.list(v, "observers", "a list of observers") {
		if i == 0 {
			l.note(n.At, codeNotEnforced, "observers are not run yet: their variables keep the initial values")
		}
		at := fmt.Sprintf("observers[%d]", i)
		before := len(l.List)
		v := rule.Table{Keys: observerKeys(n.Find("behavior") != nil), Path: at}.Decode(n, n.At, l.Log)
		o := Observer{
			Name: v.Text("name"), On: v.Text("on"), Behavior: v.Text("behavior"), Line: n.At.Line,
			Match: Match{Tool: v.Text("match.tool"), MCPServer: v.Text("match.mcp_server"), MCPTool: v.Text("match.mcp_tool")},
			Set:   l.assignments(v["set"], at+".set"),
		}
		for _, e := range l.entries(v["with"], at+".with", "a mapping of parameters") {
			if o.With == nil {
				o.With = map[string]any{}
			}
			o.With[e.Name] = l.json(e.Value, at+".with."+e.Name)
		}
		if line, ok := taken[o.Name]; ok && o.Name != "" {
			l.Add(v["name"].Node.At, rule.CodeDuplicateName, "%s.name: %q is taken by the observer on line %d; want another", at, o.Name, line)
		}
		taken[o.Name] = o.Line
		if len(l.List) == before && n.Kind != yaml.Broken {
			list = append(list, o)
		}
	}
	return list
}

// assignments reads the assignments of an observer.
func (l *loader) assignments(v rule.Value, where string) []Assignment {
	var list []Assignment
	for _, e := range l.entries(v, where, "a mapping from variable to an expression") {
		_, declared := l.Vars[e.Name]
		switch {
		case !declared:
			l.Add(e.At, codeUnknownVar, "%s.%s: unknown variable%s", where, e.Name, suggest.OneOf(e.Name, sortedNames(l.Vars)))
		case e.Value.Kind == yaml.Broken:
		case e.Value.Kind == yaml.Null || e.Value.Kind == yaml.List || e.Value.Kind == yaml.Mapping || rule.CheckCondition(e.Value.Text) != nil:
			l.Add(e.Value.At, rule.CodeWrongType, "%s.%s: is %s; want an expression", where, e.Name, e.Value.Describe())
		default:
			list = append(list, Assignment{Name: e.Name, Value: l.scope.Condition(e.Value)})
		}
	}
	return list
}

// vars reads the initial values of variables.
func (l *loader) vars(v rule.Value) map[string]any {
	var values map[string]any
	for _, e := range l.entries(v, "vars", "a mapping from variable to initial value") {
		if values == nil {
			values = map[string]any{}
		}
		where := "vars." + e.Name
		switch {
		case !identifier.MatchString(e.Name):
			l.Add(e.At, rule.CodeBadID, `%s: is not a variable name; want a letter or "_", then letters, digits and "_"`, where)
		case e.Value.Kind == yaml.Null:
			l.Add(e.Value.At, rule.CodeEmptyValue, "%s: has no value; want the initial value, which sets its type", where)
		}
		values[e.Name] = l.json(e.Value, where)
	}
	return values
}

// json converts a value to its JSON form.
func (l *loader) json(n *yaml.Node, where string) any {
	v, err := n.JSON()
	if err != nil {
		l.Add(n.At, rule.CodeBadValue, "%s: %v", where, err)
	}
	return v
}

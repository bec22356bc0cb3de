package workflow

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Observer sets variables on an event, by assignments or by a behavior.
type Observer struct {
	Name     string
	On       []string // the events
	Match    Match
	Set      []Assignment
	Behavior string         // empty: none
	With     map[string]any // parameters of the behavior, with defaults
	Visit    bool           // its variables belong to a visit of a phase
	Line     int
}

// Match restricts an observer to tool calls; empty fields match everything.
type Match struct {
	Tools, Kinds       []string
	MCPServer, MCPTool string
}

// Assignment sets a variable.
type Assignment struct {
	Name  string
	Value *rule.Condition // an expression
}

// ID returns the id of an assignment's expression among those of the workflow.
func (o Observer) ID(a Assignment) string { return "observer " + o.Name + ", " + a.Name }

// Observes reports whether an observer of the workflow runs on an event.
func (d *Definition) Observes(event string) bool {
	return slices.ContainsFunc(d.Observers, func(o Observer) bool { return slices.Contains(o.On, event) })
}

// observerKeys lists the keys of an observer with a behavior, or with assignments.
func observerKeys(behavior bool) []rule.Key {
	name := mandatory(textKey("name", "The observer's name."))
	on := rule.Key{
		Param: policies.Param{Name: "on", Type: policies.Strings, OneOf: policies.Events(), Optional: true, Distinct: true},
		Doc:   "The event that triggers it, or a list of them; by default after_tool.",
	}
	if behavior {
		on.Doc = "The events that trigger it, some of those of the behavior; by default all of them."
		return []rule.Key{
			name, on,
			mandatory(textKey("behavior", "The behavior.")),
			unreadKey("with", "a mapping of parameters", "The parameters of the behavior."),
		}
	}
	return []rule.Key{
		name, on,
		{
			Param: policies.Param{Name: "match.tool", Type: policies.Strings, Optional: true, Distinct: true},
			Doc:   "The name of the tool, or a list of names; Bash, Edit, Write and Read mean the tools of every agent that do the same.",
		},
		{
			Param: policies.Param{Name: "match.kind", Type: policies.Strings, OneOf: toolKinds, Optional: true, Distinct: true},
			Doc:   "What the tool does, or a list.",
		},
		textKey("match.mcp_server", "The name of the MCP server."),
		textKey("match.mcp_tool", "The name of the MCP server's tool."),
		mandatory(unreadKey("set", "a mapping from variable to an expression", "The new values of variables.")),
	}
}

// observers reads the observers. Variables of behaviors are declared by naming the behavior.
func (l *loader) observers(v rule.Value) []Observer {
	var list []Observer
	taken := map[string]int{}
	nodes := l.list(v, "observers", "a list of observers")
	for _, n := range nodes {
		l.declare(n)
	}
	for i, n := range nodes {
		at := fmt.Sprintf("observers[%d]", i)
		before := len(l.List)
		v := rule.Table{Keys: observerKeys(n.Find("behavior") != nil), Path: at}.Decode(n, n.At, l.Log)
		o := Observer{
			Name: v.Text("name"), On: v.Texts("on"), Behavior: v.Text("behavior"), Line: n.At.Line,
			Match: Match{Tools: v.Texts("match.tool"), Kinds: v.Texts("match.kind"), MCPServer: v.Text("match.mcp_server"), MCPTool: v.Text("match.mcp_tool")},
			Set:   l.assignments(v["set"], at+".set"),
		}
		if o.Behavior != "" {
			l.behavior(&o, v, at)
		} else if len(o.On) == 0 {
			o.On = []string{"after_tool"}
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

// declare adds the variables of the behavior that an observer names.
func (l *loader) declare(n *yaml.Node) {
	name := n.Find("behavior")
	if name == nil || name.Kind != yaml.Text {
		return
	}
	b, ok := l.bundle().Behavior(name.Text)
	if !ok {
		return // reported later
	}
	for _, variable := range slices.Sorted(maps.Keys(b.Vars)) {
		initial, declared := l.Vars[variable]
		switch {
		case !declared:
			if l.Vars == nil {
				l.Vars = map[string]any{}
			}
			l.Vars[variable] = b.Vars[variable]
		case !policies.SameType(initial, b.Vars[variable]):
			l.Add(name.At, rule.CodeWrongType, "vars.%s: the initial value is %s, but the behavior %q sets %s; want a value of that type",
				variable, policies.TypeOf(initial), name.Text, policies.TypeOf(b.Vars[variable]))
		}
	}
}

// bundle returns the behaviors that observers may name.
func (l *loader) bundle() *policies.Bundle {
	if l.own != nil {
		return l.own
	}
	b, err := policies.Load()
	if err != nil {
		return &policies.Bundle{}
	}
	return b
}

// behavior completes an observer by the declaration of its behavior.
func (l *loader) behavior(o *Observer, v rule.Values, where string) {
	b, ok := l.bundle().Behavior(o.Behavior)
	if !ok {
		l.Add(v["behavior"].Node.At, codeUnknownBehavior, "%s.behavior: unknown behavior %q%s", where, o.Behavior, suggest.OneOf(o.Behavior, l.bundle().BehaviorNames()))
		return
	}
	for _, event := range o.On {
		if !slices.Contains(b.Events, event) {
			l.Add(v["on"].Node.At, rule.CodeBadValue, "%s.on: the behavior %q does not run on %q; want one of %s", where, o.Behavior, event, suggest.Quoted(b.Events))
		}
	}
	if len(o.On) == 0 {
		o.On = b.Events
	}
	o.Visit = b.Visit
	rows := make([]rule.Key, 0, len(b.Params))
	for _, p := range b.Params {
		rows = append(rows, rule.Key{Param: p})
	}
	o.With = map[string]any{}
	at := yaml.Place{Line: o.Line, Column: 1}
	if v["with"].Node != nil {
		at = v["with"].Node.At
	}
	for name, value := range (rule.Table{Keys: rows, Path: where + ".with"}).Decode(v["with"].Node, at, l.Log) {
		if value.Data != nil {
			o.With[name] = value.Data
		}
	}
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
		case !identifier().MatchString(e.Name):
			l.Add(e.At, rule.CodeBadID, `%s: is not a variable name; want a letter or "_", then letters, digits and "_"`, where)
		case e.Value.Kind == yaml.Null:
			l.Add(e.Value.At, rule.CodeEmptyValue, "%s: has no value; want the initial value, which sets its type", where)
		}
		values[e.Name] = l.json(e.Value, where)
	}
	return values
}

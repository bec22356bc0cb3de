package workflow

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// exitForm describes a form of exit condition that is a mapping.
type exitForm struct {
	name       string // its key, or the value of "type" if it is deprecated
	deprecated string // the replacement; empty if the form is current
	keys       func() []rule.Key
	make       func(l *loader, v rule.Values, where string) ExitCondition
}

// exitForms lists all forms.
func exitForms() []exitForm {
	timeout := rule.Key{
		Param: policies.Param{Name: "timeout", Type: policies.Integer, Optional: true}, Minimum: 1,
		Doc: "Seconds after which it counts as rejected; by default never.",
	}
	id := textKey("id", "The id for submitting the answer.")
	return []exitForm{
		{
			name: "approval",
			keys: func() []rule.Key {
				return []rule.Key{mandatory(textKey("approval", "The question to approve.")), id, timeout}
			},
			make: func(_ *loader, v rule.Values, _ string) ExitCondition {
				return ExitCondition{Approval: v.Text("approval"), Timeout: seconds(v)}
			},
		},
		{
			name: "webhook",
			keys: func() []rule.Key { return append(webhookKeys(), id) },
			make: webhook,
		},
		{
			name: "variable_set", deprecated: `a condition on its value, such as "vars.name == true"`,
			keys: func() []rule.Key {
				return []rule.Key{typeKey(), textKey("variable", "The variable that must have been given a value, other than its initial one.")}
			},
			make: func(_ *loader, v rule.Values, _ string) ExitCondition {
				name := v.Text("variable")
				return ExitCondition{Variable: &name}
			},
		},
		{
			name: "expression", deprecated: "the expression alone",
			keys: func() []rule.Key {
				return []rule.Key{typeKey(), mandatory(conditionKey("expression", "The condition that must hold."))}
			},
			make: func(l *loader, v rule.Values, _ string) ExitCondition {
				return ExitCondition{When: l.condition(v["expression"])}
			},
		},
		{
			name: "user_approval", deprecated: `"approval" with the question`,
			keys: func() []rule.Key {
				return []rule.Key{typeKey(), mandatory(textKey("prompt", "The question to approve.")), id, timeout}
			},
			make: func(_ *loader, v rule.Values, _ string) ExitCondition {
				return ExitCondition{Approval: v.Text("prompt"), Timeout: seconds(v)}
			},
		},
	}
}

func typeKey() rule.Key { return textKey("type", "The deprecated form.") }

func seconds(v rule.Values) time.Duration {
	n, _ := v["timeout"].Data.(int)
	return time.Duration(min(n, int(math.MaxInt64/time.Second))) * time.Second
}

// The status codes of HTTP.
const (
	minStatus = 100
	maxStatus = 999
)

// webhookKeys lists the keys of a webhook.
func webhookKeys() []rule.Key {
	return []rule.Key{
		textKey("webhook.body_contains", "Text that the body must contain."),
		{Param: policies.Param{Name: "webhook.expect_success", Type: policies.Boolean, Default: true}, Doc: "Whether it must succeed, or fail."},
		textKey("webhook.json_field", "A dotted path that must exist in the JSON body."),
		unreadKey("webhook.json_value", "a value", "The value of that field."),
		unreadKey("webhook.status", "a status code or a list of them", "The accepted status codes; by default any."),
		mandatory(textKey("webhook.url", "URL of the webhook. rulecheck never calls it.")),
	}
}

func webhook(l *loader, v rule.Values, where string) ExitCondition {
	w := &Webhook{
		URL: v.Text("webhook.url"), ExpectSuccess: v.True("webhook.expect_success"),
		BodyContains: v.Text("webhook.body_contains"), JSONField: v.Text("webhook.json_field"),
	}
	if n := v["webhook.status"].Node; n != nil {
		items := []*yaml.Node{n}
		if n.Kind == yaml.List {
			items = n.Items
		}
		for _, item := range items {
			code, err := item.Int()
			if item.Kind != yaml.Integer || err != nil || code < minStatus || code > maxStatus {
				l.Add(item.At, rule.CodeBadValue, "%s.webhook.status: is %s; want a status code such as 200, or a list of them", where, item.Describe())
			}
			w.Status = append(w.Status, code)
		}
	}
	if value, ok := v["webhook.json_value"]; ok {
		w.JSONValue = l.json(value.Node, where+".webhook.json_value")
		if w.JSONField == "" {
			l.Add(value.At, rule.CodeMissingField, `%s.webhook.json_value: is a value without a field; want "json_field" next to it`, where)
		}
	}
	return ExitCondition{Webhook: w}
}

// exitConditions reads the exit conditions of a phase.
func (l *loader) exitConditions(v rule.Value, where string) []ExitCondition {
	var list []ExitCondition
	for i, n := range l.list(v, where, "a list of exit conditions") {
		before := len(l.List)
		at := fmt.Sprintf("%s[%d]", where, i)
		c, kind := l.exitCondition(n, at)
		if len(l.List) > before || n.Kind == yaml.Broken {
			continue
		}
		if id := n.Find("id"); id != nil {
			c.ID = id.Text
		} else {
			c.ID = fmt.Sprintf("%s-%d", kind, i+1)
		}
		c.Line = n.At.Line
		if same := slices.IndexFunc(list, func(e ExitCondition) bool { return e.ID == c.ID }); same >= 0 {
			l.Add(n.At, rule.CodeDuplicateName, "%s: the id %q is taken by the exit condition on line %d; want another", at, c.ID, list[same].Line)
			continue
		}
		list = append(list, c)
	}
	return list
}

// exitCondition reads one exit condition and returns its kind.
func (l *loader) exitCondition(n *yaml.Node, where string) (c ExitCondition, kind string) {
	var current, deprecated []string
	for _, f := range exitForms() {
		written := n.Find(f.name)
		if f.deprecated == "" {
			current = append(current, f.name)
		} else {
			deprecated = append(deprecated, f.name)
			written = nil
			if t := n.Find("type"); t != nil && t.Kind == yaml.Text && t.Text == f.name {
				written = t
			}
		}
		if n.Kind != yaml.Mapping || written == nil {
			continue
		}
		v := rule.Table{Keys: f.keys(), Path: where}.Decode(n, n.At, l.Log)
		if f.deprecated != "" {
			l.note(n.At, codeDeprecated, fmt.Sprintf("%s: the form \"type: %s\" is deprecated; want %s", where, f.name, f.deprecated))
		}
		return f.make(l, v, where), f.name
	}
	switch t := n.Find("type"); {
	case n.Kind == yaml.Text && strings.TrimSpace(n.Text) != "":
		return ExitCondition{When: l.scope.Condition(n)}, "condition"
	case t != nil:
		l.Add(t.At, codeUnknownExit, "%s.type: unknown exit condition type %q%s", where, t.Text, suggest.OneOf(t.Text, deprecated))
	case n.Kind != yaml.Broken:
		l.Add(n.At, rule.CodeWrongType, "%s: is %s; want a condition, or a mapping with one of the keys %s", where, n.Describe(), strings.Join(current, ", "))
	}
	return ExitCondition{}, ""
}

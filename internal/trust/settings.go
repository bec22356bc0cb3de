package trust

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// Settings are the settings for commands in one state of the repository.
type Settings struct {
	rule.CommandsConfig

	Actions map[string]*rule.Action // of rules with a command, by the rule's id
	Own     map[string]bool         // ids of those whose rule is a file of the repository
}

// Of returns the settings of a configuration and its rules.
func Of(config rule.Config, rules []*rule.Rule) Settings {
	s := Settings{CommandsConfig: config.Commands, Actions: map[string]*rule.Action{}, Own: map[string]bool{}}
	for _, r := range rules {
		if r.Action != nil {
			s.Actions[r.ID], s.Own[r.ID] = r.Action, r.Tier == rule.ProjectTier
		}
	}
	return s
}

// AsksInRules reports whether a rule of the repository has settings that may have to be
// compared with those of the target's rules.
func (s Settings) AsksInRules() bool {
	for id, a := range s.Actions {
		if s.Own[id] && (len(a.Env) > 0 || a.Timeout != "") {
			return true
		}
	}
	return false
}

// Decided are the settings that count, and those that do not.
type Decided struct {
	Settings

	Refused []Setting // in the order of their keys, then of rules
}

// Decide returns the settings of head that count. What restricts commands always counts;
// what lets them do more than base does, only if it is trusted.
func Decide(head, base Settings, trusts func(Setting) bool) Decided {
	d := &Decided{Settings: Settings{CommandsConfig: head.CommandsConfig, Actions: maps.Clone(head.Actions), Own: head.Own}}
	d.Env = d.names("commands.env", head.Env, base.Env, trusts)
	if looseness(head.Sandbox) > looseness(base.Sandbox) && !d.allow(Setting{Key: "commands.sandbox", Value: head.Sandbox}, trusts) {
		d.Sandbox = base.Sandbox
	}
	if head.Timeout > base.Timeout && !d.allow(Setting{Key: "commands.timeout", Value: duration(head.Timeout)}, trusts) {
		d.Timeout = base.Timeout
	}
	d.Write = d.names("commands.write", head.Write, base.Write, trusts)
	for _, id := range slices.Sorted(maps.Keys(head.Actions)) {
		if head.Own[id] {
			d.Actions[id] = d.action(id, *head.Actions[id], base, trusts)
		}
	}
	return *d
}

// action returns the action of a rule with the settings that count. Variables are granted
// to a command, so that another command of the same rule does not see them.
func (d *Decided) action(id string, a rule.Action, base Settings, trusts func(Setting) bool) *rule.Action {
	limit := max(d.Timeout, base.Timeout)
	granted := d.Env
	if before := base.Actions[id]; before != nil {
		limit = max(limit, timeout(before.Timeout))
		if slices.Equal(before.Argv, a.Argv) {
			granted = slices.Concat(granted, before.Env)
		}
	}
	var env []string
	for _, name := range a.Env {
		if slices.Contains(granted, name) || d.allow(Setting{Key: "action.env", Value: name, Rule: id, Argv: a.Argv}, trusts) {
			env = append(env, name)
		}
	}
	a.Env = env
	if own := timeout(a.Timeout); own > limit && !d.allow(Setting{Key: "action.timeout", Value: duration(own), Rule: id, Argv: a.Argv}, trusts) {
		a.Timeout = limit.String()
	}
	return &a
}

// names returns those of the values of a list that count.
func (d *Decided) names(key string, head, base []string, trusts func(Setting) bool) []string {
	return slices.DeleteFunc(slices.Clone(head), func(value string) bool {
		return !slices.Contains(base, value) && !d.allow(Setting{Key: key, Value: value}, trusts)
	})
}

func (d *Decided) allow(s Setting, trusts func(Setting) bool) bool {
	if trusts(s) {
		return true
	}
	d.Refused = append(d.Refused, s)
	return false
}

// looseness orders the values of commands.sandbox.
func looseness(sandbox string) int {
	return slices.Index([]string{rule.SandboxRequired, rule.SandboxBestEffort, rule.SandboxOff}, cmp.Or(sandbox, rule.SandboxBestEffort))
}

func timeout(text string) time.Duration {
	d, _ := time.ParseDuration(cmp.Or(text, "0s")) // a rule with a malformed one does not load
	return d
}

// duration writes a time limit without zero units.
func duration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

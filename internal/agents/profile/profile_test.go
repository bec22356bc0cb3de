package profile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// TestProfiles walks the table and lists what each profile lacks.
func TestProfiles(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range profile.All() {
		if p.Name == "" || p.Title == "" || seen[p.Name] {
			t.Errorf("%q, %q: want a name of its own and a title", p.Name, p.Title)
		}
		seen[p.Name] = true
		for _, what := range slices.Concat(missing(p), missingSources(p), wrongTools(p)) {
			t.Errorf("%s: want %s", p.Name, what)
		}
	}
	if _, ok := profile.Named("nobody"); ok {
		t.Error("an agent that no profile describes is found")
	}
}

// missing returns what a profile needs and lacks.
func missing(p profile.Profile) (list []string) {
	need := func(has bool, what string, args ...any) {
		if !has {
			list = append(list, fmt.Sprintf(what, args...))
		}
	}
	hooks := len(p.Events) > 0
	need(hooks || p.Logs != nil, "events of hooks, or places of logs")
	need(p.Telemetry.Uncounted == "" || p.Telemetry.Prefix != "", "the prefix of the events of its telemetry")
	if !hooks {
		return list
	}
	for _, kind := range []fact.Kind{fact.Command, fact.FileEdit, fact.Read} {
		need(p.Tools[kind] != "", "a tool of the kind %s", kind)
	}
	for _, kind := range []hook.Kind{hook.BeforeTool, hook.AfterTool} {
		need(slices.ContainsFunc(p.Events, func(e profile.Event) bool { return e.Kind == kind }), "an event of the kind %s", kind)
	}
	for _, e := range p.Events {
		need(e.Name != "" && p.KindOfEvent(e.Name) == e.Kind, "one kind of the event %q", e.Name)
	}
	need(strings.Count(p.Probe, "%s") == 1, "a probe with %%s for the id of the session")
	need(p.Timeout != "", "the time limit of its hooks")
	need(p.OnError != "", "what it does if a hook cannot run")
	need(len(p.Members.Session) > 0 && len(p.Members.Event) > 0 && len(p.Members.Input) > 0, "the members of its payloads: event, session and input")
	need(p.Claims != nil, "a function that recognises its payloads")
	need(p.Answer != nil, "a function that writes its answers")
	if p.Name != profile.ClaudeLike { // which stands for agents that are not known
		need(p.Settings.File != "", "the file of its settings")
		need(len(p.Holes) > 0, "what it keeps from hooks")
		entry := p.Settings.Container != "" && p.Settings.Entry != nil
		need(entry != (p.Settings.Shim != ""), "either the entries of its settings or a whole file")
	}
	return list
}

// missingSources returns the parts of a profile whose source is not named.
func missingSources(p profile.Profile) (list []string) {
	for of, given := range map[string]bool{
		profile.OfHooks: len(p.Events) > 0, profile.OfLogs: p.Logs != nil, profile.OfTools: p.Tools != nil, profile.OfTelemetry: p.Telemetry.Prefix != "",
	} {
		if has := slices.ContainsFunc(p.Sources, func(s profile.Source) bool { return s.Of == of }); has != given {
			list = append(list, "a source of its "+of+" if and only if the profile describes them")
		}
	}
	for _, s := range p.Sources {
		if s.Read == "" || s.Page != "" && !strings.HasPrefix(s.Page, "https://") {
			list = append(list, fmt.Sprintf("the version read, and an address that begins with https://, in %+v", s))
		}
	}
	return list
}

// wrongTools returns the tools that a profile lists twice, or that have another kind in
// another profile.
func wrongTools(p profile.Profile) (list []string) {
	seen := map[string]bool{}
	for kind, names := range p.Tools {
		for name := range strings.FieldsSeq(names) {
			if plain := profile.PlainName(name); seen[plain] {
				list = append(list, "the tool "+name+" once")
			} else {
				seen[plain] = true
			}
			if got, ok := profile.KindOf(name); !ok || got != kind {
				list = append(list, fmt.Sprintf("one kind of the tool %s in all profiles, not %s and %s", name, kind, got))
			}
		}
	}
	return list
}

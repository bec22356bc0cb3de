// Package dialect reads the payloads of coding agents' hooks and writes the answers that
// each agent understands.
package dialect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// Dialect is the profile of an agent with hooks.
type Dialect struct{ profile.Profile }

// Dialects returns the agents with hooks, those that are easier to recognise first.
func Dialects() []Dialect {
	var list []Dialect
	for _, p := range profile.All() {
		if len(p.Events) > 0 {
			list = append(list, Dialect{p})
		}
	}
	return list
}

// Names returns the names of all dialects, in byte order.
func Names() []string {
	var names []string
	for _, d := range Dialects() {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	return names
}

// Of returns the dialect of a payload. The agent that the command line names counts only
// where the payload could be of several: agents run hooks from each other's settings.
func Of(p hook.Payload, argv string) Dialect {
	table := Dialects()
	var alike []Dialect
	for _, d := range table {
		switch d.Claims(p, argv) {
		case profile.Certain:
			return d
		case profile.Possible:
			alike = append(alike, d)
		case profile.No:
		}
	}
	if len(alike) == 0 { // nothing can be recognised
		alike = table
	}
	// An event that means nothing to the agent on the command line is from another one.
	meant := slices.DeleteFunc(slices.Clone(alike), func(d Dialect) bool { return d.Event(p, "").Kind == hook.Other })
	if len(meant) > 0 {
		alike = meant
	}
	for _, name := range []string{argv, profile.ClaudeLike} {
		for _, d := range alike {
			if d.Name == name {
				return d
			}
		}
	}
	return alike[0]
}

// Late reports whether the context for a call has to wait for its result: the agent takes
// none before a tool.
func (d Dialect) Late() bool {
	return !d.can(hook.BeforeTool, hook.Context) && d.can(hook.AfterTool, hook.Context)
}

// Stops reports whether the agent has an event for stops.
func (d Dialect) Stops() bool {
	return slices.ContainsFunc(d.Events, func(e profile.Event) bool { return e.Kind == hook.Stop })
}

// Asks reports whether the agent asks its user if the answer to an event is to ask.
func (d Dialect) Asks(event string) bool { return d.answers(event, hook.Ask) }

// TakesContext reports whether the agent reads the context that an event is answered with.
func (d Dialect) TakesContext(event string) bool { return d.answers(event, hook.Context) }

// answers reports whether an event can get an answer.
func (d Dialect) answers(event string, v hook.Verdict) bool {
	return slices.ContainsFunc(d.Events, func(e profile.Event) bool {
		return (strings.EqualFold(e.Name, event) || e.Also == event && event != "") && slices.Contains(e.Can, v)
	})
}

// ToolEvent returns the event before a tool at which the agent can do most with the answer.
func (d Dialect) ToolEvent() (event string, asks bool) {
	for _, e := range d.Events {
		if e.Kind != hook.BeforeTool {
			continue
		}
		if asks = slices.Contains(e.Can, hook.Ask); asks || event == "" {
			event = e.Name
		}
		if asks {
			break
		}
	}
	return event, asks
}

// can reports whether some event of a kind can get an answer.
func (d Dialect) can(kind hook.Kind, v hook.Verdict) bool {
	return slices.ContainsFunc(d.Events, func(e profile.Event) bool { return e.Kind == kind && slices.Contains(e.Can, v) })
}

// Named returns a dialect by its name.
func Named(name string) (Dialect, bool) {
	p, ok := profile.Named(name)
	return Dialect{p}, ok && len(p.Events) > 0
}

// Answer returns what the agent gets for a decision.
func (d Dialect) Answer(e hook.Event, dec hook.Decision) hook.Answer {
	dec = asPossible(e, dec)
	dec.Reason, dec.Context, dec.Notice = bounded(dec.Reason), bounded(dec.Context), bounded(dec.Notice)
	a := d.Profile.Answer(e, dec)
	if dec.Notice != "" && !strings.Contains(a.Stdout, "systemMessage") { // the agent shows none
		a.Stderr += "rulecheck: " + dec.Notice + "\n"
	}
	return a
}

// Fault returns the answer to an event that could not be checked: closed is true if what
// the agent wants to do must not be done. It can be refused only before a tool, at a stop,
// and where the event itself could not be read.
func (d Dialect) Fault(e hook.Event, reason string, closed bool) hook.Answer {
	reason = "rulecheck: " + strings.TrimPrefix(bounded(reason), "rulecheck: ")
	refusable := e.Kind == hook.BeforeTool || e.Kind == hook.Stop || e.Kind == hook.Other && e.Name == ""
	switch {
	case !closed || !refusable:
		a := d.Answer(e, hook.Decision{Verdict: hook.Allow})
		a.Stderr += reason + "\n"
		return a
	case e.Kind == hook.Stop: // some agents ignore a failing hook here
		return d.Answer(e, hook.Decision{Verdict: hook.Block, Reason: reason})
	case d.FailsAs != nil && e.Kind == hook.BeforeTool:
		return d.FailsAs(e, reason)
	}
	return hook.Answer{Stderr: reason + "\n", Status: 2}
}

// asPossible returns a decision that fits the kind of event: only calls that are not made
// yet and prompts can be denied, only stops blocked.
func asPossible(e hook.Event, d hook.Decision) hook.Decision {
	refuses := d.Verdict == hook.Deny || d.Verdict == hook.Ask || d.Verdict == hook.Block
	switch e.Kind {
	case hook.BeforeTool:
		if d.Verdict == hook.Block {
			d.Verdict = hook.Deny
		}
	case hook.Prompt:
		if refuses {
			d.Verdict = hook.Deny
		}
	case hook.Stop:
		if refuses {
			d.Verdict = hook.Block
		}
	case hook.AfterTool, hook.SessionStart:
		if refuses { // the output of a tool is never replaced
			d.Verdict, d.Context = hook.Context, d.Reason
		}
	default:
		d = hook.Decision{Verdict: hook.Allow}
	}
	if d.Verdict == hook.Context && d.Context == "" {
		d.Verdict = hook.Allow
	}
	if (d.Verdict == hook.Deny || d.Verdict == hook.Ask || d.Verdict == hook.Block) && strings.TrimSpace(d.Reason) == "" {
		d.Reason = "refused by a rule of this repository"
	}
	return d
}

// maxText is the longest text that every agent takes whole, in characters.
const maxText = 9_900

// bounded cuts a text that agents would cut.
func bounded(text string) string {
	text = mask.Secrets(text)
	if utf8.RuneCountInString(text) <= maxText {
		return text
	}
	return string([]rune(text)[:maxText-2]) + " …"
}

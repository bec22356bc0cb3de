// Package dialect reads the payloads of coding agents' hooks and writes the answers that
// each agent understands.
package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// Dialect is how one agent speaks with its hooks. A new one is a file, an entry in
// [Dialects], and samples of the payloads in testdata.
type Dialect struct {
	Name  string // as in rulecheck hook NAME
	Title string
	// Settings is the file in a repository that registers hooks.
	Settings string
	// Timeout is the agent's own limit for a hook, for people.
	Timeout string
	// OnError describes what the agent does if a hook cannot run, for people.
	OnError string
	// Read names the versions and documents that this was read from.
	Read string
	// Holes are calls and events that the agent keeps from hooks, or whose refusal it
	// ignores, for people.
	Holes []string
	// Events are those that have an effect, with the answers that they can get.
	Events []Event
	// Measured is true if the answers were tried with the agent itself.
	Measured bool

	// claims reports how surely a payload is in this dialect. argv is the agent that the
	// command line names; it decides only between dialects that are alike.
	claims func(p Payload, argv string) claim
	// event reads a payload; name is the event on the command line.
	event func(p Payload, name string) hook.Event
	// answer writes a decision.
	answer func(e hook.Event, d hook.Decision) Answer
	// failsAs is the answer of a call that must not proceed because it could not be
	// checked; nil: exit status 2 with the reason on standard error.
	failsAs func(e hook.Event, reason string) Answer
}

// Event is an event that has an effect.
type Event struct {
	Name string // as the agent has it
	Kind hook.Kind
	// Can lists what is enforced or delivered.
	Can  []hook.Verdict
	Note string // for people
}

// Answer holds the output of a hook.
type Answer struct {
	Stdout, Stderr string
	Status         int
}

// claim grades how surely a payload is in a dialect.
type claim int

const (
	no claim = iota
	possible
	certain
)

// ClaudeLike is the dialect of agents that are not known and speak as Claude Code does.
const ClaudeLike = "claude-like"

// Dialects returns the table of dialects, those that are easier to recognise first.
func Dialects() []Dialect {
	return []Dialect{windsurf, cursor, opencode, antigravity, copilot, gemini, codex, claude, claudeLike}
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
func Of(p Payload, argv string) Dialect {
	table := Dialects()
	var alike []Dialect
	for _, d := range table {
		switch d.claims(p, argv) {
		case certain:
			return d
		case possible:
			alike = append(alike, d)
		case no:
		}
	}
	if len(alike) == 0 { // nothing can be recognised
		alike = table
	}
	// An event that means nothing to the agent on the command line is from another one.
	meant := slices.DeleteFunc(slices.Clone(alike), func(d Dialect) bool { return d.event(p, "").Kind == hook.Other })
	if len(meant) > 0 {
		alike = meant
	}
	for _, name := range []string{argv, ClaudeLike} {
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

// can reports whether some event of a kind can get an answer.
func (d Dialect) can(kind hook.Kind, v hook.Verdict) bool {
	return slices.ContainsFunc(d.Events, func(e Event) bool { return e.Kind == kind && slices.Contains(e.Can, v) })
}

// Named returns a dialect by its name.
func Named(name string) (Dialect, bool) {
	table := Dialects()
	i := slices.IndexFunc(table, func(d Dialect) bool { return d.Name == name })
	if i < 0 {
		return Dialect{}, false
	}
	return table[i], true
}

// Event returns the neutral form of a payload. name is the event on the command line; that
// of the payload counts more.
func (d Dialect) Event(p Payload, name string) hook.Event {
	e := d.event(p, name)
	e.Agent = d.Name
	return e
}

// Answer returns what the agent gets for a decision.
func (d Dialect) Answer(e hook.Event, dec hook.Decision) Answer {
	dec = asPossible(e, dec)
	dec.Reason, dec.Context, dec.Notice = bounded(dec.Reason), bounded(dec.Context), bounded(dec.Notice)
	a := d.answer(e, dec)
	if dec.Notice != "" && !strings.Contains(a.Stdout, "systemMessage") { // the agent shows none
		a.Stderr += "rulecheck: " + dec.Notice + "\n"
	}
	return a
}

// Fault returns the answer to an event that could not be checked: closed is true if what
// the agent wants to do must not be done. It can be refused only before a tool, at a stop,
// and where the event itself could not be read.
func (d Dialect) Fault(e hook.Event, reason string, closed bool) Answer {
	reason = "rulecheck: " + strings.TrimPrefix(bounded(reason), "rulecheck: ")
	refusable := e.Kind == hook.BeforeTool || e.Kind == hook.Stop || e.Kind == hook.Other && e.Name == ""
	switch {
	case !closed || !refusable:
		a := d.Answer(e, hook.Decision{Verdict: hook.Allow})
		a.Stderr += reason + "\n"
		return a
	case e.Kind == hook.Stop: // some agents ignore a failing hook here
		return d.Answer(e, hook.Decision{Verdict: hook.Block, Reason: reason})
	case d.failsAs != nil && e.Kind == hook.BeforeTool:
		return d.failsAs(e, reason)
	}
	return Answer{Stderr: reason + "\n", Status: 2}
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

// confirm is the reason of a denial for an agent that cannot ask.
func confirm(reason string) string { return "needs confirmation: " + reason }

// reply returns an answer of one JSON object.
func reply(object any) Answer {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(object); err != nil {
		return Answer{Stderr: fmt.Sprintf("rulecheck: %v\n", err), Status: 2}
	}
	return Answer{Stdout: b.String()}
}

// kindOf returns the kind of an event by its name.
func kindOf(events []Event, name string) hook.Kind {
	for _, e := range events {
		if strings.EqualFold(e.Name, name) {
			return e.Kind
		}
	}
	return hook.Other
}

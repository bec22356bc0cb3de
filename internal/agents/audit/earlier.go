package audit

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/inflate"
)

// earlier reads the logs of a base, to know which events a change only repeats in another
// form. A nil one has no events.
type earlier struct {
	read    func(names []string) ([]session.Session, error)
	renamed map[string]string // names at head, by their names in the base
	changed []string          // the names in the base of the logs that the change touches
	shared  func() (*events, error)
}

// newEarlier returns the logs that a change touches, as its base has them.
func newEarlier(ctx context.Context, engine diff.Engine, c *diff.Changeset, places []string, reading agentlog.Options) *earlier {
	reading.Progress = nil
	return newEarlierIn(c, places, func(names []string) ([]session.Session, error) {
		if len(names) == 0 {
			return nil, nil
		}
		tree, err := engine.Tree(ctx, diff.Head{Kind: diff.Commit, Commit: c.Base.Commit}, names...)
		if err != nil {
			return nil, err
		}
		var inputs []agentlog.Input
		for _, name := range names {
			if _, err := fs.Stat(tree, name); err == nil {
				inputs = append(inputs, agentlog.Input{FS: tree, Path: name})
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		sessions, _, err := agentlog.Load(ctx, inputs, reading)
		return sessions, err
	})
}

// newEarlierIn is [newEarlier] with a function that reads logs of the base by their names.
func newEarlierIn(c *diff.Changeset, places []string, read func(names []string) ([]session.Session, error)) *earlier {
	e := &earlier{renamed: map[string]string{}, read: read}
	for _, file := range c.Changes {
		name := file.Path
		if file.OldPath != "" {
			name = file.OldPath
			e.renamed[name] = file.Path
		}
		if file.Status != diff.Added && check.IsIn(name, places) {
			e.changed = append(e.changed, name)
		}
	}
	e.shared = sync.OnceValues(func() (*events, error) { return e.load(e.changed) })
	return e
}

func (e *earlier) load(names []string) (*events, error) {
	sessions, err := e.read(names)
	if err != nil {
		return nil, err
	}
	all := newEvents()
	for i := range sessions {
		all.add(&sessions[i], e.renamed)
	}
	return all, nil
}

// of returns the events of the base that a session at head may repeat.
func (e *earlier) of(s *session.Session, added Added) (*repeated, error) {
	r := &repeated{used: map[eventKey]int{}}
	if e == nil {
		return r, nil
	}
	shared, err := e.shared()
	if err != nil {
		return nil, err
	}
	var others []string
	for _, source := range s.Sources {
		if added[source.File] == nil { // the change does not touch it
			others = append(others, source.File)
		}
	}
	own, err := e.load(others)
	r.of = []*events{shared, own}
	return r, err
}

// eventKey identifies an event in what is common to two forms of a log. Times are in
// nanoseconds.
type eventKey struct {
	scope, kind, id string
	at              int64
	unique          bool // a session has one such event, however often it is written
}

// events counts events by each of their keys.
type events struct{ counts map[eventKey]int }

func newEvents() *events { return &events{counts: map[eventKey]int{}} }

// scopesOf returns what identifies a session: its id, and the names of its logs as they would
// be without compression.
func scopesOf(s *session.Session, renamed map[string]string) []string {
	scopes := []string{"id " + s.ID}
	for _, source := range s.Sources {
		name := source.File
		if now := renamed[name]; now != "" {
			name = now
		}
		scopes = append(scopes, "file "+inflate.Bare(name))
	}
	return scopes
}

func (e *events) add(s *session.Session, renamed map[string]string) {
	scopes := scopesOf(s, renamed)
	count := func(keys []eventKey) {
		for _, k := range keys {
			e.counts[k]++
		}
	}
	for i := range s.Calls {
		count(keysOfCall(scopes, &s.Calls[i]))
	}
	for i := range s.Tokens {
		count(keysOfTokens(scopes, &s.Tokens[i]))
	}
	for i := range s.Prompts {
		count(keysOfPrompt(scopes, &s.Prompts[i]))
	}
	for i := range s.Phases {
		count(keysOfPhase(scopes, &s.Phases[i]))
	}
	for _, scope := range scopes {
		e.counts[eventKey{scope: scope}]++
		for _, d := range s.Diagnostics {
			if d.Loss {
				e.counts[lossKey(scope, d)] += d.Count
			}
		}
	}
}

// repeated are the events of a base as one session at head repeats them.
type repeated struct {
	of   []*events
	used map[eventKey]int
}

func (r *repeated) has(k eventKey) int {
	n := 0
	for _, e := range r.of {
		n += e.counts[k]
	}
	return n
}

// take reports whether the base has one more event with one of the keys.
func (r *repeated) take(keys []eventKey) bool {
	if !slices.ContainsFunc(keys, func(k eventKey) bool { return r.has(k) > r.used[k] || k.unique && r.has(k) > 0 }) {
		return false
	}
	for _, k := range keys {
		r.used[k]++
	}
	return true
}

// knows reports whether the base has a session, with all that is lost of it.
func (r *repeated) knows(s *session.Session, scopes []string) bool {
	return slices.ContainsFunc(scopes, func(scope string) bool {
		return r.has(eventKey{scope: scope}) > 0 && !slices.ContainsFunc(s.Diagnostics, func(d fact.Diagnostic) bool {
			return d.Loss && d.Count > r.has(lossKey(scope, d))
		})
	})
}

func lossKey(scope string, d fact.Diagnostic) eventKey {
	return eventKey{scope: scope, kind: "loss " + string(d.Code), id: d.Message}
}

// keysOf returns the keys of an event: its id or its time in the session, or both and its text
// in any. One of them is the same if another was redacted.
func keysOf(scopes []string, kind, id, text string, at time.Time) (keys []eventKey) {
	when := int64(0)
	if !at.IsZero() {
		when = at.UnixNano()
		keys = append(keys, eventKey{kind: kind, id: id + "\x00" + text, at: when})
	}
	for _, scope := range scopes {
		switch {
		case id != "":
			keys = append(keys, eventKey{scope: scope, kind: kind, id: id}, eventKey{scope: scope, kind: kind, id: id, at: when, unique: when != 0})
		case when == 0:
			keys = append(keys, eventKey{scope: scope, kind: kind + " text", id: text})
		}
		if when != 0 {
			keys = append(keys, eventKey{scope: scope, kind: kind + " time", at: when})
		}
	}
	return keys
}

func keysOfCall(scopes []string, c *session.ToolCall) []eventKey {
	kind := "call " + c.Name
	if c.Status == fact.Running || c.Status == fact.Unknown {
		kind += " without a result" // which the log may have later
	}
	return keysOf(scopes, kind, c.ID, c.Command+"\x00"+strings.Join(c.Paths, "\x00"), c.At)
}

func keysOfTokens(scopes []string, t *session.Tokens) []eventKey {
	sum := int64(0)
	for _, n := range []*int64{t.Input, t.Output, t.CacheRead, t.CacheWrite} {
		if n != nil {
			sum = fact.SaturatedSum(sum, *n)
		}
	}
	kind := "tokens " + strconv.FormatInt(sum, 10) // a log that grows may record more of a call
	return keysOf(scopes, kind, t.CallID, "", t.At)
}

func keysOfPrompt(scopes []string, p *session.Prompt) []eventKey {
	return keysOf(scopes, "prompt", p.ID, "", p.At)
}

func keysOfPhase(scopes []string, p *session.Phase) []eventKey {
	return keysOf(scopes, "phase "+p.Source, "", p.Name, p.Start)
}

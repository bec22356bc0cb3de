package openhands

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Files reads conversations as OpenHands keeps them: a directory with the state and a file for each event.
var Files = record.Store{
	Format: "openhands-files",
	Holds:  func(first record.First) bool { return layout().MatchString(slashed(first.Path)) },
	List: func(f *record.File) ([]record.Stored, error) {
		byDir := map[string]*conversation{}
		for _, name := range f.Names {
			m := layout().FindStringSubmatch(slashed(name))
			c := byDir[m[1]]
			if c == nil {
				c = &conversation{id: m[2], read: f.ReadFile}
				byDir[m[1]] = c
			}
			if m[3] == "" {
				c.state = name
			} else {
				c.events = append(c.events, name)
			}
		}
		var list []record.Stored
		for _, dir := range slices.Sorted(maps.Keys(byDir)) {
			list = append(list, byDir[dir])
		}
		return list, nil
	},
}

// layout matches the files of a conversation: its directory, its id, and the number of an event.
var layout = lazyregexp.New(`^((?:.*/)?([^/]+))/(?:base_state\.json|events/event-(\d{5,})-[0-9a-fA-F-]{8,}\.json)$`)

func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// conversation holds the names of a conversation's files.
type conversation struct {
	id, state string
	events    []string
	read      func(name string) ([]byte, error)
}

// Peek implements [record.Stored].
func (c *conversation) Peek(l *record.Log) {
	l.Stem = c.id
	begin(l)
	if len(c.events) > 0 {
		if text, err := c.read(c.events[0]); err == nil { // reading the conversation reports the error
			e, _ := readEvent(text)
			l.BeginBy(e.at)
		}
	}
}

// Read implements [record.Stored].
func (c *conversation) Read(l *record.Log) (rows int, size int64) {
	l.Stem = c.id
	begin(l)
	p := &parser{Log: l}
	slices.SortFunc(c.events, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	read := func(name string, row func(text []byte) bool) {
		l.File = name
		text, err := c.read(name)
		if err != nil {
			l.Note(fact.Unreadable, 0, err.Error(), true)
			return
		}
		rows++
		size += int64(len(text))
		if l.Row = text; !row(text) {
			l.Note(fact.Damaged, 1, "files that are not JSON objects", true)
		}
	}
	var sums []use
	if c.state != "" {
		read(c.state, func(text []byte) bool {
			stats, ok := p.state(text)
			sums = stats
			return ok
		})
	}
	next := 0
	for _, name := range c.events {
		if number(name) != next {
			l.Note(fact.Damaged, 0, "events whose files are missing", true)
		}
		next = number(name) + 1
		read(name, func(text []byte) bool { return p.read(text, 1) })
	}
	if c.state != "" {
		l.File = c.state
		p.tokens(sums, l.Begin, 1)
	}
	return rows, size
}

// number returns that of an event, which counts from 0.
func number(name string) int {
	n, err := strconv.Atoi(layout().FindStringSubmatch(slashed(name))[3])
	if err != nil { // more digits than events can have
		return -1
	}
	return n
}

// state reads where the conversation works, and returns what it used.
func (p *parser) state(text []byte) (stats []use, ok bool) {
	e := event{Scanner: jsonscan.New(text)}
	e.Object(func(key []byte) {
		switch string(key) {
		case "workspace":
			e.Members(func(key string) {
				if key == "working_dir" {
					p.Cwd = e.string()
				}
			})
		case "stats":
			e.ofState("stats")
		}
	})
	return e.stats, e.AtEnd()
}

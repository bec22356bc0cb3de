// Package cline reads the sessions of Cline since its version 3 of the command line: a directory for each, with a
// description and the messages of the session and of the agents that it started.
//
// Source: https://github.com/cline/cline/blob/main/sdk/packages/core/src/services/session-artifacts.ts, and sessions of
// Cline 3.0.65.
package cline

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Reader reads the sessions of Cline.
var Reader = record.Store{
	Format: "cline",
	Holds:  func(first record.First) bool { return keptIn(first.Path).dir != "" },
	List: func(f *record.File) ([]record.Stored, error) {
		manifests := map[string]string{} // by directory
		for _, name := range f.Names {
			if k := keptIn(name); k.holds == "" {
				manifests[k.dir] = name
			}
		}
		byDir := map[string]*conversation{} // by directory and stem
		for _, name := range f.Names {
			k := keptIn(name)
			c := byDir[k.dir+"/"+k.stem]
			if c == nil { // also of a compaction alone, which repeats messages that are then missing
				c = &conversation{kept: k, read: f.ReadFile, manifest: manifests[k.dir]}
				byDir[k.dir+"/"+k.stem] = c
			}
			if k.holds == ".messages" {
				c.messages = name
			}
		}
		var list []record.Stored
		for _, key := range slices.Sorted(maps.Keys(byDir)) {
			list = append(list, byDir[key])
		}
		return list, nil
	},
}

// layout matches the files of a session: the directory, its name, the stem of the file, and what it holds.
var layout = lazyregexp.New(`^((?:.*/)?([^/]+))/([^/]+?)(\.messages|\.compaction)?\.json$`)

// named matches the names that Cline gives to sessions: the time and random signs.
var named = lazyregexp.New(`^[\w-]*\d{13}_[0-9a-z]{5}[\w-]*$`)

// kept names one file. A description, which holds nothing else, is that of the directory.
type kept struct{ dir, base, stem, holds string }

func keptIn(name string) kept {
	m := layout().FindStringSubmatch(strings.ReplaceAll(name, `\`, "/"))
	if m == nil || m[4] == "" && m[2] != m[3] || m[4] != ".messages" && !named().MatchString(m[2]) {
		return kept{}
	}
	return kept{dir: m[1], base: m[2], stem: m[3], holds: m[4]}
}

// conversation is that of a session, or of an agent that a session started.
type conversation struct {
	kept

	messages, manifest string // the names of files, or empty if there are none
	read               func(name string) ([]byte, error)
}

// isChild reports whether the conversation is that of an agent that a session started.
func (c *conversation) isChild() bool { return c.stem != c.base }

// Peek implements [record.Stored].
func (c *conversation) Peek(l *record.Log) {
	c.name(l)
	if text, err := c.read(c.description()); err == nil { // reading the conversation reports the error
		describe(l, text)
	}
}

func (c *conversation) name(l *record.Log) {
	l.Agent, l.ID, l.Stem = "cline", c.stem, c.stem
	if c.isChild() {
		l.ID, l.Parent = c.base+"__"+c.stem, c.base
	}
}

// description returns the name of the file that describes the session.
func (c *conversation) description() string { return cmp.Or(c.manifest, c.messages) }

// describe sets what a description states, and returns how it was read.
func describe(l *record.Log, text []byte) jsonscan.Scanner {
	m := manifest{Scanner: jsonscan.New(text)}
	m.Object(m.member)
	l.Cwd = m.cwd
	if m.branch != "" {
		l.OnBranch(m.branch)
	}
	l.BeginBy(m.started)
	return m.Scanner
}

// Read implements [record.Stored].
func (c *conversation) Read(l *record.Log) (rows int, size int64) {
	c.name(l)
	l.RecordsTokens = true
	l.File = cmp.Or(c.messages, c.manifest)
	if c.messages == "" {
		l.Note(fact.Unreadable, 1, "the messages of the session are missing", true)
	}
	if c.manifest == "" {
		l.Note(fact.Unreadable, 1, "the description of the session is missing, which has its directory", true)
	}
	for _, name := range []string{c.manifest, c.messages} {
		if name == "" {
			continue
		}
		text, err := c.read(name)
		if err != nil {
			l.Note(fact.Unreadable, 0, name+": "+err.Error(), true)
			continue
		}
		rows++
		size += int64(len(text))
		var s jsonscan.Scanner
		if name == c.description() {
			s = describe(l, text)
		}
		if name == c.messages {
			p := parser{Log: l, Scanner: jsonscan.New(text), child: c.isChild()}
			p.document()
			s = p.Scanner
		} else if s.Mistyped {
			l.Note(fact.WrongType, 1, "a value of the description has another type", true)
		}
		if !s.AtEnd() {
			l.Note(fact.Damaged, 1, "files that are not JSON objects", true)
		}
	}
	return rows, size
}

// manifest describes a session.
type manifest struct {
	jsonscan.Scanner

	cwd, branch string
	started     time.Time
}

func (m *manifest) member(key []byte) {
	switch string(key) {
	case "cwd":
		m.cwd = record.Valid(m.TextOrNull())
	case "started_at":
		m.started = record.Instant(m.TextOrNull())
	case "metadata":
		m.Members(func(key string) {
			if key == "git" {
				m.Members(func(key string) {
					if key == "branch" {
						m.branch = record.Valid(m.TextOrNull())
					}
				})
			}
		})
	}
}

package agentlog

import "slices"

// A reader knows one format. A new one is a file with its functions and a row
// in readers.
type reader struct {
	name string
	// document says that a file is one JSON text and not one in each line.
	document bool
	// tells says that the format tells of tokens when there were any.
	tells bool
	// claims says from the first row whether the file is in this format.
	claims func(g glance) bool
	// open gives the function that takes in a row; ok is false when the row is
	// not JSON. A row that is damaged leaves nothing behind.
	open func(p *part, o Options) func(row []byte, line int) (ok bool)
}

// readers are asked in turn; the first that claims a file reads it.
var readers = []reader{
	{name: "states", claims: claimsStates, open: openStates},
	{name: "archive", document: true, claims: claimsArchive, open: openArchive},
	{name: "state", document: true, claims: claimsState, open: openState},
	{name: "hooks", claims: claimsHooks, open: openHooks},
	{name: "command_log", claims: claimsCommandLog, open: openCommandLog},
	{name: "codex", tells: true, claims: claimsCodex, open: openCodex},
	{name: "claude", tells: true, claims: claimsClaude, open: openClaude},
}

// A glance is what a first look at a row shows: its keys and its type, as far
// as the row goes.
type glance struct {
	keys  []string
	kind  string // the value of "type"
	whole bool   // the row is JSON
}

func (g glance) has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(g.keys, k) })
}

func glanceAt(row []byte) glance {
	var g glance
	s := scanner{b: row}
	s.object(func(key []byte) {
		g.keys = append(g.keys, string(key))
		if string(key) == "type" {
			text, _ := s.text()
			g.kind = string(text)
		}
	})
	g.whole = s.ends()
	return g
}

func claimant(g glance, document bool) *reader {
	for i := range readers {
		if r := &readers[i]; r.document == document && r.claims(g) {
			return r
		}
	}
	return nil
}

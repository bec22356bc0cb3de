package agentlog

import (
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// split replaces each file of many sessions by its sessions, which are read whole: the events
// of one may be anywhere in the file. Other files remain. What was read of a file that could hold
// many and holds one is released, unless it cannot be read again.
func (l *loader) split(ctx context.Context, files []file, parts []*part) (allFiles []file, allParts []*part, err error) {
	var many []int
	for i, p := range parts {
		if p.Grouping == record.ByName || p.mayHoldMany() {
			many = append(many, i)
		}
	}
	if many == nil {
		return files, parts, nil
	}
	of := map[int][]*part{}
	err = l.read(ctx, pick(files, many), (*file).read, func(i int, p *part) error {
		at := many[i]
		switch {
		case p.Grouping == record.ByName:
			of[at] = p.split() // which releases what only reading needs
		case len(p.sessions) > 1:
			of[at] = append([]*part{p}, p.separate()...)
		case files[at].stream != nil:
			of[at] = []*part{p}
		}
		return nil
	})
	for i := range files {
		sessions := of[i]
		if sessions == nil {
			allFiles, allParts = append(allFiles, files[i]), append(allParts, parts[i])
			continue
		}
		for _, p := range sessions {
			f := files[i]
			f.contents = p
			allFiles, allParts = append(allFiles, f), append(allParts, p)
		}
	}
	return allFiles, allParts, err
}

// split returns the sessions of a file, and a part of no session with the notes that concern
// none. What is lost of the file may be of any session.
func (p *part) split() (parts []*part) {
	rest := &part{Log: record.New(p.File, nil), rows: p.rows, bytes: p.bytes}
	rest.Diagnostics = slices.Concat(p.Diagnostics, p.others)
	for _, s := range p.sessions {
		of := &part{Log: s.Log, reader: p.reader, rows: s.Rows, bytes: s.Bytes}
		rest.rows -= s.Rows
		rest.bytes -= s.Bytes
		of.Diagnostics = append(of.Diagnostics, slices.DeleteFunc(slices.Clone(p.Diagnostics), func(d fact.Diagnostic) bool { return !d.Loss })...)
		of.finish()
		parts = append(parts, of)
	}
	rest.bytes = max(rest.bytes, 0) // the last line may have no end
	return append(parts, rest)
}

// mayHoldMany reports whether a file of rows may hold several sessions, by its name and its
// beginning: agents name files after the session that they hold.
func (p *part) mayHoldMany() bool {
	switch {
	case p.reader == nil || !p.Separates:
		return false
	case p.several:
		return true
	}
	return p.ID == "" && !named().MatchString(p.Stem) || p.ID != "" && !strings.Contains(p.Stem, p.ID)
}

// named matches the names of files, without extension, that agents make of the ids of sessions.
var named = lazyregexp.New(`^rollout-|^session-\d|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// fileWide are the codes of losses that may concern any session of a file.
var fileWide = []fact.Code{fact.Damaged, fact.TooLong, fact.Unreadable}

// separate returns the further sessions of a file of rows, without the first. What is lost of the file
// may be of any session.
func (p *part) separate() (further []*part) {
	if p.Grouping == record.ByName || len(p.sessions) < 2 {
		return nil
	}
	lost := slices.DeleteFunc(slices.Clone(p.Diagnostics), func(d fact.Diagnostic) bool { return !d.Loss || !slices.Contains(fileWide, d.Code) })
	for _, s := range p.sessions[1:] {
		of := &part{Log: s.Log, reader: p.reader, rows: s.Rows, bytes: s.Bytes, doubtful: p.doubtful}
		p.rows -= s.Rows
		p.bytes -= s.Bytes
		of.Diagnostics = append(of.Diagnostics, lost...)
		of.finish()
		further = append(further, of)
	}
	p.bytes = max(p.bytes, 0)
	p.Sources[0].Rows, p.Sources[0].Bytes = p.rows, p.bytes
	p.sessions = nil
	return further
}

// sessionKey identifies the session of the log.
func (p *part) sessionKey() string { return p.reader.Name() + " " + p.ID }

// noteParts reports a session whose other part was yielded already, because it is in a file of
// several sessions that is named after one of them.
func (l *loader) noteParts(s *session.Session, key string) {
	if l.yielded[key] && l.late[key] {
		s.Diagnostics = append(s.Diagnostics, fact.Diagnostic{
			Place: fact.Place{File: s.Sources[0].File, Line: 1}, Code: fact.Copied, Count: 1, Loss: true,
			Message: "another part of the session is in a log of several sessions, and is counted apart",
		})
	}
	l.yielded[key] = true
}

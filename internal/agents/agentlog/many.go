package agentlog

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// sessions are the sessions of a file that holds many.
type sessions struct {
	o      Options
	rows   record.Rows // nil until the format is known
	parts  []*part
	byName map[string]*part
	last   *part // of the row that is being read
	// others are diagnostics that the file repeats of logs of no session.
	others []fact.Diagnostic
}

// open returns the function that reads a row of the file.
func (p *part) open() func(row []byte, line int) bool {
	switch {
	case p.reader.OpenMany == nil:
		return p.reader.Open(p.Log)
	case p.sessions == nil: // a first look, which shows no session
		return func([]byte, int) bool { return true }
	}
	s := p.sessions
	s.rows = p.reader.OpenMany(p.Log, func(name string) *record.Log { return s.part(p, name).Log })
	return func(row []byte, line int) bool {
		s.last = nil
		ok := s.rows.Read(row, line)
		if s.last != nil {
			s.last.rows++
			s.last.bytes += int64(len(row)) + 1
		}
		return ok
	}
}

// part returns the part of the file that is one session.
func (s *sessions) part(of *part, name string) *part {
	p := s.byName[name]
	if p == nil {
		p = newPart(of.File, s.o)
		p.reader, p.Stem = of.reader, name
		s.byName[name] = p
		s.parts = append(s.parts, p)
	}
	if s.last == nil {
		s.last = p
	}
	return p
}

// split replaces each file of many sessions by its sessions, which are read whole: the events
// of one may be anywhere in the file. Other files remain.
func (l *loader) split(ctx context.Context, files []file, parts []*part) (allFiles []file, allParts []*part, err error) {
	var many []int
	for i, p := range parts {
		if p.reader != nil && p.reader.OpenMany != nil {
			many = append(many, i)
		}
	}
	if many == nil {
		return files, parts, nil
	}
	of := map[int][]*part{}
	err = l.read(ctx, pick(files, many), (*file).readMany, func(i int, p *part) error {
		of[many[i]] = p.split() // which releases what only reading needs
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

// readMany reads a file of many sessions.
func (f *file) readMany(buf []byte, o Options) (*part, []byte) {
	return f.readAs(buf, o, &sessions{o: o, byName: map[string]*part{}})
}

// split returns the sessions of a file, and a part of no session with the notes that concern
// none. What is lost of the file may be of any session.
func (p *part) split() []*part {
	parts := p.sessions.parts
	rest := newPart(p.File, p.sessions.o)
	rest.rows, rest.bytes = p.rows, p.bytes
	for _, of := range parts {
		rest.rows -= of.rows
		rest.bytes -= of.bytes
		of.Diagnostics = append(of.Diagnostics, slices.DeleteFunc(slices.Clone(p.Diagnostics), func(d fact.Diagnostic) bool { return !d.Loss })...)
		of.finish()
	}
	rest.bytes = max(rest.bytes, 0) // the last line may have no end
	rest.Diagnostics = slices.Concat(p.Diagnostics, p.sessions.others)
	p.sessions.rows = nil
	return append(parts, rest)
}

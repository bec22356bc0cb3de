package agentlog

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// split replaces each file of many sessions by its sessions, which are read whole: the events
// of one may be anywhere in the file. Other files remain.
func (l *loader) split(ctx context.Context, files []file, parts []*part) (allFiles []file, allParts []*part, err error) {
	var many []int
	for i, p := range parts {
		if p.Grouping == record.ByName {
			many = append(many, i)
		}
	}
	if many == nil {
		return files, parts, nil
	}
	of := map[int][]*part{}
	err = l.read(ctx, pick(files, many), (*file).read, func(i int, p *part) error {
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

package agentlog

import (
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// part is one file of a session, before the files of the session are merged.
type part struct {
	*record.Log

	reader record.Reader // nil if none claims the file
	rows   int
	bytes  int64
	// doubtful is true if a file of the directory, which may name more sessions, was not
	// read completely.
	doubtful bool
	// resumed is true if some events that other logs hold belong to another session.
	resumed bool
	// several is true if a first look at a file of rows found several sessions.
	several bool
	// sessions are those of a file of many, and others what it repeats of logs of no session.
	sessions []record.Session
	others   []fact.Diagnostic
}

func newPart(file string, o Options) *part { return &part{Log: record.New(file, o.PhaseSignals)} }

// finish completes the log and names its source.
func (p *part) finish() {
	p.Finish()
	p.Sources = []session.Source{{File: p.File, Rows: p.rows, Bytes: p.bytes}}
	if p.reader != nil {
		p.Sources[0].Reader = p.reader.Name()
	}
}

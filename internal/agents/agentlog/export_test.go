package agentlog

import "github.com/rulecheck/rulecheck/internal/agents/agentlog/record"

// TableOfReaders returns the table of readers.
func TableOfReaders() []record.Reader { return readers }

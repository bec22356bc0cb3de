package agentlog

import "github.com/rulecheck/rulecheck/internal/agents/agentlog/record"

// Row is a row of the table of readers.
type Row struct {
	Name   string
	Places func(m Machine, root string) []record.Place
}

// TableOfReaders returns the table of readers.
func TableOfReaders() []Row {
	table := make([]Row, len(readers))
	for i, r := range readers {
		table[i] = Row{r.Name(), r.places}
	}
	return table
}

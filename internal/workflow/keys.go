package workflow

import "github.com/rulecheck/rulecheck/internal/rule"

// KeyTable lists the keys of one kind of mapping in workflow files, for their
// documentation.
type KeyTable struct {
	Of   string // "workflow", "phase", …
	Keys []rule.KeyInfo
}

// Keys returns the tables of all mappings, from the top of the file inwards. A
// phase in a list also has a name.
func Keys() []KeyTable {
	tables := []KeyTable{
		{"workflow", rule.Infos(definitionKeys())},
		{"phase", rule.Infos(phaseKeys())},
		{"evidence", rule.Infos(evidenceKeys())},
		{"transition", rule.Infos(transitionKeys())},
	}
	for _, f := range exitForms() {
		tables = append(tables, KeyTable{"exit condition: " + f.name, rule.Infos(f.keys())})
	}
	return append(tables,
		KeyTable{"tool rule", rule.Infos(toolRuleKeys())},
		KeyTable{"observer", rule.Infos(observerKeys(false))},
		KeyTable{"observer with a behavior", rule.Infos(observerKeys(true))},
	)
}

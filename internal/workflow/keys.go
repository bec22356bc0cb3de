package workflow

import "github.com/rulecheck/rulecheck/internal/rule"

// KeyTable is the keys of one kind of mapping in workflow files, for their
// documentation.
type KeyTable struct {
	Of   string // "workflow", "phase", …
	Keys []rule.KeyInfo
}

// Keys are all of them, from the top of the file inwards. A phase of a list has
// a name beside its keys.
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
		KeyTable{"observer with a behaviour", rule.Infos(observerKeys(true))},
	)
}

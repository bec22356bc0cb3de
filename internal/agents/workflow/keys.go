package workflow

import "github.com/rulecheck/rulecheck/internal/rule"

// KeyTable lists the keys of one kind of mapping in workflow files, for their
// documentation.
type KeyTable struct {
	Of       string // "workflow", "phase", …
	Keys     []rule.KeyInfo
	Required []string // the keys that must be given
}

func keyTable(of string, rows []rule.Key) KeyTable {
	t := KeyTable{Of: of, Keys: rule.Infos(rows)}
	for _, k := range rows {
		if !k.Optional && k.Default == nil {
			t.Required = append(t.Required, k.Name)
		}
	}
	return t
}

// Keys returns the tables of all mappings, from the top of the file inwards. Only a
// phase in a list has a name.
func Keys() []KeyTable {
	tables := []KeyTable{
		keyTable("workflow", definitionKeys()),
		keyTable("phase", listedPhaseKeys()),
		keyTable("piece of evidence", evidenceKeys()),
		keyTable("transition", transitionKeys()),
	}
	for _, f := range exitForms() {
		tables = append(tables, keyTable("exit condition: "+f.name, f.keys()))
	}
	return append(tables,
		keyTable("tool rule", toolRuleKeys()),
		keyTable("observer", observerKeys(false)),
		keyTable("observer with a behavior", observerKeys(true)),
	)
}

package rule

import (
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/policies"
)

// KeyInfo is one key of a table, for its documentation.
type KeyInfo struct {
	Name    string   // dotted, where it stands inside another
	Modes   []string // that have the key; empty: all
	Want    string   // what its value may be
	Default any      // nil: none
	Doc     string   // a sentence; empty for a mode's own
}

// FrontmatterKeys are the keys of rule files with these modes: first those of the
// modes, then those that every mode has, each in byte order.
func FrontmatterKeys(modes map[string]policies.Mode) []KeyInfo {
	var own []KeyInfo
	for _, name := range slices.Sorted(maps.Keys(modes)) {
		for _, k := range modeKeys(nil, []policies.Mode{modes[name]}, true) {
			if _, common := lookup(commonKeys(), k.Name); common {
				continue
			}
			i := slices.IndexFunc(own, func(o KeyInfo) bool { return o.Name == k.Name && o.Want == k.want() })
			if i < 0 {
				i = len(own)
				own = append(own, k.info())
			}
			own[i].Modes = append(own[i].Modes, name)
		}
	}
	common := Infos(commonKeys())
	for i, k := range commonKeys() {
		if k.scope != anyMode {
			common[i].Modes = slices.Sorted(maps.Keys(modes))
			common[i].Modes = slices.DeleteFunc(common[i].Modes, func(name string) bool { return !k.scope.covers(modes[name]) })
		}
	}
	return append(own, common...)
}

// ConfigKeys are the keys of the configuration, in byte order.
func ConfigKeys() []KeyInfo { return Infos(configKeys()) }

// Infos are the rows of a table, for its documentation.
func Infos(rows []Key) []KeyInfo {
	list := make([]KeyInfo, 0, len(rows))
	for _, k := range rows {
		list = append(list, k.info())
	}
	return list
}

func (k Key) info() KeyInfo {
	return KeyInfo{Name: k.Name, Want: k.want(), Default: k.Default, Doc: k.Doc}
}

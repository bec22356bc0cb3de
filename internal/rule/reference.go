package rule

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// KeyInfo documents one key of a table.
type KeyInfo struct {
	Name    string   // dotted if it is inside another
	Modes   []string // with the key; empty: all
	Want    string   // accepted values
	Default any      // nil: none
	Doc     string   // a sentence; empty for keys that a mode declares
	About   string   // the same as Doc, and for keys that a mode declares, what the schema says; may be empty
	Values  []string // that alone are accepted; empty: others are, too
}

// FrontmatterKeys returns the keys of rule files: first those of modes, then the
// common ones, each in byte order.
func FrontmatterKeys(modes policies.Modes) []KeyInfo {
	var own []KeyInfo
	for _, name := range modes.Names() {
		for _, k := range modeKeys(nil, []policies.Mode{modes.Of(name)}, true) {
			if _, common := lookup(commonKeys(), k.Name); common {
				continue
			}
			i := slices.IndexFunc(own, func(o KeyInfo) bool { return o.Name == k.Name && o.Want == k.want() && o.Default == k.Default })
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
			common[i].Modes = modes.Names()
			common[i].Modes = slices.DeleteFunc(common[i].Modes, func(name string) bool { return !k.scope.covers(modes.Of(name)) })
		}
	}
	return append(own, common...)
}

// ConfigKeys returns the keys of the configuration in byte order.
func ConfigKeys() []KeyInfo { return Infos(configKeys()) }

// Infos returns the documentation of a table.
func Infos(rows []Key) []KeyInfo {
	list := make([]KeyInfo, 0, len(rows))
	for _, k := range rows {
		list = append(list, k.info())
	}
	return list
}

func (k Key) info() KeyInfo {
	info := KeyInfo{Name: k.Name, Want: k.want(), Default: k.Default, Doc: k.Doc, About: cmp.Or(k.Doc, k.describe()), Values: k.OneOf}
	if types[k.Type].kind == yaml.Boolean {
		info.Values = []string{"false", "true"}
	}
	return info
}

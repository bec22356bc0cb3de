package policy

import (
	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/policies"
)

// mentions are the texts that stand in policies; nil: any may.
type mentions map[string]bool

func (m mentions) has(key *ast.Term) bool {
	text, _ := key.Value.(ast.String)
	return m == nil || m[string(text)]
}

// mentionsOf are those of each mode among modules, with those of what belongs to no
// mode and may be leaned on. They tell what a policy can see of its facts only where
// none looks at all the fields of an object: not a project's.
func mentionsOf(b *policies.Bundle, modules map[string]*ast.Module) map[string]mentions {
	shared, own := mentions{}, map[string]mentions{}
	for _, module := range modules {
		into := shared
		if mode, ok := b.Mode(module); ok {
			if own[mode.Name] == nil {
				own[mode.Name] = mentions{}
			}
			into = own[mode.Name]
		}
		ast.WalkTerms(module, func(term *ast.Term) bool {
			if text, ok := term.Value.(ast.String); ok {
				into[string(text)] = true
			}
			return false
		})
	}
	for _, mode := range own {
		for text := range shared {
			mode[text] = true
		}
	}
	return own
}

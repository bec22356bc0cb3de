package waiver

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/policies"
)

// noIfChange matches the line by which a commit waives what IfChange demands.
var noIfChange = lazyregexp.New(`(?m)^[ \t]*NO_IFTTT=(.*)$`)

// noIfChangeIn returns the reason of NO_IFTTT=reason in a message; empty without one.
func noIfChangeIn(message string) string {
	for _, found := range noIfChange().FindAllStringSubmatch(message, -1) {
		if reason := oneLine(found[1]); reason != "" {
			return reason
		}
	}
	return ""
}

// addNoIfChange adds the waiver of NO_IFTTT=reason in a message: for each rule about
// directives, of findings that a target did not change with a block, in the files of the
// commit. Other findings about directives cannot be waived so.
func (s *search) addNoIfChange(source finding.Waiver, text string, covers map[string]bool) {
	if source.Reason = noIfChangeIn(text); source.Reason == "" {
		return
	}
	for _, r := range s.Project.Rules {
		if slices.Contains(s.Project.Modes.Of(r.Mode).Facts, policies.FactDirectives) {
			s.add(waiver{rule: r.ID, covers: covers, expecting: true, Waiver: s.ofChange(source)})
		}
	}
}

package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

// ruleIDs are the rules that may be named, those that do not load among them.
func (j *judge) ruleIDs() []string {
	var ids []string
	for _, r := range j.setting.all {
		ids = append(ids, r.ID)
	}
	for _, p := range j.setting.problems {
		if id, ok := strings.CutSuffix(path.Base(p.File), ".md"); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// promisedRule is the rule that a promise names: by its name, else by its id,
// without regard to case.
func (j *judge) promisedRule(name string) (id string, ok bool) {
	for _, r := range j.setting.all {
		if strings.EqualFold(r.Name, name) {
			return r.ID, true
		}
	}
	ids := j.ruleIDs()
	if i := slices.IndexFunc(ids, func(id string) bool { return strings.EqualFold(id, name) }); i >= 0 {
		return ids[i], true
	}
	return "", false
}

// noRule says that there is no such rule, and which was probably meant.
func (j *judge) noRule(word string, byName bool) string {
	known := j.ruleIDs()
	if byName {
		for _, r := range j.setting.all {
			if !slices.Contains(known, r.Name) {
				known = append(known, r.Name)
			}
		}
	}
	return fmt.Sprintf(": no rule is called %q%s", oneLine(word), suggest.OneOf(word, known))
}

// maxWaiverNotices bounds what is told of waivers that cannot be read: messages
// come from outside.
const maxWaiverNotices = 10

// tell takes over what is to be said of waivers; several changesets have the same
// commits.
func (j *judge) tell(notices []string) {
	for _, text := range notices {
		switch {
		case slices.Contains(j.notices, text):
		case j.waiverNotices < maxWaiverNotices:
			j.notices = append(j.notices, text)
			j.waiverNotices++
		default:
			const more = "further waivers name no rule or give no reason, and waive nothing"
			if !slices.Contains(j.notices, more) {
				j.notices = append(j.notices, more)
			}
		}
	}
}

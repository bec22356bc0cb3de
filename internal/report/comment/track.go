package comment

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// The limits of the list. A finding that is not in it is reported, but not missed later.
const (
	maxItems = 60
	maxWhat  = 160 // bytes
)

// The states of a finding.
const (
	open      = "open"
	waived    = "waived"    // was open
	gone      = "gone"      // was open
	unchecked = "unchecked" // was open, and not everything could be checked now
)

// item is a finding that the comment follows.
type item struct {
	ID    string `json:"id"` // its fingerprint
	What  string `json:"what"`
	State string `json:"state"`
}

// tracked returns the list in the text of a comment; none for an empty text.
func tracked(text string) ([]item, error) {
	if text == "" {
		return nil, nil
	}
	data, found := markdown.ReadHidden(text)
	var list []item
	if !found || json.Unmarshal([]byte(data), &list) != nil || len(list) > maxItems {
		return nil, errPrevious
	}
	for _, i := range list {
		if len(i.What) > maxWhat || !fingerprint().MatchString(i.ID) {
			return nil, errPrevious
		}
	}
	return list, nil
}

// marker returns the line from which tracked reads the list.
func marker(list []item) markdown.Text {
	if list == nil {
		list = []item{}
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(list) //nolint:errchkjson // strings only
	return markdown.Hidden(text.String())
}

// follow returns the open findings of a report, and after them those of the list before that
// are no longer open. A finding is gone only if everything could be checked.
func follow(before []item, r *report.Report) []item {
	state := map[string]string{}
	var now []item
	for _, f := range r.Findings {
		if f.Waived() {
			state[f.Fingerprint] = waived
			continue
		}
		if state[f.Fingerprint] != open {
			now = append(now, item{f.Fingerprint, what(f), open})
		}
		state[f.Fingerprint] = open
	}
	for _, i := range before {
		switch {
		case state[i.ID] == open:
			continue
		case state[i.ID] == waived:
			i.State = waived
		case r.Summary.Exit < 2 && len(r.Errors) == 0:
			i.State = gone
		case i.State != gone:
			i.State = unchecked
		}
		now = append(now, i)
	}
	return now[:min(len(now), maxItems)]
}

// what names a finding in one short line.
func what(f finding.Finding) string {
	text := f.Rule + ": " + f.Path
	if len(f.Expected) > 0 {
		text += " → " + f.Expected[0]
	}
	return cut(string(plain.Line(cut(text, maxWhat))), maxWhat)
}

// cut shortens a text to at most n bytes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := n - len("…")
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

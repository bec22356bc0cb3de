package format

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// maxLinks limits the links in a message to related locations; more would bury it.
const maxLinks = 20

func resultOf(f finding.Finding) sarifResult {
	text, related := linked(f)
	result := sarifResult{
		RuleID:              ruleID(f.Rule),
		Level:               string(f.Level),
		Message:             sarifMessage{Text: text},
		Locations:           []sarifLocation{locationOf(f.Path, max(f.Line, 1))},
		RelatedLocations:    related,
		PartialFingerprints: map[string]string{"rulecheck/v1": f.Fingerprint},
		Properties:          propertiesOf(findingForJSON(f)),
	}
	if f.LineHash != "" {
		result.PartialFingerprints["primaryLocationLineHash"] = f.LineHash
	}
	return result
}

func propertiesOf(f finding.Finding) *sarifProperties {
	p := sarifProperties{SessionProperties: f.SessionProperties(), TriggerFiles: f.TriggerFiles, Expected: f.Expected}
	if p.SessionProperties == nil && len(p.TriggerFiles) == 0 && len(p.Expected) == 0 {
		return nil
	}
	return &p
}

func suppressions(w *finding.Waiver) *[]sarifSuppression {
	if w == nil {
		return &[]sarifSuppression{}
	}
	status := "accepted"
	if w.NotHonoured != "" {
		status = "rejected"
	}
	return &[]sarifSuppression{{
		Kind: "external", Status: status, Justification: finding.Visible(w.Reason),
		Properties: sarifSuppressionProperties{
			Source: finding.Visible(w.Source), Commit: w.Commit, NotHonoured: finding.Visible(w.NotHonoured),
		},
	}}
}

// link is a mention of a related file in a message.
type link struct{ start, end, id int }

// linked returns the finding's message with links to the first of its related files, and
// the locations of all: viewers show only locations that the message links to.
func linked(f finding.Finding) (string, []sarifLocation) {
	message := finding.Visible(report.Message(f))
	var related []sarifLocation
	var links []link
	var further []string // not mentioned
	left := 0
	for _, l := range f.Related {
		if l.Path == f.Path && l.Line == f.Line {
			continue
		}
		location := locationOf(l.Path, max(l.Line, 1))
		if len(related) >= maxLinks {
			related = append(related, location)
			left++
			continue
		}
		location.ID = len(related) + 1
		related = append(related, location)
		name := finding.Visible(l.Path)
		if at := mention(message, name, links); at >= 0 {
			links = append(links, link{at, at + len(name), location.ID})
		} else {
			further = append(further, linkTo(name, location.ID))
		}
	}
	text := sentence(withLinks(message, links))
	if len(further) > 0 {
		text += " See " + strings.Join(further, ", ")
		if left > 0 {
			text += fmt.Sprintf(" and %d more", left)
		}
		text += "."
	}
	return text, related
}

// mention finds the first place where the message names the file as a whole word
// outside existing links; -1 if there is none.
func mention(message, name string, links []link) int {
	for from := 0; ; {
		i := strings.Index(message[from:], name)
		if i < 0 || name == "" {
			return -1
		}
		start, end := from+i, from+i+len(name)
		taken := slices.ContainsFunc(links, func(l link) bool { return start < l.end && l.start < end })
		if !taken && !continues(lastRune(message[:start])) && !continues(nextInName(message[end:])) {
			return start
		}
		from = end
	}
}

// continues reports whether r belongs to the name next to it.
func continues(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/_-.", r)
}

func lastRune(s string) rune {
	r, size := utf8.DecodeLastRuneInString(s)
	if size == 0 {
		return ' '
	}
	return r
}

// nextInName returns the rune after a name, ignoring a full stop that ends the
// sentence.
func nextInName(rest string) rune {
	rest = strings.TrimLeft(rest, ".")
	if rest == "" {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return r
}

func withLinks(message string, links []link) string {
	slices.SortFunc(links, func(a, b link) int { return a.start - b.start })
	var b strings.Builder
	from := 0
	for _, l := range links {
		b.WriteString(escapeBrackets(message[from:l.start]))
		b.WriteString(linkTo(message[l.start:l.end], l.id))
		from = l.end
	}
	b.WriteString(escapeBrackets(message[from:]))
	return b.String()
}

func linkTo(name string, id int) string {
	return fmt.Sprintf("[%s](%d)", escapeBrackets(strings.ReplaceAll(name, `\`, `\\`)), id)
}

// escapeBrackets escapes what a plain text message would show as a link (3.11.6).
func escapeBrackets(s string) string {
	return strings.NewReplacer("[", `\[`, "]", `\]`).Replace(s)
}

// sentence adds a full stop if s ends without punctuation.
func sentence(s string) string {
	if s == "" || strings.ContainsRune(".!?…", lastRune(s)) {
		return s
	}
	return s + "."
}

// locationOf returns the location of a line in a file of the repository or in a
// log outside it; line 0 is the whole file.
func locationOf(path string, line int) sarifLocation {
	artifact := sarifArtifact{URI: uri(path), URIBaseID: sourceRoot}
	if strings.HasPrefix(path, "/") {
		artifact = sarifArtifact{URI: "file://" + uri(path)}
	}
	l := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: artifact}}
	if line > 0 {
		l.PhysicalLocation.Region = &sarifRegion{StartLine: line}
	}
	return l
}

// uri percent-encodes a path as a relative reference: all bytes except the slash
// and the unreserved ones of RFC 3986, so that a colon starts no scheme and bytes
// that are not UTF-8 survive.
func uri(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

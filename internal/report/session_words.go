package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
)

// told is a finding in one sentence. One of a session says in front whose it
// is, and behind since when and how far it went.
func told(f finding.Finding) string {
	if f.Session == nil {
		return cmp.Or(f.Message, f.Name, f.Rule)
	}
	return whose(f.Session) + ": " + toldWithin(f)
}

// toldWithin is what a reader needs who sees which session the finding is of.
func toldWithin(f finding.Finding) string {
	message := cmp.Or(f.Diagnostic, f.Message, f.Name, f.Rule)
	if !f.FirstAt.IsZero() {
		message = strings.TrimSuffix(message, ".") + ", first at " + instant(f.FirstAt)
	}
	if f.Peak > f.Snapshot.Count {
		message = strings.TrimSuffix(message, ".") + ", peak " + thousands(f.Peak)
	}
	return message
}

// whose names a session and the stay in it: "claude 1f3c2a40… code (visit 2)".
// Stays are counted from 1, and the first has no need of it.
func whose(s *finding.Session) string {
	words := []string{cut(cmp.Or(s.Agent, "session"), longID), shortID(s.ID)}
	if s.Phase != "" {
		words = append(words, cut(s.Phase, longID))
	}
	if s.Visit > 0 {
		words = append(words, fmt.Sprintf("(visit %d)", s.Visit+1))
	}
	return strings.Join(words, " ")
}

// placeOf is where a finding is shown to people: in the log where it has one,
// also where that lies outside the repository.
func placeOf(f finding.Finding) (file string, line int) {
	if f.Session != nil && f.Log != "" {
		return f.Log, f.Session.Line
	}
	return f.Path, f.Line
}

const (
	uuidLen = 36
	// shownID is how much of a session's id people need; of a UUID, the first group.
	shownID, longID = 8, 40
)

// shortID cuts an id that nobody reads to the end.
func shortID(id string) string {
	if len(id) == uuidLen && strings.Count(id, "-") == 4 || git.IsObjectID(id) {
		return id[:shownID] + "…"
	}
	return cut(id, longID)
}

// instant writes a time as every report does; the zero time is empty.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

// eventLine is a recent event: its time of day, the tool of an edit, and what was done.
func eventLine(e finding.Event) string {
	words := []string{"--:--:--"}
	if !e.At.IsZero() {
		words[0] = e.At.UTC().Format(time.TimeOnly)
	}
	if e.Tool != "" {
		words = append(words, e.Tool)
	}
	return strings.Join(append(words, e.Text), " ")
}

// thousands writes a number with a comma between every three digits.
func thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

var units = []struct {
	name    string
	seconds int64
}{{"d", 86_400}, {"h", 3_600}, {"m", 60}, {"s", 1}}

// lasting writes a length of time in its two largest units: "2d 3h", "6m 40s".
func lasting(d time.Duration) string {
	seconds := int64(d / time.Second)
	var words []string
	for _, u := range units {
		if seconds >= u.seconds {
			words = append(words, fmt.Sprintf("%d%s", seconds/u.seconds, u.name))
			seconds %= u.seconds
		} else if len(words) > 0 {
			break
		}
		if len(words) == 2 {
			break
		}
	}
	return cmp.Or(strings.Join(words, " "), "0s")
}

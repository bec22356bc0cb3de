package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Message returns the finding as one sentence. A session's begins with the
// session's name and ends with the time it first fired and its peak.
func Message(f finding.Finding) string {
	if f.Session == nil {
		return cmp.Or(f.Message, f.Name, f.Rule)
	}
	return SessionName(f.Session) + ": " + ShortMessage(f)
}

// ShortMessage returns the message of a session's finding without the session's name.
func ShortMessage(f finding.Finding) string {
	message := cmp.Or(f.Message, f.Name, f.Rule)
	if !f.Session.FirstAt.IsZero() {
		message = strings.TrimSuffix(message, ".") + ", first at " + Time(f.Session.FirstAt)
	}
	if f.Session.Peak > f.Session.Snapshot.Count {
		message = strings.TrimSuffix(message, ".") + ", peak " + Number(f.Session.Peak)
	}
	return message
}

// SessionName names a session and its visit of a phase: "claude 1f3c2a40… code
// (visit 2)". Visits count from 1; the first is not numbered.
func SessionName(s *finding.SessionDetails) string {
	words := []string{Truncate(cmp.Or(s.Agent, "session"), maxID), ShortID(s.ID)}
	if s.Phase != "" {
		words = append(words, Truncate(s.Phase, maxID))
	}
	if s.Visit > 0 {
		words = append(words, fmt.Sprintf("(visit %d)", s.Visit+1))
	}
	return strings.Join(words, " ")
}

// sessionPlace returns where people find the event: in the log if there is one,
// even outside the repository.
func sessionPlace(f finding.Finding) (file string, line int) {
	if f.Session != nil && f.Session.Log.File != "" {
		return f.Session.Log.File, f.Session.Log.Line
	}
	return f.Path, f.Line
}

// Lengths of session ids, in characters. Of a UUID or hash the first shortID are shown.
const (
	uuidLen = 36
	shortID = 8
	maxID   = 40
)

// ShortID shortens UUIDs and hashes to their first eight characters, and other
// ids to forty.
func ShortID(id string) string {
	if len(id) == uuidLen && strings.Count(id, "-") == 4 || git.IsObjectID(id) {
		return id[:shortID] + "…"
	}
	return Truncate(id, maxID)
}

// ShortCommit cuts a full object id to seven digits and returns any other text unchanged.
func ShortCommit(s string) string {
	if git.IsObjectID(s) {
		return s[:7]
	}
	return s
}

// Truncate shortens s to at most n characters, the last of them an ellipsis.
func Truncate[T ~string](s T, n int) T {
	if len(s) <= n { // it has at most as many characters as bytes
		return s
	}
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return T(runes[:n-1]) + "…"
}

// Position joins a file with its line and column, as far as they are known.
func Position(file string, numbers ...int) string {
	for _, n := range numbers {
		if file == "" || n <= 0 {
			return file
		}
		file += fmt.Sprintf(":%d", n)
	}
	return file
}

// Count writes a number of things: "1 rule", "2 rules".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// AndMore returns " and 3 more" for a list that leaves out n elements, and "" for 0.
func AndMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// WaiverText returns a waiver's reason, its source, and why it is not honoured.
func WaiverText(w *finding.Waiver) string {
	text := w.Reason + " (" + WaiverSource(w) + ")"
	if w.NotHonoured != "" {
		text += "; not honoured: " + w.NotHonoured
	}
	return text
}

// WaiverSource returns the place of a waiver: "trailer 1a2b3c4", "environment", "known
// since 2026-05-01", "repaired by 1a2b3c4 later in the stack".
func WaiverSource(w *finding.Waiver) string {
	if w.Source == finding.Repaired {
		if w.Commit == "" {
			return "repaired earlier in the stack"
		}
		return "repaired by " + ShortCommit(w.Commit) + " later in the stack"
	}
	if w.Since != "" {
		return w.Source + " since " + w.Since
	}
	return strings.TrimSpace(w.Source + " " + ShortCommit(w.Commit))
}

// Time formats a time as every report does, in UTC; the zero time is "".
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

// EventLine writes an event as its time of day, the tool of an edit, and its text.
func EventLine(e fact.Event) string {
	words := []string{clock(e.At)}
	if e.Tool != "" {
		words = append(words, e.Tool)
	}
	return strings.Join(append(words, e.Text), " ")
}

// Number writes a number with a comma between every three digits.
func Number(n int64) string {
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

// Duration writes a duration in its two largest units: "2d 3h", "6m 40s".
func Duration(d time.Duration) string {
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

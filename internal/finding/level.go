package finding

import (
	"fmt"
	"slices"
	"strings"
)

// Level is the severity of a finding, in the words of SARIF.
type Level string

// The levels, most severe first.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Levels returns every level, most severe first.
func Levels() []Level { return []Level{Error, Warning, Note} }

// ParseLevel parses the name of a level. The error lists the known ones.
func ParseLevel(s string) (Level, error) {
	if slices.Contains(Levels(), Level(s)) {
		return Level(s), nil
	}
	return "", fmt.Errorf("unknown level %q; want one of %s", s, joinLevels())
}

// AtLeast reports whether l is at least as severe as other.
func (l Level) AtLeast(other Level) bool { return l.rank() <= other.rank() }

// rank is 0 for the most severe level. It is not looked up in Levels because sorting
// asks it for every pair of findings.
func (l Level) rank() int {
	switch l {
	case Error:
		return 0
	case Warning:
		return 1
	case Note:
		return 2
	default:
		return -1
	}
}

func joinLevels() string {
	names := make([]string, 0, len(Levels()))
	for _, l := range Levels() {
		names = append(names, string(l))
	}
	return strings.Join(names, ", ")
}

package finding

import (
	"fmt"
	"slices"
	"strings"
)

// Level says how much a finding matters. The words are SARIF's.
type Level string

// The levels, gravest first.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Levels lists every level, gravest first.
func Levels() []Level { return []Level{Error, Warning, Note} }

// ParseLevel reads a level as a person writes it.
func ParseLevel(s string) (Level, error) {
	if slices.Contains(Levels(), Level(s)) {
		return Level(s), nil
	}
	return "", fmt.Errorf("unknown level %q; want one of %s", s, joinLevels())
}

// AtLeast reports whether l is as grave as other or graver.
func (l Level) AtLeast(other Level) bool {
	return slices.Index(Levels(), l) <= slices.Index(Levels(), other)
}

func joinLevels() string {
	names := make([]string, 0, len(Levels()))
	for _, l := range Levels() {
		names = append(names, string(l))
	}
	return strings.Join(names, ", ")
}

// Package trust decides which settings of a change count that let the commands of rules do
// more: those that the target of the change has too, and those that the user trusts.
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Setting is one setting that lets commands do more than the target of the change allows.
type Setting struct {
	Key   string // commands.sandbox, commands.env, commands.write, commands.timeout, action.env or action.timeout
	Value string
	Rule  string   // of action.*: the rule's id
	Argv  []string // of action.*: the rule's command
}

// String returns the setting as it is written, and its rule.
func (s Setting) String() string {
	value := s.Value
	if strings.ContainsFunc(value, func(c rune) bool { return c <= ' ' || c == ',' || c == ';' || c == '"' }) {
		value = strconv.Quote(value)
	}
	if s.Rule == "" {
		return s.Key + ": " + value
	}
	return fmt.Sprintf("%s: %s (rule %s)", s.Key, value, s.Rule)
}

// Digest identifies exactly this setting.
func (s Setting) Digest() string { return digest("setting", s) }

// commandDigest identifies the command of a rule.
func commandDigest(rule string, argv []string) string {
	return digest("command", Setting{Rule: rule, Argv: argv})
}

func digest(kind string, of Setting) string {
	text, err := json.Marshal([]any{kind, of.Key, of.Value, of.Rule, of.Argv})
	if err != nil {
		panic(err) // texts and lists of them have a JSON form
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Join lists settings in one line.
func Join(settings []Setting) string {
	texts := make([]string, len(settings))
	for i, s := range settings {
		texts[i] = s.String()
	}
	return strings.Join(texts, ", ")
}

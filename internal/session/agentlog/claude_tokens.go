package agentlog

import (
	"github.com/rulecheck/rulecheck/internal/session"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
)

// usage holds the tokens of a transcript row.
type usage struct {
	tokens  session.TokenCount
	present bool
	wrong   string // a field whose value is not a count
	// asides are calls of another model within this one, billed separately.
	asides []session.TokenCount
}

// read reads a usage object. A missing number is 0 for the cache, which a call need not
// use, and unknown for input and output.
func (u *usage) read(s *jsonscan.Scanner) {
	if s.Peek() != '{' {
		return
	}
	u.present = true
	u.tokens = u.counts(s, func(key []byte) {
		if string(key) == "iterations" && s.Peek() == '[' {
			s.Array(func() { u.iteration(s) })
		}
	})
}

func (u *usage) iteration(s *jsonscan.Scanner) {
	if s.Peek() != '{' {
		return
	}
	aside := false
	tokens := u.counts(s, func(key []byte) {
		if string(key) == "type" {
			aside = string(s.TextOrNil()) == "advisor_message"
		}
	})
	if aside {
		u.asides = append(u.asides, tokens)
	}
}

// counts reads an object of counts and calls other for every other member.
func (u *usage) counts(s *jsonscan.Scanner, other func(key []byte)) session.TokenCount {
	var t session.TokenCount
	counts := new([4]int64)
	t.CacheRead, t.CacheWrite = &counts[0], &counts[1]
	s.Object(func(key []byte) {
		var field **int64
		var at *int64
		switch string(key) {
		case "input_tokens":
			field, at = &t.Input, &counts[2]
		case "output_tokens":
			field, at = &t.Output, &counts[3]
		case "cache_read_input_tokens":
			field, at = &t.CacheRead, &counts[0]
		case "cache_creation_input_tokens":
			field, at = &t.CacheWrite, &counts[1]
		default:
			other(key)
			return
		}
		n, known, ok := jsonscan.Count(s.Skip())
		if known {
			*at, *field = n, at
		}
		if !ok {
			u.wrong, *field = string(key), nil
		}
	})
	return t
}

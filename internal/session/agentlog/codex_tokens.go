package agentlog

import (
	"strconv"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/session"
)

// codexUsage is a token counter. Input includes cached input, output includes reasoning.
type codexUsage struct {
	input, cached, output int64
	present               bool
	wrong                 string
}

func (u *codexUsage) read(s *jsonscan.Scanner) {
	if s.Peek() != '{' {
		return
	}
	u.present = true
	s.Object(func(key []byte) {
		var field *int64
		switch string(key) {
		case "input_tokens":
			field = &u.input
		case "cached_input_tokens", "cache_read_input_tokens":
			field = &u.cached
		case "output_tokens":
			field = &u.output
		default:
			return
		}
		n, known, ok := jsonscan.Count(s.Skip())
		if known {
			*field = n
		}
		if !ok {
			u.wrong = string(key)
		}
	})
}

// countTokens adds the growth of the cumulative counter. Rollouts repeat an unchanged counter,
// and it restarts when a session is resumed.
func (c *codexParser) countTokens(line int) {
	r := &c.row
	u, now := r.last, r.total
	if now.wrong != "" || !now.present && u.wrong != "" {
		c.note(session.WrongType, line, now.wrong+u.wrong+" is not a count", true)
		return
	}
	switch {
	case now.present:
		u = now
		if c.sum.present && now.input >= c.sum.input && now.output >= c.sum.output && now.cached >= c.sum.cached {
			u = codexUsage{input: now.input - c.sum.input, cached: now.cached - c.sum.cached, output: now.output - c.sum.output}
		}
		c.sum = now
	case u.present && u == c.last:
		return
	case u.present && c.sum.present:
		c.sum.input, c.sum.cached, c.sum.output = c.sum.input+u.input, c.sum.cached+u.cached, c.sum.output+u.output
	}
	c.last = r.last
	if u.input == 0 && u.output == 0 || c.isReplay() {
		return
	}
	counts := &[4]int64{max(u.input-u.cached, 0), u.cached, 0, u.output}
	id := c.stamp()
	if id != "" {
		id += "/" + strconv.FormatInt(now.input+now.output+u.output, 10)
	}
	c.addTokens(session.Tokens{
		CallID: id, At: r.at, Place: c.place(line),
		TokenCount: session.TokenCount{Input: &counts[0], CacheRead: &counts[1], CacheWrite: &counts[2], Output: &counts[3]},
	})
}

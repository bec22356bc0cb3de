package agentlog

import (
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/session"
)

// The hook journal of an old agent has no ids. A call of it is the same as a call of a
// transcript if both do the same and the hook ran between the start of the call and soon
// after its end, as far as two clocks agree.
const (
	clockSkew = time.Second
	hookDelay = 5 * time.Second
)

// pairCalls joins the calls without an id with the same calls of other logs of the
// session. The calls are in time order.
func (p *part) pairCalls() {
	withID := map[string][]int{}
	for i := range p.Calls {
		if c := &p.Calls[i]; c.ID != "" {
			withID[actionOf(c)] = append(withID[actionOf(c)], i)
		}
	}
	paired := map[int]bool{}
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.ID != "" || c.At.IsZero() {
			continue
		}
		for _, at := range withID[actionOf(c)] {
			other := &p.Calls[at]
			last := other.At
			if other.End.After(last) {
				last = other.End
			}
			if paired[at] || other.File == c.File || c.At.Add(clockSkew).Before(other.At) || c.At.After(last.Add(hookDelay)) {
				continue
			}
			paired[at] = true
			c.ID = other.ID
			fillFrom(c, *other)
			break
		}
	}
	kept := 0
	for i := range p.Calls {
		if !paired[i] {
			p.Calls[kept] = p.Calls[i]
			kept++
		}
	}
	p.Calls = slices.Delete(p.Calls, kept, len(p.Calls))
}

// actionOf returns tool, command and paths of a call as one text to compare by.
func actionOf(c *session.ToolCall) string {
	return c.Name + "\x00" + c.Command + "\x00" + strings.Join(c.Paths, "\x00")
}

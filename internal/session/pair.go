package session

import (
	"slices"
	"strings"
	"time"
)

// A hook journal of an old agent has no ids, and a transcript tells of the same
// call: it is the same when it did the same and the hook ran between its
// beginning and soon after its end, give or take two clocks.
const (
	clockSkew = time.Second
	hookDelay = 5 * time.Second
)

// pair puts the calls without an id together with those of other logs of the
// session. The calls are in time order.
func (p *part) pair() {
	named := map[string][]int{}
	for i := range p.Calls {
		if c := &p.Calls[i]; c.ID != "" {
			named[c.deed()] = append(named[c.deed()], i)
		}
	}
	paired := map[int]bool{}
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.ID != "" || c.At.IsZero() {
			continue
		}
		for _, at := range named[c.deed()] {
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
			c.learn(*other)
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

// deed is what a call does, in one text.
func (c *ToolCall) deed() string {
	return c.Name + "\x00" + c.Command + "\x00" + strings.Join(c.Paths, "\x00")
}

package queue_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

func failing(rule, hash string) queue.Item {
	return queue.Item{Finding: queue.Finding{Rule: rule, Name: rule, Hash: hash, Level: finding.Error}}
}

// answer is a decision in short: hashes that block, that are shown as notes, open with the
// reason, and passed.
func answer(d queue.Decision) map[string]string {
	short := map[string]string{}
	for _, f := range d.Block {
		short[f.Hash] = "block"
	}
	for _, f := range d.Notes {
		short[f.Hash] = "note"
	}
	for _, f := range d.Passed {
		short[f.Hash] = "passed"
	}
	for _, o := range d.Open {
		short[o.Hash] = o.Why
	}
	return short
}

func TestDecide(t *testing.T) {
	level := func(i queue.Item, l finding.Level) queue.Item { i.Level = l; return i }
	status := func(i queue.Item, s queue.Status) queue.Item { i.Status = s; return i }
	promised := func(i queue.Item) queue.Item { i.Promised = true; return i }
	for _, test := range []struct {
		name    string
		session queue.Session
		moment  queue.Moment
		item    queue.Item
		want    string // empty: nothing is said of it
		blocks  int    // of the session afterwards
	}{
		{"an error", queue.Session{}, queue.Moment{}, failing("r", "h"), "block", 1},
		{"a warning", queue.Session{}, queue.Moment{}, level(failing("r", "h"), finding.Warning), "block", 1},
		{"a note", queue.Session{}, queue.Moment{}, level(failing("r", "h"), finding.Note), "note", 0},
		{"a note again", queue.Session{}, queue.Moment{}, status(level(failing("r", "h"), finding.Note), queue.Queued), "", 0},
		{"reported", queue.Session{}, queue.Moment{}, status(failing("r", "h"), queue.Queued), "reported to the agent before, and unchanged", 0},
		{"a failed command", queue.Session{}, queue.Moment{}, status(failing("r", "h"), queue.Failed), "reported to the agent before, and unchanged", 0},
		{"gone and back", queue.Session{}, queue.Moment{}, status(failing("r", "h"), queue.Skipped), "reported to the agent before, and unchanged", 0},
		{"passed", queue.Session{}, queue.Moment{}, status(failing("r", "h"), queue.Passed), "", 0},
		{"promised", queue.Session{}, queue.Moment{}, promised(failing("r", "h")), "passed", 0},
		{"promised later", queue.Session{}, queue.Moment{}, promised(status(failing("r", "h"), queue.Queued)), "passed", 0},
		{"tasks run", queue.Session{}, queue.Moment{Background: true}, failing("r", "h"), "tasks of the agent still run", 0},
		{"continued, idle", queue.Session{Blocks: 1, ToolCalls: 5}, queue.Moment{Continued: true, ToolCalls: 5}, failing("r", "h"), "the agent was continued and did nothing since", 1},
		{"continued, a counter lost", queue.Session{Blocks: 1, ToolCalls: 5}, queue.Moment{Continued: true}, failing("r", "h"), "the agent was continued and did nothing since", 1},
		{"continued, worked", queue.Session{Blocks: 1, ToolCalls: 5}, queue.Moment{Continued: true, ToolCalls: 6}, failing("r", "h"), "block", 2},
		{"continued by another program", queue.Session{}, queue.Moment{Continued: true}, failing("r", "h"), "block", 1},
		{"not continued, idle", queue.Session{Blocks: 1, ToolCalls: 5}, queue.Moment{ToolCalls: 5}, failing("r", "h"), "block", 2},
		{"the rule's last", queue.Session{Blocks: 7, Rules: map[string]int{"r": 2}}, queue.Moment{}, failing("r", "h"), "block", 8},
		{"too often for the rule", queue.Session{Blocks: 3, Rules: map[string]int{"r": 3}}, queue.Moment{}, failing("r", "h"), "the rule has blocked this session 3 times", 3},
		{"too often for the session", queue.Session{Blocks: 8, Rules: map[string]int{"x": 3}}, queue.Moment{}, failing("r", "h"), "this session was blocked 8 times", 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := queue.Decide(test.session, test.moment, []queue.Item{test.item})
			if got := answer(d)["h"]; got != test.want || d.Session.Blocks != test.blocks {
				t.Errorf("%q, %d blocks; want %q, %d", got, d.Session.Blocks, test.want, test.blocks)
			}
		})
	}
}

// TestDecideCountsRules counts a rule once a block, however many findings it has.
func TestDecideCountsRules(t *testing.T) {
	before := queue.Session{Rules: map[string]int{"a": 1}}
	d := queue.Decide(before, queue.Moment{ToolCalls: 9}, []queue.Item{failing("a", "1"), failing("a", "2"), failing("b", "3")})
	want := queue.Session{Blocks: 1, Rules: map[string]int{"a": 2, "b": 1}, ToolCalls: 9}
	if diff := cmp.Diff(want, d.Session); diff != "" {
		t.Error(diff)
	}
	if before.Rules["a"] != 1 {
		t.Error("the counts before were changed")
	}
}

// conversation is a model of an agent in a repository.
type conversation struct {
	t         *rapid.T
	present   map[string]int // rules with a finding: the version of what triggers it
	entries   map[string]queue.Status
	session   queue.Session
	calls     int
	blocked   map[string]bool
	stops     int
	continued bool
}

func hashOf(rule string, version int) string { return fmt.Sprintf("%s%d", rule, version) }

// stop asks the gate, and checks what holds of every answer. It reports whether the agent
// may stop.
func (c *conversation) stop() bool {
	c.stops++
	m := queue.Moment{Continued: c.continued && rapid.IntRange(0, 3).Draw(c.t, "says so") > 0, ToolCalls: c.calls, Background: rapid.IntRange(0, 9).Draw(c.t, "background") == 0}
	promise := ""
	if rapid.Bool().Draw(c.t, "promises") {
		promise = rapid.SampledFrom([]string{"a", "b", "c", "d", "unknown"}).Draw(c.t, "promise")
	}
	var items []queue.Item
	for _, rule := range []string{"a", "b", "c", "d"} {
		if version, ok := c.present[rule]; ok {
			item := failing(rule, hashOf(rule, version))
			item.Status, item.Promised = c.entries[item.Hash], rule == promise
			items = append(items, item)
		}
	}
	d := queue.Decide(c.session, m, items)
	if len(d.Block)+len(d.Open)+len(d.Passed) != len(items)-passedBefore(items) {
		c.t.Fatalf("of %d findings, something is said about %+v", len(items), d)
	}
	for _, f := range d.Block {
		if c.blocked[f.Hash] || m.Background {
			c.t.Fatalf("%s blocks again, or while tasks run", f.Hash)
		}
		c.blocked[f.Hash], c.entries[f.Hash] = true, queue.Queued
	}
	for _, f := range d.Passed {
		c.entries[f.Hash] = queue.Passed
	}
	c.session = d.Session
	for rule, n := range c.session.Rules {
		if n > queue.MaxRuleBlocks {
			c.t.Fatalf("%s blocked %d times", rule, n)
		}
	}
	if c.session.Blocks > queue.MaxBlocks {
		c.t.Fatalf("blocked %d times", c.session.Blocks)
	}
	return len(d.Block) == 0
}

func passedBefore(items []queue.Item) int {
	n := 0
	for _, i := range items {
		if i.Status == queue.Passed {
			n++
		}
	}
	return n
}

// work makes the agent do anything: break rules, break them in another way, follow them,
// or only talk.
func (c *conversation) work() {
	for range rapid.IntRange(0, 4).Draw(c.t, "actions") {
		rule := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(c.t, "rule")
		if rapid.IntRange(0, 3).Draw(c.t, "follows") == 0 {
			delete(c.present, rule)
		} else {
			c.present[rule] = rapid.IntRange(0, 20).Draw(c.t, "version") // may be as it was before
		}
		if rapid.Bool().Draw(c.t, "seen") {
			c.calls++
		}
	}
}

// TestConversationsEnd lets agents that obey each block stop again and again. Each of
// their turns ends after a few blocks, and a session has at most MaxBlocks.
func TestConversationsEnd(t *testing.T) {
	lawtest.CheckN(t, lawtest.Cases(t, "CONVERSATIONS", 10_000), func(t *rapid.T) {
		c := &conversation{t: t, present: map[string]int{}, entries: map[string]queue.Status{}, blocked: map[string]bool{}}
		prompts := rapid.IntRange(1, 6).Draw(t, "prompts")
		for range prompts {
			c.continued = false
			for c.work(); !c.stop(); c.work() {
				c.continued = true
			}
		}
		if c.stops > prompts+queue.MaxBlocks {
			t.Fatalf("%d stops for %d prompts", c.stops, prompts)
		}
	})
}

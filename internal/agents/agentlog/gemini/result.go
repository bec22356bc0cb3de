package gemini

import (
	"bytes"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// runs are the states of calls that did not end.
var runs = record.Words("validating scheduled executing awaiting_approval")

// exitText is the end of the result of a command that failed.
var exitText = lazyregexp.New(`(?:^|\n)Exit Code: (\d+)(?:\nSignal: [^\n]*)?(?:\nBackground PIDs: [^\n]*)?(?:\nProcess Group PGID: \d+)?(?:\n</untrusted_context>)?\s*$`)

// refusals are the beginnings of the results of calls that were not made.
var refusals = []string{"Tool execution blocked", "Tool execution denied by policy"}

// result returns how a call ended. A cancelled call did not begin, unless the user stopped
// it while it ran.
func (c *call) result() record.Result {
	res := record.Result{Status: fact.Running, At: c.at}
	head := jsonscan.Unescape(record.Head(c.text))
	switch string(c.status) {
	case "success":
		res.Status = fact.OK
	case "error":
		res.Status = fact.Error
		for _, refusal := range refusals {
			if bytes.Contains(head, []byte(refusal)) {
				res.Status = fact.Rejected
			}
		}
	case "cancelled":
		res.Status = fact.Rejected
		if bytes.HasPrefix(head, []byte("[Operation Cancelled] User cancelled")) {
			res.Status = fact.Error
		}
	}
	if res.Status == fact.Rejected {
		return res
	}
	const tail = 600
	if m := exitText().FindSubmatch(jsonscan.Unescape(c.text[max(0, len(c.text)-tail):])); m != nil {
		if exit, err := strconv.Atoi(string(m[1])); err == nil {
			res.Exit = &exit
			if exit != 0 && res.Status == fact.OK {
				res.Status = fact.Error
			}
		}
	}
	return res
}

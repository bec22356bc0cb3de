package dialect

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// probePrefix begins the ids of sessions that no agent has: of probes, which are refused and
// not recorded.
const probePrefix = "rulecheck-probe-"

// Probe returns the payload of a probe, and the name of its event.
func (d Dialect) Probe(id string) (payload []byte, event string) {
	for _, e := range d.Events {
		if e.Kind == hook.BeforeTool {
			event = e.Name
			break
		}
	}
	return fmt.Appendf(nil, d.Profile.Probe, probePrefix+id), event
}

// IsProbe reports whether an event is a probe.
func IsProbe(e hook.Event) bool {
	return strings.HasPrefix(e.Session, probePrefix)
}

// Probed describes the program that answered a probe.
type Probed struct {
	Version string `json:"version"`
	Program string `json:"program"` // its path
	Root    string `json:"root"`    // of the repository that it checks; empty: it finds none
	Observe bool   `json:"observe"` // nothing is refused
	// Rules are the ids of the tool rules that it reads there, one a line, and Fault is why it cannot
	// use them; older programs have neither.
	Rules string `json:"rules,omitempty"`
	Fault string `json:"fault,omitempty"`
}

// probed begins the reason of the answer to a probe.
const probed = "rulecheck-probe "

var reasonOfProbe = lazyregexp.New(probed + `<([^>]*)>`)

// Reason returns the reason with which a probe is refused.
func (p Probed) Reason() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // it is made of texts
	}
	return probed + "<" + hex.EncodeToString(text) + ">"
}

// ReadProbe reads the answer to a probe; ok is false if it does not have the form of the
// agent.
func (d Dialect) ReadProbe(payload []byte, event string, a hook.Answer) (p Probed, ok bool) {
	found := reasonOfProbe().FindStringSubmatch(a.Stdout + a.Stderr)
	if found == nil {
		return p, false
	}
	var text []byte
	if _, err := fmt.Sscanf(found[1], "%x", &text); err != nil || json.Unmarshal(text, &p) != nil {
		return p, false
	}
	want := d.Answer(d.Event(hook.ParsePayload(payload), event), hook.Decision{Verdict: hook.Deny, Reason: p.Reason()})
	return p, want == a
}

package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Figures sum up sessions.
type Figures struct {
	Sessions, Commands, Failed, Edits, Findings int

	Tokens  fact.TokenCount
	Unknown int // sessions without input or output tokens
	// Subagents counts the input and output tokens that logs show to be of subagents; nil: the activity of no session
	// is known.
	Subagents *int64
	Cost      money.Cost
	// The medians are of sessions for which the value is known; nil: of none.
	MedianTokens *int64 // input and output
	MedianCost   *money.USD
	MedianTime   *time.Duration
}

// FiguresOf sums up sessions; findings counts those of each session.
func FiguresOf(sessions []Session, findings map[SessionKey]int) Figures {
	f := Figures{Sessions: len(sessions)}
	var tokens []int64
	var costs []money.USD
	var times []time.Duration
	for i := range sessions {
		s := &sessions[i]
		f.Commands, f.Failed, f.Edits = f.Commands+s.Commands, f.Failed+s.Failed, f.Edits+s.Edits
		f.Findings += findings[s.Key()]
		f.Cost.Add(s.CostOrUnknown())
		if s.Cost != nil && s.Cost.Unknown == 0 {
			costs = append(costs, s.Cost.USD)
		}
		if s.Activity != nil && s.Activity.Subagents != nil {
			f.Subagents = new(known(f.Subagents) + s.Activity.Subagents.Tokens.Used())
		} else if s.Activity != nil {
			f.Subagents = new(known(f.Subagents))
		}
		if s.Tokens.Input != nil && s.Tokens.Output != nil {
			tokens = append(tokens, s.Tokens.Used())
		}
		if d := s.End.Sub(s.Start); !s.Start.IsZero() && d >= 0 {
			times = append(times, d)
		}
	}
	f.Tokens, f.Unknown = SumTokens(sessions)
	f.MedianTokens, f.MedianCost, f.MedianTime = median(tokens), median(costs), median(times)
	return f
}

// median returns the middle value; of two, the lower one.
func median[N cmp.Ordered](list []N) *N {
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	return &list[(len(list)-1)/2]
}

// FailedShare returns how many of 100 commands failed; ok is false without commands.
func (f Figures) FailedShare() (percent int, ok bool) {
	if f.Commands == 0 {
		return 0, false
	}
	return (100*f.Failed + f.Commands/2) / f.Commands, true
}

// SubagentShare returns how many of 100 input and output tokens were those of subagents; ok is false if that is not
// known.
func (f Figures) SubagentShare() (percent int64, ok bool) {
	all := f.Tokens.Used()
	if f.Subagents == nil || all <= 0 {
		return 0, false
	}
	return int64(math.Round(100 * float64(*f.Subagents) / float64(all))), true
}

func known(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// Compared is a figure with its values before and now, as texts.
type Compared struct {
	Name, Before, Now string
	Worse             bool // more than before, of what there should be less
}

// Compare returns the figures of a report next to those of an earlier one, and the findings of each rule that has
// some in either.
func (r *Report) Compare(before *Report) []Compared {
	was, now := FiguresOf(before.Sessions, before.FindingsBySession()), FiguresOf(slices.Collect(r.EachSession()), r.FindingsBySession())
	per := func(n, of int) string {
		if of == 0 {
			return "unknown"
		}
		return fmt.Sprintf("%.1f", float64(n)/float64(of))
	}
	rows := []Compared{
		{"sessions", Number(int64(was.Sessions)), Number(int64(now.Sessions)), false},
		{"tokens in + out", InputAndOutput(was.Tokens), InputAndOutput(now.Tokens), false},
		{"tokens of subagents", was.subagentText(), now.subagentText(), false},
		{"cost", ShortCost(&was.Cost), ShortCost(&now.Cost), false},
		{"median tokens of a session", orUnknown(was.MedianTokens, Number), orUnknown(now.MedianTokens, Number), more(was.MedianTokens, now.MedianTokens)},
		{"median cost of a session", orUnknown(was.MedianCost, money.USD.String), orUnknown(now.MedianCost, money.USD.String), more(was.MedianCost, now.MedianCost)},
		{"median time of a session", orUnknown(was.MedianTime, Duration), orUnknown(now.MedianTime, Duration), false},
		{"commands that failed", was.failedText(), now.failedText(), was.Commands > 0 && now.Commands > 0 && now.Failed*was.Commands > was.Failed*now.Commands},
		{"failed commands of a session", per(was.Failed, was.Sessions), per(now.Failed, now.Sessions), now.Failed*was.Sessions > was.Failed*now.Sessions},
		{"findings of a session", per(was.Findings, was.Sessions), per(now.Findings, now.Sessions), now.Findings*was.Sessions > was.Findings*now.Sessions},
	}
	counts := map[string][2]int{}
	for i, of := range []*Report{before, r} {
		for f := range of.EachFinding() {
			if !f.Waived() {
				n := counts[f.Rule]
				n[i]++
				counts[f.Rule] = n
			}
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		n := counts[rule]
		rows = append(rows, Compared{"findings of " + rule, Number(int64(n[0])), Number(int64(n[1])), n[1] > n[0]})
	}
	return rows
}

func (f Figures) failedText() string { return percent(f.FailedShare()) }

func (f Figures) subagentText() string { return percent(f.SubagentShare()) }

func percent[N int | int64](share N, ok bool) string {
	if !ok {
		return "unknown"
	}
	return fmt.Sprintf("%d %%", share)
}

func more[N cmp.Ordered](before, now *N) bool { return before != nil && now != nil && *now > *before }

// orUnknown writes a value if it is known.
func orUnknown[T any](value *T, text func(T) string) string {
	if value == nil {
		return "unknown"
	}
	return text(*value)
}

// UserOf returns the owner of the home directory that a directory is in; empty: it is in none.
func UserOf(dir string) string {
	dir = path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	parts := strings.Split(dir, "/")
	switch {
	case len(parts) > 1 && parts[1] == "root" && parts[0] == "":
		return "root"
	case len(parts) > 2 && (parts[1] == "home" || strings.EqualFold(parts[1], "users")):
		return parts[2]
	}
	return ""
}
